"""The bot kit: write `choose`, the rest is here.

A bot plays at many tables at once, keeps nothing that it could lose, and survives restarts of both sides: what it
has to do it asks the service, and a command that it sends again has the key of that table's version.
"""

import argparse
import asyncio
import importlib
import logging
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from starledger_client.aio import AsyncClient
from starledger_client.errors import Conflict, NotFound, Problem, Unreachable
from starledger_client.models import Command, Table, View

_log = logging.getLogger("starledger_client.bot")

LOOK_AROUND_SECONDS: Final = 2.0
"""How often the lists are read for tables that one has to play at."""
WAIT_SECONDS: Final = 20
"""How long one request waits for news of a table."""


class Bot(ABC):
    """A player. Only `choose` must be written."""

    game: str | None = None
    """Play this game only; None: every one."""
    join_open_tables: bool = False
    """Sit down at open tables that have a free seat, besides those where a seat is reserved for this bot."""
    max_tables: int = 50
    """Sit down at no more tables than this at once."""

    @abstractmethod
    def choose(self, view: View, commands: Sequence[Command]) -> Command:
        """Choose one of the commands; `view` is what this seat may see. May take its time: it runs in a thread."""

    def table_finished(self, table: Table) -> None:  # noqa: B027 - a hook that most bots don't need
        """Hear of a table's end; `table.outcome` says how."""


class Runner:
    """Plays a bot on a service until `stop` or, with `tables`, until so many tables have ended."""

    def __init__(self, bot: Bot, client: AsyncClient, *, tables: int | None = None) -> None:
        self._bot = bot
        self._client = client
        self._left = tables
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._done: set[str] = set()
        self._stop = asyncio.Event()
        self._me = ""

    def stop(self) -> None:
        """Send nothing more; tables stay as they are and can be gone on with."""
        self._stop.set()

    async def run(self) -> None:
        """Play; raises what can't be helped (a bad token, a bug in `choose`)."""
        while not self._me:
            try:
                self._me = str((await self._client.me())["id"])
            except Unreachable as gone:
                _log.warning("%s; trying again", gone)
        try:
            while not self._stop.is_set():
                await self._look_around()
                for task in list(self._playing.values()):
                    if task.done():
                        task.result()
                try:
                    await asyncio.wait_for(self._stop.wait(), LOOK_AROUND_SECONDS)
                except TimeoutError:
                    continue
        finally:
            for task in self._playing.values():
                task.cancel()
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def _look_around(self) -> None:
        try:
            async for table in self._client.all_tables(game=self._bot.game, status="playing", player=self._me):
                self._begin(table.id)
            async for table in self._client.all_tables(game=self._bot.game, status="open", player=self._me):
                await self._sit_if_wanted(table)
            if self._bot.join_open_tables:
                async for table in self._client.all_tables(game=self._bot.game, status="open"):
                    await self._sit_if_wanted(table)
        except Unreachable as gone:
            _log.warning("%s; trying again", gone)

    async def _sit_if_wanted(self, table: Table) -> None:
        if table.id in self._playing or table.id in self._done:
            return
        mine = [seat for seat in table.seats if seat.player is not None and seat.player.id == self._me]
        reserved = any(seat.reserved for seat in mine)
        free = self._bot.join_open_tables and any(seat.kind == "open" for seat in table.seats)
        if mine and not reserved:
            self._begin(table.id)
        elif (reserved or free) and len(self._playing) < self._bot.max_tables:
            try:
                await self._client.sit(table.id)
            except (Conflict, NotFound, Problem) as refused:
                _log.info("no seat at %s: %s", table.id, refused)
            else:
                self._begin(table.id)

    def _begin(self, table: str) -> None:
        if table not in self._playing and table not in self._done:
            self._playing[table] = asyncio.create_task(self._play(table), name=f"table {table}")

    async def _play(self, table: str) -> None:
        while not self._stop.is_set():
            try:
                if await self._step(table):
                    break
            except Unreachable as gone:
                _log.warning("table %s: %s; trying again", table, gone)
            except NotFound:
                break
        self._done.add(table)
        del self._playing[table]
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self.stop()

    async def _step(self, table: str) -> bool:
        """Do what is to be done now, or wait for news; True where the table has ended."""
        now = await self._client.table(table)
        if now.status in ("finished", "aborted"):
            self._bot.table_finished(now)
            return True
        offer = await self._client.commands(table)
        moves = [command for command in offer.commands if command["type"] not in _ALWAYS]
        if not moves or now.view is None or offer.version != now.version:
            if offer.version == now.version:
                await self._client.log(table, after=now.version, wait=WAIT_SECONDS, limit=1)
            return False
        command = await asyncio.to_thread(self._bot.choose, now.view, moves)
        try:
            await self._client.post(table, command, key=f"{table}-{now.version}-{self._me}"[:128])
        except Conflict as refused:
            if refused.code == "illegal_command":
                raise
            _log.info("table %s: %s", table, refused)
        return False


_ALWAYS: Final = frozenset({"resign", "pause_clock", "resume_clock"})


async def play(bot: Bot, *, url: str | None = None, token: str | None = None, tables: int | None = None) -> None:
    """Play a bot with a token until cancelled or so many tables have ended."""
    async with AsyncClient(url, token) as client:
        await Runner(bot, client, tables=tables).run()


def main() -> None:
    """Play a bot from the command line: `python -m starledger_client.bot module:Class`."""
    parser = argparse.ArgumentParser(prog="starledger-bot", description=main.__doc__)
    parser.add_argument("bot", help="module:Class, the class a subclass of starledger_client.bot.Bot")
    parser.add_argument("--url", help="the service; else STARLEDGER_URL, else http://127.0.0.1:8000")
    parser.add_argument(
        "--token-file", type=Path, help="keeps the bot's token; an account is made where it is not there"
    )
    parser.add_argument("--name", help="the account's name where one is made; else the class's")
    parser.add_argument("--tables", type=int, help="end when so many tables have ended")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    sys.path.insert(0, str(Path.cwd()))
    module, _, name = asked.bot.partition(":")
    try:
        bot: Bot = getattr(importlib.import_module(module), name)()
    except (ImportError, AttributeError, ValueError, TypeError) as wrong:
        parser.error(f"{asked.bot} can't be loaded: {wrong}")
    try:
        asyncio.run(_main(bot, asked.url, _kept_token(asked.token_file), asked))
    except KeyboardInterrupt:
        _log.info("stopped; start again to go on")
    except (Problem, Unreachable) as error:
        sys.exit(str(error))


def _kept_token(file: Path | None) -> str | None:
    return file.read_text().strip() if file is not None and file.exists() else None


def _keep_token(file: Path, token: str) -> None:
    file.touch(mode=0o600)
    file.write_text(token)


async def _main(bot: Bot, url: str | None, token: str | None, asked: argparse.Namespace) -> None:
    async with AsyncClient(url, token) as client:
        if client.token is None:
            made = await client.create_player((asked.name or type(bot).__name__)[:40], "bot")
            _log.info("a new account: %s", made.id)
            if asked.token_file is not None:
                _keep_token(asked.token_file, made.token)
        await Runner(bot, client, tables=asked.tables).run()


if __name__ == "__main__":
    main()
