"""How good a command looks to a player who minds what lies open: the measure of the greedy bot.

Every command takes a turn, so each is measured by what it brings against what the turn would have brought else: the
least of the builds that the turns that are left allow. Levels count twice near the end: a card that is laid counts
for the colony and no longer against the hand.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from domain.game import Seen
from domain.games.planet_pioneer.cards import Card
from domain.games.planet_pioneer.commands import Attack, Build, Discard, PlanetPioneerCommand, Strike, Visit
from domain.games.planet_pioneer.deck import Deck, deck_of
from domain.games.planet_pioneer.grid import FULL, NEIGHBOURS, NUMBER, Cell, CellSet, numbers_in
from domain.games.planet_pioneer.options import Options
from domain.games.planet_pioneer.views import CellView, PlanetPioneerView, SeatView
from domain.values import Seat, Value

DRAWN: Final = 2.0
"""What a later turn brings that is played from cards still to be drawn."""
ORDER: Final = 0.3
"""How much a higher Level is laid earlier than a lower one."""
SHELTER: Final = 0.12
"""What it is worth, for each Level, to lie next to a defense, and for a defense to have it beside it."""
ROOM: Final = 0.25
"""What a free cell beside a new defense is worth."""
PATIENCE: Final = 3.5
"""What a Strike may bring later, against a better card, as long as many turns are left."""
LONG: Final = 8.0
"""So many turns are many."""
ATTACK: Final = 2.5
"""What the turn is worth that an Attack costs an opponent."""
ATTACK_LATE: Final = 4.0
"""What more it is worth where it is likely the last one."""
LAST_TURNS: Final = 2
"""With so many turns left, a turn that is lost is likely the last one."""
VISIT: Final = 2.2
"""What an extra turn with its draw is worth, less the cell."""
CAP: Final = 1.2
"""What a capped crater is worth."""
END: Final = 0.8
"""What the lead counts for a card that ends the game."""
MARGIN: Final = 6.0
"""A lead of more counts no more."""
HELD: Final = 2.0
"""The mean Level of a card in a hand that nobody sees."""
LAST: Final = 8.0
"""What a final turn brings who takes it."""
BYSTANDER: Final = 0.3
"""How much it counts to hit another opponent than the one in front."""
KEPT: Final = 1.0
"""How much of what a card may bring later is lost with it."""

WORTH: Final[Mapping[str, float]] = {"strike": 3.0, "attack": 2.5, "visit": 1.5, "cap": 0.5}
"""What a card without a place in the own colony may bring later."""


class _Position(Value, frozen=True, gc=False):
    """What the ratings of one decision have in common.

    `best` are the Level cards of the hand that may live in the colony some day, the highest Level first; `turns` an
    estimate of how many turns are left, `spared` what the least of them brings; `front` is the opponent with the best
    colony.
    """

    view: PlanetPioneerView
    deck: Deck
    own: SeatView
    hand: tuple[Card, ...]
    best: tuple[Card, ...]
    turns: int
    spared: float
    front: Seat


def rate(seen: Seen) -> Sequence[float]:
    """Rate each of the seat's commands, higher is better; never looks at a card that the seat does not see."""
    at = _position(seen)
    shielded = shielded_cells(at.own.colony, at.deck)
    builds = {card: _rate_build(at, card) for card in at.best}
    sheltered = {card: value + SHELTER * at.deck.level[card] for card, value in builds.items()}
    defenses = {card for card in at.best if at.deck.kind[card] == "defense"}
    needs = _needs(at.own.colony, shielded) if defenses else ()
    strikes: dict[Seat, Mapping[Cell, float]] = {}
    attacks: dict[Seat, float] = {}
    rates: list[float] = []
    for command in cast("Sequence[PlanetPioneerCommand]", seen.commands):
        match command:
            case Build():
                card = command.card
                if card in defenses:
                    beside = numbers_in(NEIGHBOURS[NUMBER[command.cell]])
                    rates.append(builds[card] + sum([needs[number] for number in beside]))
                elif shielded and shielded >> NUMBER[command.cell] & 1:
                    rates.append(sheltered[card])
                else:
                    rates.append(builds[card])
            case Strike():
                if command.opponent not in strikes:
                    strikes[command.opponent] = _rate_strikes(at, command.opponent)
                rates.append(strikes[command.opponent][command.cell])
            case Attack():
                if command.opponent not in attacks:
                    attacks[command.opponent] = _rate_attack(at, command.opponent)
                rates.append(attacks[command.opponent])
            case Discard():
                rates.append(_rate_discard(at, command.card))
            case Visit():
                rates.append(VISIT + _ending(at, 0))
            case _:  # a cap
                rates.append(CAP)
    return rates


def _position(seen: Seen) -> _Position:
    view = cast("PlanetPioneerView", seen.view)
    deck = deck_of(cast("Options", seen.options))
    own = view.seats[seen.seat]
    hand = own.hand if isinstance(own.hand, tuple) else ()
    level, living = deck.level, {cell.cards[-1] for cell in own.colony}
    best = sorted(
        [card for card in dict.fromkeys(hand) if deck.bit[card] and card not in living], key=level.__getitem__
    )
    best.reverse()
    turns = turns_left(view, own)
    others = [seat for seat in view.seats if seat is not own]
    return _Position(
        view=view,
        deck=deck,
        own=own,
        hand=hand,
        best=tuple(best),
        turns=turns,
        spared=2.0 * level[best[turns - 1]] if turns <= len(best) else DRAWN,
        front=max(others, key=lambda seat: (seat.colony_level, seat.seat)).seat,
    )


def turns_left(view: PlanetPioneerView, own: SeatView) -> int:
    """Estimate how many turns the seat still has, this one included."""
    if view.final is not None:
        return 1
    behind = FULL - max([seat.covered for seat in view.seats if seat is not own])
    return max(1, min(FULL - own.covered, behind + 1))


def shielded_cells(colony: Sequence[CellView], deck: Deck) -> CellSet:
    """Give the cells of living defenses and all beside them (P25)."""
    kind, cells = deck.kind, 0
    for cell in colony:
        if kind.get(cell.cards[-1]) == "defense":
            number = NUMBER[cell.cell]
            cells |= 1 << number | NEIGHBOURS[number]
    return cells


def _rate_build(at: _Position, card: Card) -> float:
    level = at.deck.level[card]
    return min(2.0 * level, at.spared) + ORDER * level + _ending(at, level)


def _needs(colony: Sequence[CellView], shielded: CellSet) -> Sequence[float]:
    """Say for each cell what it would gain from a new defense beside it."""
    needs = [0.0 if shielded >> number & 1 else ROOM for number in range(FULL)]
    for cell in colony:
        number = NUMBER[cell.cell]
        if not shielded >> number & 1:
            needs[number] = SHELTER * cell.level
    return needs


def _rate_strikes(at: _Position, opponent: Seat) -> Mapping[Cell, float]:
    weight, patience = _weight(at, opponent), PATIENCE * min(1.0, (at.turns - 1) / LONG)
    return {covered.cell: weight * covered.level - patience for covered in at.view.seats[opponent].colony}


def _rate_attack(at: _Position, opponent: Seat) -> float:
    value = ATTACK
    final = at.view.final
    if final is not None:
        value = ATTACK + ATTACK_LATE if opponent in final.still_to_play else 0.0
    elif at.turns <= LAST_TURNS:
        value += ATTACK_LATE
    return value * _weight(at, opponent)


def _rate_discard(at: _Position, card: Card) -> float:
    level = at.deck.level[card]
    if card not in at.best:
        kept = WORTH.get(at.deck.kind[card], 0.0) if at.turns > 1 else 0.0
        return level * (1.0 if at.turns == 1 else 0.1) - KEPT * kept
    return level if at.best.index(card) >= at.turns else -KEPT * level


def _weight(at: _Position, opponent: Seat) -> float:
    return 1.0 if opponent == at.front else BYSTANDER


def _ending(at: _Position, level: int) -> float:
    """Say what it means that this card fills the grid: good for who leads, bad for who does not.

    After a round in which nobody has laid a card it is never bad: to wait would end the game just so (P49).
    """
    if at.own.covered + 1 < FULL or at.view.final is not None:
        return 0.0
    mine = at.own.colony_level - sum(at.deck.level[card] for card in at.hand) + 2 * level
    theirs = max(
        seat.colony_level - HELD * seat.hand_count + (0.0 if seat.waiting else LAST)
        for seat in at.view.seats
        if seat.seat != at.own.seat
    )
    worst = 0.0 if at.view.dry_rounds else -MARGIN
    return END * max(worst, min(MARGIN, mine - theirs))
