"""The API as a process of its own, over a real store: signals, and what was promised before them."""

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from service.cli.roles import argv_of, environment_of
from service.config import Config, load
from tests.api.streams.conftest import EVENTS
from tests.support.wire import Connection, Message, wait_for

LIMIT_S = 60
pytestmark = pytest.mark.e2e
STREAMS = 50


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def request(port: int, path: str, token: str = "", body: Any = None, method: str = "POST") -> tuple[int, Any]:
    """Ask once; raises `OSError` where no whole answer comes."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    sent = b""
    if body is not None:
        headers["Content-Type"] = "application/json"
        sent = msgspec.json.encode(body)
    with Connection(port, path, headers, method, sent) as asked:
        answer = asked.until()
        if not asked.is_whole:
            raise ConnectionResetError
        return asked.status, msgspec.json.decode(answer) if answer else None


@dataclass
class Api:
    process: subprocess.Popen[str]
    port: int
    config: Config

    def ask(self, path: str, token: str = "", body: Any = None, method: str = "POST") -> Any:
        status, answer = request(self.port, path, token, body, method)
        assert status < 300, answer
        return answer

    def player(self, name: str) -> tuple[str, str]:
        made = self.ask("/v1/players", body={"name": name, "kind": "bot"})
        return made["id"], made["token"]

    def table(self) -> tuple[str, list[str]]:
        """Give a table with two players who sit, and their tokens by seat."""
        tokens = [self.player(name)[1] for name in ("Ada", "Bob")]
        table = self.ask("/v1/tables", tokens[0], {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]})
        self.ask(f"/v1/tables/{table['id']}/seats", tokens[1], {})
        return table["id"], tokens

    def stream(self, table: str) -> Connection:
        return Connection(self.port, f"/v1/tables/{table}/events", EVENTS)

    def signal(self, number: int) -> tuple[int, float]:
        """Send a signal and wait for the end; gives the exit code and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(LIMIT_S)
        return code, time.monotonic() - began


def start(pair: Any, port: int, **settings: str) -> Api:
    named = {f"STARLEDGER_{name}": value for name, value in settings.items()}
    config = load(
        {
            "STARLEDGER_REDIS_URL": pair.events_url,
            "STARLEDGER_QUEUE_URL": pair.queue_url,
            "STARLEDGER_SECRET": "a key of tests, which signs nothing that lasts",
            "STARLEDGER_PORT": str(port),
            "STARLEDGER_RATE_LIMITS": "off",
            "STARLEDGER_LOG": "warning",
            "STARLEDGER_THREADS": "80",
            "STARLEDGER_STREAMS": "60",
            **named,
        }
    )
    process = subprocess.Popen(argv_of("api"), env=environment_of(config), stderr=subprocess.PIPE, text=True)
    return Api(process, port, config)


@pytest.fixture
def api(servers: Any) -> Iterator[Api]:
    started = start(servers, free_port())
    try:
        wait_for(lambda: answers(started.port) or started.process.poll() is not None, LIMIT_S)
        yield started
    finally:
        if started.process.poll() is None:
            started.process.kill()
        started.process.communicate()


def answers(port: int) -> bool:
    try:
        return request(port, "/v1/games", method="GET")[0] == 200
    except OSError:
        return False


class Flood:
    """Plays one table as fast as it goes, until the server is gone; notes which entries were promised."""

    def __init__(self, api: Api) -> None:
        self.table, self._tokens = api.table()
        self._port = api.port
        self.promised: list[int] = []
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        path = f"/v1/tables/{self.table}/commands"
        try:
            while True:
                for token in self._tokens:
                    listed = request(self._port, path, token, method="GET")[1]
                    moves = [each for each in listed["commands"] if each["type"] != "resign"]
                    if moves:
                        status, answer = request(self._port, path, token, moves[0])
                        if status == 200:
                            self.promised.append(answer["version"])
        except OSError:
            return


def test_sigterm_ends_streams_answers_commands_and_loses_none_that_was_promised(api, servers):
    watched, _ = api.table()
    floods = [Flood(api) for _ in range(4)]
    streams = [api.stream(floods[n % 4].table if n % 2 else watched) for n in range(STREAMS)]
    readers = [stream.messages() for stream in streams]
    for reader in readers:
        assert next(reader).id == "1"
    wait_for(lambda: all(len(flood.promised) >= 5 for flood in floods), LIMIT_S)
    seen: list[list[Message]] = [[] for _ in streams]
    readings = [threading.Thread(target=seen[n].extend, args=(readers[n],)) for n in range(STREAMS)]
    for reading in readings:
        reading.start()

    code, took = api.signal(signal.SIGTERM)

    for reading in readings:
        reading.join(LIMIT_S)
    for flood in floods:
        flood.thread.join(LIMIT_S)
    assert 0 == code, api.process.stderr.read()
    assert took < 8
    assert [True] * STREAMS == [stream.is_whole for stream in streams]
    again = start(servers, free_port())
    try:
        wait_for(lambda: answers(again.port), LIMIT_S)
        for flood in floods:
            version = again.ask(f"/v1/tables/{flood.table}", method="GET")["version"]
            assert flood.promised
            assert flood.promised[-1] <= version <= flood.promised[-1] + 1
            assert list(range(3, flood.promised[-1] + 1)) == flood.promised
        assert (0, True) == (again.signal(signal.SIGTERM)[0], True)
    finally:
        again.process.kill()
        again.process.communicate()
    for stream in streams:
        stream.socket.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_and_a_closed_terminal_end_it_as_well(api, number):
    table, _ = api.table()
    with api.stream(table) as stream:
        next(stream.messages())
        code, took = api.signal(number)

    assert (0, "") == (code, api.process.stderr.read())
    assert took < 5


def test_a_port_that_is_taken_is_said_in_a_line(api, servers):
    second = start(servers, api.port)
    _, said = second.process.communicate(timeout=LIMIT_S)

    assert 1 == second.process.returncode
    assert f"127.0.0.1:{api.port} can't be served on" in said
    assert 1 == len(said.splitlines())


def test_a_killed_server_leaves_no_process_and_its_port_free(api, servers):
    api.process.kill()
    api.process.wait(LIMIT_S)
    again = start(servers, api.port)
    try:
        wait_for(lambda: answers(again.port), LIMIT_S)
        assert 0 == again.signal(signal.SIGTERM)[0]
    finally:
        again.process.kill()
        again.process.communicate()


def test_a_stream_sees_what_another_process_commits(api, servers):
    other = start(servers, free_port())
    try:
        wait_for(lambda: answers(other.port), LIMIT_S)
        table, tokens = other.table()
        with api.stream(table) as stream:
            messages = stream.messages()
            assert ["1", "2"] == [next(messages).id for _ in range(2)]
            for version in range(3, 10):
                for token in tokens:
                    moves = other.ask(f"/v1/tables/{table}/commands", token, method="GET")["commands"]
                    if len(moves) > 1:
                        other.ask(f"/v1/tables/{table}/commands", token, moves[0])
                        break
                assert str(version) == next(messages).id
    finally:
        other.process.kill()
        other.process.communicate()
