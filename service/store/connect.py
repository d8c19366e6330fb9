"""How this project talks to a Redis or Valkey server."""

from typing import Final

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

SOCKET_TIMEOUT_S: Final = 5.0
CONNECT_TIMEOUT_S: Final = 2.0
_RETRIES: Final = 3
_MOST_CONNECTIONS: Final = 4096
"""More than a process has threads: redis-py's own limit of 100 would turn the 101st request away."""
_LONGEST_BACKOFF_S: Final = 0.25


def open_client(url: str) -> redis.Redis:
    """Give a client for `redis://…`, `rediss://…` or `unix:///path`; it connects at its first command.

    It tries a broken connection three times again, at once and briefly: every command of the store may come twice.
    """
    tcp_only = {} if url.startswith("unix:") else {"socket_keepalive": True}
    return redis.Redis.from_url(
        url,
        decode_responses=False,
        socket_timeout=SOCKET_TIMEOUT_S,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        retry=Retry(ExponentialBackoff(cap=_LONGEST_BACKOFF_S, base=0.01), _RETRIES),
        max_connections=_MOST_CONNECTIONS,
        client_name="starledger",
        **tcp_only,
    )
