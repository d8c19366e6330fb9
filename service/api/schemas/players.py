"""Requests about players and tokens, and what is shown of them."""

from typing import Annotated, Any, Literal

from marshmallow import Schema, fields
from msgspec import Meta

from domain.values import Value
from service.api.fields import Name, one_of
from service.application.accounts import ALL_SCOPES, Scope
from service.application.ratings import Belief


class NewPlayerSchema(Schema):
    """A new account."""

    name = Name(
        required=True,
        metadata={
            "description": "How others see you: 1 to 40 characters after trimming, in one line. It is fixed, and need "
            "not be unique."
        },
    )
    kind = fields.String(
        load_default="human",
        validate=one_of("human", "bot"),
        metadata={"description": "Who plays under this account: a person, or a program of yours."},
    )


class NewTokenSchema(Schema):
    """Another token for the same player."""

    scopes = fields.List(
        fields.String(validate=one_of(*ALL_SCOPES)),
        load_default=None,
        metadata={
            "description": "What the token may do, of what the one that asks may: `play` (create tables, sit down, "
            "act), `tournaments`, `webhooks`, `admin`. Left out: the same as the token that asks. An empty list makes "
            "a token that can only read."
        },
    )


class RateShown(Value, frozen=True):
    """A bucket of requests."""

    per_second: Annotated[int, Meta(description="Requests that flow in each second.")]
    burst: Annotated[int, Meta(description="Requests that fit in at once.")]


class LimitsShown(Value, frozen=True):
    """The rate limits of a token or an address, each with a bucket of its own."""

    commands: RateShown
    reads: RateShown
    creations: RateShown


PlayerId = Annotated[str, Meta(description="The player's id.", examples=["kq5hnzw3c2v4txrnbd7e6mjyoa"])]
PlayerName = Annotated[str, Meta(description="How others see the player.", examples=["Ada"])]
Kind = Annotated[Literal["human", "bot"], Meta(description="A person, or a program.")]
Time = Annotated[
    str,
    Meta(
        description="RFC 3339, in UTC.",
        examples=["2026-05-01T12:00:00.000Z"],
        extra_json_schema={"format": "date-time"},
    ),
]
Scopes = Annotated[tuple[Scope, ...], Meta(description="What the token may do.")]
TokenText = Annotated[
    str,
    Meta(
        description="The secret, shown this once: send it as `Authorization: Bearer TOKEN`, and never in an address.",
        examples=["slt.w6x5v4u3t2s7r6q5p4o3n2m7la.3v1q0QfKq8o2m7Yl5b0d9s4h6j8k1l3z5x7c9v0b2n4"],
    ),
]


class PlayerMade(Value, frozen=True):
    """A new account with its first token."""

    id: PlayerId
    name: PlayerName
    kind: Kind
    token: TokenText


class RatingNow(Value, frozen=True):
    """A player's rating in a game."""

    game: str
    games: Annotated[int, Meta(description="How many rated games it rests on.")]
    rating: Belief


Ratings = Annotated[
    tuple[RatingNow, ...],
    Meta(
        description="Of each game that the player has rated games in; `GET /v1/players/{player}/ratings` has the history."
    ),
]


class PlayerProfile(Value, frozen=True):
    """An account as everybody may see it."""

    id: PlayerId
    name: PlayerName
    kind: Kind
    created_at: Time
    ratings: Ratings


class Me(Value, frozen=True):
    """The caller's own account, with what the token that asked may do."""

    id: PlayerId
    name: PlayerName
    kind: Kind
    created_at: Time
    ratings: Ratings
    token_id: Annotated[str, Meta(description="The id of the token that asked.")]
    scopes: Scopes
    limits: Annotated[LimitsShown | None, Meta(description="The rate limits; null where there are none.")]


class TokenShown(Value, frozen=True):
    """A token without its secret."""

    id: Annotated[str, Meta(description="The token's id, which names it and proves nothing.")]
    scopes: Scopes
    created_at: Time


class TokenMade(Value, frozen=True):
    """A new token."""

    id: Annotated[str, Meta(description="The token's id, which names it and proves nothing.")]
    scopes: Scopes
    created_at: Time
    token: TokenText


class TokenList(Value, frozen=True):
    """The caller's tokens, oldest first."""

    items: tuple[TokenShown, ...]
    next_cursor: Annotated[str | None, Meta(description="Where to go on; null at the end.")]


EXAMPLE_RATINGS: list[dict[str, Any]] = [
    {"game": "beam-me-up", "games": 12, "rating": {"mu": 27.1, "sigma": 2.4, "low": 22.3, "high": 31.9}}
]
EXAMPLE_PLAYER: dict[str, Any] = {
    "id": "kq5hnzw3c2v4txrnbd7e6mjyoa",
    "name": "Ada",
    "kind": "human",
}
