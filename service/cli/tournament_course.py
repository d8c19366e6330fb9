"""How far an event is: its log, entry by entry, as numbers for a bar and as sentences for a log file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from domain.names import in_one_line
from service.cli.client import Json

_MOST_NAMES: Final = 5
_LEADERS: Final = 3

Ask = Callable[[str, int], Json]
"""Reads something of the event (`""`, `/standings`) at a version."""


class Course:
    """An event as its log tells it so far: `games` are those of the round with who plays them, `done` have a result."""

    def __init__(self) -> None:
        self.version = 0
        self.rounds: int | None = None
        self.number = 0
        self.games: Mapping[str, Sequence[str]] = {}
        self.done: set[str] = set()
        self.closed = 0
        self.is_test = False
        self.is_over = False
        self.is_revealed = False
        self._names: dict[str, str] = {}

    def take(self, entry: Json) -> None:
        """Go on by an entry."""
        self.version = entry["version"]
        for event in entry["events"]:
            match event["type"]:
                case "tournament_created":
                    self.is_test = event["plan"]["sprt"] is not None
                case "entry_added":
                    self._names[event["entry"]] = in_one_line(event["name"])
                case "tournament_started":
                    self.rounds = event["rounds"]
                case "round_paired":
                    self.number = event["round"]
                    self.games = {game: seats for table in event["tables"] for game, seats in _games(table)}
                    self.done = set()
                case "result_recorded" if event["game"] in self.games:
                    self.done.add(event["game"])
                case "round_closed":
                    self.closed = event["round"]
                case "tournament_finished" | "tournament_cancelled":
                    self.is_over = True
            self.is_revealed = self.is_revealed or event.get("secret") is not None

    @property
    def round(self) -> str:
        """Name the round."""
        return f"Round {self.number}" + ("" if self.rounds is None else f" of {self.rounds}")

    @property
    def count(self) -> str:
        """Say how much of the round is played."""
        return f"{len(self.done)} of {counted(len(self.games), 'game')} done"

    def names(self, entries: Iterable[str]) -> str:
        """Give the names of entries."""
        named = [self._names.get(entry, entry) for entry in entries]
        more = f" and {len(named) - _MOST_NAMES} more" if len(named) > _MOST_NAMES else ""
        return ", ".join(named[:_MOST_NAMES]) + more

    def at(self, game: str) -> str:
        """Name a table by who plays there, and by its id."""
        return f"{self.names(self.games.get(game, ()))} (table {game})"


def said(course: Course, entry: Json, ask: Ask) -> Iterator[str]:
    """Give the sentences about an entry, which the course has taken: what a person wants to read next morning."""
    for event in entry["events"]:
        match event["type"]:
            case "tournament_started":
                yield f"The event starts with {counted(len(event['entries']), 'entrant')}."
            case "round_paired" if not course.is_test:  # whose rounds are two games each
                yield f"{course.round} begins: {_paired(course, event)}."
            case "result_recorded" | "result_corrected":
                yield from _result(course, event)
            case "absence_noted":
                then = "a bot takes the seat" if event["policy"] == "bot" else "forfeited"
                who = course.names(event["entries"])
                yield f"{course.round}: {who} did not sit down in time: {then}. {course.at(event['game'])}."
            case "entry_withdrawn":
                yield f"{course.names([event['entry']])} is withdrawn."
            case "round_closed":
                yield f"{course.round} is closed: {course.count}. {_lead(course, entry['version'], ask)}"
            case "tournament_paused":
                yield "The organiser has paused the event; it goes on when he resumes it."
            case "tournament_resumed":
                yield "The event goes on."
            case "tournament_finished":
                yield f"The event is finished: {event['reason'].replace('_', ' ')}."
            case "tournament_cancelled":
                yield f"The organiser has cancelled the event: {in_one_line(event['reason']) or 'no reason given'}."


def waits(course: Course, shown: Json) -> str:
    """Say what an event waits for, by the server's own reasons."""
    found = []
    for each in shown["waits_for"]:
        about = [course.at(name) if name in course.games else course.names([name]) for name in each["names"]]
        more = f", and {len(about) - _LEADERS} more" if len(about) > _LEADERS else ""
        found.append(
            f"{each['detail'].removesuffix('.')}" + (f": {'; '.join(about[:_LEADERS])}{more}" if about else "")
        )
    done = f"{course.round}: {course.count}. " if course.number else ""
    return f"{done}{'. '.join(found)}." if found else f"{done}The last deals are to be revealed."


def _games(table: Json) -> Iterator[tuple[str, Sequence[str]]]:
    """Give a table's games with the entries by seat: seats go round by one each leg."""
    entries = table["entries"]
    for leg, game in enumerate(table["games"]):
        shift = leg % len(entries)
        yield game, [*entries[shift:], *entries[:shift]]


def _paired(course: Course, event: Json) -> str:
    parts = [counted(len(course.games), "game")]
    if len(event["tables"]) != len(course.games):
        parts[0] += f" at {counted(len(event['tables']), 'table')}"
    if event["byes"]:
        parts.append(f"a bye for {course.names(event['byes'])}")
    if event["idle"]:
        parts.append(f"no game for {course.names(event['idle'])}")
    return ", ".join(parts)


def _result(course: Course, event: Json) -> Iterator[str]:
    result, game = event["result"], event["game"]
    if result["by"] == "organiser":
        verb = "decided" if event["type"] == "result_recorded" else "corrected"
        places = "-".join(map(str, result["places"]))
        yield f"Round {event['round']}: the organiser {verb} {course.at(game)}: places {places}."
    elif result["forfeits"] and result["by"] != "no_show":  # whose absence is an event of its own
        seats = course.games.get(game, ())
        who = course.names(seats[seat] for seat in result["forfeits"] if seat < len(seats))
        yield f"{course.round}: {who} forfeited by resigning or by the clock. {course.at(game)}."


def _lead(course: Course, version: int, ask: Ask) -> str:
    rows = ask("/standings", version)["standings"][:_LEADERS]
    led = ", ".join(f"{row['place']}. {in_one_line(row['name'])} ({row['points']:g})" for row in rows)
    if not course.is_test:
        return f"Points: {led}."
    test = ask("", version)["sprt_state"]
    between = f"{test['llr']:.2f} between {test['lower']:.2f} and {test['upper']:.2f}"
    return f"Points: {led}. SPRT: ratio {between}, {test['verdict'].replace('_', ' ')}."


def counted(number: int, what: str) -> str:
    """Say a number of things."""
    return f"{number} {what}" + ("" if number == 1 else "s")
