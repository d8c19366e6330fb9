"""The event store: one Redis stream a table, in Redis, Valkey, the embedded server, or memory."""

from service.store.checks import Fsync, Unfit, check_server
from service.store.connect import open_client
from service.store.memory import MemoryStore
from service.store.opening import Opened, open_store
from service.store.redis_store import RedisStore

__all__ = ["Fsync", "MemoryStore", "Opened", "RedisStore", "Unfit", "check_server", "open_client", "open_store"]
