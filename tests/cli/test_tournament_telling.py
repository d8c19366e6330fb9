"""What a run tells on its way: lines where nobody looks at a terminal, from the event's log."""

import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from service.cli import tournament, tournament_programs
from service.cli.event_file import Entrant
from service.cli.tournament_course import Course, waits
from service.cli.tournament_programs import Program
from service.cli.tournament_telling import Bar, Lines, Quiet, telling

NAMES = {"e1": "Ada", "e2": "Mine", "e3": "greedy", "e4": "greedy 2"}
TEST = {"llr": 0.5, "lower": -2.94, "upper": 2.94, "verdict": "go_on"}


def created(**more: Any) -> dict[str, Any]:
    return {"type": "tournament_created", "plan": {"sprt": None, **more}}


def entered(names: dict[str, str]) -> list[dict[str, Any]]:
    return [{"type": "entry_added", "entry": entry, "name": name} for entry, name in names.items()]


def paired(number: int, *tables: tuple[list[str], list[str]], byes: tuple[str, ...] = (), idle: tuple[str, ...] = ()):
    rows = [{"entries": entries, "games": games} for entries, games in tables]
    return {"type": "round_paired", "round": number, "tables": rows, "byes": byes, "idle": idle}


def result(number: int, game: str, *, forfeits: tuple[int, ...] = (), by: str = "table", kind: str = "recorded"):
    ended = {"places": [1, 2], "scores": [], "forfeits": list(forfeits), "by": by, "reason": ""}
    return {"type": f"result_{kind}", "round": number, "game": game, "result": ended}


BEGINNING = [[created()], entered(NAMES), [{"type": "tournament_started", "entries": list(NAMES), "rounds": 2}]]
FIRST = [paired(1, (["e1", "e2"], ["a", "b"]), (["e3", "e4"], ["c", "d"]))]
CLOSED = [result(1, "d"), {"type": "round_closed", "round": 1}]
OVER = [{"type": "tournament_finished", "reason": "all_rounds", "secret": "00"}]
WHOLE = [*BEGINNING, FIRST, [result(1, "a")], [result(1, "b", forfeits=(0,))], [result(1, "c")], CLOSED, OVER]


class Server:
    """An event whose log comes page by page, one entry each."""

    def __init__(self, log: list[list[dict[str, Any]]]) -> None:
        self.log = log
        self.asked: list[str] = []

    def get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        self.asked.append(path.removeprefix("/v1/tournaments/cup"))
        if path.endswith("/events"):
            after = (query or {})["after"]
            items = [{"version": after + 1, "events": self.log[after]}] if after < len(self.log) else []
            return {"items": items, "version": len(self.log)}
        if path.endswith("/standings"):
            rows = [(1, "Ada", 3.0), (2, "greedy", 1.5), (2, "greedy 2", 1.5), (4, "Mine", 0)]
            return {"standings": [{"place": place, "name": name, "points": points} for place, name, points in rows]}
        return {"sprt_state": TEST, "waits_for": []}


@pytest.fixture
def lines(capsys):
    """Give a run's lines, each without its time, which must stand there."""

    def told(log, *, is_begun: bool = False) -> list[str]:
        server: Any = Server(log)
        tournament._follow(server, "cup", Lines(), (), is_begun=is_begun)
        out, err = capsys.readouterr()
        assert "" == out
        said = []
        for line in err.splitlines():
            time, _, text = line.partition("Z ")
            assert "T" in time
            assert 19 == len(time)
            said.append(text)
        return said

    return told


def test_each_round_is_told_as_it_begins_and_closes_with_who_leads(lines):
    assert [
        "The event starts with 4 entrants.",
        "Round 1 of 2 begins: 4 games at 2 tables.",
        "Round 1 of 2: Mine forfeited by resigning or by the clock. Mine, Ada (table b).",
        "Round 1 of 2 is closed: 4 of 4 games done. Points: 1. Ada (3), 2. greedy (1.5), 2. greedy 2 (1.5).",
        "The event is finished: all rounds.",
    ] == lines(WHOLE)


def test_a_run_that_goes_on_tells_how_far_it_was_and_not_all_of_it_again(lines, monkeypatch):
    monkeypatch.setattr(Server, "get", later(Server.get, WHOLE[:-2], WHOLE))
    assert [
        "It goes on. Round 1 of 2: 3 of 4 games done.",
        "Round 1 of 2 is closed: 4 of 4 games done. Points: 1. Ada (3), 2. greedy (1.5), 2. greedy 2 (1.5).",
        "The event is finished: all rounds.",
    ] == lines(WHOLE[:-2], is_begun=True)


def test_a_run_of_an_event_that_is_over_says_so(lines):
    assert ["It was over already. Round 1 of 2: 4 of 4 games done."] == lines(WHOLE, is_begun=True)


def later(get, before, after):
    """Let the log grow once it was read to its end."""

    def grown(self, path, query=None):
        found = get(self, path, query)
        if path.endswith("/events") and query["after"] + 1 == len(before):
            self.log = after
        return found

    return grown


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([paired(1, (["e1", "e2"], ["a"]), byes=("e3",))], "Round 1 of 2 begins: 1 game, a bye for greedy."),
        ([paired(1, (["e1", "e2"], ["a"]), idle=("e3", "e4"))], "Round 1 of 2 begins: 1 game, no game for greedy, greedy 2."),
        (
            [{"type": "absence_noted", "game": "a", "entries": ["e2"], "policy": "forfeit"}, result(1, "a", forfeits=(1,), by="no_show")],
            "Round 1 of 2: Mine did not sit down in time: forfeited. Ada, Mine (table a).",
        ),
        (
            [{"type": "absence_noted", "game": "a", "entries": ["e2"], "policy": "bot"}],
            "Round 1 of 2: Mine did not sit down in time: a bot takes the seat. Ada, Mine (table a).",
        ),
        ([result(1, "a", by="organiser")], "Round 1: the organiser decided Ada, Mine (table a): places 1-2."),
        ([result(1, "a", by="organiser", kind="corrected")], "Round 1: the organiser corrected Ada, Mine (table a): places 1-2."),
        ([{"type": "entry_withdrawn", "entry": "e2"}], "Mine is withdrawn."),
        ([{"type": "tournament_paused"}], "The organiser has paused the event; it goes on when he resumes it."),
        ([{"type": "tournament_resumed"}], "The event goes on."),
        ([{"type": "tournament_cancelled", "reason": "rain", "secret": "00"}], "The organiser has cancelled the event: rain."),
    ],
)  # fmt: skip
def test_what_happens_is_told_by_name(lines, events, said):
    first = [] if events[0]["type"] == "round_paired" else [FIRST]
    assert said in lines([*BEGINNING, *first, events, OVER])[-2:]


def test_a_test_between_two_tells_its_ratio_at_each_block_and_no_beginnings(lines):
    beginning = [[created(sprt={"elo0": 0})], *BEGINNING[1:]]
    assert [
        "The event starts with 4 entrants.",
        (
            "Round 1 of 2 is closed: 1 of 1 game done. Points: 1. Ada (3), 2. greedy (1.5), 2. greedy 2 (1.5). "
            "SPRT: ratio 0.50 between -2.94 and 2.94, go on."
        ),
        "The event is finished: sprt h1.",
    ] == lines(
        [
            *beginning,
            [paired(1, (["e1", "e2"], ["a"]))],
            [result(1, "a"), {"type": "round_closed", "round": 1}],
            [{"type": "tournament_finished", "reason": "sprt_h1", "secret": "00"}],
        ]
    )


def test_an_event_whose_deals_are_not_yet_revealed_is_waited_for(lines):
    finished = [{"type": "tournament_finished", "reason": "all_rounds"}]
    revealed = [{"type": "secret_revealed", "secret": "00"}]
    assert "The event is finished: all rounds." == lines([*BEGINNING, finished, revealed])[-1]


@pytest.fixture
def clocked(capsys):
    """Give lines with a clock to be set, and what they told."""

    class Clock:
        now = 0.0

        def __call__(self) -> float:
            return self.now

        @property
        def told(self) -> list[str]:
            return [line.partition(" ")[2] for line in capsys.readouterr().err.splitlines()]

    clock = Clock()
    return Lines(clock), clock


BLOCKED: dict[str, Any] = {
    "waits_for": [
        {"code": "paused", "detail": "The organiser has paused the tournament; resume goes on.", "names": []},
        {
            "code": "waiting_for_results",
            "detail": "4 games of round 1 have no result yet.",
            "names": ["a", "b", "c", "d"],
        },
    ]
}
COURSE = Course()
for version, events in enumerate([*BEGINNING, FIRST, [result(1, "a")]], start=1):
    COURSE.take({"version": version, "events": events})


def test_a_long_round_gives_a_sign_of_life_once_a_minute_with_what_it_waits_for(clocked):
    lines, clock = clocked
    for now in range(0, 150, 10):
        clock.now = float(now)
        lines.looked(COURSE, lambda: BLOCKED)
    assert [
        (
            "Round 1 of 2: 1 of 4 games done. The organiser has paused the tournament; resume goes on. 4 games of round 1 "
            "have no result yet: Ada, Mine (table a); Mine, Ada (table b); greedy, greedy 2 (table c), and 1 more."
        )
    ] * 2 == clock.told


def test_no_sign_of_life_follows_right_behind_another_line(clocked):
    lines, clock = clocked
    clock.now = 59.0
    lines.say("Something.")
    clock.now = 100.0
    lines.looked(COURSE, lambda: BLOCKED)
    assert ["Something."] == clock.told


def test_a_reason_to_wait_is_told_once_a_minute_and_another_at_once(clocked):
    lines, clock = clocked
    for now, reason in ((0, "away"), (2, "away"), (3, "too much"), (59, "away"), (60, "away"), (62, "away")):
        clock.now = float(now)
        lines.wait(reason)
    assert ["away", "too much", "away"] == clock.told


def test_an_event_that_waits_for_nothing_named_waits_for_its_last_deals():
    assert "Round 1 of 2: 1 of 4 games done. The last deals are to be revealed." == waits(COURSE, {"waits_for": []})


def test_a_bar_shows_how_far_it_is_and_what_is_amiss_above_it():
    out = io.StringIO()
    progress = Progress(console=Console(file=out, width=200))
    bar = Bar(progress)
    bar.looked(COURSE, lambda: BLOCKED)
    for reason in ("[away]", "[away]", "[too much]"):
        bar.wait(reason)
    assert [(0, 2), (1, 4)] == [(task.completed, task.total) for task in progress.tasks]
    assert ["[away]", "[too much]"] == out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("quiet", "is_terminal", "term", "kind"),
    [
        (True, True, "xterm", Quiet),
        (False, False, "xterm", Lines),
        (False, True, "dumb", Lines),
        (False, True, "xterm", Bar),
    ],
)
def test_who_tells_follows_from_where_stderr_goes(monkeypatch, quiet, is_terminal, term, kind):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("FORCE_COLOR", "1")  # a unit that sets it gets lines all the same
    with telling(quiet=quiet) as tell:
        assert kind is type(tell)


class Told(Quiet):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def warn(self, text: str) -> None:
        self.lines.append(text)

    def wait(self, text: str) -> None:
        self.lines.append(text)


class Hindered:
    base = "http://server"

    def __init__(self, hindrance: str | None) -> None:
        self.said = hindrance

    def hindrance(self) -> str | None:
        return self.said


@pytest.mark.parametrize(
    ("hindrance", "least", "lines"),
    [
        (None, 0, []),
        ("Not able to serve. store: full", 0, ["http://server: Not able to serve. store: full"]),
        (None, 1 << 70, ["The disk that {} is on has less than 1125899906842624 MiB left."]),
    ],
)
def test_what_holds_the_server_up_is_told_and_looked_for_twice_a_minute(tmp_path, monkeypatch, hindrance, least, lines):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(tournament, "_LEAST_BYTES", least)
    tell, client = Told(), Hindered(hindrance)
    watch = tournament._Watch(client, tmp_path, tell)  # type: ignore[arg-type]
    watch()
    now[0] += 29
    watch()
    assert [line.format(tmp_path) for line in lines] == tell.lines
    now[0] += 1
    watch()
    assert 2 * len(lines) == len(tell.lines)


def test_what_is_done_beside_the_log_is_done_while_the_event_is_played(capsys):
    looked: list[int] = []
    server: Any = Server(WHOLE)
    tournament._follow(server, "cup", Lines(), (lambda: looked.append(len(looked)),), is_begun=False)
    assert len(WHOLE) - 1 == len(looked)
    assert "" == capsys.readouterr().out


def ended(program: Program) -> None:
    process = program._process
    assert process is not None
    process.wait(60)


@pytest.mark.parametrize(
    ("code", "said"), [("raise SystemExit(3)", "(exit code 3)"), ("import os; os.kill(os.getpid(), 9)", "(SIGKILL)")]
)
def test_a_program_that_ends_is_told_once_with_its_log(tmp_path, code, said):
    tell = Told()
    program = Program(1, Entrant(command=(sys.executable, "-c", code), name="Mine"), {}, tmp_path, tell)
    ended(program)
    program.look()
    program.look()
    (line,) = tell.lines
    assert line.startswith(f"Program 1 (Mine) has ended {said}")
    assert str(tmp_path / "program-1.log") in line


def test_what_a_program_prints_fills_no_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tournament_programs, "_MOST_LOG_BYTES", 10)
    tell = Told()
    code = "import sys; print('x' * 100, flush=True); sys.stdin.read(); import time; time.sleep(3600)"
    program = Program(1, Entrant(command=(sys.executable, "-c", code)), {}, tmp_path, tell)
    try:
        limit = time.monotonic() + 60
        while not tell.lines:
            program.look()
            assert time.monotonic() < limit
        assert 0 == (tmp_path / "program-1.log").stat().st_size
    finally:
        program.terminate()
        program.end()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_programs_end_with_a_run_that_is_killed(tmp_path):
    code = f"""
import os, sys
from pathlib import Path
from service.cli.event_file import Entrant
from service.cli.tournament_programs import Program
from service.cli.tournament_telling import Quiet
program = Program(1, Entrant(command=({sys.executable!r}, "-c", "import time; print(1, flush=True); time.sleep(3600)")),
                  dict(os.environ), Path({str(tmp_path)!r}), Quiet())
while not Path({str(tmp_path / "program-1.log")!r}).read_text():
    pass
print(program._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert "" == run.stderr
    pid = int(run.stdout)
    limit = time.monotonic() + 60
    while is_alive(pid):
        assert time.monotonic() < limit


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
