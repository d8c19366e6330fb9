"""How long a Swiss round takes to pair: 64 and 1,000 entrants, tables of two and of four, rounds one to five."""

import random
import statistics
import time

from domain.chance import SeededChance
from domain.tournament.commands import AddEntries, Create, MarkTablesMade, NewEntry, PairRound, Record, Start
from domain.tournament.events import Result
from domain.tournament.log import applied
from domain.tournament.plan import Crowd, Plan
from domain.tournament.rules import Tools, create, decide
from domain.tournament.state import evolve


def measure(entrants: int, seats: int, rounds: int = 5) -> None:
    """Pair rounds, with results by a dice between them, and print the times."""
    plan = Plan("b", "g", {}, "swiss", seats, rounds=rounds, entrants=Crowd(2, 2000))
    tools = Tools("00", SeededChance(bytes(32)), lambda *place: "-".join(map(str, place)))
    t = applied("t", None, create(Create(plan, "boss", (2, 3, 4)), "c"))
    rng = random.Random(1)
    entries = tuple(NewEntry("ai", "bot", bot="greedy") for _ in range(entrants))
    times: list[float] = []
    repeats = 0
    for command in (AddEntries(entries, "boss"), Start("boss")):
        for event in decide(t, command, tools, 0):
            t = evolve(t, event)
    for number in range(1, rounds + 1):
        began = time.process_time()
        paired = decide(t, PairRound(number), tools, 0)
        times.append(1000 * (time.process_time() - began))
        for event in (*paired, *decide(evolve(t, paired[0]), MarkTablesMade(number), tools, 0)):
            t = evolve(t, event)
        repeats += t.rounds[-1].cost.repeats
        for pairing, _, game in list(t.rounds[-1].games()):
            scores = [rng.random() for _ in pairing.entries]
            places = tuple(1 + sum(other > score for other in scores) for score in scores)
            for event in decide(t, Record(game, Result(places)), tools, 0):
                t = evolve(t, event)
    print(
        f"{entrants:5} entrants, {seats} seats: median {statistics.median(times):7.1f} ms, most {max(times):7.1f} ms "
        f"of processor time a round; {repeats} meetings again"
    )


if __name__ == "__main__":
    for entrants in (64, 1000):
        for seats in (2, 4):
            measure(entrants, seats)
