"""Export in bulk: the records of finished public tables as one stream, which may be cut off and gone on with."""

from collections.abc import Iterator
from typing import Final

import msgspec
from flask import Response

from service.api.answers import NEVER_STORED, empty_answer
from service.api.dear import steps
from service.api.examples import EXPORT
from service.api.framing import JSON_LINES
from service.api.live_answers import place_of
from service.api.operation import Answer, Call, Operation
from service.api.schemas.records import ExportQuery
from service.application.export import ExportTrailer, Selected, cursor_of
from service.application.places import Place
from service.application.watch import Watch


def export_tables(call: Call) -> Response:
    """`GET /v1/export`."""
    query, services = call.query, call.services
    tournament = query["tournament"]
    selected = Selected(
        game=query["game"],
        player=query["player"],
        from_ms=query["from_"],
        to_ms=query["to"],
        tables=None if tournament is None else services.export.tables_of(tournament),
    )
    headers = {"Cache-Control": NEVER_STORED, "X-Accel-Buffering": "no"}
    if call.request.method == "HEAD":
        return empty_answer(200, headers)
    place = place_of(call)
    body = _Body(steps(call, _lines(call, selected, services.watch)), place)
    return Response(body, 200, headers, content_type=JSON_LINES, direct_passthrough=True)


class _Body:
    """The lines of an export; gives its place back however it ends."""

    def __init__(self, lines: Iterator[bytes], place: Place) -> None:
        self._lines = lines
        self._place = place

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines
        finally:
            self.close()

    def close(self) -> None:
        """Give the place back; a second time does nothing."""
        self._place.give_back()


def _lines(call: Call, selected: Selected, watch: Watch) -> Iterator[bytes]:
    tables = entries = 0
    limit: int | None = call.query["limit"]
    last: str | None = None
    complete = True
    for each in call.services.export.walk(selected, call.query["cursor"]):
        if watch.ending:
            return  # the server stops: no trailer, so the caller comes back with the last cursor
        if limit is not None and tables == limit:
            complete = False
            break
        last = cursor_of(each.place)
        yield each.line()
        tables, entries = tables + 1, entries + each.entries
    trailer = ExportTrailer(tables=tables, entries=entries, complete=complete, next_cursor=None if complete else last)
    yield msgspec.json.encode(trailer) + b"\n"


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/export",
        name="exportTables",
        tag="Records",
        summary="Export records in bulk",
        text="The records of finished public tables as JSON Lines, newest table first, one table a line: `{type: "
        '"record", table, game, created, finished, cursor, record: […]}`. The items of `record` are the lines of the '
        "table's record as they stand in it; each written with a line break behind it gives the file back, byte for "
        'byte. The last line is `{type: "trailer", tables, entries, complete, next_cursor}`; where it is missing the '
        "export was cut off: go on with the `cursor` of the last whole line. A table that is finished while an export "
        "runs may be left out of it.",
        view=export_tables,
        query=ExportQuery,
        answers={200: Answer(meaning="The records.", kind=str, media=(JSON_LINES,), examples={"an export": EXPORT})},
    ),
)
