"""The use cases of accounts: register, prove who one is, make and revoke tokens, look up names."""

import hashlib
import hmac
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from domain.errors import Refusal
from domain.values import Value
from service.application.accounts import (
    ALL_SCOPES,
    FIRST_SCOPES,
    Caller,
    Player,
    PlayerKind,
    PlayerStore,
    Scope,
    Token,
)
from service.application.handle import KeyReused, Randomness
from service.application.ids import derived_bytes, derived_id, new_id
from service.application.ports import Proof
from service.application.present import PlayerShown

SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(r"slt\.([a-z2-7]{26})\.([A-Za-z0-9_-]{43})")
"""How a token reads: a prefix that secret scanners can find, its id, 256 bits in base64url."""
_KNOWN_NAMES: Final = 50_000
_KNOWN_TOKENS: Final = 10_000


class Key(Value, frozen=True):
    """An idempotency key with the mark of the body that it holds for."""

    key: str
    mark: str


class NewToken(Value, frozen=True):
    """A token just made, with the only sight of its secret `text`; `replayed`: it was made before."""

    token: Token
    text: str
    replayed: bool


class Registered(Value, frozen=True):
    """A player with the secret of his first token; `replayed`: he was made before."""

    player: Player
    token: str
    replayed: bool


class Players:
    """Accounts and tokens; secrets are derived from the server key or drawn, and never stored."""

    def __init__(
        self,
        store: PlayerStore,
        server_key: bytes,
        random: Randomness,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._store = store
        self._server_key = server_key
        self._random = random
        self._now_ms = now_ms
        self._names: dict[str, PlayerShown] = {}
        self._good: dict[str, Token] = {}

    def register(self, name: str, kind: PlayerKind, key: Key | None) -> Registered:
        """Make a player; under a key a repeat gives the same one with the same token.

        Raises `KeyReused` where the key came with another body before.
        """
        player_id = new_id(self._random) if key is None else derived_id(self._server_key, "player", key.key)
        token = self._token(player_id, FIRST_SCOPES, key)
        player = Player(
            id=player_id, name=name, kind=kind, created_ms=self._now_ms(), mark="" if key is None else key.mark
        )
        before = self._store.add(player, token.token)
        if before is not None and before.mark != player.mark:
            raise KeyReused
        return Registered(player=before or player, token=token.text, replayed=before is not None)

    def authenticate(self, text: str) -> Caller | None:
        """Tell whose token this is; None where it is none or was revoked."""
        match = _TOKEN.fullmatch(text)
        token = self._token_now(match[1]) if match else None
        if match is None or token is None or not hmac.compare_digest(token.digest, _digest(match[2])):
            return None
        return _caller(token)

    def remembered(self, text: str) -> tuple[Caller, Proof] | None:
        """Tell whose token this was when it was last looked up here, without asking the store.

        It may have been revoked since: whoever acts on this commits with the proof, or asks `is_good` before he answers.
        """
        match = _TOKEN.fullmatch(text)
        token = self._good.get(match[1]) if match else None
        if match is None or token is None or not hmac.compare_digest(token.digest, _digest(match[2])):
            return None
        return _caller(token), self._store.proof(token)

    def is_good(self, caller: Caller) -> bool:
        """Tell whether the token that somebody called by still counts."""
        return self._token_now(caller.token) is not None

    def player(self, player_id: str) -> Player:
        """Give an account; raises `Refusal` `not_found`."""
        found = self._store.find((player_id,)).get(player_id)
        if found is None:
            raise Refusal("not_found", f"There is no player {player_id!r}.")
        return found

    def names(self, ids: Iterable[str]) -> Mapping[str, PlayerShown]:
        """Give accounts as everybody may see them; one that was deleted is missing.

        A name is fixed, so each is asked for once and then held.
        """
        wanted = tuple(ids)
        missing = [each for each in wanted if each not in self._names]
        if missing:
            if len(self._names) > _KNOWN_NAMES:
                self._names = {}
            for each in self._store.find(missing).values():
                self._names[each.id] = PlayerShown(id=each.id, name=each.name, kind=each.kind)
        return {each: known for each in wanted if (known := self._names.get(each)) is not None}

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Give a player's tokens that are good, oldest first."""
        return tuple(token for token in self._store.tokens(player) if not token.revoked)

    def add_token(self, caller: Caller, scopes: Iterable[Scope], key: Key | None) -> NewToken:
        """Make another token with no more scopes than the caller's own.

        Raises `Refusal` `scope_missing`, and `KeyReused`.
        """
        wanted = _ordered(scopes)
        beyond = [scope for scope in wanted if scope not in caller.scopes]
        if beyond:
            raise Refusal(
                "scope_missing", f"Your token has not got the scope {beyond[0]!r}, so it can't give it to another one."
            )
        made = self._token(caller.player, wanted, key)
        before = self._store.add_token(made.token)
        if before is not None and before.mark != made.token.mark:
            raise KeyReused
        return NewToken(token=before or made.token, text=made.text, replayed=before is not None)

    def revoke(self, caller: Caller, token_id: str) -> None:
        """End a token: one's own, or another of the same player that can do no more than the caller's.

        Raises `Refusal` `not_found` and `scope_missing`.
        """
        token = self._store.token(token_id)
        if token is None or token.player != caller.player or token.revoked:
            raise Refusal("not_found", f"You have no token {token_id!r}.")
        if token.id != caller.token and not set(token.scopes) <= set(caller.scopes):
            raise Refusal("scope_missing", "A token can't revoke one that may do more than itself.")
        self._store.revoke(token_id)
        self._good.pop(token_id, None)

    def grant_admin(self, player: str) -> NewToken:
        """Make a token with all scopes, `admin` too, for a player: for the command line only.

        Raises `Refusal` `not_found`.
        """
        made = self._token(self.player(player).id, ALL_SCOPES, None)
        self._store.add_token(made.token)
        return made

    def _token_now(self, token_id: str) -> Token | None:
        """Look a token up, and remember it or no longer; None where it is none or was revoked."""
        token = self._store.token(token_id)
        if token is None or token.revoked:
            self._good.pop(token_id, None)
            return None
        if len(self._good) > _KNOWN_TOKENS:
            self._good = {}
        self._good[token_id] = token
        return token

    def _token(self, player: str, scopes: tuple[Scope, ...], key: Key | None) -> NewToken:
        if key is None:
            token_id, secret = new_id(self._random), self._random(SECRET_BYTES)
        else:
            token_id = derived_id(self._server_key, "token", player, key.key)
            secret = derived_bytes(self._server_key, token_id, key.key)
        text = urlsafe_b64encode(secret).decode().rstrip("=")
        token = Token(
            id=token_id,
            player=player,
            scopes=scopes,
            created_ms=self._now_ms(),
            digest=_digest(text),
            mark="" if key is None else key.mark,
        )
        return NewToken(token=token, text=f"slt.{token_id}.{text}", replayed=False)


def _caller(token: Token) -> Caller:
    return Caller(player=token.player, token=token.id, scopes=token.scopes)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _ordered(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    wanted = set(scopes)
    return tuple(scope for scope in ALL_SCOPES if scope in wanted)


__all__ = ["Key", "NewToken", "Players", "Registered"]
