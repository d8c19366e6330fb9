"""Records: written and read, and every change is found with its line (records.md)."""

import hashlib
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.clock import TurnClock
from domain.games import GAMES
from domain.history import GENESIS, canonical
from domain.log import seen_log
from domain.record import RecordError, decode_record, encode_record
from domain.table_events import Origin
from domain.table_rules import Expire, LeaveSeat, ReplaceBot, Resign, TakeSeat
from domain.values import Seat
from domain.verify import replay, verify
from tests.support.simulate import TABLE, Simulation, played, wish


def record_of(table: Simulation, name: str = "Ada") -> bytes:
    return encode_record(table.table, TABLE, table.entries, {"p_me": name})


def wrong_line(record: bytes) -> int:
    with pytest.raises(RecordError) as error:
        verify(record.splitlines(keepends=True), GAMES)
    assert str(error.value)
    return error.value.line


SHORT = played("beam-me-up", 2, seed=3)
RECORD = record_of(SHORT)
LINES = RECORD.splitlines(keepends=True)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_a_table_of_every_game_verifies(game: str, seed: int) -> None:
    for seats in GAMES[game].seats:
        record = record_of(played(game, seats, seed))

        assert TABLE == verify(record.splitlines(keepends=True), GAMES).record.header.table


def test_the_same_table_gives_the_same_bytes() -> None:
    assert RECORD == record_of(played("beam-me-up", 2, seed=3))


def test_a_resigned_table_and_a_fork_verify() -> None:
    table = Simulation(wish("beam-me-up", "me", "open"))
    table.do(TakeSeat(player="p_other", entropy="aGVsbG8"), Seat(1))
    for _ in range(12):
        table.move()
    position = seen_log(table.table.game, table.entries, "all")
    fork = Simulation(wish("beam-me-up", "me", "greedy", origin=Origin(table="t", version=14), position=position))
    for one in (table, fork):
        one.do(Resign(Seat(0)), Seat(0))

        verify(record_of(one).splitlines(keepends=True), GAMES)


def test_a_table_with_a_chosen_seed_verifies() -> None:
    table = Simulation(wish("beam-me-up", "random", "random", chosen_seed="nebula")).play_out()

    verify(record_of(table).splitlines(keepends=True), GAMES)


@pytest.mark.parametrize("cut", [0, 1, 2, 10, len(LINES) - 2, len(LINES) - 1])
def test_a_file_cut_at_a_line_is_seen_as_such(cut: int) -> None:
    assert cut + 1 == wrong_line(b"".join(LINES[:cut]))


def test_a_file_cut_inside_a_line_is_wrong_there() -> None:
    for line in (1, 5, len(LINES)):
        cut = b"".join(LINES[: line - 1]) + LINES[line - 1][:-9]

        assert line == wrong_line(cut)


def test_a_line_taken_out_or_swapped_or_doubled_is_found() -> None:
    assert 5 == wrong_line(b"".join(LINES[:4] + LINES[5:]))
    assert 5 == wrong_line(b"".join([*LINES[:4], LINES[5], LINES[4], *LINES[6:]]))
    assert 6 == wrong_line(b"".join(LINES[:5] + LINES[4:]))


@pytest.mark.parametrize("seed", range(150))
def test_one_changed_byte_is_found_at_its_line_or_before(seed: int) -> None:
    rng = random.Random(seed)
    at = rng.randrange(RECORD.rindex(b'{"names"'))
    changed = bytearray(RECORD)
    changed[at] = rng.choice([byte for byte in range(32, 127) if byte != RECORD[at]])
    line = 1 + RECORD[:at].count(b"\n")

    assert wrong_line(bytes(changed)) <= line


def resealed(change: dict[int, dict[str, object]]) -> bytes:
    """Change entries and forge a chain that holds again, as somebody would who wants to cheat."""
    lines = [json.loads(line) for line in LINES]
    before = GENESIS
    for line in lines:
        if line["type"] == "entry":
            line.update(change.get(line["version"], {}))
            sealed = {key: line[key] for key in ("version", "time", "seat", "events", "salt")}
            before = line["hash"] = hashlib.sha256(bytes.fromhex(before) + canonical(sealed)).hexdigest()
        if line["type"] == "trailer":
            line["head"] = before
    return b"".join(canonical(line) + b"\n" for line in lines)


def test_the_forger_of_these_tests_forges_a_chain_that_holds() -> None:
    assert RECORD == resealed({})


def entry_events(version: int) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(LINES[version])["events"]
    return events


def test_a_stacked_deal_with_a_forged_chain_is_found_by_the_seed() -> None:
    events = entry_events(1)
    dealt = next(event for event in events if event["type"] == "cards_dealt")
    cards = dealt["pile"]["cards"]
    cards[0], cards[1] = cards[1], cards[0]

    assert 2 == wrong_line(resealed({1: {"events": events}}))


def test_a_card_played_that_was_not_in_hand_with_a_forged_chain_is_found_by_the_rules() -> None:
    events = entry_events(2)
    events[0]["card"] = "F7" if events[0]["card"] != "F7" else "W3"

    assert 3 == wrong_line(resealed({2: {"events": events}}))


def test_a_move_by_another_seat_or_an_extra_event_with_a_forged_chain_is_found() -> None:
    assert 3 == wrong_line(resealed({2: {"seat": 1 - int(json.loads(LINES[2])["seat"])}}))
    assert 3 == wrong_line(resealed({2: {"events": [*entry_events(2), {"type": "table_started"}]}}))
    assert 3 == wrong_line(resealed({2: {"events": []}}))
    assert 3 == wrong_line(resealed({2: {"events": [{"type": "no_such_event"}]}}))
    assert 3 == wrong_line(resealed({2: {"time": "2001-01-01T00:00:00.000Z"}}))


def test_an_entry_that_names_another_seat_than_the_one_that_caused_it_is_found_whatever_the_entry_is() -> None:
    """G6, G7: resigning, pausing, timing out, sitting down and leaving, a bot's fall and an abort, each by its own seat."""
    clock = TurnClock(seconds=60)
    table = Simulation(wish("beam-me-up", "me", "open", "greedy", "open", clock=clock))
    table.do(TakeSeat(player="p_x", entropy="aGVsbG8"), Seat(1))
    table.do(LeaveSeat(seat=Seat(1), by="p_me"), Seat(0))
    table.do(TakeSeat(player="p_other", entropy="aGVsbG8"), Seat(1))
    table.do(LeaveSeat(seat=Seat(1), by="p_other"), Seat(1))
    for seat in (1, 3):
        table.do(TakeSeat(player=f"p_{seat}", entropy="aGVsbG8"), Seat(seat))
    while table.table.to_act != (Seat(2),):
        table.move()
    choice = table.table.game.legal(table.table.play, Seat(2))[0]
    table.do(ReplaceBot(Seat(2), choice, "stuck"), Seat(2))
    late = table.table.to_act[0]  # no bot: it has just moved
    table.do(Expire(late), None, after_ms=61_000)
    table.do(Resign(Seat(0)), Seat(0))
    for seat in (1, 3):
        table.do(Resign(Seat(seat)), Seat(seat))
    assert "finished" == table.table.status
    for entry in table.entries:
        # A seat is left by who sits there or by the creator; nobody can tell afterwards which of the two it was.
        true = {Seat(0), Seat(1)} if b"seat_left" in entry.events else {entry.seat}
        for other in {None, *map(Seat, (-1, 0, 1, 2, 9, 2**63))} - true:
            forged = [*table.entries]
            forged[entry.version - 1] = msgspec.structs.replace(entry, seat=other)
            with pytest.raises(RecordError) as error:
                replay(TABLE, forged, table.table.game, table.secret)
            assert entry.version == error.value.version, (entry.events, other)


@pytest.mark.parametrize(
    "junk",
    [b"", b"\n", b"{}", b"[]", b"null", b"\xff\xfe", b'{"type":"header"}', b"[" * 100_000, b"x" * 5_000_000],
    ids=lambda junk: repr(junk[:12]),
)
def test_a_foreign_file_is_refused_at_its_first_line(junk: bytes) -> None:
    assert 1 == wrong_line(junk)


def test_what_was_written_reads_back() -> None:
    record = decode_record(LINES)

    assert len(SHORT.entries) == len(record.entries)
    assert SHORT.table.outcome == record.outcome
    assert {"p_me": "Ada"} == record.names


def test_a_field_that_no_record_has_is_found_also_outside_the_chain() -> None:
    for at in (0, 4, len(LINES) - 3, len(LINES) - 2, len(LINES) - 1):
        line = canonical({**json.loads(LINES[at]), "zzz": 1}) + b"\n"

        assert at + 1 == wrong_line(b"".join([*LINES[:at], line, *LINES[at + 1 :]]))


@pytest.mark.parametrize(
    ("at", "change"),
    [
        (0, {"created": "2026-02-30T00:00:00.000Z"}),
        (0, {"options": {"lines": 10**40}}),
        (0, {"options": {"lines": [[[[]]]] * 3}}),
        (1, {"time": "2026-13-01T00:00:00.000Z"}),
        (2, {"version": 10**30}),
        (2, {"version": True}),
        (2, {"version": 2.0}),
        (3, {"seat": 10**9}),
        (3, {"seat": -1}),
        (len(LINES) - 1, {"names": {"p_stranger": "Eve"}}),
        (len(LINES) - 1, {"names": {"p_me": "x" * 41}}),
        (len(LINES) - 2, {"secret": "0" * 64}),
        (len(LINES) - 2, {"entries": 10**30}),
    ],
)
def test_wild_values_are_refused_at_their_line(at: int, change: dict[str, object]) -> None:
    line = json.dumps({**json.loads(LINES[at]), **change}, sort_keys=True, separators=(",", ":")).encode() + b"\n"

    assert at + 1 == wrong_line(b"".join([*LINES[:at], line, *LINES[at + 1 :]]))


def test_a_record_that_is_too_long_is_refused_while_it_is_read() -> None:
    def endless() -> Iterator[bytes]:
        yield LINES[0]
        for version in itertools.count(1):
            yield canonical({**json.loads(LINES[2]), "version": version}) + b"\n"

    with pytest.raises(RecordError, match="longer than"):
        verify(endless(), GAMES)


def test_a_file_without_its_last_line_break_is_cut_short() -> None:
    assert len(LINES) == wrong_line(RECORD[:-1])


def test_what_is_wrong_with_a_line_is_said_in_plain_words() -> None:
    for wrong, said in (
        (b"a picture", "this is no record"),
        (b'[Event "a game of chess"]\n', "this is no record"),
        (b"".join(LINES[:4]) + LINES[4][:-9], "the file is cut short in this line"),
        (b"".join([*LINES[:4], b"\n", *LINES[4:]]), "an empty line"),
        (RECORD.replace(b'"salt"', b'"\xffalt"', 1), "not UTF-8"),
        (RECORD.replace(b'"salt":"', b'"salt":"x', 1), "the field salt is not written as it must be"),
    ):
        with pytest.raises(RecordError) as error:
            verify(wrong.splitlines(keepends=True), GAMES)
        assert said in str(error.value)


@pytest.mark.parametrize("name", ["A\u0000", "\u001b[2JAda", "A\nB", "\u202eadA", "x" * 41, "\u200b"])
def test_a_name_that_no_player_can_have_is_wrong(name: str) -> None:
    with pytest.raises(RecordError, match="the name of 'p_me' can't be one"):
        verify(record_of(SHORT, name).splitlines(keepends=True), GAMES)


def test_the_check_that_fails_is_named() -> None:
    events = entry_events(1)
    dealt = next(event for event in events if event["type"] == "cards_dealt")
    cards = dealt["pile"]["cards"]
    cards[0], cards[1] = cards[1], cards[0]
    played = entry_events(2)
    played[0]["card"] = "F7" if played[0]["card"] != "F7" else "W3"
    salted = json.loads(LINES[3]) | {"salt": "0" * 32}
    damaged = {
        "form": RECORD[:-20],
        "chain": b"".join([*LINES[:3], canonical(salted) + b"\n", *LINES[4:]]),
        "seed": b"".join([*LINES[:-2], LINES[-2].replace(SHORT.secret.secret.hex().encode(), b"0" * 64), LINES[-1]]),
        "rules": resealed({2: {"events": played}}),
        "shuffles": resealed({1: {"events": events}}),
        "outcome": RECORD.replace(b'"Ada"', b'"' + b"x" * 41 + b'"'),
    }
    for check, record in damaged.items():
        with pytest.raises(RecordError) as error:
            verify(record.splitlines(keepends=True), GAMES)

        assert check == error.value.check
