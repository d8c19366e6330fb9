"""The event store: one Redis stream a table, in Redis, Valkey, the embedded server, or memory."""

from service.store.buckets import MemoryBuckets, RedisBuckets, open_limits_client
from service.store.checks import Fsync, Unfit, check_server
from service.store.connect import open_client
from service.store.directory import MemoryTableIndex, RedisTableIndex
from service.store.feeds import MemoryFeeds, RedisFeeds
from service.store.memory import MemoryStore
from service.store.opening import Opened, open_store
from service.store.players import MemoryPlayers, RedisPlayers
from service.store.redis_store import RedisStore
from service.store.repeats import MemoryRepeats, RedisRepeats
from service.store.tournaments import (
    MemoryRatedGames,
    MemoryTournamentIndex,
    RedisRatedGames,
    RedisTournamentIndex,
)
from service.store.webhooks import RedisWebhooks
from service.store.webhooks_memory import MemoryWebhooks

__all__ = [
    "Fsync",
    "MemoryBuckets",
    "MemoryFeeds",
    "MemoryPlayers",
    "MemoryRatedGames",
    "MemoryRepeats",
    "MemoryStore",
    "MemoryTableIndex",
    "MemoryTournamentIndex",
    "MemoryWebhooks",
    "Opened",
    "RedisBuckets",
    "RedisFeeds",
    "RedisPlayers",
    "RedisRatedGames",
    "RedisRepeats",
    "RedisStore",
    "RedisTableIndex",
    "RedisTournamentIndex",
    "RedisWebhooks",
    "Unfit",
    "check_server",
    "open_client",
    "open_limits_client",
    "open_store",
]
