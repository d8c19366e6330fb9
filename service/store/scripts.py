"""The Lua scripts and how they are called.

Law: a script gets into a server only through `Boot.admit`, which makes a restarted server safe first. A restart
empties the server's script cache, so no commit can reach a restarted server before: it is answered NOSCRIPT.
"""

import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

import redis

from domain.values import Value
from service.store.boot import Boot
from service.store.errors import foreign_errors
from service.store.lean import Lean

_TRIES: Final = 3
"""NOSCRIPT again and again means that somebody flushes scripts or restarts the server in a loop."""


class Script(Value, frozen=True):
    """A script's text and the digest that calls it."""

    source: bytes
    sha: str


def _read(name: str) -> Script:
    source = resources.files(__package__).joinpath(name).read_bytes()
    return Script(source=source, sha=hashlib.sha1(source, usedforsecurity=False).hexdigest())


COMMIT: Final = _read("commit.lua")
LEASE: Final = _read("lease.lua")
CLEAR: Final = _read("clear.lua")
REPAIR: Final = _read("repair.lua")
WHOLE: Final = _read("whole.lua")
PUBLISH: Final = _read("publish.lua")
HOOK_ADD: Final = _read("hook_add.lua")
TURN_BEGIN: Final = _read("turn_begin.lua")
TURN_NOTE: Final = _read("turn_note.lua")
TURN_END: Final = _read("turn_end.lua")
ALL: Final = (COMMIT, LEASE, CLEAR, REPAIR, WHOLE, PUBLISH, HOOK_ADD, TURN_BEGIN, TURN_NOTE, TURN_END)


class Scripts:
    """Calls scripts by their digest, one round trip each."""

    def __init__(self, client: redis.Redis, boot: Boot) -> None:
        self._client = client
        self._command = Lean(client).execute  # every script may come twice
        self._boot = boot

    def admit(self) -> None:
        """Get the scripts into the server, which may have been restarted; raises `Unavailable` and `Damaged`."""
        with foreign_errors():
            self._boot.admit([each.source for each in ALL])

    def call_all(self, script: Script, calls: Sequence[tuple[list[str], list[Any]]]) -> list[Any]:
        """Run a script several times in one round trip; where one fails, each by itself, up to the first that fails.

        Raises `Unavailable` and `Damaged`.
        """
        if len(calls) > 1:
            with foreign_errors():
                pipeline: Any = self._client.pipeline(transaction=False)
                for keys, args in calls:
                    pipeline.execute_command("EVALSHA", script.sha, len(keys), *keys, *args)
                answers: list[Any] = pipeline.execute(raise_on_error=False)
            if not any(isinstance(answer, Exception) for answer in answers):
                return answers
        return [self.call(script, keys, args) for keys, args in calls]

    def call(self, script: Script, keys: list[str], args: list[Any]) -> Any:
        """Run a script; raises `Unavailable`, also while a restarted server is being made safe, and `Damaged`."""
        with foreign_errors():
            for _ in range(_TRIES - 1):
                try:
                    return self._command("EVALSHA", script.sha, len(keys), *keys, *args)
                except redis.exceptions.NoScriptError:
                    self._boot.admit([each.source for each in ALL])
            return self._command("EVALSHA", script.sha, len(keys), *keys, *args)
