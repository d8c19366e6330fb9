"""The bot kit: write `choose`, the rest is here.

A bot plays at many tables at once, keeps nothing that it could lose, and survives restarts of both sides: what it
has to do it asks the service, and a command that it sends again has the key of that table's version.
"""

import argparse
import asyncio
import contextlib
import importlib
import logging
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from starledger_client.aio import AsyncClient
from starledger_client.core import is_retryable
from starledger_client.cups import Tournament
from starledger_client.errors import Conflict, Forbidden, Invalid, NotFound, Problem, Unreachable
from starledger_client.models import Command, Table, View

_log = logging.getLogger("starledger_client.bot")

LOOK_AROUND_SECONDS: Final = 2.0
"""So often the lists are read for tables that one has to play at; the own feed says sooner where there is news."""
WAIT_SECONDS: Final = 20
"""How long one request waits for news of a table."""
_PAUSE_SECONDS: Final = 0.5
_AT_ONCE: Final = 200


class Bot(ABC):
    """A player. Only `choose` must be written."""

    game: str | None = None
    """Play this game only; None: every one."""
    join_open_tables: bool = False
    """Sit down at open tables that have a free seat, besides those where a seat is reserved for this bot."""
    max_tables: int = 50
    """Sit down at no more open tables than this at once; a seat that is reserved for this bot is always taken."""

    @abstractmethod
    def choose(self, view: View, commands: Sequence[Command]) -> Command:
        """Choose one of the commands; `view` is what this seat may see. May take its time: it runs in a thread."""

    def table_finished(self, table: Table) -> None:  # noqa: B027 - a hook that most bots don't need
        """Hear of a table's end; `table.outcome` says how."""

    def tournament_finished(self, tournament: Tournament) -> None:  # noqa: B027 - the same
        """Hear of the end of a tournament where the bot had an entry."""


class Runner:
    """Plays a bot on a service until `stop`; with `tables` until so many have ended, with `enter` until those events have.

    `enter` names tournaments: the bot enters them, with `code` where one is needed. In these and in all where an
    organiser has entered it, it checks in and plays all its tables.
    """

    def __init__(
        self,
        bot: Bot,
        client: AsyncClient,
        *,
        tables: int | None = None,
        enter: Iterable[str] = (),
        code: str | None = None,
    ) -> None:
        self._bot = bot
        self._client = client
        self._left = tables
        self._enter = set(enter)
        self._code = code
        self._cups = set(self._enter)
        self._cups_over: set[str] = set()
        self._heard = 0
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._done: set[str] = set()
        self._stop = asyncio.Event()
        self._me = ""

    def stop(self) -> None:
        """Send nothing more; tables stay as they are and can be gone on with."""
        self._stop.set()

    async def run(self) -> None:
        """Play; raises what can't be helped (a bad token, a bug in `choose`)."""
        try:
            while not self._stop.is_set():
                with _patience("looking around"):
                    self._me = self._me or (await self._client.me()).id
                    await self._listen(0)
                    await self._look_around()
                for task in list(self._playing.values()):
                    if task.done():
                        task.result()
                await self._wait()
        finally:
            for task in self._playing.values():
                task.cancel()
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def _wait(self) -> None:
        """Wait until there may be something new."""
        waits = [asyncio.create_task(self._stop.wait()), asyncio.create_task(self._news())]
        done, late = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        for task in done:
            task.result()

    async def _news(self) -> None:
        """Wait until the own feed tells of something to look for, or it is time to look anyway."""
        until = time.monotonic() + LOOK_AROUND_SECONDS
        while (left := until - time.monotonic()) > 0:
            with _patience("the own feed"):
                if await self._listen(left):
                    return
            await asyncio.sleep(min(left, _PAUSE_SECONDS))

    async def _listen(self, wait: float) -> bool:
        """Read the own feed, and remember the tournaments where the bot was entered; tell of new tables and events."""
        is_news = False
        while True:
            page = await self._client.notices(after=self._heard, limit=_AT_ONCE, wait=wait or None)
            if page.last < self._heard:
                self._heard = 0  # another feed than the one that we knew
                return True
            for notice in page.items:
                self._heard = notice.id
                is_news = is_news or notice.type != "your_turn"
                if notice.type == "tournament_entered" and notice.tournament is not None:
                    self._cups.add(notice.tournament)
            if len(page.items) < _AT_ONCE:
                return is_news

    async def _look_around(self) -> None:
        for cup in sorted(self._cups - self._cups_over):
            await self._take_part(cup)
        async for table in self._client.all_tables(game=self._bot.game, status="playing", player=self._me):
            self._begin(table.id)
        async for table in self._client.all_tables(game=self._bot.game, status="open", player=self._me):
            await self._sit_if_wanted(table)
        if self._bot.join_open_tables:
            async for table in self._client.all_tables(game=self._bot.game, status="open"):
                await self._sit_if_wanted(table)
        if self._enter and self._enter <= self._cups_over and not self._playing:
            self.stop()

    async def _take_part(self, cup: str) -> None:
        """Enter, check in, or hear of the end."""
        now = await self._client.tournament(cup)
        mine = now.entry_of(self._me)
        if now.status in ("finished", "cancelled"):
            self._cups_over.add(cup)
            self._bot.tournament_finished(now)
        elif mine is None and cup in self._enter and not any(each.player == self._me for each in now.entrants):
            mine = await self._client.enter(cup, code=self._code, key=f"enter-{cup}-{self._me}"[:128])
            _log.info("entered tournament %s as %s", cup, mine.entry)
        elif mine is None:
            self._cups_over.add(cup)  # withdrawn
        if mine is not None and now.check_in and now.status == "open" and not mine.checked_in:
            try:
                await self._client.check_in(cup, mine.entry)
            except Conflict as late:
                _log.info("not checked in at %s: %s", cup, late)

    async def _sit_if_wanted(self, table: Table) -> None:
        if table.id in self._playing or table.id in self._done:
            return
        mine = [seat for seat in table.seats if seat.player is not None and seat.player.id == self._me]
        reserved = any(seat.reserved for seat in mine)
        free = self._bot.join_open_tables and any(seat.kind == "open" and not seat.reserved for seat in table.seats)
        if mine and not reserved:
            self._begin(table.id)
        elif reserved or (free and len(self._playing) < self._bot.max_tables):
            try:
                await self._client.sit(table.id)
            except (Conflict, NotFound, Forbidden, Invalid) as refused:
                _log.info("no seat at %s: %s", table.id, refused)
            else:
                self._begin(table.id)

    def _begin(self, table: str) -> None:
        if table not in self._playing and table not in self._done:
            self._playing[table] = asyncio.create_task(self._play(table), name=f"table {table}")

    async def _play(self, table: str) -> None:
        while not self._stop.is_set():
            try:
                with _patience(f"table {table}"):
                    if await self._step(table):
                        break
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


@contextlib.contextmanager
def _patience(what: str) -> Iterator[None]:
    """Let pass, with a word in the log, what may be better the next time: it was tried long enough already."""
    try:
        yield
    except Unreachable as gone:
        _log.warning("%s: %s; trying again", what, gone)
    except Problem as problem:
        if not is_retryable(problem):
            raise
        _log.warning("%s: %s; trying again", what, problem)


async def play(
    bot: Bot,
    *,
    url: str | None = None,
    token: str | None = None,
    tables: int | None = None,
    enter: Iterable[str] = (),
    code: str | None = None,
) -> None:
    """Play a bot with a token until cancelled, so many tables have ended, or the tournaments to enter have."""
    async with AsyncClient(url, token) as client:
        await Runner(bot, client, tables=tables, enter=enter, code=code).run()


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
    parser.add_argument(
        "--enter",
        action="append",
        default=[],
        metavar="TOURNAMENT",
        help="enter it (an id); end when all of these have",
    )
    parser.add_argument("--code", help="the entry code, where tournaments need one")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    sys.path.insert(0, str(Path.cwd()))
    if asked.url is not None:
        os.environ["STARLEDGER_URL"] = asked.url  # where a bot asks something by itself, it asks there too
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
        await Runner(bot, client, tables=asked.tables, enter=asked.enter, code=asked.code).run()


if __name__ == "__main__":
    main()
