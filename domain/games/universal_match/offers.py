"""Advanced version B: the answers to an offer, and what comes of them when all have answered."""

from domain.chance import Chance
from domain.errors import illegal
from domain.games.universal_match.cards import RANK, VALUE
from domain.games.universal_match.commands import DeclineMatch, TakeMatch
from domain.games.universal_match.events import MatchTaken, OfferAnswered, Taking
from domain.games.universal_match.evolve import evolve
from domain.games.universal_match.flow import Events, bank
from domain.games.universal_match.matches import is_perfect, kind_of, replaced
from domain.games.universal_match.state import Offer, State, to_act
from domain.values import Seat


def answer_offer(state: State, seat: Seat, command: TakeMatch | DeclineMatch, chance: Chance) -> Events:
    """Take note of an answer; the last one settles the offer (U35)."""
    offer = _pending(state)
    answer: Taking | None = None
    if isinstance(command, TakeMatch):
        _check_taking(state, offer, seat, command)
        answer = Taking(give=command.give, take=command.take)
    answered = OfferAnswered(seat=seat, answer=answer)
    after = evolve(state, answered)
    if to_act(after):
        return (answered,)
    taken = _first_taking(after)
    if taken is None:
        return (answered, *bank(after, offer.seat, None, chance))
    return (answered, taken, *bank(evolve(after, taken), offer.seat, taken.seat, chance))


def _pending(state: State) -> Offer:
    if state.offer is None:
        raise illegal("U35", "No match is on offer.")
    return state.offer


def _check_taking(state: State, offer: Offer, seat: Seat, command: TakeMatch) -> None:
    give, take = command.give, command.take
    if give not in state.hands[seat] and give not in state.boards[seat]:
        raise illegal("U36", f"{give} is neither in your hand nor on your board.")
    if take not in offer.cards:
        raise illegal("U36", f"{take} is not in the match on offer.")
    if RANK[give] != RANK[take]:
        raise illegal("U38", f"{give} can't replace {take}: both cards must have the same rank.")
    options = state.series.options
    # Under A a card of too little value would never make a match on offer perfect: named first, or never.
    if options.advanced_a and VALUE[give] < VALUE[take]:
        raise illegal(
            "U43",
            f"{give} is worth {VALUE[give]} and {take} {VALUE[take]}: put in a card that is worth at least as much.",
        )

    new = replaced(offer.cards, take, give)
    if kind_of(new) is None or not is_perfect(new, options.perfect_match):
        raise illegal("U34", f"With {give} for {take} the match would not be perfect.")


def _first_taking(state: State) -> MatchTaken | None:
    """Find the first taker clockwise from the matcher, once all have answered (U35)."""
    offer = _pending(state)
    seats = state.series.seats
    takers = [(seat, answer) for seat, answer in offer.answers if answer is not None]
    if not takers:
        return None
    seat, answer = min(takers, key=lambda taker: (taker[0] - offer.seat) % seats)
    return MatchTaken(
        seat=seat,
        matcher=offer.seat,
        give=answer.give,
        take=answer.take,
        place="hand" if answer.give in state.hands[seat] else "board",
    )
