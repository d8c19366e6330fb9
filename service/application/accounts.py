"""Accounts and tokens as they are stored: who somebody is, and what proves it."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, Protocol

from domain.values import Value
from service.application.ports import Proof

Scope = Literal["play", "tournaments", "webhooks", "admin"]
PlayerKind = Literal["human", "bot"]

FIRST_SCOPES: Final[tuple[Scope, ...]] = ("play", "tournaments", "webhooks")
"""What a player's first token may do; `admin` is given by the command line only."""
ALL_SCOPES: Final[tuple[Scope, ...]] = (*FIRST_SCOPES, "admin")


class Player(Value, frozen=True):
    """An account; `mark` is the body that made it under an idempotency key (`""`: made without one)."""

    id: str
    name: str
    kind: PlayerKind
    created_ms: int
    mark: str = ""


class Token(Value, frozen=True):
    """A token as stored: never the secret, only SHA-256 of it in hex.

    `mark` is as in `Player`. A revoked token stays, so that a repeat of its making can't bring it back.
    """

    id: str
    player: str
    scopes: tuple[Scope, ...]
    created_ms: int
    digest: str
    mark: str = ""
    revoked: bool = False


class Caller(Value, frozen=True):
    """Who calls, by which token, and what that token may do."""

    player: str
    token: str
    scopes: tuple[Scope, ...]


class PlayerStore(Protocol):
    """Players and their tokens; every method may raise `Unavailable` or `Damaged`, and may be tried again."""

    def add(self, player: Player, token: Token) -> Player | None:
        """Keep a player with his first token; where somebody stands under this id already, he stays and is given."""
        ...

    def find(self, ids: Iterable[str]) -> Mapping[str, Player]:
        """Give the players with these ids; unknown ones are missing."""
        ...

    def add_token(self, token: Token) -> Token | None:
        """Keep a token; where one stands under this id already, it stays and is given."""
        ...

    def token(self, token_id: str) -> Token | None:
        """Give a token, revoked or not."""
        ...

    def proof(self, token: Token) -> Proof:
        """Give what a commit proves by that a token is still as it was read."""
        ...

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Give all tokens of a player, revoked ones too, oldest first."""
        ...

    def revoke(self, token_id: str) -> None:
        """Mark a token as revoked; at once for whoever asks next."""
        ...
