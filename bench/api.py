"""What a command over HTTP costs, against a bare Flask route on the same server that does nothing but one EVALSHA.

    python bench/api.py [--clients 1,4,16] [--moves 150] [--rounds 3]

Both servers run on the same embedded store with its default durability (an fsync for each commit), get requests of the
same bytes, write entries of the same size and give answers of the same size. They take turns in rounds, so that both
meet the same machine. The goal is half of the bare route's rate. Every client plays at a table of its own; all tables
have the same deal, so that the moves of one recorded game can be sent at all of them. Linux.
"""

import argparse
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, request

from domain.games import GAMES
from domain.table import Table
from domain.table_rules import Create, Play, TableCommand, Wish
from domain.values import Seat
from service.api.listening import listen
from service.api.server import Server
from service.application.handle import Attempt, Desk
from service.application.hints import NoHints
from service.cli.roles import argv_of, environment_of
from service.config import Config, load
from service.store.connect import open_client
from service.store.embedded import open_embedded
from service.store.memory import MemoryStore

READY_S = 60.0
THREADS = 64
GAME = "beam-me-up"
SEED = "a deal for measurements"
ENTRY = b"e" * 420
"""As large as an entry's fields of this game are on the average."""
APPEND = """
redis.call('XADD', KEYS[1], '*', 'd', ARGV[1], 'h', ARGV[2])
redis.call('ZADD', KEYS[2], 'NX', 1, ARGV[3])
return 1
"""


@dataclass
class Times:
    """What one server did with one number of clients."""

    seconds: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    cpu_s: float = 0.0

    def line(self) -> str:
        """Say it in one line."""
        ordered = sorted(self.seconds)
        p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
        rate = statistics.median(self.rates)
        return f"{rate:7.0f} commands/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   CPU {self.cpu_ms:.2f} ms a command"

    @property
    def cpu_ms(self) -> float:
        """The server's own CPU time for each command, which a busy machine changes least."""
        return self.cpu_s * 1000 / len(self.seconds)


@dataclass
class Target:
    """A server under measurement."""

    port: int
    pid: int

    def cpu_s(self) -> float:
        """Give the CPU time that the process has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def recorded_game(moves: int) -> list[tuple[int, bytes]]:
    """Play the deal of all tables once, in memory: seats and bodies, in order."""
    desk = Desk(MemoryStore(), NoHints(), GAMES, os.urandom)
    rules, rng, played = GAMES[GAME], random.Random(3), []
    wishes = (Wish(kind="ai", bot="random"), Wish(kind="ai", bot="random"))
    live = desk.create("t", Create(rules, rules.options(), wishes, None, chosen_seed=SEED), Attempt("c")).live
    for n in range(moves):
        if live.table.status != "playing":
            break
        seat = live.table.to_act[0]
        command = rng.choice(rules.legal(live.table.play, seat))
        played.append((int(seat), msgspec.json.encode(command)))

        def wish(_: Table, seat: Seat = seat, command: Any = command) -> tuple[TableCommand, Seat | None]:
            return Play(seat, command), seat

        desk.handle("t", wish, Attempt(f"c{n}"))
    return played


class Client:
    """One keep-alive connection that sends prepared requests."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=READY_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """Send a request and give status and body of the answer."""
        self._socket.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._socket.recv(65536)
        header, _, text = received.partition(b"\r\n\r\n")
        length = int(header.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        while len(text) < length:
            text += self._socket.recv(65536)
        return int(header[9:12]), text

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def head(method: str, path: str, token: str = "", key: str = "") -> bytes:
    """Give a request's head, but for the length of its body."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", "Content-Type: application/json"]
    lines += [f"Authorization: Bearer {token}"] if token else []
    lines += [f"Idempotency-Key: {key}"] if key else []
    return ("\r\n".join(lines) + "\r\n").encode()


def players(port: int) -> list[str]:
    """Register the two players that sit at every table."""
    client = Client(port)
    made = [client.send(head("POST", "/v1/players"), b'{"name": "Bench", "kind": "bot"}') for _ in range(2)]
    client.close()
    return [json.loads(text)["token"] for _, text in made]


def new_table(port: int, tokens: Sequence[str]) -> str:
    """Make a table of the two players with the recorded deal."""
    client = Client(port)
    body = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "seed": SEED}
    table: str = json.loads(client.send(head("POST", "/v1/tables", tokens[0]), json.dumps(body).encode())[1])["id"]
    status, text = client.send(head("POST", f"/v1/tables/{table}/seats", tokens[1]), b"{}")
    client.close()
    if status != 201:
        raise AssertionError(text.decode())
    return table


def drive(target: Target, clients: int, requests_of: Callable[[], list[tuple[bytes, bytes]]], times: Times) -> None:
    """Let so many clients send their requests at once."""
    prepared = [requests_of() for _ in range(clients)]
    start = threading.Barrier(clients + 1)
    took: list[list[float]] = [[] for _ in range(clients)]

    def run(n: int) -> None:
        client = Client(target.port)
        start.wait()
        for top, body in prepared[n]:
            begin = time.perf_counter()
            status, text = client.send(top, body)
            took[n].append(time.perf_counter() - begin)
            if status != 200:
                raise AssertionError(text.decode())
        client.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    used = target.cpu_s()
    start.wait()
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    times.cpu_s += target.cpu_s() - used
    times.rates.append(sum(map(len, prepared)) / (time.perf_counter() - begin))
    times.seconds += [each for one in took for each in one]


# ---- the bare route


def serve_bare(port: int, url: str, answer: bytes) -> None:
    """Serve one route that reads its body, does one EVALSHA and gives an answer of the usual size."""
    client = open_client(url)
    sha = client.script_load(APPEND)
    app = Flask("bare")

    @app.post("/v1/tables/<table>/commands")
    def command(table: str) -> Response:
        request.get_data()
        client.evalsha(sha, 2, f"bare:{table}", "bare:ob", ENTRY, b"h" * 32, table)
        return Response(answer, 200, content_type="application/json")

    Server(app, listen("127.0.0.1", port), THREADS).run()


# ---- all of it


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def wait_for(port: int, path: str = "/") -> None:
    """Wait until a server answers."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)


def settings(servers: Any) -> Config:
    """Give the API's settings: as they come, with limits that no measurement reaches."""
    return load(
        {
            "STARLEDGER_REDIS_URL": servers.events_url,
            "STARLEDGER_QUEUE_URL": servers.queue_url,
            "STARLEDGER_SECRET": "a key of a measurement that signs nothing",
            "STARLEDGER_PORT": str(free_port()),
            "STARLEDGER_LOG": "warning",
            "STARLEDGER_LIMIT_COMMANDS": "1000000/1000000",
            "STARLEDGER_LIMIT_CREATIONS": "1000000/1000000",
            "STARLEDGER_THREADS": str(THREADS),
        }
    )


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--clients", default="1,4,16", help="numbers of clients at once")
    arguments.add_argument("--moves", type=int, default=150, help="commands of each client in a round")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--bare", nargs=3, metavar=("PORT", "URL", "ANSWER"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.bare:
        serve_bare(int(given.bare[0]), given.bare[1], Path(given.bare[2]).read_bytes())
        return
    moves = recorded_game(given.moves)
    with tempfile.TemporaryDirectory(prefix="starledger-bench-") as folder:
        servers = open_embedded(Path(folder) / "data")
        processes: list[subprocess.Popen[bytes]] = []
        try:
            config = settings(servers)
            processes.append(subprocess.Popen(argv_of("api"), env=environment_of(config)))
            wait_for(config.port, "/healthz")
            tokens = players(config.port)
            measure(given, config.port, servers.events_url, folder, tokens, moves, processes)
        finally:
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                process.wait(30)
            servers.stop()


def measure(
    given: Any,
    port: int,
    url: str,
    folder: str,
    tokens: Sequence[str],
    moves: list[tuple[int, bytes]],
    processes: list[subprocess.Popen[bytes]],
) -> None:
    """Start the bare server with an answer of ours, then let both take turns."""
    table = new_table(port, tokens)
    first = Client(port)
    answers = [first.send(head("POST", f"/v1/tables/{table}/commands", tokens[seat]), body)[1] for seat, body in moves]
    usual = sorted(answers, key=len)[len(answers) // 2]
    file = Path(folder) / "answer"
    file.write_bytes(usual)
    bare = free_port()
    processes.append(subprocess.Popen([sys.executable, __file__, "--bare", str(bare), url, str(file)]))
    wait_for(bare)
    keys = iter(range(1 << 30))

    def ours() -> list[tuple[bytes, bytes]]:
        table = new_table(port, tokens)
        path = f"/v1/tables/{table}/commands"
        return [(head("POST", path, tokens[seat], f"key-{next(keys)}"), body) for seat, body in moves]

    def theirs() -> list[tuple[bytes, bytes]]:
        path = f"/v1/tables/bare{next(keys)}/commands"
        return [(head("POST", path, tokens[seat], f"key-{next(keys)}"), body) for seat, body in moves]

    print(f"{len(moves)} commands a client, {given.rounds} rounds; an answer has {len(usual)} bytes")
    for clients in map(int, given.clients.split(",")):
        api, floor = Times(), Times()
        for _ in range(given.rounds):
            drive(Target(port, processes[0].pid), clients, ours, api)
            drive(Target(bare, processes[1].pid), clients, theirs, floor)
        ratio = statistics.median(api.rates) / statistics.median(floor.rates)
        print(f"{clients:3} clients   the API     {api.line()}")
        print(f"{'':12} bare route  {floor.line()}")
        print(f"{'':12} of the bare route's rate {ratio:.2f}, CPU {api.cpu_ms / floor.cpu_ms:.2f} times its")


if __name__ == "__main__":
    main()
