"""Records: read one, check one, import one."""

import gzip
import hashlib
from typing import Any, Final

from flask import Response

from domain.record import MAX_RECORD_BYTES, MEDIA_TYPE
from domain.values import PUBLIC
from service.api.answers import empty_answer, json_answer
from service.api.etags import is_fresh, quoted
from service.api.examples import IMPORTED, RECORD, REPORT
from service.api.framing import JSON_LINES
from service.api.limits import holder_of
from service.api.operation import Answer, Body, Call, Operation
from service.api.problems import Problem
from service.api.routes.tables import table_id, tag_of
from service.application.places import Place
from service.application.present import TableShown, etag, table_shown
from service.application.records import BadRecord, RecordReport, record_names, record_of

MEDIA: Final = (MEDIA_TYPE, JSON_LINES)
TAKEN: Final = (*MEDIA, "application/jsonl", "application/octet-stream")
_BODY: Final = Body(schema=None, raw=TAKEN, examples={"cut short": RECORD}, most_bytes=MAX_RECORD_BYTES)
_PACKED_FROM: Final = 4096
_LEVEL: Final = 5


def get_record(call: Call) -> Response:
    """`GET /v1/tables/{table}/record`."""
    live = call.services.desk.table(table_id(call))
    names = call.services.players.names
    record = record_of(live, names)
    named = hashlib.sha256(repr(sorted(record_names(live, names).items())).encode()).hexdigest()[:8]
    tag = etag(live.version, live.entries[-1].hash, f"record-{named}")  # type: ignore[arg-type]  # no viewer's
    media = call.request.accept_mimetypes.best_match(MEDIA, default=MEDIA_TYPE)
    tag = tag if media == MEDIA_TYPE else f"{tag}-lines"
    packed = f"{tag}-gzip"  # other bytes have another tag (RFC 9110, 8.8.3.3)
    takes_gzip = call.request.accept_encodings.quality("gzip") > 0
    wanted = packed if takes_gzip and len(record) >= _PACKED_FROM else tag
    if is_fresh(call.request, tag) or is_fresh(call.request, packed):
        return empty_answer(304, {"ETag": quoted(wanted)})
    headers = {
        "ETag": quoted(wanted),
        "Content-Disposition": f'attachment; filename="{live.id}.slr.jsonl"',
    }
    if wanted == packed:
        record = gzip.compress(record, _LEVEL, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(record, 200, headers, content_type=media)


def import_record(call: Call) -> Response:
    """`POST /v1/records`."""
    with _place(call):
        try:
            live = call.services.records.take(call.body)
        except BadRecord as bad:
            wrong = bad.error
            more: dict[str, Any] = {"line": wrong.line, "reason": wrong.reason}
            raise Problem(
                "validation_failed",
                f"The record is wrong at line {wrong.line}: {wrong.reason}. Nothing was imported.",
                errors={"record": str(wrong)},
                **(more if wrong.version is None else {**more, "version": wrong.version}),
            ) from bad
    shown = table_shown(live, live.table, live.version, PUBLIC, None, call.services.players.names)
    tag = quoted(tag_of(live, live.version, PUBLIC, None))
    return json_answer(shown, 201, {"Location": f"/v1/tables/{live.id}", "ETag": tag})


def verify_record(call: Call) -> Response:
    """`POST /v1/records/verify`."""
    with _place(call):
        return json_answer(call.services.records.report(call.body))


def _place(call: Call) -> Place:
    """Take a place among those whose records are being checked: that takes a processor for a while."""
    place = call.services.records.places.take(holder_of(call))
    if place is None:
        raise Problem("unavailable", "Other records are being checked; try again.", headers={"Retry-After": "1"})
    return place


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/record",
        name="getRecord",
        tag="Records",
        summary="Download a table's record",
        text="A finished table as one self-contained file, JSON Lines, that anyone can replay, check and archive: every "
        "card, every seed. It is the same bytes at every call; docs/records says what is in it. Before the end it is "
        "refused, since it holds what is still hidden. It comes compressed to whoever takes that (`Accept-Encoding: gzip`).",
        view=get_record,
        is_dear=True,
        answers={
            200: Answer(
                meaning="The record.",
                kind=str,
                media=MEDIA,
                headers=("ETag", "Content-Disposition"),
                examples={"its first line": RECORD},
            ),
            304: Answer(meaning="The record is the one that `If-None-Match` names.", headers=("ETag",)),
        },
        problems=("not_found", "table_not_finished"),
        request_headers=("If-None-Match",),
    ),
    Operation(
        method="POST",
        path="/v1/records",
        name="importRecord",
        tag="Records",
        summary="Import a record",
        text="Takes a record in as a finished table that can be replayed and forked, not played on. It is checked whole "
        "first, as by `verifyRecord`: a wrong one is refused with the line, the version and the reason, and nothing is "
        "written. The table says `imported`, is never rated, and its players are those of the record: accounts here "
        "with the same ids have nothing to do with it. Its own record is what was sent, byte for byte. The same record "
        "sent again is the same table.\n\nThe body may be compressed (`Content-Encoding: gzip`); unpacked it may have "
        "8 MiB.",
        view=import_record,
        auth="required",
        scope="play",
        body=_BODY,
        answers={
            201: Answer(
                meaning="The table.", kind=TableShown, headers=("Location", "ETag"), examples={"imported": IMPORTED}
            )
        },
        problems=("malformed_request",),
        keyed="recorded",
        bucket="creations",
    ),
    Operation(
        method="POST",
        path="/v1/records/verify",
        name="verifyRecord",
        tag="Records",
        summary="Check a record",
        text="Checks a record without keeping it: its form, the hash chain, every entry against the rules of its rules "
        "version, every shuffle against the revealed seed, the outcome. The report is the answer whether or not the "
        "record is right; it names the first line that is wrong. `starledger verify FILE` does the same without a "
        "server.\n\nThe body may be compressed (`Content-Encoding: gzip`); unpacked it may have 8 MiB.",
        view=verify_record,
        body=_BODY,
        answers={200: Answer(meaning="The report.", kind=RecordReport, examples=REPORT)},
        problems=("malformed_request",),
        keyed="recorded",
        bucket="creations",
    ),
)
