"""Tables in memory, with a clock in the test's hand, for tests of what workers do."""

import os

from domain.games import GAMES
from domain.log import decode_events
from domain.table_rules import Play
from domain.values import Seat
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.ports import Queue
from service.store import MemoryStore
from tests.support.simulate import wish

START_MS = 1_800_000_000_000


class Rig:
    """A memory store with a desk; `now_ms` is the time of both."""

    def __init__(self, queue: Queue | None = None) -> None:
        self.now_ms = START_MS
        self.store = MemoryStore(clock=lambda: self.now_ms)
        self.desk = self.new_desk(queue)

    def new_desk(self, queue: Queue | None = None) -> Desk:
        """Give a desk as another process would have it."""
        return Desk(self.store, queue or NoHints(), GAMES, os.urandom, lambda: self.now_ms)

    def table(self, game: str, *seats, name: str = "t", **more) -> str:
        """Make a table; seats as in `tests.support.simulate.wish`."""
        self.desk.create(name, wish(game, *seats, **more), Attempt(command_id=f"create-{name}"))
        return name

    def move(self, table: str, seat: int, index: int = 0) -> None:
        """Let a person do the first (or another) thing that is allowed."""

        def first(now):
            return Play(Seat(seat), now.game.legal(now.play, Seat(seat))[index]), Seat(seat)

        self.desk.handle(table, first, Attempt(command_id=os.urandom(8).hex()))

    def events(self, table: str, kind: str | None = None):
        """Give all events of a table, or those of one type."""
        live = self.desk.table(table)
        every = [event for entry in live.entries for event in decode_events(live.game, entry.events)]
        return [event for event in every if kind is None or type(event).__struct_config__.tag == kind]
