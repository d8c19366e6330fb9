"""A table to be replayed: its frames through one pair of eyes, from a record or from a server."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain.errors import Refusal
from domain.game import AnyGame
from domain.names import in_one_line
from domain.record import RecordError, lines_of
from domain.values import ALL, PUBLIC, Value, Viewer
from domain.verify import verify
from service.application.frames import frames
from service.application.live import Live
from service.application.present import viewer_for
from service.application.records import stream_of
from service.cli.client import Client, Json, all_items
from service.cli.record_files import FileWrong, records_in

_SEAT: Final = re.compile(r"\bSeat (\d+)\b")
_SEATING: Final = frozenset({"seat_taken", "seat_left"})


class Reel(Value, frozen=True):
    """What is needed to show a table: `catalogue` holds the game's cards; `eyes` the seat that looks, if it is one."""

    table: str
    game: str
    title: str
    created: str
    options: Json
    catalogue: Json
    names: tuple[str, ...]
    eyes: int | None
    frames: tuple[Json, ...]
    outcome: Json | None

    def frame(self, version: int) -> Json:
        """Give the frame of a version; raises `Refusal` where there is none."""
        for frame in self.frames:
            if frame["version"] == version:
                return frame
        known = f"{self.frames[0]['version']} to {self.frames[-1]['version']}"
        raise Refusal("validation_failed", f"There is no version {version}: the table has {known}.")

    def in_words(self, frame: Json) -> str:
        """Give a frame's summary with the players' names in the place of their seats, but where they sit down."""
        summary = in_one_line(frame["summary"])
        if any(event["type"] in _SEATING for event in frame["events"]):
            return summary
        return _SEAT.sub(lambda match: self.names[int(match[1])], summary)


def from_file(path: str, eyes: str | None, games: Mapping[str, AnyGame]) -> Reel:
    """Read a record, check it, and give its frames; without `eyes` everything is shown.

    Raises `FileWrong` and `Refusal`.
    """
    found = list(records_in(path))
    if len(found) != 1:
        raise FileWrong(
            "holds many tables; replay shows one. The tables of an event are in its folder records/; of an export import "
            "it, or cut its record out"
        )
    try:
        verified = verify(lines_of(found[0].record), games)
    except RecordError as wrong:
        raise FileWrong(f"wrong at {wrong}") from wrong
    header = verified.record.header
    live = Live(header.table, games, stream_of(verified))
    viewer = viewer_for(live.table, None, eyes or ALL)
    named = [
        str(seat.bot) if seat.kind == "ai" else verified.record.names.get(str(seat.player), "") for seat in header.seats
    ]
    return Reel(
        table=in_one_line(header.table),
        game=header.game,
        title=live.game.title,
        created=header.created,
        options=dict(header.options),
        catalogue={"cards": msgspec.to_builtins(live.game.cards(live.table.options))},
        names=_told_apart(named),
        eyes=_seat(viewer),
        frames=tuple(msgspec.to_builtins(frame) for frame in frames(live, viewer, 1, live.version)),
        outcome=msgspec.to_builtins(verified.record.outcome),
    )


def from_server(client: Client, table: str, eyes: str | None) -> Reel:
    """Read a table's replay from a server; raises `Refused` and `NotStarted`."""
    query = {} if eyes is None else {"as": eyes}
    shown = client.get(f"/v1/tables/{table}", query)
    found = all_items(client, f"/v1/tables/{table}/replay", query)
    catalogue = client.get(f"/v1/games/{shown['game']}")
    own = shown["you"]["seat"] if eyes is None and shown["you"] else None
    named = [str(seat.get("bot") or seat.get("player", {}).get("name", "")) for seat in shown["seats"]]
    return Reel(
        table=table,
        game=shown["game"],
        title=catalogue["title"],
        created=shown["created_at"],
        options=shown["options"],
        catalogue=catalogue,
        names=_told_apart(named),
        eyes=int(eyes) if eyes is not None and eyes not in (PUBLIC, ALL) else own,
        frames=tuple(found),
        outcome=shown["outcome"],
    )


def as_text(reel: Reel) -> Sequence[str]:
    """Write a table as a person would: who played, a line for each turn, how it ended.

    A line goes on while the same seat acts and no new turn has begun; its number is the version that it leads to.
    """
    lines = [f"{reel.title}, {reel.created[:10]}, table {reel.table}", ", ".join(reel.names)]
    for turn in _turns(frame for frame in reel.frames if frame["summary"]):
        said = " ".join(reel.in_words(frame) for frame in turn)
        lines.append(f"{turn[-1]['version']:>4}  {said}")
    outcome = reel.outcome
    if outcome is not None:
        order = sorted(range(len(reel.names)), key=lambda seat: (outcome["places"][seat], seat))
        lines.append("Result: " + ", ".join(_placed(reel, outcome, seat) for seat in order) + f" ({outcome['reason']})")
    return lines


def _turns(frames: Iterable[Json]) -> Iterator[list[Json]]:
    turn: list[Json] = []
    for frame in frames:
        if turn and ("seat" not in frame or frame["seat"] != turn[-1].get("seat") or _has_begun(turn[-1])):
            yield turn
            turn = []
        turn.append(frame)
    if turn:
        yield turn


def _has_begun(frame: Json) -> bool:
    return any(event["type"] == "turn_began" for event in frame["events"])


def _placed(reel: Reel, outcome: Json, seat: int) -> str:
    about = " resigned" if seat in outcome["resigned"] else ""
    return f"{outcome['places'][seat]}. {reel.names[seat]} {outcome['scores'][seat]}{about}"


def _told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Give each seat a name of its own: that of who sits there, with the seat where it would not tell."""
    names = [in_one_line(name) for name in names]
    often = Counter(names)
    return tuple(
        name if name and often[name] == 1 else f"Seat {i} ({name})" if name else f"Seat {i}"
        for i, name in enumerate(names)
    )


def _seat(viewer: Viewer) -> int | None:
    return None if isinstance(viewer, str) else int(viewer)
