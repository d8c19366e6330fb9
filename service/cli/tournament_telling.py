"""What is told while an event is played: a bar in a terminal, plain lines in a log file, or only what is amiss."""

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from service.cli.client import Json
from service.cli.tournament_course import Ask, Course, said, waits

LIFE_S: Final = 60.0
"""A sign of life, and the same reason to wait, are told no more often than this."""


class Quiet:
    """Tells only what is amiss."""

    def say(self, text: str) -> None:
        """Tell what belongs to the course of things."""

    def warn(self, text: str) -> None:
        """Tell what is amiss."""
        click.echo(text, err=True)

    def wait(self, text: str) -> None:
        """Tell why nothing goes on now; it may be told again and again."""

    def heard(self, course: Course, entry: Json, ask: Ask) -> None:
        """Tell of an entry of the event's log, which the course has taken."""

    def looked(self, course: Course, ask: Callable[[], Json]) -> None:
        """Tell how far it is, after each look; `ask` gives the event as it is shown."""


class Lines(Quiet):
    """Tells everything in lines with their time (RFC 3339, in UTC), and once a minute that it is still there."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told = clock()
        self._waits: dict[str, float] = {}

    def say(self, text: str) -> None:
        """Write a line."""
        self._told = self._clock()
        click.echo(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}", err=True)

    def warn(self, text: str) -> None:
        """Write a line."""
        self.say(text)

    def wait(self, text: str) -> None:
        """Write a line, but the same one only once a minute."""
        if self._clock() >= self._waits.get(text, -math.inf) + LIFE_S:
            self._waits[text] = self._clock()
            self.say(text)

    def heard(self, course: Course, entry: Json, ask: Ask) -> None:
        """Write a line for each thing that has happened."""
        for text in said(course, entry, ask):
            self.say(text)

    def looked(self, course: Course, ask: Callable[[], Json]) -> None:
        """Write a line where there was none for a minute."""
        if self._clock() >= self._told + LIFE_S:
            self.say(waits(course, ask()))


class Bar(Quiet):
    """Shows bars in a terminal; what is amiss stands above them."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._rounds = progress.add_task("rounds", total=None)
        self._games = progress.add_task("games of this round", total=None)
        self._waits = ""

    def warn(self, text: str) -> None:
        """Write a line above the bars."""
        self._progress.console.print(escape(text), soft_wrap=True)

    def wait(self, text: str) -> None:
        """Write a line above the bars, but not the same one again."""
        if text != self._waits:
            self._waits = text
            self.warn(text)

    def looked(self, course: Course, ask: Callable[[], Json]) -> None:  # noqa: ARG002 - the bars need no more
        """Draw the bars."""
        self._progress.update(self._rounds, completed=course.closed, total=course.rounds)
        self._progress.update(self._games, completed=len(course.done), total=len(course.games) or None)


@contextlib.contextmanager
def telling(*, quiet: bool) -> Iterator[Quiet]:
    """Give who tells, by where stderr goes."""
    console = Console(stderr=True, highlight=False)
    if quiet:
        yield Quiet()
    elif not sys.stderr.isatty() or console.is_dumb_terminal:
        yield Lines()
    else:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            yield Bar(progress)
