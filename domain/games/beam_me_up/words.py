"""What happened, in words."""

from typing import Final, assert_never

from msgspec import UNSET

from domain.games.beam_me_up.cards import CARD, Card, title
from domain.games.beam_me_up.events import (
    BeamMeUpEvent,
    CardCollected,
    CardPlayed,
    CardsDealt,
    LayerTied,
    PicksDeclined,
    RacerLaunched,
    TrickCleared,
    TrickVoided,
    TrickWon,
    TurnBegan,
)
from domain.games.events import CardsDrawn, PileReshuffled

_SMALL: Final = ("no", "one", "two", "three", "four", "five")


def summary(event: BeamMeUpEvent) -> str:
    """Give a (redacted) event in words, `""` where it goes without saying."""
    match event:
        case TurnBegan():
            return ""
        case CardPlayed(seat=seat, card=card):
            return f"{{seat:{seat}}} lays {title(card)}"
        case CardsDrawn(seat=seat, count=count, cards=cards):
            what = _count(count) if cards is UNSET else _list([title(CARD[card]) for card in cards])
            return f"{{seat:{seat}}} draws {what}"
        case TrickWon(seat=seat, card=card, picks=picks):
            return f"{{seat:{seat}}} wins the trick with {title(card)} and may take {_count(picks)}"
        case TrickCleared():
            return ""
        case CardCollected(seat=seat, card=card, replaced=replaced):
            place = "" if replaced is UNSET else f" in place of {title(replaced)}"
            return f"{{seat:{seat}}} takes {title(card)}{place}"
        case CardsDealt(dealer=dealer, leader=leader):
            return f"{{seat:{dealer}}} deals four cards each, {{seat:{leader}}} leads"
        case PileReshuffled(count=count):
            return f"The discard pile is shuffled into a new draw pile of {count} cards"
        case LayerTied(seats=seats, number=number):
            return f"{_list([f'{{seat:{seat}}}' for seat in seats])} tie with {number}"
        case TrickVoided(leader=leader):
            return f"The hands are empty, so nobody wins the trick; {{seat:{leader}}} leads again"
        case PicksDeclined(seat=seat):
            return f"{{seat:{seat}}} takes no more cards"
        case RacerLaunched(seat=seat, racer=racer, aliens=aliens):
            return f"{{seat:{seat}}} calls «Beam Me Up» and launches {racer.title()} for {_titles(aliens)}"
        case _:
            assert_never(event)


def _count(number: int) -> str:
    words = _SMALL[number] if number < len(_SMALL) else str(number)
    return f"{words} card" if number == 1 else f"{words} cards"


def _titles(cards: tuple[Card, ...]) -> str:
    return _list([title(card) for card in cards])


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
