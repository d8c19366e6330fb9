"""`starledger doctor`: looks at everything that has to be right, and says what to do where it is not."""

import importlib.metadata
import importlib.util
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, Literal

import httpx
import redis

from domain.values import Value
from service.application.ports import Unavailable
from service.bootstrap import NotStarted, shown, urls
from service.cli.run import address
from service.config import Config, ConfigError, server_key, strangers
from service.queue import RqQueue, alive, open_queue_client
from service.queue_sends import SENDS
from service.store import Unfit, check_server, open_client
from service.store.embedded import NotStarted as NoServer
from service.store.keys import BUCKETS_KEY, DEFAULT_BUCKETS, Keys
from service.store.redis_store import RedisStore
from service.store.server import find_binary

OLDEST: Final = (3, 11)
_LEAST_FREE: Final = 1 << 30
_MOST_SKEW_S: Final = 1.0
_NEEDED: Final = ("click", "flask", "granian", "httpx", "marshmallow", "msgspec", "redis", "rich", "rq", "yaml")


class Finding(Value, frozen=True):
    """One thing looked at: `ok`, `note` (not wrong, but to be known) or `wrong`; `todo` says what to do."""

    what: str
    grade: Literal["ok", "note", "wrong"]
    text: str
    todo: str = ""


def examine(config: Config | ConfigError) -> Iterator[Finding]:
    """Look at everything, one after the other; nothing is changed."""
    yield from _python()
    if isinstance(config, ConfigError):
        for line in str(config).splitlines():
            yield Finding("settings", "wrong", line, "Set it right, or unset it; docs/operations.md has the list.")
        return
    yield Finding("settings", "ok", "all can be read")
    for stranger in strangers():
        yield Finding("settings", "wrong", stranger, "Write it as it is in docs/operations.md, or unset it.")
    yield from _folder(config)
    if config.redis_url is None or config.queue_url is None:
        yield _server()
    yield from _api(config)
    try:
        events_url, queue_url = urls(config)
    except NotStarted as reason:
        yield Finding("servers", "note", str(reason))
        return
    yield from _events(config, events_url)
    yield from _queue(config, queue_url)


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST:
        yield Finding("python", "ok", f"{version} at {sys.executable}")
    else:
        yield Finding("python", "wrong", f"{version} is too old", "Install Python 3.11 or newer.")
    missing = _missing()
    if missing:
        yield Finding(
            "packages", "wrong", f"not installed: {', '.join(missing)}", "Run `make run`, which installs them."
        )
    else:
        yield Finding("packages", "ok", "all are installed")


def _missing() -> Sequence[str]:
    try:
        required = importlib.metadata.requires("starledger") or []
    except importlib.metadata.PackageNotFoundError:
        return [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    names = [re.split(r"[^A-Za-z0-9._-]", line)[0] for line in required if "extra ==" not in line]
    return [name for name in names if not _is_installed(name)]


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _folder(config: Config) -> Iterator[Finding]:
    data = config.data.resolve()
    there = next(folder for folder in (data, *data.parents) if folder.exists())
    todo = "Let this user write there, or set STARLEDGER_DATA to another folder."
    try:
        if data.exists():
            (data / ".writable").touch()
            (data / ".writable").unlink()
            yield Finding("data", "ok", f"{data} can be written")
        else:
            Path(mkdtemp(prefix=".starledger-", dir=there)).rmdir()
            yield Finding("data", "note", f"{data} is not there yet; it is made at the first start")
    except OSError as failed:
        yield Finding("data", "wrong", f"{data} can't be written: {failed.strerror}", todo)
        return
    free = shutil.disk_usage(there).free
    if free < _LEAST_FREE:
        yield Finding(
            "disk", "wrong", f"{free >> 20} MiB free at {there}", "Make room: the store refuses moves when full."
        )
    else:
        yield Finding("disk", "ok", f"{free >> 30} GiB free")
    if config.secret is None and not (data / "server.key").exists():
        yield Finding("key", "note", "there is no server key yet; it is made at the first start")
        return
    try:
        server_key(config)
    except ConfigError as wrong:
        yield Finding("key", "wrong", str(wrong), "Put it right before tokens are made.")
    else:
        yield Finding("key", "ok", "the server key can be read")


def _server() -> Finding:
    try:
        return Finding("server", "ok", f"the embedded server is at {find_binary()}")
    except NoServer as missing:
        return Finding("server", "wrong", str(missing), "See there.")


def _api(config: Config) -> Iterator[Finding]:
    base = address(config)
    try:
        answer = httpx.get(f"{base}/readyz", timeout=5.0, trust_env=False)
    except httpx.TransportError as failed:
        yield Finding("api", "note", f"nothing answers on {base} ({type(failed).__name__}); start it with `make run`")
        return
    if answer.status_code == httpx.codes.OK:
        yield Finding("api", "ok", f"{base} is ready")
        return
    is_ours = answer.headers.get("content-type", "").startswith("application/problem+json")
    if is_ours:
        yield Finding(
            "api", "wrong", f"{base} is not ready: {answer.json().get('detail', '')}", "See below, and its log."
        )
    else:
        todo = "Another program serves there: set STARLEDGER_PORT to another port."
        yield Finding("api", "wrong", f"{base} is not Starledger", todo)


def _events(config: Config, url: str) -> Iterator[Finding]:
    todo = "Start it (`make run`), or set STARLEDGER_REDIS_URL to where it is."
    with open_client(url) as client:
        try:
            warnings = check_server(client, config.fsync)
            yield Finding("store", "ok", f"{shown(url)} keeps what it must")
            for warning in warnings:
                yield Finding("store", "note", warning)
            yield from _skew(client)
            yield from _overdue(config, RedisStore(client, Keys(int(client.get(BUCKETS_KEY) or DEFAULT_BUCKETS))))
        except Unfit as unfit:
            yield Finding("store", "wrong", str(unfit), "Change the server's configuration and start it again.")
        except Unavailable as silent:
            yield Finding("store", "wrong", f"{shown(url)}: {silent}", todo)


def _skew(client: redis.Redis) -> Iterator[Finding]:
    before = time.time()
    seconds, micro = client.time()
    skew = seconds + micro / 1e6 - (before + time.time()) / 2
    if abs(skew) > _MOST_SKEW_S:
        todo = "Let both machines keep time by NTP: deadlines come early or late by as much."
        yield Finding("clock", "wrong", f"the store's clock differs from this one by {skew:+.1f} s", todo)
    else:
        yield Finding("clock", "ok", f"the store's clock differs by {abs(skew) * 1000:.0f} ms")


def _overdue(config: Config, store: RedisStore) -> Iterator[Finding]:
    """A relay hands out all that is due within a period: what is due for longer shows that there is none."""
    late = store.due(1)
    limit_s = config.relay_period * 3 + 5
    if late and (waits := time.time() - late[0].due_ms / 1000) > limit_s:
        todo = "Start the relay (`starledger relay`), or look into its log."
        yield Finding(
            "relay", "wrong", f"table {late[0].table} is due since {waits:.0f} s, and nobody hands it out", todo
        )
    else:
        yield Finding("relay", "ok", "nothing is overdue")


def _queue(config: Config, url: str) -> Iterator[Finding]:
    with open_queue_client(url) as client:
        queue = RqQueue(client, config.lease)
        try:
            workers, waiting, senders = queue.workers(), queue.waiting(), alive(client, SENDS)
        except redis.RedisError as failed:
            todo = "Start it (`make run`), or set STARLEDGER_QUEUE_URL to where it is. Nothing is lost meanwhile."
            yield Finding("queue", "wrong", f"{shown(url)} can't be reached: {failed}", todo)
            return
    yield Finding("queue", "ok", f"{shown(url)} is reached; {waiting} hints wait")
    if workers:
        yield Finding("workers", "ok", f"{len(workers)} alive: {', '.join(worker.name for worker in workers)}")
    else:
        todo = "Start some (`starledger worker`); built-in bots and clocks stand still without."
        yield Finding("workers", "wrong", "none has shown itself", todo)
    if senders:
        yield Finding("senders", "ok", f"{len({sender.pid for sender in senders})} alive")
    else:
        todo = "Start one (`starledger sender`); webhooks are not sent without. Nothing is lost meanwhile."
        yield Finding("senders", "wrong", "none has shown itself", todo)


def report(findings: Iterator[Finding], say: Callable[[str], None]) -> bool:
    """Say each finding as it comes; tell whether all is well."""
    is_well = True
    for finding in findings:
        say(f"{finding.grade:<6} {finding.what:<9} {finding.text}")
        if finding.grade == "wrong":
            is_well = False
            say(f"{'':16} -> {finding.todo}")
    return is_well
