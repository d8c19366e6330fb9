"""`starledger run` as a process of its own, which ends with the test, and with pytest itself if that is killed."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx

import service.store

T = TypeVar("T")
Json = dict[str, Any]

ROOT = Path(__file__).parents[2]
_KEEPER = Path(service.store.__file__).with_name("keeper.py")
_MODE = "exec" if sys.platform == "linux" else "watch"


def wait_for(condition: Callable[[], T | None], what: str, limit_s: float = 30) -> T:
    """Wait until a condition holds, and give what it gave; fails after the limit."""
    end = time.monotonic() + limit_s
    while not (found := condition()):
        assert time.monotonic() < end, f"not in {limit_s} s: {what}"
        time.sleep(0.02)
    return found


def free_port() -> int:
    """Give a port that nobody listens on now."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def environment(data: Path, **settings: object) -> dict[str, str]:
    """Give the environment of a program of ours; settings without their prefix."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("STARLEDGER_")}
    chosen = {"DATA": data, "RATE_LIMITS": "off", "LOG": "warning", **settings}
    return others | {"PYTHONPATH": str(ROOT)} | {f"STARLEDGER_{name}": str(value) for name, value in chosen.items()}


def cli(*arguments: str, data: Path, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run `starledger` with arguments to its end."""
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env=environment(data, **settings),
    )


def start(argv: Sequence[str], env: Mapping[str, str], output: Path) -> subprocess.Popen[bytes]:
    """Start a program that ends with this process, whatever happens here; in a session of its own."""
    with output.open("ab") as out:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_KEEPER), _MODE, str(os.getpid()), "", argv[0], *argv],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


class Running:
    """A running `starledger run` on a free port of its own; `base` is its address."""

    def __init__(self, data: Path, **settings: object) -> None:
        self.data = data
        self._runs: set[str] = set()
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.output = data.with_name(f"{data.name}.out")
        self.process = start(
            [sys.executable, "-m", "service.cli", "run"], environment(data, PORT=self.port, **settings), self.output
        )
        try:
            wait_for(self._is_up, f"it serves; said: {self.said()}", 60)
        except BaseException:
            self.kill()
            raise

    def said(self) -> str:
        """Give all that it has written so far."""
        return self.output.read_text()

    def stop(self) -> int:
        """Ask it to end; gives the exit code."""
        self.process.terminate()
        return self.process.wait(40)

    def kill(self) -> None:
        """End it the hard way, with all that came from it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def processes(self, words: str = "") -> list[int]:
        """Give the ids of the processes that work on its data folder and have these words in a row in their command line."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            run = json.loads((self.data / "lock").read_bytes())["run"]
            if "/starledger-" in run:  # never a word that would fit other people's processes
                self._runs.add(run)
        found = []
        for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                named = f"STARLEDGER_DATA={self.data}\0".encode() in (entry / "environ").read_bytes()
                # A server writes its title over its environment; it is known by its socket.
                if line and words in line and (named or any(run in line for run in self._runs)):
                    found.append(int(entry.name))
        return sorted(found)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, f"it ended at once: {self.said()}"
        return f"serves on {self.base}" in self.said()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.stop()
        self.kill()


class Person:
    """A player over HTTP who tries every request again until it is answered, under the same key."""

    def __init__(self, base: str, name: str = "Ada") -> None:
        self.base = base
        self.name = name
        self.acknowledged: list[tuple[str, int]] = []
        self._count = 0
        self._http = httpx.Client(timeout=10, trust_env=False)
        made = self.post("/v1/players", {"name": name, "kind": "human"}, key="k" * 26 + os.urandom(8).hex())
        self.id = made["id"]
        self._http.headers["Authorization"] = f"Bearer {made['token']}"

    def kept(self) -> Json:
        """Give what a browser keeps of a player, the token with it."""
        token = str(self._http.headers["Authorization"]).removeprefix("Bearer ")
        return {"id": self.id, "name": self.name, "token": token}

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def table(self, game: str, *bots: str, **more: object) -> str:
        """Make a table with me in seat 0 and bots in the others."""
        seats = [{"kind": "me"}, *({"kind": "ai", "bot": bot} for bot in bots)]
        return str(self.post("/v1/tables", {"game": game, "seats": seats, **more})["id"])

    def get(self, path: str, **query: Any) -> Json:
        """Read, as often as it takes."""
        return self._until_answered(lambda: self._http.get(self.base + path, params=query))

    def post(self, path: str, body: Json, key: str | None = None) -> Json:
        """Post under one idempotency key, as often as it takes."""
        self._count += 1
        headers = {"Idempotency-Key": key or f"key-{self._count}"}
        return self._until_answered(lambda: self._http.post(self.base + path, json=body, headers=headers))

    def play(self, table: str, until: Callable[[Json], bool] = lambda _: False) -> Json:
        """Play the first command that is offered, until the table has ended or `until` says so; gives the table."""
        while True:
            now = self.get(f"/v1/tables/{table}")
            if now["status"] != "playing" or until(now):
                return now
            offered = self.get(f"/v1/tables/{table}/commands")
            moves = [command for command in offered["commands"] if command["type"] != "resign"]
            if not moves:
                self.get(f"/v1/tables/{table}/events", after=now["version"], wait=2)
            elif (done := self.move(table, moves[0])) is not None:
                self.acknowledged.append((table, done["version"]))

    def move(self, table: str, command: Json) -> Json | None:
        """Post a command; None where it was refused since the table had moved on."""
        answer = self.post(f"/v1/tables/{table}/commands", command)
        return answer if "version" in answer and "entries" in answer else None

    def log(self, table: str, **query: Any) -> list[Json]:
        """Give all entries as I may see them."""
        items: list[Json] = []
        while True:
            page = self.get(
                f"/v1/tables/{table}/events", after=items[-1]["version"] if items else 0, limit=200, **query
            )
            items += page["items"]
            if not page["items"]:
                return items

    def _until_answered(self, ask: Callable[[], httpx.Response]) -> Json:
        def answered() -> httpx.Response | None:
            try:
                response = ask()
            except httpx.TransportError:
                return None
            return None if response.status_code in {500, 502, 503, 504} else response

        response = wait_for(answered, "an answer", 60)
        assert response.status_code < 400 or response.status_code == 409, response.text
        answer: Json = response.json()
        return answer


@contextlib.contextmanager
def person(base: str, name: str = "Ada") -> Iterator[Person]:
    """Give a player whose connections are closed afterwards."""
    somebody = Person(base, name)
    try:
        yield somebody
    finally:
        somebody.close()
