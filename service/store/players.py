"""Players and tokens, on Redis and in memory.

Keys: `player:<id>` and `token:<id>` hold JSON; `tokens:<player>` is the sorted set of a player's token ids by
time. Every write is one that may come twice: `SET NX` keeps what came first.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import redis

from service.application.accounts import Player, Token
from service.application.ports import Damaged, Proof
from service.store.errors import foreign_errors
from service.store.lean import Lean

_player = msgspec.json.Decoder(Player)
_token = msgspec.json.Decoder(Token)
_encode = msgspec.json.encode


class RedisPlayers:
    """`PlayerStore` on Redis or Valkey."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._lean = Lean(client)

    def add(self, player: Player, token: Token) -> Player | None:
        """Keep a player with his first token, unless somebody stands under this id: he is given then."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            pipeline.set(f"player:{player.id}", _encode(player), nx=True, get=True)
            self._add_token(pipeline, token)
            before = pipeline.execute()[0]
        return None if before is None else _read(_player, before)

    def find(self, ids: Iterable[str]) -> Mapping[str, Player]:
        """Give the players with these ids."""
        wanted = [f"player:{each}" for each in ids]
        if not wanted:
            return {}
        with foreign_errors():
            rows = self._client.mget(wanted)
        found = (_read(_player, row) for row in rows if row is not None)
        return {player.id: player for player in found}

    def add_token(self, token: Token) -> Token | None:
        """Keep a token, unless there is one under this id: that one is given then."""
        with foreign_errors():
            pipeline = self._client.pipeline(transaction=False)
            self._add_token(pipeline, token)
            before = pipeline.execute()[0]
        return None if before is None else _read(_token, before)

    def token(self, token_id: str) -> Token | None:
        """Give a token."""
        with foreign_errors():
            row = self._lean.execute("GET", f"token:{token_id}")
        return None if row is None else _read(_token, row)

    def proof(self, token: Token) -> Proof:
        """Give the token's row as a proof."""
        return _proof(token)

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Give all tokens of a player, oldest first."""
        with foreign_errors():
            ids: Any = self._client.zrange(f"tokens:{player}", 0, -1)
            rows = self._client.mget([b"token:" + each for each in ids]) if ids else []
        return tuple(_read(_token, row) for row in rows if row is not None)

    def revoke(self, token_id: str) -> None:
        """Mark a token as revoked: the only change that a token knows, so the last writer is as right as the first."""
        token = self.token(token_id)
        if token is not None:
            with foreign_errors():
                self._client.set(f"token:{token_id}", _encode(msgspec.structs.replace(token, revoked=True)), xx=True)

    @staticmethod
    def _add_token(pipeline: Any, token: Token) -> None:
        pipeline.set(f"token:{token.id}", _encode(token), nx=True, get=True)
        pipeline.zadd(f"tokens:{token.player}", {token.id: token.created_ms}, nx=True)


class MemoryPlayers:
    """`PlayerStore` in dicts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._players: dict[str, Player] = {}
        self._tokens: dict[str, Token] = {}

    def add(self, player: Player, token: Token) -> Player | None:
        """Keep a player with his first token, unless somebody stands under this id: he is given then."""
        with self._lock:
            before = self._players.get(player.id)
            self._players.setdefault(player.id, player)
            self._tokens.setdefault(token.id, token)
            return before

    def find(self, ids: Iterable[str]) -> Mapping[str, Player]:
        """Give the players with these ids."""
        with self._lock:
            return {each: self._players[each] for each in ids if each in self._players}

    def add_token(self, token: Token) -> Token | None:
        """Keep a token, unless there is one under this id: that one is given then."""
        with self._lock:
            before = self._tokens.get(token.id)
            self._tokens.setdefault(token.id, token)
            return before

    def token(self, token_id: str) -> Token | None:
        """Give a token."""
        with self._lock:
            return self._tokens.get(token_id)

    def proof(self, token: Token) -> Proof:
        """Give the token's row as a proof."""
        return _proof(token)

    def row(self, key: str) -> bytes | None:
        """Give what a key holds on Redis, as far as proofs may name it."""
        token = self.token(key.removeprefix("token:"))
        return None if token is None else _encode(token)

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Give all tokens of a player, oldest first."""
        with self._lock:
            own = [token for token in self._tokens.values() if token.player == player]
        return tuple(sorted(own, key=lambda token: (token.created_ms, token.id)))

    def revoke(self, token_id: str) -> None:
        """Mark a token as revoked."""
        with self._lock:
            token = self._tokens.get(token_id)
            if token is not None:
                self._tokens[token_id] = msgspec.structs.replace(token, revoked=True)


def _proof(token: Token) -> Proof:
    return Proof(key=f"token:{token.id}", held=_encode(token))


def _read(decoder: Any, row: Any) -> Any:
    try:
        return decoder.decode(row)
    except (msgspec.DecodeError, TypeError) as error:
        raise Damaged(f"an account's row can't be read: {error}") from error
