"""The rulebook: the deal, what a command causes, what a seat may do, and the end."""

from typing import Final, assert_never

from msgspec import UNSET

from domain.chance import Chance
from domain.errors import illegal, not_your_turn
from domain.game import Verdict
from domain.games.beam_me_up.cards import CARDS, ELEMENTAL, NUMBER, RACERS, STANDS, Card, alike, in_order, matching
from domain.games.beam_me_up.commands import BeamMeUpCommand, CollectCard, DeclineCard, LaunchRacer, PlayCard
from domain.games.beam_me_up.events import (
    BeamMeUpEvent,
    CardCollected,
    CardPlayed,
    CardsDealt,
    DealtHand,
    DealtPile,
    LayerTied,
    PicksDeclined,
    RacerLaunched,
    TrickCleared,
    TrickVoided,
    TrickWon,
    TurnBegan,
)
from domain.games.beam_me_up.state import State
from domain.games.events import CardsDrawn, PileReshuffled
from domain.values import Seat

Events = tuple[BeamMeUpEvent, ...]

DEALT: Final = 4
HAND: Final = 5
CAP_TRICKS: Final = 1500
"""So many tricks end the game (G10)."""
CAP_NO_LAUNCH: Final = 300
"""So many tricks in succession without a launch end the game (G10)."""


def deal(state: State, chance: Chance) -> Events:
    """Draw a dealer (B1), shuffle, deal four cards each and begin the turn of the seat to the dealer's left.

    Seat 0 gets the first four cards of shuffle 0, seat 1 the next four, and so on; the rest is the draw pile.
    """
    seats = state.seats
    dealer = Seat(chance.pick("dealer", seats))
    leader = Seat((dealer + 1) % seats)
    deck = chance.shuffle(0, CARDS)
    hands = tuple(
        DealtHand(Seat(seat), DEALT, in_order(deck[seat * DEALT : (seat + 1) * DEALT])) for seat in range(seats)
    )
    pile = deck[seats * DEALT :]
    dealt = CardsDealt(shuffle=0, dealer=dealer, leader=leader, hands=hands, pile=DealtPile(len(pile), pile))
    first = pile[: HAND - DEALT]
    return (dealt, TurnBegan(leader, 1, 1), CardsDrawn(leader, len(first), first))


def decide(state: State, seat: Seat, command: BeamMeUpCommand, chance: Chance) -> Events:
    """Give the events that a seat's command causes; raises `Refusal`, and then nothing has happened."""
    if seat != state.turn or is_over(state):
        raise not_your_turn(
            "The game is over." if is_over(state) else f"It is seat {state.turn}'s turn; wait until it has decided."
        )
    if state.phase == "launch" and not isinstance(command, LaunchRacer):
        raise illegal("B23", "Your line holds three alike: call «Beam Me Up» with launch_racer before anything else.")
    match command:
        case PlayCard():
            return _play(state, seat, command.card, chance)
        case CollectCard():
            return _collect(state, seat, command, chance)
        case DeclineCard():
            if state.phase != "pick":
                raise illegal("B7", "There is nothing to decline: only the winner of a trick takes cards.")
            left = state.trick.picks_left
            return (PicksDeclined(seat, left), *_clear(state, seat, state.trick.on_table, state.discard, chance))
        case LaunchRacer():
            return _launch(state, seat, command, chance)
        case _:
            assert_never(command)


def _play(state: State, seat: Seat, card: Card, chance: Chance) -> Events:
    if state.phase != "play":
        raise illegal("B39", "You won the trick: take a card or decline before the next trick begins.")
    if card not in state.hands[seat]:
        raise illegal("B37", f"{card} is not in your hand.")
    trick, seats = state.trick, state.seats
    played = CardPlayed(seat, card, trick.layer)
    before = trick.layers[-1] if len(trick.layers) == trick.layer else ()
    if len(before) + 1 < seats:
        return (played, *_turn(state, Seat((seat + 1) % seats), trick.number, trick.layer, state.discard, chance))
    top = NUMBER[card]
    winner, best, tied = seat, card, [seat]
    for laid in before:
        number = NUMBER[laid.card]
        if number > top:
            top, winner, best, tied = number, laid.seat, laid.card, [laid.seat]
        elif number == top:
            tied.append(laid.seat)
    if len(tied) == 1:
        return (played, TrickWon(winner, best, trick.layer))
    tie = LayerTied(trick.layer, tuple(sorted(tied)), top)
    if len(state.hands[seat]) > 1:  # all hands are equally long: each seat refilled to five and laid one a layer (B17)
        return (played, tie, *_turn(state, state.leader, trick.number, trick.layer + 1, state.discard, chance))
    voided = TrickVoided((*trick.on_table, card), state.leader)
    return (played, tie, voided, *_next_trick(state, state.leader, state.discard + voided.discarded, chance))


def _collect(state: State, seat: Seat, command: CollectCard, chance: Chance) -> Events:
    card, replaced, line = command.card, command.replace, state.lines[seat]
    on_table, discard = state.trick.on_table, state.discard
    if state.phase != "pick":
        raise illegal("B7", "There is nothing to take: only the winner of a trick takes cards.")
    if card not in on_table:
        raise illegal("B7", f"{card} is not among the cards of the trick that are left on the table.")
    if replaced is UNSET:
        if len(line) == STANDS:
            raise illegal("B8", "Your line is full: name the card of it that makes room in `replace`.")
        line = (*line, card)
    else:
        if len(line) < STANDS:
            raise illegal(
                "B9", "Your line has an empty stand: leave out `replace`; cards are swapped in a full line only."
            )
        if replaced not in line:
            raise illegal("B9", f"{replaced} is not in your line.")
        line = tuple(card if held == replaced else held for held in line)
        discard = (*discard, replaced)
    elemental = alike(line)
    if elemental is not None and matching(elemental, state.racers_left):
        return (CardCollected(seat, card, replaced, complete=True),)
    collected = CardCollected(seat, card, replaced)
    if state.trick.picks_left > 1:
        return (collected,)
    rest = tuple(other for other in on_table if other != card)
    return (collected, *_clear(state, seat, rest, discard, chance))


def _launch(state: State, seat: Seat, command: LaunchRacer, chance: Chance) -> Events:
    racer, line = command.racer, state.lines[seat]
    elemental = alike(line)
    if state.phase != "launch" or elemental is None:
        raise illegal("B24", "No Space Racer can be launched: your line does not hold three alike.")
    if racer not in state.racers_left:
        raise illegal("B24", f"The Space Racer {racer} is not to be had any more.")
    if racer not in matching(elemental, state.racers_left):
        raise illegal("B24", f"The Space Racer {racer} does not bear the elemental of your line.")
    to = state.options.launched_aliens
    launched = RacerLaunched(seat, racer, line, to)
    if len(state.racers_left) == 1 or state.trick.picks_left:
        return (launched,)
    discard = state.discard if to == "home" else state.discard + line
    return (launched, *_clear(state, seat, state.trick.on_table, discard, chance, launched=True))


def _clear(
    state: State,
    winner: Seat,
    rest: tuple[Card, ...],
    discard: tuple[Card, ...],
    chance: Chance,
    *,
    launched: bool = False,
) -> Events:
    """The picks are done: sweep the rest of the trick away; the winner leads (B11)."""
    return (TrickCleared(rest, winner), *_next_trick(state, winner, discard + rest, chance, launched=launched))


def _next_trick(
    state: State, leader: Seat, discard: tuple[Card, ...], chance: Chance, *, launched: bool = False
) -> Events:
    number = state.trick.number
    last_launch = number if launched else state.last_launch
    if number >= CAP_TRICKS or number - last_launch >= CAP_NO_LAUNCH:
        return ()
    return _turn(state, leader, number + 1, 1, discard, chance)


def _turn(state: State, seat: Seat, trick: int, layer: int, discard: tuple[Card, ...], chance: Chance) -> Events:
    """Begin a turn; in the first layer with the draw up to five cards (B12, B17)."""
    began = TurnBegan(seat, trick, layer)
    if layer > 1:
        return (began,)
    pile, wanted = state.draw, HAND - len(state.hands[seat])
    if wanted <= len(pile):
        return (began, CardsDrawn(seat, wanted, pile[:wanted]))
    events: list[BeamMeUpEvent] = [began]
    if pile:
        events.append(CardsDrawn(seat, len(pile), pile))
        wanted -= len(pile)
    if discard:  # always: the cards outside lines are enough for all hands (B28)
        pile = chance.shuffle(state.shuffles, in_order(discard))
        events += [
            PileReshuffled(state.shuffles, len(pile), pile),
            CardsDrawn(seat, min(wanted, len(pile)), pile[:wanted]),
        ]
    return tuple(events)


_PLAY: Final = {card: PlayCard(card) for card in CARDS}
_TAKE: Final = {card: CollectCard(card) for card in CARDS}
_LAUNCH: Final = {racer: LaunchRacer(racer) for racer in RACERS}
_DECLINE: Final = DeclineCard()


def legal(state: State, seat: Seat) -> tuple[BeamMeUpCommand, ...]:
    """All commands that `decide` accepts of this seat: the hand in card order, the table in the order laid."""
    if seat != state.turn or is_over(state):
        return ()
    line = state.lines[seat]
    match state.phase:
        case "play":
            return tuple([_PLAY[card] for card in state.hands[seat]])
        case "pick":
            if len(line) < STANDS:
                return (*[_TAKE[card] for card in state.trick.on_table], _DECLINE)
            swaps = [CollectCard(card, held) for card in state.trick.on_table for held in line]
            return (*swaps, _DECLINE)
        case "launch":
            return tuple([_LAUNCH[racer] for racer in matching(ELEMENTAL[line[0]], state.racers_left)])
        case _:
            assert_never(state.phase)


def is_over(state: State) -> bool:
    """Tell whether the last Space Racer is gone (B29) or a cap has left the turn to nobody (G10)."""
    return not state.racers_left or (state.turn is None and state.trick.number > 0)


def to_act(state: State) -> tuple[Seat, ...]:
    """Give the one seat that must decide; nobody when the game is over."""
    return () if state.turn is None or is_over(state) else (state.turn,)


def outcome(state: State) -> Verdict | None:
    """Give the result once the game is over."""
    return verdict(state) if is_over(state) else None


def verdict(state: State) -> Verdict:
    """Most Space Racers win, ties are shared (B31); with `fewer_in_line` the shorter line decides first (B33)."""
    scores = tuple(len(racers) for racers in state.racers)
    fewer = state.options.tie_break == "fewer_in_line"
    ranks = tuple((score, -len(line)) if fewer else (score,) for score, line in zip(scores, state.lines, strict=True))
    if not state.racers_left:
        reason = "all_racers"
    elif state.trick.number >= CAP_TRICKS:
        reason = "cap_tricks"
    else:
        reason = "cap_no_launch"
    return Verdict(scores=scores, ranks=ranks, reason=reason)
