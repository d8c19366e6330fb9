"""A second heuristic, stronger than the first: it reckons what a turn is worth, which that one hardly does.

All that a card can bring is measured in Levels of the final score: twice its Level where it can be laid (it counts for
the colony and no longer against the hand), once where it can only be thrown away. The turns that are left go to the
best of what the hand and the draws to come will bring; the least of these is the *turn's worth*. To lay a card that is
wanted brings no more than that now, since it could be laid later as well: an Attack, a Strike or a discard is set
against it.

The constants were fitted by play against the first heuristic (`docs/bots-levels.md`, `bench/shrewd.py`).
"""

from collections.abc import Collection, Sequence
from typing import Final, cast

from domain.game import Seen
from domain.games.planet_pioneer.cards import MAX_LEVEL, Card
from domain.games.planet_pioneer.commands import Attack, Build, Discard, PlanetPioneerCommand, Strike, Visit
from domain.games.planet_pioneer.deck import Deck, deck_of
from domain.games.planet_pioneer.grid import FULL, NEIGHBOURS, NUMBER, CellSet, numbers_in
from domain.games.planet_pioneer.heuristic import shielded_cells, turns_left
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.views import PlanetPioneerView, SeatView
from domain.values import Seat, Value

ORDER: Final = 0.258
"""How much a higher Level is laid earlier than a lower one."""
ORDER_EARLY: Final = 0.247
"""How much more with ten turns left."""
SHELTER: Final = 0.224
"""What it is worth, for each Level, to lie next to a defense, and for a defense to have it beside it."""
ROOM: Final = 0.25
"""What a free cell beside a new defense is worth with ten turns left."""
STRIKE: Final = 0.936
"""What each Level is worth that is hit."""
PATIENCE: Final = 5.0
"""What a Strike may bring later, against a better card, as long as many turns are left."""
LONG: Final = 8.0
"""So many turns are many."""
ATTACK: Final = -0.3
"""What an Attack brings now, more than what it would bring later."""
ATTACK_EARLY: Final = 0.499
"""How much more with ten turns left."""
ATTACK_LATE: Final = 3.689
"""How much more where the turn that is lost is likely the other's last."""
LAST_TURNS: Final = 2
"""With so many turns left it likely is."""
VISIT: Final = 1.5
"""What an extra turn with its draw brings, less the cell."""
CAP: Final = 0.826
"""What a capped crater brings more than the turn's worth or its Level."""
END: Final = 0.444
"""What the lead counts for a card that ends the game."""
MARGIN: Final = 6.0
"""A lead of more counts no more."""
HELD: Final = 2.0
"""The mean Level of a card in a hand that nobody sees."""
LAST: Final = 8.978
"""What a final turn brings who takes it."""
BYSTANDER: Final = 0.3
"""How much it counts to hit another opponent than the one in front."""
NEEDED: Final = 1.184
"""How much of what a card would bring is lost when it is thrown away."""
DRAWS: Final = 0.885
"""How much of a draw to come is reckoned with: not every card can be laid then."""
KEPT: Final = {"strike": 3.0, "attack": 3.47, "visit": 1.399, "cap": 0.472}
"""What a card brings later that has no Level."""

_TOP: Final = 2 * MAX_LEVEL
"""The most that a card can bring."""


class _Position(Value, frozen=True, gc=False):
    """What the ratings of one decision have in common.

    `spare` are the cards of the hand that can only be thrown away: their name lives in the colony, or another copy is in
    the hand; `worth` is the turn's; `front` the opponent with the best colony.
    """

    view: PlanetPioneerView
    deck: Deck
    own: SeatView
    hand: tuple[Card, ...]
    spare: Collection[Card]
    turns: int
    worth: float
    front: Seat


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the seat's commands, higher is better; never looks at a card that the seat does not see."""
    at = _position(seen)
    shielded, needs = shielded_cells(at.own.colony, at.deck), None
    rates: list[float] = []
    for command in cast("Sequence[PlanetPioneerCommand]", seen.commands):
        match command:
            case Build(card=card, cell=cell):
                rating, number = _rate_build(at, card), NUMBER[cell]
                if at.deck.kind[card] == "defense":
                    needs = needs or _needs(at, shielded)
                    rating += sum([needs[beside] for beside in numbers_in(NEIGHBOURS[number])])
                elif shielded >> number & 1:
                    rating += SHELTER * at.deck.level[card]
                rates.append(rating)
            case Visit():
                rates.append(VISIT + _ending(at, 0))
            case Attack(opponent=opponent):
                rates.append(_rate_attack(at, opponent))
            case Strike(opponent=opponent, cell=cell):
                level = next(one.level for one in at.view.seats[opponent].colony if one.cell == cell)
                patience = PATIENCE * min(1.0, (at.turns - 1) / LONG)
                rates.append(_weight(at, opponent) * STRIKE * level - patience)
            case Discard(card=card):
                rates.append(_rate_discard(at, card))
            case _:  # a cap
                rates.append(min(2.0, at.worth) + CAP)
    return rates


def _position(seen: Seen) -> _Position:
    view = cast("PlanetPioneerView", seen.view)
    deck = deck_of(cast("Options", seen.options))
    own = view.seats[seen.seat]
    hand = own.hand if isinstance(own.hand, tuple) else ()
    turns, lives = turns_left(view, own), {cell.cards[-1] for cell in own.colony}
    spare: set[Card] = set()
    gains: list[float] = []
    for place, card in enumerate(hand):  # copies lie side by side
        if not deck.bit[card]:
            gains.append(KEPT[deck.kind[card]] if turns > 1 else deck.level[card])
        elif card in lives or card in hand[:place]:
            gains.append(deck.level[card])
            spare.add(card)
        else:
            gains.append(2 * deck.level[card])
    return _Position(
        view=view,
        deck=deck,
        own=own,
        hand=hand,
        spare=spare,
        turns=turns,
        worth=turns_worth(tail_of(deck), turns, sorted(gains, reverse=True)),
        front=max(
            (seat for seat in view.seats if seat is not own), key=lambda seat: (seat.colony_level, seat.seat)
        ).seat,
    )


def tail_of(deck: Deck) -> Sequence[float]:
    """Give by gain how much of a draw brings so much or more: what share of the cards does, less what is not reckoned with.

    Gains are even; between two of them it is the mean.
    """
    gains = [2 * deck.level[card] if deck.bit[card] else 0 for card in deck.cards]
    shares = [DRAWS * sum([gain >= least for gain in gains]) / len(gains) for least in range(0, _TOP + 1, 2)]
    return [(shares[gain // 2] + shares[(gain + 1) // 2]) / 2 for gain in range(_TOP + 1)]


def turns_worth(tail: Sequence[float], turns: int, gains: Sequence[float]) -> float:
    """Say what the least of so many turns brings, of a hand with these gains (descending) and of the draws to come.

    `tail`: how much of a draw brings so much or more. Between whole gains it is interpolated; it is never below 1.
    """
    if turns == 1:
        return gains[0]
    reached, before = 0, 0.0
    for gain in range(_TOP, 0, -1):
        while reached < len(gains) and gains[reached] >= gain:
            reached += 1
        expected = reached + (turns - 1) * tail[gain]
        if expected >= turns:
            return gain + 1 - (turns - before) / (expected - before)
        before = expected
    return 1.0


def _rate_build(at: _Position, card: Card) -> float:
    level = at.deck.level[card]
    return min(2.0 * level, at.worth) + (ORDER + ORDER_EARLY * at.turns / 10) * level + _ending(at, level)


def _needs(at: _Position, shielded: CellSet) -> Sequence[float]:
    """Say for each cell what it would gain from a new defense beside it."""
    room = ROOM * at.turns / 10
    needs = [0.0 if shielded >> number & 1 else room for number in range(FULL)]
    for cell in at.own.colony:
        number = NUMBER[cell.cell]
        if not shielded >> number & 1:
            needs[number] = SHELTER * cell.level
    return needs


def _rate_attack(at: _Position, opponent: Seat) -> float:
    rating, final = ATTACK + ATTACK_EARLY * at.turns / 10, at.view.final
    if final is not None:
        rating = rating + ATTACK_LATE if opponent in final.still_to_play else 0.0
    elif at.turns <= LAST_TURNS:
        rating += ATTACK_LATE
    return rating * _weight(at, opponent)


def _rate_discard(at: _Position, card: Card) -> float:
    level = at.deck.level[card]
    if at.turns == 1:
        return level
    if card in at.spare:
        return min(level, at.worth)
    if at.deck.bit[card]:
        return level - NEEDED * min(2 * level, max(at.worth, level))
    return -KEPT[at.deck.kind[card]]


def _weight(at: _Position, opponent: Seat) -> float:
    return 1.0 if opponent == at.front else BYSTANDER


def _ending(at: _Position, level: int) -> float:
    """Say what it means that this card fills the grid, as in the first heuristic."""
    if at.own.covered + 1 < FULL or at.view.final is not None:
        return 0.0
    mine = at.own.colony_level - sum([at.deck.level[card] for card in at.hand]) + 2 * level
    theirs = max(
        seat.colony_level - HELD * seat.hand_count + (0.0 if seat.waiting else LAST)
        for seat in at.view.seats
        if seat is not at.own
    )
    worst = 0.0 if at.view.dry_rounds else -MARGIN
    return END * max(worst, min(MARGIN, mine - theirs))
