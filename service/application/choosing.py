"""A built-in bot's choice for a seat, and who moves where it fails."""

import contextlib
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from domain.bots import BOTS, FALLBACK, Bot
from domain.chance import Secret, bot_rng
from domain.game import AnyGame, Seen
from domain.values import Command, Value

LATE: Final = "no answer in time"
ILLEGAL: Final = "a command that is not allowed"
FAILED: Final = "an error"
UNKNOWN: Final = "no such bot here"

_log = logging.getLogger("starledger.turns")


class TimeUp(BaseException):
    """A bot has thought for too long; no `Exception`, so that no bot can swallow it."""


class Thinking(Value, frozen=True):
    """Which bots there are, who moves for one that fails, and how long any of them may take.

    `limit` gives a context that raises `TimeUp` inside when it takes too long.
    """

    bots: Mapping[str, Bot] = BOTS
    fallback: str = FALLBACK
    limit: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext


def choose(
    game: AnyGame, seen: Seen, driver: str, secret: Secret, version: int, thinking: Thinking
) -> tuple[Command | None, str]:
    """Let a bot choose at `version`; gives None and the reason where it can't, or chooses what is not allowed.

    With a command comes the reason that would be right if the rules refused it all the same.

    Its chance depends on seat and version alone, so a second try gives the same answer. Raises `TimeUp`.
    """
    bot = thinking.bots.get(driver)
    if bot is None:
        return None, UNKNOWN
    try:
        with thinking.limit():
            command = bot(game, seen, bot_rng(secret.bots, seen.seat, version, "move"))
    except Exception:  # noqa: BLE001 - whatever a bot does wrong, the table goes on
        _log.exception("The bot %s failed in %s at version %d", driver, game.name, version)
        return None, FAILED
    if command not in seen.commands:
        _log.error("The bot %s chose what is not allowed in %s at version %d", driver, game.name, version)
        return None, ILLEGAL
    return command, ILLEGAL
