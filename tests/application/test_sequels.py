"""Forks and rematches (api.md)."""

import os

import pytest

from domain.errors import Refusal
from domain.games import GAMES
from domain.table_rules import Resign, TakeSeat, Wish
from domain.values import Seat
from service.application.handle import Attempt, Desk
from service.application.live import Live
from service.application.sequels import fork_wish, rematch_wish
from service.store.memory import MemoryStore
from tests.support.simulate import wish


class NoQueue:
    """Hints are lost."""

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Lose it."""


def finished(desk: Desk) -> Live:
    desk.create("t1", wish("beam-me-up", "me", "open", "greedy"), Attempt("c"))
    desk.handle("t1", lambda _: (TakeSeat(player="p_b"), None), Attempt("sit"))
    for seat in (0, 1):
        desk.handle("t1", lambda _, s=seat: (Resign(Seat(s)), Seat(s)), Attempt(f"end {seat}"))  # type: ignore[misc]
    return desk.table("t1")


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore(), NoQueue(), GAMES, os.urandom)


def test_a_fork_stands_as_its_origin_stood(desk: Desk) -> None:
    live = finished(desk)
    seats = [Wish(kind="me"), Wish(kind="ai", bot="greedy"), Wish(kind="ai", bot="random")]
    fork = desk.create("t2", fork_wish(live, 2, seats, "p_new"), Attempt("f"))

    assert live.table_at(2).play == fork.table.play
    assert not fork.table.rated
    assert fork.table.origin is not None
    assert ("t1", 2) == (fork.table.origin.table, fork.table.origin.version)


def test_a_fork_keeps_to_its_origin_in_a_replay_by_another_process(desk: Desk) -> None:
    live = finished(desk)
    seats = [Wish(kind="me"), Wish(kind="ai", bot="greedy"), Wish(kind="ai", bot="random")]
    desk.create("t2", fork_wish(live, 2, seats, "p_new"), Attempt("f"))
    other = Desk(desk.__dict__["_store"], NoQueue(), GAMES, os.urandom)

    assert live.table_at(2).play == other.table("t2").table.play


@pytest.mark.parametrize(("at", "seats", "field"), [(0, 3, "at"), (99, 3, "at"), (1, 3, "at"), (2, 2, "seats")])
def test_a_fork_that_can_not_be_is_refused_by_field(desk: Desk, at: int, seats: int, field: str) -> None:
    with pytest.raises(Refusal) as refusal:
        fork_wish(finished(desk), at, [Wish(kind="open")] * seats, "p_new")

    assert {field} == set(refusal.value.errors)


def test_a_running_table_is_neither_forked_nor_played_again(desk: Desk) -> None:
    desk.create("t1", wish("beam-me-up", "me", "greedy"), Attempt("c"))
    for sequel in (lambda live: fork_wish(live, 1, [], "p_me"), lambda live: rematch_wish(live, "p_me")):
        with pytest.raises(Refusal) as refusal:
            sequel(desk.table("t1"))

        assert "table_not_finished" == refusal.value.code


def test_b1_a_rematch_moves_every_player_one_seat_and_draws_anew(desk: Desk) -> None:
    live = finished(desk)
    again = rematch_wish(live, "p_b")

    assert [("ai", None), ("player", "p_me"), ("me", "p_b")] == [(seat.kind, seat.player) for seat in again.seats]


def test_only_who_sat_there_may_ask_for_a_rematch(desk: Desk) -> None:
    with pytest.raises(Refusal) as refusal:
        rematch_wish(finished(desk), "p_stranger")

    assert "not_seated" == refusal.value.code
