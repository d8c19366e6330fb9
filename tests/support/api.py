"""A client of the API for tests: each answer is checked against the contract before a test sees it."""

import itertools
import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException

from tests.support import contract

_keys = itertools.count()

SHORT: dict[str, dict[str, Any]] = {
    "beam-me-up": {"earth_racer": False},
    "planet-pioneer": {},
    "universal-match": {"target": "one_hand"},
}
"""Options that make a random game end soon."""


class Api:
    """One caller: with a token, or without one. `seen` gets every answer's headers and body."""

    def __init__(self, app: Flask, token: str | None = None, me: Mapping[str, Any] | None = None) -> None:
        self.app = app
        self.token = token
        self.me = me or {}
        self.seen: list[bytes] = []
        self._client = app.test_client()

    @property
    def id(self) -> str:
        """The player's id."""
        return str(self.me["id"])

    def register(self, name: str, kind: str = "human") -> "Api":
        """Give a new player's client."""
        made = self.post("/v1/players", {"name": name, "kind": kind}, status=201).json
        return Api(self.app, made["token"], made)

    def get(self, path: str, status: int | None = 200, **headers: str) -> Any:
        """GET a path; `status` is what must come (None: anything)."""
        return self.send("GET", path, None, status, headers)

    def post(
        self, path: str, body: Any = None, status: int | None = 200, key: str | None = None, **headers: str
    ) -> Any:
        """POST a JSON body."""
        more = {"Idempotency_Key": key} if key else {}
        return self.send("POST", path, body, status, {**headers, **more})

    def delete(self, path: str, status: int | None = 204, **headers: str) -> Any:
        """DELETE a path."""
        return self.send("DELETE", path, None, status, headers)

    def send(
        self,
        method: str,
        path: str,
        body: Any,
        status: int | None,
        headers: Mapping[str, str],
        raw: bytes | None = None,
    ) -> Any:
        """Send a request and check the answer; `_` in a header's name stands for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            named.setdefault("Authorization", f"Bearer {self.token}")
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            named.setdefault("Content-Type", "application/json")
        answer = self._client.open(path, method=method, data=data, headers=named)
        text = answer.get_data()
        self.seen.append(str(answer.headers).encode() + text)
        contract.check(method, self._template(method, path), answer.status_code, answer.headers, text)
        if status is not None:
            assert status == answer.status_code, text.decode()
        return answer

    def record(self, path: str, record: bytes, status: int | None = 201, **headers: str) -> Any:
        """POST a record."""
        named = {"Content_Type": "application/vnd.starledger.record+jsonl", **headers}
        return self.send("POST", path, None, status, named, raw=record)

    def table(self, game: str = "beam-me-up", *seats: Any, status: int = 201, **more: Any) -> dict[str, Any]:
        """Create a table."""
        body = {"game": game, "seats": [seat if isinstance(seat, dict) else {"kind": seat} for seat in seats], **more}
        made: dict[str, Any] = self.post("/v1/tables", body, status=status).json
        return made

    def sit(self, table: str, status: int = 201, **body: Any) -> dict[str, Any]:
        """Sit down."""
        sat: dict[str, Any] = self.post(f"/v1/tables/{table}/seats", body, status=status).json
        return sat

    def commands(self, table: str) -> list[dict[str, Any]]:
        """Give the caller's commands."""
        listed: list[dict[str, Any]] = self.get(f"/v1/tables/{table}/commands").json["commands"]
        return listed

    def do(self, table: str, command: Mapping[str, Any], status: int = 200, **more: Any) -> dict[str, Any]:
        """Post a command."""
        done: dict[str, Any] = self.post(f"/v1/tables/{table}/commands", command, status=status, **more).json
        return done

    def _template(self, method: str, path: str) -> str | None:
        urls = self.app.url_map.bind("localhost")
        try:
            rule, _ = urls.match(
                path.split("?", maxsplit=1)[0], method="GET" if method == "HEAD" else method, return_rule=True
            )
        except HTTPException:
            return None
        return re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule)


def new_key() -> str:
    """Give an idempotency key that no other test has."""
    return f"key-{next(_keys):032d}"


def play(
    table: str, persons: list[Api], rng: random.Random, each: Callable[[], None] = lambda: None, most: int = 10_000
) -> dict[str, Any]:
    """Let persons play at most so many random legal moves until the table ends; `each` runs after every one."""
    by_seat = {person.get(f"/v1/tables/{table}").json["you"]["seat"]: person for person in persons}
    shown: dict[str, Any] = persons[0].get(f"/v1/tables/{table}").json
    while shown["status"] == "playing" and (most := most - 1) >= 0:
        actor = by_seat[rng.choice([seat for seat in shown["to_act"] if seat in by_seat])]
        moves = [command for command in actor.commands(table) if command["type"] not in _NO_MOVES]
        actor.do(table, rng.choice(moves))
        each()
        shown = persons[0].get(f"/v1/tables/{table}").json
    return shown


_NO_MOVES = ("resign", "pause_clock", "resume_clock")
