"""Privacy as a law: what is sent to a viewer, in bodies, headers and refusals, tells no more than he may know.

Two ways to look: no card that a viewer never saw is in any byte sent to him; and two states that look alike to him
give the same bytes at every address.
"""

import itertools
import json
import random
import re
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.games import GAMES
from domain.log import seen_log
from domain.testing.commands import Vocabulary
from domain.values import PUBLIC, Seat, Viewer
from service.api.operation import Operation
from service.api.routes import ALL
from tests.support.api import SHORT, Api, play

LARGE: dict[str, dict[str, Any]] = {
    **SHORT,
    "planet-pioneer": {
        "deck": [
            *({"name": f"hut_{n}", "kind": "structure", "level": 1 + n % 5, "copies": 1} for n in range(40)),
            *({"name": f"wall_{n}", "kind": "defense", "level": 1 + n % 5, "copies": 1} for n in range(17)),
            *(
                {"name": kind, "kind": kind, "level": level, "copies": 1}
                for kind, level in (("visit", 0), ("attack", 0))
            ),
            *({"name": kind, "kind": kind, "level": level, "copies": 1} for kind, level in (("strike", 0), ("cap", 1))),
        ]
    },
}
"""Options with which no two cards are alike, so that a card's name says where it is."""

TELLING = {
    "beam-me-up": re.compile(r"[AEFW]\d+"),
    "planet-pioneer": re.compile(r"(hut|wall)_\d+"),
    "universal-match": re.compile(r".*"),
}
"""Cards whose names mean nothing else: racers lie open from the start, and `attack` is a command too."""

SEATS = {game: min(GAMES[game].seats) for game in GAMES}


def seat_players(ada: Api, game: str, **more: Any) -> tuple[str, list[Api]]:
    persons = [ada, *(ada.register(name) for name in "BCD")][: SEATS[game]]
    table = ada.table(game, "me", *["open"] * (len(persons) - 1), **more)["id"]
    for person in persons[1:]:
        person.sit(table)
    return table, persons


# ---- no card that was never seen


def words(value: Any) -> set[str]:
    """Give every text in a JSON value, the options of the table left out: they name the deck."""
    match value:
        case str():
            return set(re.findall(r"\w+", value)) | {value}
        case list() | tuple():
            return {word for each in value for word in words(each)}
        case dict():
            return {word for name, each in value.items() if name != "options" for word in words(each)}
        case _:
            return set()


def known_cards(services: Any, table: str, viewer: Viewer, cards: set[str]) -> set[str]:
    live = services.desk.table(table)
    if live.table.status == "finished":
        return cards  # all is shown
    log = seen_log(live.game, live.entries, viewer)
    return words(msgspec.to_builtins(log)) & cards


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_byte_sent_to_a_viewer_names_a_card_that_he_never_saw(services, ada, public, game):
    rng = random.Random(game)
    table, persons = seat_players(ada, game, options=LARGE[game], seed=f"{game} 3")
    options = services.desk.table(table).table.options
    cards = {facts.card for facts in GAMES[game].cards(options) if TELLING[game].fullmatch(facts.card)}
    assert len(cards) > 50
    viewers: list[tuple[Api, Viewer]] = [(person, Seat(seat)) for seat, person in enumerate(persons)]
    viewers.append((public, PUBLIC))
    hidden_moments = 0

    def look() -> None:
        nonlocal hidden_moments
        for person, viewer in viewers:
            person.seen.clear()
            for path in ("", "?as=public", "/commands", "/events", "/events?after=1&limit=200", "/replay"):
                person.get(f"/v1/tables/{table}{path}")
            person.get(f"/v1/tables/{table}/events", Accept="application/x-ndjson")
            person.get(f"/v1/tables?player={ada.id}")
            known = known_cards(services, table, viewer, cards)
            sent = set().union(*(words(_parsed(each)) for each in person.seen)) & cards
            hidden_moments += bool(cards - known)
            assert sent <= known, (viewer, sent - known)
        for person in persons:
            person.seen.clear()

    def check_answers() -> None:
        """What commands were answered with, before the next look."""
        for person, viewer in viewers[:-1]:
            known = known_cards(services, table, viewer, cards)
            sent = set().union(*(words(_parsed(each)) for each in person.seen), set()) & cards
            assert sent <= known, (viewer, sent - known)
        if rng.random() < 0.2:
            look()

    look()
    play(table, persons, rng, check_answers, most=120)
    assert hidden_moments


def _parsed(seen: bytes) -> list[Any]:
    """Give an answer's headers and body as JSON values; lines of JSON one by one."""
    head, _, body = seen.partition(b"\r\n\r\n")
    found: list[Any] = [head.decode()]
    for line in [body] if body.count(b"\n") < 2 else body.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(line.decode())
    return found


def test_a_leak_would_be_found():
    """The guard guards: a card in a nested list, in a header, in a sentence."""
    cards = {"A1", "A2", "A3"}
    seen = [
        b'X: 1\r\n\r\n{"view": [{"hand": ["A1"]}], "options": ["A2"]}',
        b"ETag: A3\r\n\r\n",
        b'\r\n\r\n{"x": "lays A2."}',
    ]
    assert [{"A1"}, {"A3"}, {"A2"}] == [words(_parsed(each)) & cards for each in seen]


# ---- two worlds


def fill(operation: Operation, table: str, ada: Api) -> str:
    """Give the address of an operation at a table; a new parameter must be thought about here."""
    parameters = {
        "table": table,
        "seat": "0",
        "player": ada.id,
        "game": "beam-me-up",
        "token_id": "x",
        "webhook": "x",
        "delivery": "1",
        "tournament": "cup_none",
        "entry": "x",
        "round": "1",
        "code": "not_found",
        "asset": "start.js",
    }
    return re.sub(r"\{(\w+)\}", lambda match: parameters[match[1]], operation.path)


QUERIES = {
    "getTable": ("", "?as=public", "?at=2", "?at=1&as=public", "?as=all", "?as=1", "?as=9", "?at=99"),
    "listEvents": ("", "?after=1", "?as=public", "?as=all", "?limit=1"),
    "listTables": ("", "?status=playing"),
    "replayTable": ("", "?as=public", "?as=all", "?as=1", "?as=9", "?from=1&to=2", "?to=99"),
}
"""What is asked for besides the plain address."""

OTHER_FORMATS = {"listEvents": ("application/x-ndjson",), "replayTable": ("application/x-ndjson",)}

NOT_COMPARED = {"getMetrics"}
"""Counts requests, these among them; holds no state of a table (`test_counters_tell_routes_and_codes_and_no_ids`)."""

REFUSED: dict[str, tuple[tuple[str, Any], ...]] = {
    "sitDown": (("POST", {}), ("POST", {"seat": 1}), ("POST", {"seat": 9})),
    "leaveSeat": (("DELETE", None),),
    "abortTable": (("DELETE", None),),
    "forkTable": (("POST", {"at": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}), ("POST", {"at": 999, "seats": []})),
    "rematchTable": (("POST", None),),
    "judgeTable": (("POST", {"places": [1, 2], "reason": "a try"}),),
}
"""What is refused at a table that is being played, whatever lies hidden; commands are made by the vocabulary."""


def gets(table: str, ada: Api) -> Iterable[tuple[str, dict[str, str]]]:
    for operation in ALL:
        if operation.method == "GET" and operation.name not in NOT_COMPARED:
            for query in QUERIES.get(operation.name, ("",)):
                yield fill(operation, table, ada) + query, {}
            for media in OTHER_FORMATS.get(operation.name, ()):
                yield fill(operation, table, ada), {"Accept": media}


def refusals(services: Any, table: str, seat: int, rng: random.Random) -> list[Any]:
    """Give commands of every type that the seat is refused, in words that the game has."""
    live = services.desk.table(table)
    game, state = live.game, live.table.play
    legal = {msgspec.json.encode(command) for command in game.legal(state, seat)}
    used = [command for seat_ in range(SEATS[game.name]) for command in game.legal(state, seat_)]
    near = [facts.card for facts in game.cards(live.table.options)]
    made = Vocabulary(game, live.table.options, SEATS[game.name], used).commands(near, rng)
    refused = [command for command in made if msgspec.json.encode(command) not in legal]
    chosen = rng.sample(refused, min(25, len(refused)))
    return [*map(msgspec.to_builtins, chosen), {"type": "nothing"}, {"type": "pause_clock"}]


def everything_sent(services: Any, table: str, ada: Api, viewer: Api, asked: list[Any]) -> list[bytes]:
    """Give all that a viewer is sent at every address, refusals included."""
    viewer.seen.clear()
    fixed = {"X_Request_Id": "the-same"}
    for path, headers in gets(table, ada):
        viewer.get(path, status=None, **fixed, **headers)
    for operation in ALL:
        for method, body in REFUSED.get(operation.name, ()):
            answer = viewer.send(method, fill(operation, table, ada), body, None, fixed)
            assert answer.status_code >= 400
    for command in asked:
        answer = viewer.send("POST", f"/v1/tables/{table}/commands", command, None, fixed)
        assert answer.status_code >= 400, command
        stale = {**fixed, "If_Match": '"1-0000000000000000-s0"'}
        viewer.send("POST", f"/v1/tables/{table}/commands", command, None, stale)
    return list(viewer.seen)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [0, 7, 40])
def test_two_states_that_look_alike_to_a_viewer_give_the_same_bytes(services, ada, public, game, moves):
    rng = random.Random(f"{game} {moves}")
    table, persons = seat_players(ada, game)
    play(table, persons, rng, most=moves)
    live = services.desk.table(table)
    first, told_apart = live.table, 0
    for seat, person in enumerate(persons):
        asked = refusals(services, table, seat, rng)
        log = seen_log(live.game, live.entries, Seat(seat))
        other = live.game.resample(first.options, len(persons), Seat(seat), log, random.Random(moves))
        told_apart += other != first.play
        for viewer in (person, public):
            live._table = first
            one = everything_sent(services, table, ada, viewer, asked if viewer is person else [])
            live._table = structs.replace(first, play=other)
            two = everything_sent(services, table, ada, viewer, asked if viewer is person else [])
            live._table = first
            for here, there in itertools.zip_longest(one, two):
                assert here == there
    assert told_apart, "the other worlds were the same one"


@pytest.mark.parametrize("game", GAMES)
def test_another_world_does_look_different_to_its_own_players(services, ada, game):
    """The law would catch a view that shows too much: the other seat's player does see the difference."""
    table, persons = seat_players(ada, game)
    live = services.desk.table(table)
    log = seen_log(live.game, live.entries, Seat(0))
    before = persons[1].get(f"/v1/tables/{table}").data
    other = live.game.resample(live.table.options, len(persons), Seat(0), log, random.Random(1))
    live._table = structs.replace(live.table, play=other)
    assert before != persons[1].get(f"/v1/tables/{table}").data


def test_every_operation_at_a_table_is_under_the_law():
    """A new one must be told what it is refused with, or be a GET, which the law walks by itself."""
    at_a_table = {each.name for each in ALL if "{table}" in each.path and each.method != "GET"}
    assert at_a_table == {*REFUSED, "postCommand"}


def test_a_perspective_is_refused_in_the_same_words_whatever_is_hidden(ada, bob, public):
    """Whether a seat holds a card can't be asked by asking for its eyes."""
    table = ada.table("beam-me-up", "me", "open")["id"]
    bob.sit(table)
    refused = {
        person.get(f"/v1/tables/{table}{path}as={eyes}", status=403, X_Request_Id="r").data
        for person, eyes in ((ada, "1"), (ada, "all"), (bob, "0"), (public, "1"), (public, "all"))
        for path in ("?", "/events?")
    }
    assert 1 == len(refused)


def test_salts_secrets_and_command_ids_are_in_no_answer(services, ada, public):
    table, persons = seat_players(ada, "beam-me-up")
    persons[0].seen.clear()
    play(table, persons, random.Random(3), most=5)
    for path, headers in gets(table, ada):
        public.get(path, status=None, **headers)
        persons[0].get(path, status=None, **headers)
    live = services.desk.table(table)
    sent = b"".join(persons[0].seen + public.seen)
    for entry in live.entries:
        for secret in (entry.salt.hex(), entry.command_id, entry.body, entry.hash[16:]):
            assert secret.encode() not in sent
    assert live.secret.secret.hex().encode() not in sent
