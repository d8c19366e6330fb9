"""What a seat may wish: lay a card, take a card, take no more, launch a Space Racer."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.games.beam_me_up.cards import Card, Racer
from domain.values import Command


class PlayCard(Command, frozen=True, gc=False, tag="play_card"):
    """Lay a card of your hand face up; any card may be laid (B5). Own turn in phase `play`."""

    card: Annotated[Card, Meta(description="A card of your hand (B37).", examples=["F7"])]


class CollectCard(Command, frozen=True, gc=False, tag="collect_card"):
    """Take a card of the trick that you won into your line (B7, B19). For the winner in phase `pick`."""

    card: Annotated[
        Card, Meta(description="A card of `trick.on_table`; your own is one of them (B7).", examples=["F7"])
    ]
    replace: (
        Annotated[
            Card,
            Meta(
                description="The card of your line that makes room and goes to the discard pile (B10). Given exactly "
                "when your line is full: three cards (B8, B9).",
                examples=["W3"],
            ),
        ]
        | UnsetType
    ) = UNSET


class DeclineCard(Command, frozen=True, gc=False, tag="decline_card"):
    """Take no more cards of this trick; all picks that are left lapse (B7, B20). For the winner in phase `pick`."""


class LaunchRacer(Command, frozen=True, gc=False, tag="launch_racer"):
    """Call «Beam Me Up» and take a Space Racer for the three alike in your line (B23). In phase `launch`."""

    racer: Annotated[
        Racer,
        Meta(
            description="A Space Racer still to be had that bears the elemental of your line; Earth's bears all (B24).",
            examples=["mars"],
        ),
    ]


BeamMeUpCommand = PlayCard | CollectCard | DeclineCard | LaunchRacer
