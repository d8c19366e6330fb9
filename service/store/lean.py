"""Commands over connections that are kept aside: a third of the cost of redis-py's own way, for the hottest two.

redis-py takes a connection from its pool, asks it whether it is still there, wraps the command in retries and times it;
that costs more than the command. Here a connection is used as it is, and where it fails the command goes redis-py's own
way, with its retries. For commands only that may come twice.
"""

from collections.abc import Callable
from typing import Any

import redis


class Lean:
    """Runs single commands of one client; safe to share between threads."""

    def __init__(self, client: redis.Redis) -> None:
        self._pool = client.connection_pool
        self._with_retries: Callable[..., Any] = client.execute_command
        self._free: list[Any] = []

    def execute(self, *command: Any) -> Any:
        """Run a command and give its raw answer; raises redis-py's errors."""
        try:
            connection = self._free.pop()
        except IndexError:
            connection = self._pool.get_connection()  # never given back, closed with the pool
        try:
            connection.send_command(*command)
            answer = connection.read_response()
        except (redis.ConnectionError, redis.TimeoutError):
            connection.disconnect()
            return self._with_retries(*command)
        except redis.ResponseError:
            raise  # the server's own word; the connection is good
        except BaseException:
            connection.disconnect()  # half an answer may still be on its way
            raise
        finally:
            self._free.append(connection)  # one that was closed connects anew when it is used
        return answer
