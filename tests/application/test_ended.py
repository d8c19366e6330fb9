"""A table folded without its play says of itself what the whole fold says: exports rest on it."""

import pytest
from msgspec import structs

from domain.clock import BankClock
from domain.games import GAMES
from domain.table_rules import AskPause, Expire, Resign, TakeSeat
from domain.values import Seat
from domain.verify import verify
from service.application.live import Frozen, Live, pack_secret
from service.application.ports import Stream
from service.application.records import ended, record_of, stream_of, written
from tests.support.simulate import TABLE, Simulation, played, wish


def eventful() -> Simulation:
    clock = BankClock(seconds=10, increment=1, on_expiry="resign")
    table = Simulation(wish("beam-me-up", "me", "open", "greedy", clock=clock))
    table.do(TakeSeat(player="p_b", entropy="aGVsbG8"), Seat(1))
    table.do(AskPause(Seat(0), go_on=False), Seat(0))
    table.do(AskPause(Seat(1), go_on=False), Seat(1))
    table.do(AskPause(Seat(0), go_on=True), Seat(0))
    table.do(AskPause(Seat(1), go_on=True), Seat(1))
    while table.table.to_act[0] == 2:
        table.move()
    table.do(Expire(table.table.to_act[0]), after_ms=60_000)
    left = next(Seat(seat) for seat in (0, 1) if not table.table.seats[seat].resigned)
    table.do(Resign(left), left)
    return table


@pytest.mark.parametrize("table", [*(played(game, 2, 4) for game in GAMES), eventful()])
def test_a_fold_without_the_play_says_the_same_of_the_table(table):
    stream = Stream(entries=tuple(table.entries), secret=pack_secret(table.secret))
    whole, kept = Live(TABLE, GAMES, stream), ended(TABLE, GAMES, stream)

    assert structs.replace(whole.table, play=None) == structs.replace(kept.table, play=None)
    assert record_of(whole, lambda _: {}) == written(kept, lambda _: {})


def test_an_imported_table_is_so_in_both_folds():
    table = played("universal-match", 2, 4)
    stream = Stream(entries=tuple(table.entries), secret=pack_secret(table.secret))
    record = record_of(Live(TABLE, GAMES, stream), lambda _: {})
    imported = stream_of(verify(record.splitlines(keepends=True), GAMES))
    kept = ended("another", GAMES, imported)

    assert kept.table.imported
    assert record == written(kept, lambda _: {})


def test_a_broken_chain_is_found_without_the_play_too():
    table = played("planet-pioneer", 2, 4)
    entries = [*table.entries[:5], structs.replace(table.entries[5], salt=bytes(16)), *table.entries[6:]]
    with pytest.raises(Frozen):
        ended(TABLE, GAMES, Stream(entries=tuple(entries), secret=pack_secret(table.secret)))
