"""How good a command looks to a player who minds what lies open: the measure of the greedy bot.

A line is worth what it promises. A card is laid for what winning this trick would bring, times how likely that
is, less what the card could do later, less what it would give to the seat that wins instead. The figures were
found by play against each other (four seats, blocks of one deal by all rotations).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

from msgspec import UNSET

from domain.game import Seen
from domain.games.beam_me_up.cards import BEARS, ELEMENTAL, ELEMENTALS, NUMBER, STANDS, Card, Elemental, Racer
from domain.games.beam_me_up.commands import CollectCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.default import line_after
from domain.games.beam_me_up.events import CardCollected, RacerLaunched
from domain.games.beam_me_up.views import BeamMeUpView
from domain.values import Command, Seat

WORTH: Final = (0.0, 1.0, 3.0, 10.0)
"""What so many alike in a line are worth; three are a launch."""
BESIDE: Final = 0.3
"""What a card beside the best set still counts: it may become the better set."""
LAST: Final = 0.8
"""What a set counts when one Space Racer only is left for it: somebody else may launch it first."""
TIE: Final = 0.3
"""The chance to win the trick after a tie."""
STAND: Final = 1.5
"""How fast the chance that a card is not beaten falls with its number, for each seat that is still to lay."""
HARM: Final = 0.2
"""How much another's gain hurts, measured by one's own."""
SPENT: Final = 2.5
"""What the highest card could do later; lower cards less, by the power of STEEP."""
STEEP: Final = 2.0
TAKEN: Final = 0.01
"""A card that betters nothing is not taken."""

Lines = Mapping[Seat, tuple[Card, ...]]
Four = tuple[int, int, int, int]
"""A count for each elemental: A, E, F, W."""


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the seat's commands, higher is better; never looks at a card that the seat does not see."""
    view = cast("BeamMeUpView", seen.view)
    lines = known_lines(seen, view)
    if view.phase == "play":
        return _rate_cards(view, lines, seen.seat, seen.commands)
    line, supply = lines[seen.seat], supply_of(view.racers)
    now = line_worth(counts_of(line), supply)
    return [_rate_settling(line, now, supply, view, lines, seen.seat, command) for command in seen.commands]


def known_lines(seen: Seen, view: BeamMeUpView) -> Lines:
    """Give all lines; where they are hidden (B34), those that a seat knows which remembers each pick."""
    lines = {seat.seat: seat.line for seat in view.seats if seat.line is not UNSET}
    if len(lines) == len(view.seats):
        return lines
    remembered: dict[Seat, tuple[Card, ...]] = {seat.seat: () for seat in view.seats}
    for event in seen.log:
        match event:
            case CardCollected(seat=seat, replaced=replaced, card=card):
                remembered[seat] = (*[held for held in remembered[seat] if held != replaced], card)
            case RacerLaunched(seat=seat):
                remembered[seat] = ()
            case _:
                pass
    return remembered


def counts_of(line: Sequence[Card]) -> Four:
    """Count the cards of each elemental."""
    elementals = [ELEMENTAL[card] for card in line]
    air, earth, fire, water = (elementals.count(elemental) for elemental in ELEMENTALS)
    return air, earth, fire, water


def supply_of(racers: Sequence[Racer]) -> Four:
    """Count the Space Racers left for each elemental."""
    air, earth, fire, water = (sum(elemental in BEARS[racer] for racer in racers) for elemental in ELEMENTALS)
    return air, earth, fire, water


@lru_cache(maxsize=1 << 14)
def line_worth(counts: Four, supply: Four) -> float:
    """Say what a line promises: its best set, and a little for what stands beside it."""
    worths = [
        0.0 if not left else WORTH[count] * (LAST if left == 1 and count < STANDS else 1.0)
        for count, left in zip(counts, supply, strict=True)
    ]
    best = max(worths)
    return best + BESIDE * (sum(worths) - best)


@lru_cache(maxsize=1 << 14)
def gains(counts: Four, supply: Four) -> Mapping[Elemental, float]:
    """Say for each elemental how much one card of it would better a line, put in the best place."""
    now = line_worth(counts, supply)
    found = {}
    for place, elemental in enumerate(ELEMENTALS):
        more = _changed(counts, place, 1)
        if sum(counts) < STANDS:
            lines = [more]
        else:
            lines = [_changed(more, out, -1) for out, count in enumerate(counts) if count]
        found[elemental] = max(0.0, max(line_worth(line, supply) for line in lines) - now)
    return found


def _changed(counts: Four, place: int, by: int) -> Four:
    air, earth, fire, water = (count + by * (other == place) for other, count in enumerate(counts))
    return air, earth, fire, water


def _rate_settling(
    line: tuple[Card, ...],
    now: float,
    supply: Four,
    view: BeamMeUpView,
    lines: Lines,
    seat: Seat,
    command: Command,
) -> float:
    match command:
        case CollectCard():
            return line_worth(counts_of(line_after(line, command)), supply) - now - TAKEN
        case LaunchRacer(racer=racer):
            left = supply_of([other for other in view.racers if other != racer])
            others = sum(line_worth(counts_of(held), left) for other, held in lines.items() if other != seat)
            return WORTH[STANDS] - others  # the racer that takes most from the others' lines
        case _:  # no more cards: as good as none
            return 0.0


def _rate_cards(view: BeamMeUpView, lines: Lines, seat: Seat, commands: Sequence[Command]) -> list[float]:
    trick, supply, seats = view.trick, supply_of(view.racers), len(view.seats)
    newest = trick.layers[-1] if len(trick.layers) == trick.layer else ()
    to_come = seats - len(newest) - 1
    top = max((NUMBER[laid.card] for laid in newest), default=0)
    ahead = [laid.seat for laid in newest if NUMBER[laid.card] == top]
    rivals = ahead if not to_come else [Seat((seat + step) % seats) for step in range(1, seats)]
    own, *others = [gains(counts_of(lines[one]), supply) for one in (seat, *rivals)]
    table = [ELEMENTAL[card] for card in trick.on_table]
    own_table = max((own[elemental] for elemental in table), default=0.0)
    others_table = [max((other[elemental] for elemental in table), default=0.0) for other in others]
    ratings = []
    for command in commands:
        if not isinstance(command, PlayCard):
            ratings.append(0.0)
            continue
        number, elemental = NUMBER[command.card], ELEMENTAL[command.card]
        chance = ((number - 1) / 13) ** (STAND * to_come) if number > top else TIE * (number == top)
        gain = max(own_table, own[elemental])
        harm = sum(max(one, other[elemental]) for one, other in zip(others_table, others, strict=True)) / len(others)
        ratings.append(chance * gain - (1 - chance) * HARM * harm - SPENT * (number / 14) ** STEEP)
    return ratings
