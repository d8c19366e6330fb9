"""Privacy as a law, at every address in every format that the contract names, with something there to be seen.

The world is one in which all addresses answer: a table of a tournament that is being played, a webhook with deliveries,
a finished table. Then what is hidden at the table is dealt anew, as no viewer can tell, and all is read again.
"""

import dataclasses
import gc
import itertools
import json
import random
from typing import Any, cast

import pytest
from msgspec import structs

from domain.games import GAMES
from domain.log import seen_log
from domain.values import Seat
from service.api.app import create_app
from service.api.routes import ALL
from service.application.limiting import Flow, Limiter, Standing
from service.application.live import Live
from service.bootstrap import in_memory
from service.config import load
from service.web import web_page
from tests.api.test_privacy import NOT_COMPARED, QUERIES, SEATS
from tests.api.test_webhooks import deliver
from tests.support.api import SHORT, Api, play

HEARTBEATS = {"text/event-stream": b": still here\n\n", "application/x-ndjson": b"\n"}
ASKED = {**QUERIES, "listRatings": ("?game=beam-me-up",)}
PAGES = ("/", "/static/app.js")


class Counting:
    """A limiter that lets everything through and keeps what was counted."""

    def __init__(self) -> None:
        self.spent: list[tuple[str, str]] = []

    def spend(self, bucket: str, who: str) -> Standing:
        self.spent.append((bucket, who))
        return Standing(bucket=bucket, flow=Flow(per_second=1, burst=9), is_allowed=True, left=5, wait_s=1)


class World:
    """A service in which every address has something to answer."""

    def __init__(self, game: str, moves: int) -> None:
        services = in_memory(load({"STARLEDGER_RATE_LIMITS": "off", "STARLEDGER_WEBHOOKS_PRIVATE": "on"}))
        self.limiter = Counting()
        self.services = dataclasses.replace(services, limiter=cast("Limiter", self.limiter))
        self.services.watch.heartbeat_s = 0.02
        self.app = create_app(self.services, [web_page()])
        public = Api(self.app)
        self.organiser = public.register("Eve")
        self.players = [public.register(name) for name in "ABCD"[: SEATS[game]]]
        owner = self.players[0]
        hook = owner.post("/v1/webhooks", {"url": "http://127.0.0.1:1/hook"}, status=201).json["id"]
        finished = self.players[0].table(game, "me", *[{"kind": "ai", "bot": "random"}] * (SEATS[game] - 1))["id"]
        self.players[0].do(finished, {"type": "resign"})
        plan = {"name": "Cup", "game": game, "format": "round_robin", "seats_per_table": SEATS[game]}
        cup = self.organiser.post("/v1/tournaments", {**plan, "options": SHORT[game]}, status=201).json["id"]
        for person in self.players:
            person.post(f"/v1/tournaments/{cup}/entries", {"entry": {"kind": "me"}}, status=201)
        self.organiser.post(f"/v1/tournaments/{cup}/start")
        notices = self.players[0].get("/v1/me/stream?limit=200").json["items"]
        (self.table,) = {each["table"] for each in notices if each["type"] == "tournament_paired"}
        for person in self.players:
            person.sit(self.table)
        self.players.sort(key=lambda each: each.get(f"/v1/tables/{self.table}").json["you"]["seat"])
        play(self.table, self.players, random.Random(f"{game} {moves}"), most=moves)
        deliver(self.services)
        delivery = owner.get(f"/v1/webhooks/{hook}/deliveries").json["items"][0]["id"]
        self.parameters = {
            "table": self.table,
            "seat": "0",
            "player": self.players[0].id,
            "game": game,
            "token_id": "x",
            "webhook": hook,
            "delivery": str(delivery),
            "tournament": cup,
            "entry": "e1",
            "round": "1",
            "code": "not_found",
            "asset": "start.js",
        }
        self.finished = finished
        self.counted()

    def viewers(self) -> list[tuple[str, str | None]]:
        people = [(f"seat {seat}", person.token) for seat, person in enumerate(self.players)]
        return [*people, ("organiser", self.organiser.token), ("public", None)]

    def addresses(self) -> list[tuple[str, str, str]]:
        """Give all that is read: the operation's name, the address, the format."""
        found = [("page", path, "") for path in PAGES]
        for operation in ALL:
            if operation.method != "GET" or operation.name in NOT_COMPARED:
                continue
            for table in (self.table, self.finished) if "{table}" in operation.path else (self.table,):
                values = {**self.parameters, "table": table}
                path = operation.path.format_map(values)
                for query, media in itertools.product(ASKED.get(operation.name, ("",)), operation.media or ("",)):
                    found.append((operation.name, path + query, media))
        return found

    def read(self, token: str | None, path: str, media: str, **more: str) -> tuple[int, bytes]:
        """Give the status, and the headers and the body as they are sent; a live stream up to when it is silent."""
        method = more.pop("method", "GET")
        headers = {"X-Request-Id": "the-same", **more}
        headers |= {"Accept": media} if media else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.app.test_client().open(path, method=method, headers=headers, buffered=False)
        beat, body = HEARTBEATS.get(media, b""), b""
        for chunk in answer.iter_encoded():
            body += chunk
            if beat and answer.is_streamed and body.endswith(beat * 2):
                break
        answer.close()
        answer.headers.pop("Date", None)
        while beat and body.endswith(beat * 2 if beat == b"\n" else beat):
            body = body[: -len(beat)]
        return answer.status_code, str(answer.headers).encode() + body

    def everything(self, token: str | None) -> dict[tuple[str, ...], tuple[int, bytes]]:
        """Give all that a viewer is sent, by what he asked for."""
        found: dict[tuple[str, ...], tuple[int, bytes]] = {}
        for name, path, media in self.addresses():
            found[name, path, media, "GET"] = self.read(token, path, media)
            if media == "application/json":
                found[name, path, media, "HEAD"] = self.read(token, path, media, method="HEAD")
                found[name, path, media, "gzip"] = self.read(token, path, media, **{"Accept-Encoding": "gzip"})
        return found

    def counted(self) -> list[tuple[str, str]]:
        """Give what was counted against rate limits since this was asked for last."""
        spent, self.limiter.spent = self.limiter.spent, []
        return spent

    def hold_another(self, other: Any) -> list[tuple[Live, Any]]:
        """Put another state behind every copy of the table that this process holds; gives how to undo it."""
        held = [each for each in gc.get_objects() if isinstance(each, Live) and each.id == self.table]
        before = [(live, live.table) for live in held]
        for live, table in before:
            live._table = structs.replace(table, play=other)
        return before


@pytest.mark.slow
@pytest.mark.parametrize(("game", "moves"), list(zip(GAMES, (12, 30, 7), strict=True)))
def test_every_address_gives_the_same_bytes_in_every_format_for_two_worlds_that_look_alike(game, moves):
    world = World(game, moves)
    live = world.services.desk.table(world.table)
    assert "playing" == live.table.status
    one = {name: (world.everything(token), world.counted()) for name, token in world.viewers()}
    for seat in range(SEATS[game]):
        log = seen_log(live.game, live.entries, Seat(seat))
        other = live.game.resample(live.table.options, SEATS[game], Seat(seat), log, random.Random(seat))
        assert other != live.table.play
        before = world.hold_another(other)
        assert live in [held for held, _ in before]
        for name, token in world.viewers():
            if name in (f"seat {seat}", "organiser" if seat else "public"):
                for asked, there in world.everything(token).items():
                    assert one[name][0][asked] == there, (name, asked)
                assert one[name][1] == world.counted(), "what is counted tells nothing either"
        for held, table in before:
            held._table = table


def test_the_law_reads_every_format_of_every_address_and_finds_something_there():
    world = World("beam-me-up", 9)
    seen: dict[tuple[str, str], bytes] = {}
    for _, token in world.viewers():
        for (name, _, media, how), (status, sent) in world.everything(token).items():
            if how == "GET" and status == 200:
                seen[name, media] = max(sent, seen.get((name, media), b""), key=len)
    named = {(each.name, media) for each in ALL if each.method == "GET" for media in each.media or ("",)}
    assert named - seen.keys() == {
        ("getMetrics", "text/plain"),  # not compared
        ("getTournamentRecord", "application/x-ndjson"),  # there after the end, when all is shown
    }
    assert b"id: 2\n" in seen["listEvents", "text/event-stream"]
    assert b'"your_turn"' in seen["followMe", "text/event-stream"]
    assert json.loads(seen["getTable", "application/json"].partition(b"\r\n\r\n")[2])
