"""A desk on any store, and tables that people sit at and move on, for tests of what follows an entry."""

import itertools
import os
import random

from domain.games import GAMES
from domain.table import Table
from domain.table_rules import Play, TableCommand
from domain.values import Seat
from service.application.handle import Attempt, Desk
from service.application.live import Live
from service.application.ports import EventStore
from tests.support.simulate import wish

_ids = itertools.count(1)


class NoQueue:
    """A queue that nobody reads: the bots of these tables never move."""

    def enqueue(self, table: str, version: int, attempt: int = 0) -> None:
        """Do nothing."""


def desk_on(store: EventStore) -> Desk:
    """Give a desk with all games."""
    return Desk(store, NoQueue(), GAMES, os.urandom)


def new_table(desk: Desk, *seats: str, game: str = "beam-me-up", seed: str | None = None) -> Live:
    """Make a table; without seats there are three, taken by its creator and two random bots, and it is played."""
    table_id = f"t_{next(_ids)}{os.urandom(4).hex()}"
    asked = wish(game, *(seats or ("me", "random", "random")), chosen_seed=seed)
    return desk.create(table_id, asked, Attempt(f"create-{table_id}")).live


def move(desk: Desk, table_id: str, moves: int = 1, seed: int = 0) -> int:
    """Let whoever is to act do something legal, so often or until the end; gives the version reached."""
    chance = random.Random(seed)
    version = desk.table(table_id).version
    for _ in range(moves):
        live = desk.table(table_id)
        if live.table.status != "playing":
            break

        def something(table: Table) -> tuple[TableCommand, Seat | None]:
            seat = chance.choice(table.to_act)
            return Play(seat, chance.choice(table.game.legal(table.play, seat))), seat

        version = desk.handle(table_id, something, Attempt(f"move-{table_id}-{live.version}")).entry.version
    return version
