"""Everything put together: the only place where concrete classes are chosen, and the checks of a start."""

import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import redis

from domain.game import AnyGame
from domain.games import GAMES
from domain.history import Entry
from service.application.closing import Closing
from service.application.delivering import Deliverer
from service.application.directory import Directory
from service.application.export import Export
from service.application.feed_watch import FeedWatch
from service.application.feeds import Feeds
from service.application.few import Few
from service.application.handle import Desk
from service.application.hints import AtOnce, Behind, NoHints
from service.application.limiting import CODE_TRIES, CODES, Buckets, Flow, Limiter
from service.application.outlines import Outlines
from service.application.places import Places
from service.application.players import Players
from service.application.ports import Damaged, EventStore, Head, Mark, Outbox, Queue, Unavailable
from service.application.ratings import Ratings
from service.application.records import Records
from service.application.repeats import Repeats
from service.application.tournament_desk import TournamentDesk
from service.application.tournament_driving import Driver, Drives
from service.application.tournament_follower import Outlooks
from service.application.tournaments import TournamentIndex
from service.application.turns import Player
from service.application.watch import Watch
from service.application.webhooks import Webhooks
from service.config import Config, server_key
from service.outgoing import Outgoing
from service.queue import RqQueue, open_queue_client
from service.store import (
    MemoryBuckets,
    MemoryFeeds,
    MemoryPlayers,
    MemoryRatedGames,
    MemoryRepeats,
    MemoryStore,
    MemoryTableIndex,
    MemoryTournamentIndex,
    MemoryWebhooks,
    RedisBuckets,
    RedisFeeds,
    RedisPlayers,
    RedisRatedGames,
    RedisRepeats,
    RedisTableIndex,
    RedisTournamentIndex,
    RedisWebhooks,
    Unfit,
    open_client,
    open_limits_client,
    open_store,
)

_KEY_OF_TESTS: Final = b"the key of services in memory: it signs nothing that lasts"
_SEND_LEASES: Final = 4
"""A message may take longer than a turn: connecting, waiting for the answer, and a name that resolves slowly."""

_log = logging.getLogger("starledger.start")


class NotStarted(Exception):
    """The service can't start; the message says in one or two lines what is wrong and what to do."""


class Store(EventStore, Outbox, Protocol):
    """One store, in all of its roles."""

    def last(self, table: str) -> Entry | None:
        """Give the last entry; None where there is no such table."""
        ...

    def heads(self, tables: Sequence[str]) -> Sequence[Head | None]:
        """Give how long the logs of tables are, in one round trip; None for one that is not there."""
        ...

    def mark(self, table: str) -> Mark | None:
        """Give a table's mark."""
        ...

    def is_running(self, table: str) -> bool:
        """Tell whether a table stands in the set of running tables."""
        ...

    def tables(self) -> Iterator[str]:
        """Give every table, each once, in no order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What a process works with. `hints` and the clients are None where all is in memory."""

    config: Config
    games: Mapping[str, AnyGame]
    store: Store
    outbox: Outbox
    queue: Queue
    desk: Desk
    players: Players
    directory: Directory
    repeats: Repeats
    closing: Closing
    watch: Watch
    records: Records
    export: Export
    few: Few
    limiter: Limiter | None
    code_tries: Limiter
    feeds: Feeds
    feed_watch: FeedWatch
    webhooks: Webhooks
    deliverer: Deliverer
    tournaments: TournamentDesk
    outlooks: Outlooks
    tournament_index: TournamentIndex
    driver: Driver
    ratings: Ratings
    server_key: bytes
    workers_seen: Callable[[], int]
    hints: Behind | None = None
    store_client: redis.Redis | None = None
    queue_client: redis.Redis | None = None
    limits_client: redis.Redis | None = None

    def close(self) -> None:
        """End the streams, hand on the last hints, and close all connections."""
        self.watch.close()
        self.feed_watch.close()
        self.feeds.close()
        if self.hints is not None:
            self.hints.close()
        for client in (self.store_client, self.queue_client, self.limits_client):
            if client is not None:
                client.close()


def connect(config: Config) -> Services:
    """Connect to the servers that the configuration names, or to the embedded ones of the data folder.

    The event store is checked before anything is served on it. Raises `NotStarted` and `ConfigError`.
    """
    events_url, queue_url = urls(config)
    client = open_client(events_url)
    try:
        opened = open_store(client, fsync=config.fsync)
    except Unfit as unfit:
        raise NotStarted(str(unfit)) from unfit
    except Unavailable as silent:
        raise NotStarted(f"The event store at {shown(events_url)} can't be used: {silent}.") from silent
    except Damaged as damaged:
        raise NotStarted(f"The event store at {shown(events_url)} is damaged: {damaged}.") from damaged
    for warning in opened.warnings:
        _log.warning(warning)
    queue_client = open_queue_client(queue_url)
    limits_client = open_limits_client(queue_url)
    buckets = RedisBuckets(limits_client)
    queue = RqQueue(queue_client, config.lease)
    hints = Behind(queue)
    index = RedisTableIndex(client)
    feed_store = RedisFeeds(client)
    feeds = Feeds(feed_store)
    webhook_store = RedisWebhooks(client)
    outgoing = Outgoing(is_private_allowed=config.webhooks_private)
    desk = Desk(opened.store, hints, GAMES, os.urandom, index=index, committed=feeds.note)
    key = server_key(config)
    players = Players(RedisPlayers(client), key, os.urandom)
    directory = Directory(index, Outlines(desk.glanced, opened.store.heads, players.names))
    tournaments = TournamentDesk(opened.store, hints, key, os.urandom, desk.now_ms, committed=feeds.note_tournament)
    ratings = Ratings(RedisRatedGames(client))
    driver = Driver(tournaments, desk, opened.store, ratings.tournament_game, feeds.catch_up)
    watch = _watch(config, opened.store, desk)
    return Services(
        config=config,
        games=GAMES,
        store=opened.store,
        outbox=opened.store,
        queue=queue,
        desk=desk,
        players=players,
        directory=directory,
        repeats=RedisRepeats(client),
        closing=Closing(opened.store, [directory.record, feeds.catch_up, ratings.table_closed, driver.table_closed]),
        watch=watch,
        records=Records(opened.store, desk, index, key),
        export=Export(opened.store, index, GAMES, players.names, tournaments.tables_of),
        few=_few(config),
        limiter=_limiter(config, buckets),
        code_tries=_code_tries(buckets),
        feeds=feeds,
        feed_watch=FeedWatch(feed_store),
        webhooks=Webhooks(
            webhook_store, key, os.urandom, outgoing.check, lambda player: feed_store.bounds(player).last
        ),
        deliverer=Deliverer(webhook_store, feed_store, outgoing.post, key, lease_s=_SEND_LEASES * config.lease),
        tournaments=tournaments,
        outlooks=Outlooks(tournaments, lambda: watch.ending),
        tournament_index=RedisTournamentIndex(client),
        driver=driver,
        ratings=ratings,
        server_key=key,
        workers_seen=lambda: _count_workers(queue),
        hints=hints,
        store_client=client,
        queue_client=queue_client,
        limits_client=limits_client,
    )


def in_memory(config: Config, games: Mapping[str, AnyGame] = GAMES) -> Services:
    """Give services that need no server and keep nothing, for tests; AI turns are played at once."""
    player_store = MemoryPlayers()
    store = MemoryStore(beside=player_store.row)
    index = MemoryTableIndex()
    webhook_store = MemoryWebhooks()
    outgoing = Outgoing(is_private_allowed=config.webhooks_private)
    feed_store = MemoryFeeds(on_notice=webhook_store.noticed)
    feeds = Feeds(feed_store, threaded=False)
    quiet = Desk(store, NoHints(), games, os.urandom, committed=feeds.note)
    players = Players(player_store, _KEY_OF_TESTS, os.urandom)
    directory = Directory(index, Outlines(quiet.glanced, store.heads, players.names))
    later = AtOnce(lambda table, version: drives.play_on(table, version))  # noqa: PLW0108 - it comes below
    desk = Desk(store, later, games, os.urandom, index=index, committed=feeds.note)
    tournaments = TournamentDesk(store, later, _KEY_OF_TESTS, os.urandom, desk.now_ms, committed=feeds.note_tournament)
    ratings = Ratings(MemoryRatedGames())
    driver = Driver(tournaments, desk, store, ratings.tournament_game, feeds.catch_up)
    closing = Closing(store, [directory.record, feeds.catch_up, ratings.table_closed, driver.table_closed])
    drives = Drives(Player(quiet, closing), driver)
    watch = _watch(config, store, desk)
    return Services(
        config=config,
        games=games,
        store=store,
        outbox=store,
        queue=later,
        desk=desk,
        players=players,
        directory=directory,
        repeats=MemoryRepeats(),
        closing=closing,
        watch=watch,
        records=Records(store, desk, index, _KEY_OF_TESTS),
        export=Export(store, index, games, players.names, tournaments.tables_of),
        few=_few(config),
        limiter=_limiter(config, MemoryBuckets()),
        code_tries=_code_tries(MemoryBuckets()),
        feeds=feeds,
        feed_watch=FeedWatch(feed_store),
        webhooks=Webhooks(
            webhook_store, _KEY_OF_TESTS, os.urandom, outgoing.check, lambda player: feed_store.bounds(player).last
        ),
        deliverer=Deliverer(webhook_store, feed_store, outgoing.post, _KEY_OF_TESTS),
        tournaments=tournaments,
        outlooks=Outlooks(tournaments, lambda: watch.ending),
        tournament_index=MemoryTournamentIndex(),
        driver=driver,
        ratings=ratings,
        server_key=_KEY_OF_TESTS,
        workers_seen=lambda: 1,
    )


def _watch(config: Config, store: EventStore, desk: Desk) -> Watch:
    """Requests that wait for a page hold a thread like streams do, and get half of what those leave."""
    waits = max(1, (config.threads - config.streams) // 2)
    return Watch(store, desk.forget, Places(config.streams), Places(waits))


def _few(config: Config) -> Few:
    """Who waits for a turn holds a thread too, and gets half of what streams and waiting pages leave."""
    return Few(most_waiting=max(1, (config.threads - config.streams) // 4))


def _limiter(config: Config, buckets: Buckets) -> Limiter | None:
    limits = config.limits
    if limits is None:
        return None
    rates = {"commands": limits.commands, "reads": limits.reads, "creations": limits.creations}
    flows = {name: Flow(per_second=rate.per_second, burst=rate.burst) for name, rate in rates.items()}
    return Limiter(flows, buckets, MemoryBuckets())


def _code_tries(buckets: Buckets) -> Limiter:
    """Entry codes of tournaments can't be guessed, also where requests are not limited."""
    return Limiter({CODES: CODE_TRIES}, buckets, MemoryBuckets())


def shown(url: str) -> str:
    """Give an address as it may stand in a message: no password."""
    return re.sub(r"(?<=://)[^/]*@", "***@", url)


def _count_workers(queue: RqQueue) -> int:
    try:
        return len(queue.workers())
    except redis.RedisError as silent:
        raise Unavailable(f"the queue can't be reached: {silent}") from silent


def urls(config: Config) -> tuple[str, str]:
    """Give the addresses of event store and queue; raises `NotStarted` where nothing serves."""
    if config.redis_url is not None and config.queue_url is not None:
        return config.redis_url, config.queue_url
    run = _run_folder(config.data)
    if run is None:
        raise NotStarted(
            f"No server runs on the data folder {config.data.absolute()}. Start one with `make run` (or `starledger run`), "
            "name the folder of the one that runs by STARLEDGER_DATA, or name servers of your own by STARLEDGER_REDIS_URL and STARLEDGER_QUEUE_URL."
        )
    return config.redis_url or f"unix://{run}/events.sock", config.queue_url or f"unix://{run}/queue.sock"


def _run_folder(data: Path) -> Path | None:
    """Give the folder with the sockets of the embedded servers, as their lock file names it."""
    try:
        run = Path(json.loads((data / "lock").read_bytes())["run"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return run if (run / "events.sock").exists() else None
