"""How good a command looks to a player who minds what lies open: the measure of the greedy bot.

A line is worth what it promises. A card is laid for what winning this trick would bring, times how likely that
is, less what the card could do later, less what it would give to the seat that wins instead.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from msgspec import UNSET

from domain.game import Seen
from domain.games.beam_me_up.cards import BEARS, ELEMENTAL, NUMBER, STANDS, Card, Elemental, Racer
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
HARM: Final = 0.7
"""How much another's gain hurts, measured by one's own."""
SPENT: Final = 1.6
"""What the highest card could do later; lower cards less, by the square."""
UNSEEN: Final = 0.3
"""What each card that is still to be laid may add to the gain of the trick."""

TAKEN: Final = 0.01
"""A card that betters nothing is not taken."""

Lines = Mapping[Seat, tuple[Card, ...]]
Supply = Mapping[Elemental, int]


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the seat's commands, higher is better; never looks at a card that the seat does not see."""
    view = cast("BeamMeUpView", seen.view)
    lines = known_lines(seen, view)
    if view.phase == "play":
        return _rate_cards(view, lines, seen.seat, seen.commands)
    line, supply = lines[seen.seat], supply_of(view.racers)
    return [_rate_settling(line, supply, view, lines, seen.seat, command) for command in seen.commands]


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


def supply_of(racers: Sequence[Racer]) -> Supply:
    """Count the Space Racers left for each elemental."""
    supply: dict[Elemental, int] = {"A": 0, "E": 0, "F": 0, "W": 0}
    for racer in racers:
        for elemental in BEARS[racer]:
            supply[elemental] += 1
    return supply


def line_worth(line: Sequence[Card], supply: Supply) -> float:
    """Say what a line promises: its best set, and a little for what stands beside it."""
    counts: dict[Elemental, int] = {}
    for card in line:
        counts[ELEMENTAL[card]] = counts.get(ELEMENTAL[card], 0) + 1
    best = total = 0.0
    for elemental, count in counts.items():
        left = supply[elemental]
        worth = 0.0 if not left else WORTH[count] * (LAST if left == 1 and count < STANDS else 1.0)
        total += worth
        best = max(best, worth)
    return best + BESIDE * (total - best)


def best_gain(line: tuple[Card, ...], cards: Sequence[Card], supply: Supply) -> float:
    """Say how much the best single pick of these cards would better a line."""
    now, best = line_worth(line, supply), 0.0
    for card in cards:
        if not supply[ELEMENTAL[card]]:
            continue
        if len(line) < STANDS:
            best = max(best, line_worth((*line, card), supply) - now)
        else:
            for place in range(STANDS):
                swapped = (*line[:place], *line[place + 1 :], card)
                best = max(best, line_worth(swapped, supply) - now)
    return best


def _rate_settling(
    line: tuple[Card, ...], supply: Supply, view: BeamMeUpView, lines: Lines, seat: Seat, command: Command
) -> float:
    match command:
        case CollectCard():
            return line_worth(line_after(line, command), supply) - line_worth(line, supply) - TAKEN
        case LaunchRacer(racer=racer):
            left = supply_of([other for other in view.racers if other != racer])
            others = sum(line_worth(held, left) for other, held in lines.items() if other != seat)
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
    ratings = []
    for command in commands:
        card = command.card if isinstance(command, PlayCard) else None
        if card is None:
            ratings.append(0.0)
            continue
        number = NUMBER[card]
        if number < top:
            chance = 0.0
        elif number == top:
            chance = TIE
        else:
            chance = ((number - 1) / 13) ** (1.5 * to_come) if to_come else 1.0
        pot = (*trick.on_table, card)
        gain = best_gain(lines[seat], pot, supply) + UNSEEN * to_come
        harm = max((best_gain(lines[rival], pot, supply) for rival in rivals), default=0.0)
        later = SPENT * (number / 14) ** 2
        ratings.append(chance * gain - (1 - chance) * HARM * harm - later)
    return ratings
