"""`starledger replay --watch`: step, play and jump through a table in the terminal."""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from rich.console import Console, Group, RenderableType
from rich.text import Text

from service.cli.draw import Drawer, Json, Plain
from service.cli.play import DRAWERS
from service.cli.reel import Reel

HELP: Final = "n next · p previous · space play or stop · g jump to a version · q leave"
_SEQUENCE_S: Final = 0.02
"""The rest of an arrow key's sequence comes at once; a lone Escape has none."""
_ARROWS: Final = {"\x1b[C": "n", "\x1b[D": "p", "\x1b[A": "p", "\x1b[B": "n"}


class Keys(Protocol):
    """Where keys come from."""

    def read(self, seconds: float | None) -> str | None:
        """Give the next key, None after so many seconds without one; `q` where there are no more."""
        ...


class Player:
    """Where somebody is in a replay; `draw` is called whenever there is something new to see."""

    def __init__(self, reel: Reel, at: int, seconds: float, draw: Callable[[Json, str], None]) -> None:
        reel.frame(at)
        self._reel = reel
        self._first, self._last = reel.frames[0]["version"], reel.frames[-1]["version"]
        self._seconds = seconds
        self._draw = draw
        self._typed: str | None = None
        self.at = at
        self.is_playing = False

    def watch(self, keys: Keys) -> None:
        """Go where the keys say, until they say to leave."""
        self._show()
        while (key := keys.read(self._seconds if self.is_playing else None)) != "q":
            before = (self.at, self.is_playing, self._typed)
            self._press(key)
            if before != (self.at, self.is_playing, self._typed):
                self._show()

    def _press(self, key: str | None) -> None:
        if self._typed is not None and key is not None:
            self._type(key)
            return
        match key:
            case None:
                self._go(self.at + 1)
                self.is_playing = self.at < self._last
            case "n" | "p":
                self.is_playing = False
                self._go(self.at + (1 if key == "n" else -1))
            case " ":
                self.is_playing = not self.is_playing and self.at < self._last
            case "g":
                self.is_playing = False
                self._typed = ""
            case _:
                pass

    def _type(self, key: str) -> None:
        """Take the digits of a version to jump to; Enter jumps, anything else gives up."""
        typed = self._typed or ""
        if key.isascii() and key.isdigit():
            self._typed = (typed + key)[:9]
        elif key in ("\x7f", "\b"):
            self._typed = typed[:-1]
        else:
            self._typed = None
            if key in ("\r", "\n") and typed:
                self._go(int(typed))

    def _go(self, version: int) -> None:
        self.at = min(max(version, self._first), self._last)

    def _show(self) -> None:
        line = HELP if self._typed is None else f"version: {self._typed}▏  (Enter jumps)"
        self._draw(self._reel.frame(self.at), line)


class Picture:
    """A frame as it is drawn."""

    def __init__(self, reel: Reel) -> None:
        self._reel = reel
        self._drawer: Drawer = DRAWERS.get(reel.game, Plain)(reel.catalogue, reel.options)

    def of(self, frame: Json) -> RenderableType:
        """Draw a frame: where we are, the table, what happened."""
        reel, view = self._reel, frame["view"]
        last = reel.frames[-1]["version"]
        head = Text(f"{reel.title}  version {frame['version']} of {last}  {frame['time']}", "dim")
        rows: list[RenderableType] = [head]
        if view is None:
            rows.append(Text("The table has not started.", "dim"))
        else:
            rows.append(self._drawer.draw(view, reel.eyes))
            rows += [
                Text(f"{reel.names[seat['seat']]} holds: ", "dim") + Text(" ".join(seat["hand"]))
                for seat in view["seats"]
                if "hand" in seat and seat["seat"] != reel.eyes
            ]
        rows.append(Text(reel.in_words(frame), "bold"))
        return Group(*rows)


def watch(reel: Reel, at: int, seconds: float, console: Console, keys: Keys) -> None:
    """Show a replay until somebody leaves it."""
    picture = Picture(reel)

    def draw(frame: Json, line: str) -> None:
        console.clear()
        console.print(picture.of(frame))
        console.print(Text(line, "dim"))

    Player(reel, at, seconds, draw).watch(keys)


class _Terminal:
    """The keys of a terminal, one by one."""

    def read(self, seconds: float | None) -> str | None:
        """Give the next key."""
        typed = sys.stdin.fileno()
        if not select.select([typed], [], [], seconds)[0]:
            return None
        key = os.read(typed, 1)
        if key == b"\x1b" and select.select([typed], [], [], _SEQUENCE_S)[0]:
            key += os.read(typed, 2)
        text = key.decode(errors="replace")
        return _ARROWS.get(text, text) or "q"


@contextmanager
def terminal_keys() -> Iterator[Keys]:
    """Let the terminal give keys as they are pressed, and make it as it was afterwards."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield _Terminal()
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
