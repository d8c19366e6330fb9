"""`starledger play`: a person in a terminal against built-in bots, over HTTP at a running server."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click
from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.cli.client import Client, Json, Refused
from service.cli.draw import Drawer, Plain
from service.cli.draw_beam_me_up import BeamMeUp
from service.cli.draw_planet_pioneer import PlanetPioneer
from service.cli.draw_universal_match import UniversalMatch

DRAWERS: Final[Mapping[str, Callable[[Json, Json], Drawer]]] = {
    "beam-me-up": BeamMeUp,
    "planet-pioneer": PlanetPioneer,
    "universal-match": UniversalMatch,
}
_HELP: Final = "number, or ? to draw the table again, q to leave"


class Leave(Exception):
    """The person wants to leave; the table waits."""


Ask = Callable[[str], str]
"""Ask the person for a line; raises `Leave` where there are no more."""


def choose_game(client: Client, console: Console, ask: Ask) -> str:
    """Let the person choose one of the server's games."""
    games: Sequence[Json] = client.get("/v1/games")["items"]
    for number, game in enumerate(games, start=1):
        console.print(f"{number:>3}  {game['title']}")
    while True:
        try:
            return str(games[_number(ask("Game"), len(games)) - 1]["game"])
        except click.BadParameter as wrong:
            console.print(Text(wrong.message, "red"))


def open_table(client: Client, game: str, bots: Sequence[str], options: Mapping[str, Any], seed: str | None) -> str:
    """Make a table with the person in seat 0 and bots in the others; gives its id."""
    seats = [{"kind": "me"}, *({"kind": "ai", "bot": bot} for bot in bots)]
    body: Json = {"game": game, "seats": seats, "options": dict(options)}
    if seed is not None:
        body["seed"] = seed
    return str(client.post("/v1/tables", body)["id"])


class Session:
    """One table, from now to its end."""

    def __init__(self, client: Client, table: str, console: Console, ask: Ask) -> None:
        self._client = client
        self._path = f"/v1/tables/{table}"
        self._table = table
        self._console = console
        self._ask = ask
        self._seen = 0
        self._drawer: Drawer | None = None

    def play(self) -> None:
        """Play until the table has ended; raises `Leave`, `Refused`, `NotStarted`."""
        while True:
            table = self._client.get(self._path)
            if self._seen == 0 and table["you"] is None:
                self._console.print(
                    Text(
                        f"You have no seat here and watch: your account is the one kept in {self._client.kept_in}.",
                        "dim",
                    )
                )
            self._tell(table["version"])
            if table["status"] in ("finished", "aborted"):
                self._end(table)
                return
            offered = self._client.get(f"{self._path}/commands")
            moves = [command for command in offered["commands"] if command["type"] not in _ALWAYS]
            if offered["version"] != table["version"]:
                continue  # somebody moved in between
            if moves:
                self._draw(table)
                self._move(table, [*moves, *(each for each in offered["commands"] if each["type"] in _ALWAYS)])
            else:
                self._wait(table)

    def _tell(self, version: int) -> None:
        """Say in words what has happened since we last looked."""
        while self._seen < version:
            page = self._client.get(f"{self._path}/events", {"after": self._seen, "limit": 200})
            if not page["items"]:
                return
            for entry in page["items"]:
                self._seen = entry["version"]
                if entry["summary"]:
                    self._console.print(Text(f"{entry['version']:>4}  ", "dim") + Text(entry["summary"]))

    def _wait(self, table: Json) -> None:
        seats = ", ".join(f"seat {seat}" for seat in table["to_act"]) or "other players to sit down"
        with self._console.status(f"waiting for {seats}"):
            self._client.news(self._table, table["version"])

    def _how(self, table: Json) -> Drawer:
        if self._drawer is None:
            catalogue = self._client.get(f"/v1/games/{table['game']}")
            self._drawer = DRAWERS.get(table["game"], Plain)(catalogue, table["options"])
        return self._drawer

    def _draw(self, table: Json) -> None:
        you = table["you"]["seat"] if table["you"] else None
        self._console.rule(style="dim")
        self._console.print(self._how(table).draw(table["view"], you))

    def _move(self, table: Json, commands: Sequence[Json]) -> None:
        """Let the person choose until the server takes it, or the table has moved on."""
        commands = _in_order(self._how(table), commands)
        self._console.print(_menu(self._how(table), commands))
        while True:
            line = self._ask(_HELP)
            if line == "?":
                self._draw(table)
                self._console.print(_menu(self._how(table), commands))
                continue
            try:
                command = commands[_number(line, len(commands)) - 1]
                if command["type"] == "resign" and self._ask("Resign: a bot plays on for you. Sure? y/n") != "y":
                    continue
                self._client.post(f"{self._path}/commands", command)
            except click.BadParameter as wrong:
                self._console.print(Text(wrong.message, "red"))
                continue
            except Refused as refused:
                self._console.print(Text(str(refused), "red"))
            return

    def _end(self, table: Json) -> None:
        if table["view"] is not None:
            self._draw(table)
        outcome = table["outcome"]
        if outcome is None:
            self._console.print("The table was aborted.")
            return
        self._console.rule("The end", style="dim")
        result = Table(box=None, header_style="dim")
        for column in ("place", "seat", "score", ""):
            result.add_column(column)
        you = table["you"]["seat"] if table["you"] else None
        for seat in sorted(range(len(outcome["places"])), key=lambda each: outcome["places"][each]):
            about = "resigned" if seat in outcome["resigned"] else "wins" if seat in outcome["winners"] else ""
            name = f"Seat {seat} ({_who(table, seat, you)})"
            result.add_row(str(outcome["places"][seat]), name, str(outcome["scores"][seat]), about)
        self._console.print(result)
        self._console.print(Text(f"Its record, to check the deal by: {self._client.base}{self._path}/record", "dim"))


_ALWAYS: Final = ("resign", "pause_clock", "resume_clock")


def _who(table: Json, seat: int, you: int | None) -> str:
    about = table["seats"][seat]
    return "you" if seat == you else str(about.get("bot") or about.get("player", {}).get("name", ""))


def _number(line: str, most: int) -> int:
    if line.isascii() and line.isdigit() and 1 <= int(line) <= most:
        return int(line)
    raise click.BadParameter(f"Give a number from 1 to {most}.")


def _in_order(drawer: Drawer, commands: Sequence[Json]) -> Sequence[Json]:
    """Put commands that begin alike side by side, so that the numbers of a menu run on from line to line."""
    lines: dict[str, list[Json]] = {}
    for command in commands:
        lines.setdefault(_said(drawer, command)[0], []).append(command)
    return [command for line in lines.values() for command in line]


def _said(drawer: Drawer, command: Json) -> tuple[str, str]:
    if command["type"] in _ALWAYS:
        return command["type"].replace("_", " "), ""
    return drawer.say(command)


def _menu(drawer: Drawer, commands: Sequence[Json]) -> Table:
    """List commands by number; those that begin alike stand in a line."""
    lines: dict[str, list[Text]] = {}
    for number, command in enumerate(commands, start=1):
        what, which = _said(drawer, command)
        lines.setdefault(what, []).append(Text(str(number), "bold", no_wrap=True).append(f" {which}", "none"))
    menu = Table.grid(padding=(0, 2, 0, 0))
    menu.add_column(no_wrap=True)
    menu.add_column()
    for what, line in lines.items():
        menu.add_row(what, Columns(line, padding=(0, 3)))
    return menu
