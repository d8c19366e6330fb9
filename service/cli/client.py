"""A running server as the command line sees it: plain HTTP, one player, every request tried under one key."""

import getpass
import json
import math
import os
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import httpx

from service.bootstrap import NotStarted

Json = dict[str, Any]

FILE: Final = "terminal.json"
_WAIT_S: Final = 20
_PAGE: Final = 200
_TRIES: Final = 3
_PAUSE_S: Final = 0.3
_LONG_PAUSE_S: Final = 2.0
_UNAVAILABLE: Final = 503
_PASSING: Final = frozenset({502, _UNAVAILABLE, 504})
"""What it says, or a proxy before it, while it is away or its store is."""
_TOO_MUCH: Final = 429


class Refused(Exception):
    """The server refused a request; the text is its own words."""

    def __init__(self, problem: Json) -> None:
        ruling = f" ({problem['ruling']})" if "ruling" in problem else ""
        super().__init__(f"{problem.get('detail') or problem.get('title')}{ruling}")
        self.code = str(problem.get("code"))


class Away(NotStarted):
    """No server answers at an address."""

    def __init__(self, base: str, failed: Exception) -> None:
        self.reason = f"No server answers on {base} ({type(failed).__name__})."
        super().__init__(
            f"{self.reason} Start one in another terminal with `make run` (or `starledger run`), or name one by --server."
        )


class Client:
    """One player at one server. The token is kept in `folder`, where only this user may read it.

    Where the server says that it was too much at once, it is asked again when it says, if that is within `patience_s`
    (RFC 9110, section 10.2.3). Where it has answered and is away now, it is asked again for so long. Why is told.
    """

    def __init__(
        self, base: str, folder: Path, patience_s: float = 0.0, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self.base = base.rstrip("/")
        self._patience_s = patience_s
        self._tell = tell
        self._has_answered = False
        self._file = folder / FILE
        self._http = httpx.Client(timeout=httpx.Timeout(10, read=_WAIT_S + 15), trust_env=False)

    @property
    def kept_in(self) -> Path:
        """The file that the token is kept in."""
        return self._file.resolve()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def sign_in(self, name: str | None = None) -> Json:
        """Be the player whose token is kept for this server, else a new one; gives the player.

        Raises `NotStarted` where no server answers.
        """
        kept = self._kept().get(self.base)
        if kept is not None and name in (None, kept["name"]):
            self._http.headers["Authorization"] = f"Bearer {kept['token']}"
            try:
                return self.get("/v1/me")
            except Refused as refused:
                if refused.code != "unauthenticated":
                    raise
                del self._http.headers["Authorization"]  # another server, or its key was changed
        made = self.post("/v1/players", {"name": name or getpass.getuser(), "kind": "human"})
        token = self.word(made, "token")
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._keep({**self._kept(), self.base: {"name": self.word(made, "name"), "token": token}})
        return made

    def recall(self) -> None:
        """Be the player whose token is kept for this server, if there is one."""
        kept = self._kept().get(self.base)
        if kept is not None:
            self._http.headers["Authorization"] = f"Bearer {kept['token']}"

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Json:
        """Read; raises `Refused` and `NotStarted`."""
        return self._ask("GET", path, params=query)

    def post(self, path: str, body: Json | None, key: str | None = None) -> Json:
        """Post under a key, else a fresh one, so that a second try does nothing twice.

        Raises `Refused` and `NotStarted`.
        """
        more: Json = {} if body is None else {"json": body}
        return self._ask("POST", path, **more, headers={"Idempotency-Key": key or secrets.token_urlsafe(32)})

    def word(self, found: Json, name: str) -> str:
        """Give what a server has made, by its name; raises `NotStarted` where it says nothing of the kind."""
        word = found.get(name)
        if not isinstance(word, str):
            raise NotStarted(f"What answers on {self.base} is not Starledger: it gave no {name}.")
        return word

    def be(self, token: str) -> None:
        """Be the player with this token from now on."""
        self._http.headers["Authorization"] = f"Bearer {token}"

    def raw(self, path: str) -> bytes:
        """Read what is no JSON; raises `Refused` and `NotStarted`."""
        answer = self._answer("GET", path)
        if not answer.is_success:
            raise Refused(self._json(answer))
        return answer.content

    def hindrance(self) -> str | None:
        """Tell why the server is not able to serve, in its own words; None where it is, or does not say. Asked once."""
        try:
            answer = self._http.get(f"{self.base}/readyz")
            return str(answer.json()["detail"]) if answer.status_code == _UNAVAILABLE else None
        except (httpx.TransportError, ValueError, LookupError, TypeError):
            return None

    def news(self, table: str, after: int) -> Json:
        """Wait for entries behind a version, for a while."""
        return self.get(f"/v1/tables/{table}/events", {"after": after, "wait": _WAIT_S})

    def _ask(self, method: str, path: str, **more: Any) -> Json:
        answer = self._answer(method, path, **more)
        found = self._json(answer)
        if answer.is_success:
            return found
        raise Refused(found)

    def _json(self, answer: httpx.Response) -> Json:
        try:
            found = answer.json()
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise NotStarted(f"What answers on {self.base} is not Starledger (status {answer.status_code}).")
        return found

    def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Ask until there is an answer: a few times, or for as long as there is patience."""
        tries, began = 0, time.monotonic()
        while True:
            tries += 1
            is_enough = tries >= _TRIES and not (self._has_answered and time.monotonic() < began + self._patience_s)
            try:
                answer = self._http.request(method, self.base + path, **more)
            except httpx.TransportError as failed:
                away = Away(self.base, failed)
                if is_enough:
                    raise away from failed
                reason = away.reason
            else:
                self._has_answered = True
                if answer.status_code == _TOO_MUCH and (wait_s := _asked_to_wait_s(answer)) <= self._patience_s:
                    self._tell(f"{self.base} asks to wait: too much at once (429).")
                    tries, began = 0, time.monotonic()
                    time.sleep(wait_s)
                    continue
                if answer.status_code not in _PASSING or is_enough:
                    if tries > _TRIES and answer.status_code not in _PASSING:
                        self._tell(f"{self.base} answers again.")
                    return answer
                reason = f"{self.base} can't answer now ({answer.status_code})."
            if tries >= _TRIES:
                self._tell(f"{reason} It is asked again.")
            time.sleep(_PAUSE_S if tries < _TRIES else _LONG_PAUSE_S)

    def _kept(self) -> dict[str, dict[str, str]]:
        try:
            found: dict[str, dict[str, str]] = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return found

    def _keep(self, tokens: dict[str, dict[str, str]]) -> None:
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(tokens, file)
        except OSError as failed:
            raise NotStarted(f"Your token can't be kept in {self._file}: {failed.strerror}.") from failed


def _asked_to_wait_s(answer: httpx.Response) -> float:
    """Give the seconds of `Retry-After`; for ever where it is not there, or a date."""
    said = answer.headers.get("Retry-After", "")
    return max(_PAUSE_S, float(said)) if said.isdecimal() else math.inf


def all_items(client: Client, path: str, query: Mapping[str, Any] | None = None) -> list[Json]:
    """Read a whole list, page by page; raises `Refused` and `NotStarted`."""
    found: list[Json] = []
    cursor: dict[str, str] = {}
    while True:
        page = client.get(path, {**(query or {}), "limit": str(_PAGE), **cursor})
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}
