"""Tables played in memory: the decider alone, no store, for tests of the log, the record and the views."""

import random
from collections.abc import Callable, Mapping, Sequence

from domain.chance import Secret, chosen_secret
from domain.games import GAMES
from domain.history import GENESIS, Entry, chain, encode_events
from domain.log import apply_events
from domain.options import parse_options
from domain.table import Table
from domain.table_rules import Create, Play, TableCommand, Wish, create, decide
from domain.values import Command, Event, Seat

TABLE = "t_simulated"


class Simulation:
    """A table with its log; `do` is what the one door does, without a store."""

    def __init__(self, wish: Create, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        drawn = Secret(secret=self._rng.randbytes(32), bots=self._rng.randbytes(32))
        self.secret = drawn if wish.chosen_seed is None else chosen_secret(wish.chosen_seed)
        self.now_ms = 1_700_000_000_000
        self.entries: list[Entry] = []
        events = create(TABLE, wish, self.secret, self.now_ms)
        self.table: Table = apply_events(TABLE, wish.game, None, events)
        self._seal(events, self.table.seat_of(wish.creator))

    def do(self, command: TableCommand, seat: Seat | None = None, after_ms: int = 5) -> tuple[Event, ...]:
        """Decide a command; what is refused changes nothing but the time."""
        self.now_ms += after_ms
        decided = decide(self.table, command, self.secret, self.now_ms)
        self.table = apply_events(TABLE, self.table.game, self.table, decided.events)
        assert decided.table == self.table, "what was decided is not what the events make"
        self._seal(decided.events, seat)
        return decided.events

    def move(self, choose: Callable[[Sequence[Command]], Command] | None = None) -> None:
        """Let one seat that is to act do something legal."""
        seat = self._rng.choice(self.table.to_act)
        commands = self.table.game.legal(self.table.play, seat)
        self.do(Play(seat, (choose or self._rng.choice)(commands)), seat)

    def play_out(self) -> "Simulation":
        """Play at random until the table ends."""
        while self.table.status == "playing":
            self.move()
        return self

    def _seal(self, events: tuple[Event, ...], seat: Seat | None) -> None:
        before = self.entries[-1].hash if self.entries else GENESIS
        version, stored, salt = len(self.entries) + 1, encode_events(events), self._rng.randbytes(16)
        sealed = chain(before, version, self.now_ms, seat, stored, salt)
        self.entries.append(
            Entry(
                version=version,
                time_ms=self.now_ms,
                seat=seat,
                events=stored,
                salt=salt,
                hash=sealed,
                command_id=f"c{version}",
            )
        )


def wish(
    game: str,
    *seats: Wish | str,
    options: Mapping[str, object] | None = None,
    creator: str | None = "p_me",
    **more: object,
) -> Create:
    """Make the wish for a table; a seat given as text is `me`, `open`, a bot's level, or `=` and a player's id."""
    rules = GAMES[game]
    return Create(
        game=rules,
        options=parse_options(rules.options, options or {}),
        seats=tuple(_wish(seat) for seat in seats),
        creator=creator,
        **more,  # type: ignore[arg-type]
    )


def _wish(seat: Wish | str) -> Wish:
    if isinstance(seat, Wish):
        return seat
    if seat == "me":
        return Wish(kind="me")
    if seat == "open":
        return Wish(kind="open")
    return Wish(kind="player", player=seat[1:]) if seat.startswith("=") else Wish(kind="ai", bot=seat)


def played(game: str, seats: int, seed: int = 0, options: Mapping[str, object] | None = None) -> Simulation:
    """Give a table of bots that was played to its end at random."""
    return Simulation(wish(game, *["random"] * seats, options=options), seed).play_out()
