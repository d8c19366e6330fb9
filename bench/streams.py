"""What a live entry costs: from the commit to the last of many watchers, against servers that do nothing else.

    python bench/streams.py [--watchers 1000] [--commits 20] [--rounds 5]

Five servers hold the same number of sockets: ours with all watchers at one table; ours with one watcher at each of as
many tables; the same HTTP server with bare generators, a thread each, woken in groups as ours are (the floor) and all
at once; a bare asyncio loop that writes to sockets (what could be without threads). They take turns in rounds, so that
all meet the same machine. The time begins when the commit has returned (for the bare ones: when the datagram that wakes them was sent)
and ends when the last watcher has the entry. Linux.
"""

import argparse
import asyncio
import os
import random
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.games import GAMES
from domain.options import parse_options
from domain.table import Table
from domain.table_rules import Create, Play, TableCommand, Wish
from domain.values import Seat
from service.api.listening import listen
from service.api.server import Server
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.application.watch import GROUP, GROUP_PAUSE_S
from service.cli.roles import argv_of, environment_of
from service.config import Config, load
from service.store.connect import open_client
from service.store.embedded import open_embedded
from service.store.opening import open_store

READY_S = 120.0
MESSAGE = b"id: 123\ndata: " + bytes(300).replace(b"\0", b"x") + b"\n\n"
MARK = b"data: "


@dataclass
class Way:
    """One server with its watchers: how to make it send, and what was measured."""

    name: str
    pid: int
    watchers: list[socket.socket]
    send: Callable[[], int]
    bytes_each: float
    opened_s: float
    times_ms: list[float] = field(default_factory=list)
    selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)

    def measure(self) -> None:
        """Send one entry and wait until everybody who watches it has it."""
        expected = self.send()
        begin = time.perf_counter()
        received = 0
        while received < expected:
            for key, _ in self.selector.select(READY_S):
                received += MARK in key.fileobj.recv(65536)  # type: ignore[union-attr]  # it is a socket
        self.times_ms.append((time.perf_counter() - begin) * 1000)


def rss(pid: int) -> int:
    """Give a process's resident memory in bytes."""
    words = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(words.partition("VmRSS:")[2].split()[0]) * 1024


def free_port() -> int:
    """Give a port that nobody listens on now."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def open_watchers(name: str, pid: int, port: int, paths: Sequence[str], send: Callable[[], int]) -> Way:
    """Open a stream for each path, and wait until each has all that it gets at first."""
    before, begin = rss(pid), time.perf_counter()
    way = Way(name, pid, [], send, 0, 0)
    for path in paths:
        watcher = socket.create_connection(("127.0.0.1", port), timeout=READY_S)
        watcher.sendall(f"GET {path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n".encode())
        received = b""
        while MARK not in received:
            received += watcher.recv(65536)
        way.watchers.append(watcher)
        way.selector.register(watcher, selectors.EVENT_READ)
    way.opened_s = time.perf_counter() - begin
    way.bytes_each = (rss(pid) - before) / len(paths)
    return way


# ---- ours


def start_api(servers: Any, watchers: int) -> tuple[subprocess.Popen[bytes], Config]:
    """Start the API with a thread for each watcher."""
    config = load(
        {
            "STARLEDGER_REDIS_URL": servers.events_url,
            "STARLEDGER_QUEUE_URL": servers.queue_url,
            "STARLEDGER_SECRET": "a key of a measurement that signs nothing",
            "STARLEDGER_PORT": str(free_port()),
            "STARLEDGER_RATE_LIMITS": "off",
            "STARLEDGER_LOG": "warning",
            "STARLEDGER_THREADS": str(watchers + 96),
            "STARLEDGER_STREAMS": str(watchers + 32),
        }
    )
    process = subprocess.Popen(argv_of("api"), env=environment_of(config))
    wait_for_port(config.port)
    return process, config


def wait_for_port(port: int) -> None:
    """Wait until somebody listens on a port; raises `TimeoutError`."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)


class Tables:
    """Tables in the store that another process than the API moves on, as a worker does."""

    def __init__(self, desk: Desk, count: int) -> None:
        self.desk = desk
        self.ids = [self._new() for _ in range(count)]
        self.chance = random.Random(0)

    def _new(self) -> str:
        table = f"t{os.urandom(12).hex()}"
        rules = GAMES["universal-match"]
        seats = tuple(Wish(kind="ai", bot="random") for _ in range(3))
        options = parse_options(rules.options, {"target": 100})
        self.desk.create(table, Create(rules, options, seats, creator=None), Attempt(table))
        return table

    def move(self) -> int:
        """Commit one move at one of the tables; at one whose end has come, nobody moves any more."""
        going = [table for table in self.ids if self.desk.held(table).table.to_act]
        live = self.desk.held(self.chance.choice(going))
        self.desk.handle(live.id, self._something, Attempt(f"{live.id}-{live.version}"))
        return 1

    def _something(self, table: Table) -> tuple[TableCommand, Seat | None]:
        seat = table.to_act[0]
        return Play(seat, self.chance.choice(table.game.legal(table.play, seat))), seat


# ---- servers that do nothing else


def woken_by(port: int, wake: Callable[[], None]) -> None:
    """Wake at each datagram to a port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
        waker.bind(("127.0.0.1", port))
        while True:
            waker.recv(16)
            wake()


def serve_generators(port: int, threads: int, group: int) -> None:
    """Serve a stream of the same bytes to everybody, woken by a datagram to the same port."""
    bells: list[threading.Lock] = []

    class Body:
        def __init__(self) -> None:
            self.bell = threading.Lock()
            bells.append(self.bell)

        def __iter__(self) -> "Body":
            return self

        def __next__(self) -> bytes:  # the first message at once, each further one when the bell rings
            self.bell.acquire()
            return MESSAGE

        def close(self) -> None:
            bells.remove(self.bell)

    def app(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Body:
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return Body()

    def ring() -> None:
        for n, bell in enumerate(bells, 1):
            if bell.locked():
                bell.release()
            if n % group == 0:
                time.sleep(GROUP_PAUSE_S)

    threading.Thread(target=woken_by, args=(port, ring), daemon=True).start()
    Server(app, listen("127.0.0.1", port), threads, lambda: os._exit(0)).run()


def serve_loop(port: int) -> None:
    """Send the same bytes to every socket, woken by a datagram to the same port."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    open_to: list[asyncio.Transport] = []

    class Stream(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            if not isinstance(transport, asyncio.Transport):
                raise TypeError
            self.transport = transport
            open_to.append(transport)

        def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
            open_to.remove(self.transport)

        def data_received(self, data: bytes) -> None:  # noqa: ARG002 - any request will do
            self.transport.write(head + MESSAGE)

    class Waker(asyncio.DatagramProtocol):
        def datagram_received(self, data: bytes, addr: Any) -> None:  # noqa: ARG002 - any datagram will do
            for transport in open_to:
                transport.write(MESSAGE)

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(Waker, ("127.0.0.1", port))
        server = await loop.create_server(Stream, "127.0.0.1", port, backlog=1024)
        await server.serve_forever()

    asyncio.run(serve())


def start_bare(mode: str, watchers: int) -> tuple[subprocess.Popen[bytes], int]:
    """Start one of the servers that do nothing else."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve", mode, "--port", str(port), "--watchers", str(watchers)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    wait_for_port(port)
    return process, port


def main() -> None:
    """Measure, or serve as one of the servers that do nothing else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=20, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", choices=["generators", "at-once", "loop"], help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    n = asked.watchers
    if asked.serve == "generators":
        serve_generators(asked.port, n + 96, GROUP)
    elif asked.serve == "at-once":
        serve_generators(asked.port, n + 96, n + 1)
    elif asked.serve == "loop":
        serve_loop(asked.port)
    else:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            report(ways(Path(folder), stack, n), asked.rounds, asked.commits, n)


def ways(folder: Path, stack: ExitStack, n: int) -> list[Way]:
    """Start everything; it ends with the stack."""
    servers = stack.enter_context(open_embedded(folder / "data"))
    client = stack.enter_context(open_client(servers.events_url))
    desk = Desk(open_store(client).store, NoHints(), GAMES, os.urandom)
    one, many = Tables(desk, 1), Tables(desk, n)
    waker = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))

    def move_one() -> int:
        one.move()
        return n

    def wake(port: int) -> Callable[[], int]:
        def send() -> int:
            waker.sendto(b"x", ("127.0.0.1", port))
            return n

        return send

    def path(table: str) -> str:
        return f"/v1/tables/{table}/events"

    made = []
    for name, tables, send in (("one table", one, move_one), ("many tables", many, many.move)):
        process, config = start_api(servers, n)
        stack.callback(end, process)
        paths = [path(table) for table in tables.ids] * (n // len(tables.ids))
        made.append(open_watchers(f"ours, {name}", process.pid, config.port, paths, send))
    for name, mode in (
        ("bare generators", "generators"),
        ("woken all at once", "at-once"),
        ("bare asyncio loop", "loop"),
    ):
        process, port = start_bare(mode, n)
        stack.callback(end, process)
        made.append(open_watchers(name, process.pid, port, ["/"] * n, wake(port)))
    return made


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a server to end and wait until it has."""
    process.send_signal(signal.SIGTERM)
    process.wait(READY_S)


def report(made: list[Way], rounds: int, commits: int, n: int) -> None:
    """Measure in turns and print a table."""
    for _ in range(rounds):
        for way in made:
            for _ in range(commits):
                way.measure()
    floor = statistics.median(made[2].times_ms)
    print(f"{n} watchers, {rounds} x {commits} entries; ms from commit to last receipt; ratio to bare generators")
    print(f"{'':<22}{'p50 ms':>9}{'p99 ms':>9}{'ratio':>8}{'KB each':>9}{'opened s':>10}")
    for way in made:
        p50, p99 = statistics.median(way.times_ms), sorted(way.times_ms)[int(len(way.times_ms) * 0.99) - 1]
        shown = f"{p50:>9.2f}{p99:>9.2f}{p50 / floor:>8.2f}{way.bytes_each / 1024:>9.0f}{way.opened_s:>10.1f}"
        print(f"{way.name:<22}{shown}")
    for way in made:
        for watcher in way.watchers:
            watcher.close()


if __name__ == "__main__":
    main()
