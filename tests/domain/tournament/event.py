"""A tournament in memory for tests: commands go in, events are folded, games are decided by a dice."""

import random
from collections.abc import Callable

from domain.chance import SeededChance
from domain.tournament.commands import AddEntries, Create, MarkTablesMade, NewEntry, PairRound, Record, Start
from domain.tournament.commands import TournamentCommand as Command
from domain.tournament.events import Result, TournamentEvent
from domain.tournament.knockout import survivors
from domain.tournament.log import applied
from domain.tournament.plan import Crowd, Format, Plan
from domain.tournament.rules import Tools, create, decide
from domain.tournament.state import Tournament, evolve

SEATS = (2, 3, 4, 5, 6)


def plan(format_: Format = "swiss", seats: int = 2, **more) -> Plan:
    given = {"name": "Cup", "game": "beam-me-up", "options": {}, "entrants": Crowd(min=2, max=2000)}
    return Plan(format=format_, seats_per_table=seats, **{**given, **more})


class Cup:
    """One tournament; `log` holds all events, by entry."""

    def __init__(self, plan_: Plan, entrants: int = 0, seed: int = 0) -> None:
        self.tools = Tools(
            secret="00",
            chance=SeededChance(seed.to_bytes(32, "big")),
            game_id=lambda *place: "g" + "-".join(map(str, place)),
        )
        events = create(Create(plan=plan_, organiser="boss", seats=SEATS), "c0")
        self.t: Tournament = applied("t1", None, events)
        self.log: list[tuple[TournamentEvent, ...]] = [events]
        self.active: list[frozenset[str]] = []
        if entrants:
            self.enter(entrants)

    def enter(self, count: int) -> None:
        wishes = tuple(NewEntry(kind="ai", name="bot", bot="greedy") for _ in range(count))
        self.do(AddEntries(entries=wishes, by="boss", bulk=True))

    def do(self, command: Command, now_ms: int = 0) -> tuple[TournamentEvent, ...]:
        events = decide(self.t, command, self.tools, now_ms)
        for event in events:
            self.t = evolve(self.t, event)
        if events:
            self.log.append(events)
        return events

    def start(self) -> None:
        self.do(Start(by="boss"))

    def pair(self) -> None:
        before = len(self.t.rounds)
        self.active.append(frozenset(survivors(self.t) if self.t.plan.format == "knockout" else self.t.active))
        self.do(PairRound(before + 1))
        if len(self.t.rounds) == before:
            self.active.pop()
        else:
            self.do(MarkTablesMade(before + 1))

    def play_round(self, rng: random.Random, order: Callable[[list[str]], None] = lambda _: None) -> None:
        assert self.t.current is not None
        results = {game: dice(rng, len(pairing.entries)) for pairing, _, game in self.t.current.games()}
        games = list(results)
        order(games)
        for game in games:
            self.do(Record(game, results[game]))

    def play(self, rng: random.Random) -> None:
        while self.t.status == "running":
            self.pair()
            if self.t.current is not None:
                self.play_round(rng)


def dice(rng: random.Random, seats: int) -> Result:
    scores = tuple(rng.randrange(4) for _ in range(seats))
    return Result(places=tuple(1 + sum(other > score for other in scores) for score in scores), scores=scores)
