"""The body of a live stream: it owns its watcher and its place, and gives both back however it ends."""

import time
from collections.abc import Callable, Generator
from typing import Final, Protocol, Self

from service.api.framing import Framing
from service.application.places import Place
from service.application.ports import Unavailable
from service.application.watch import State

HISTORY_LOST: Final = "history_lost"
TOO_SLOW: Final = "too_slow"


class Followed(Protocol):
    """A cursor into something that grows: a table's log (`Watcher`), or a player's feed (`Follower`)."""

    version: int

    @property
    def head(self) -> int:
        """The newest version that is known."""
        ...

    @property
    def status(self) -> str:
        """The status that goes with the end."""
        ...

    @property
    def state(self) -> State:
        """What may follow."""
        ...

    def take(self) -> list[tuple[int, bytes]]:
        """Take what is there and move on."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed."""
        ...

    def close(self) -> None:
        """Stop following."""
        ...


class Stream:
    """An iterator over the bytes of a stream, for WSGI: `close` is called by the server, whatever happens.

    A heartbeat goes out every `heartbeat_s` seconds, whatever else does, so that its rhythm tells nothing; a client
    who has gone is found by it, and a token that was revoked (`is_allowed`) ends the stream with it.
    """

    def __init__(
        self,
        watcher: Followed,
        framing: Framing,
        place: Place,
        heartbeat_s: float,
        is_allowed: Callable[[], bool],
    ) -> None:
        self._watcher = watcher
        self._framing = framing
        self._place = place
        self._heartbeat_s = heartbeat_s
        self._is_allowed = is_allowed
        self._is_open = True
        self._body = self._run()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        return next(self._body)

    def close(self) -> None:
        """Stop watching and give the place back; a second time does nothing."""
        if self._is_open:
            self._is_open = False
            self._body.close()
            self._watcher.close()
            self._place.give_back()

    def _run(self) -> Generator[bytes, None, None]:
        watcher, framing = self._watcher, self._framing
        if framing.opening:
            yield framing.opening
        beat = time.monotonic() + self._heartbeat_s
        while True:
            taken = watcher.take()
            if taken:
                yield framing.entries(taken)
            else:
                match watcher.state:
                    case "over":
                        yield framing.end({"version": watcher.version, "status": watcher.status})
                        return
                    case "lost":
                        yield reset(framing, HISTORY_LOST, watcher.head)
                        return
                    case "slow":
                        yield reset(framing, TOO_SLOW, watcher.head, after=watcher.version)
                        return
                    case "ending":
                        return
                    case "live":
                        watcher.wait(beat - time.monotonic())
            if time.monotonic() >= beat:
                if not self._may_go_on():
                    return
                yield framing.heartbeat
                beat += self._heartbeat_s * max(1, (time.monotonic() - beat) // self._heartbeat_s)

    def _may_go_on(self) -> bool:
        try:
            return self._is_allowed()
        except Unavailable:
            return True  # a store that stays away ends all streams; one that comes back is asked at the next heartbeat


def reset(framing: Framing, reason: str, version: int, after: int = 0) -> bytes:
    """Write a reset: why, the table's version, and behind which version to begin again."""
    return framing.reset({"reason": reason, "version": version, "after": after}, forget=after == 0)
