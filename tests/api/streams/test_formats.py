"""One log, three formats: the same bytes for one viewer, for ever."""

import json

import msgspec
import pytest

from domain.table_rules import Resign, TakeSeat
from service.application.handle import Attempt
from tests.api.streams.conftest import EVENTS, LINES
from tests.support import contract


def events(table, **query):
    return f"/v1/tables/{table}/events?" + "&".join(f"{name}={value}" for name, value in query.items())


def pages(house, table, headers, **query):
    """Give the entries of all pages, each as the bytes that stood in the page."""
    entries: list[bytes] = []
    after = 0
    while True:
        body = house.get(events(table, after=after, limit=7, **query), headers)[2]
        items = msgspec.json.decode(body, type=dict[str, msgspec.Raw])["items"]
        got = [bytes(each) for each in msgspec.json.decode(items, type=list[msgspec.Raw])]
        if not got:
            return entries
        entries += got
        after += len(got)


def messages(house, table, headers, **query):
    with house.ask(events(table, **query), {**headers, **EVENTS}) as stream:
        return [message.data.encode() for message in stream.messages() if message.event == "message"]


@pytest.mark.parametrize("eyes", ["0", "1", "public", "all"])
def test_the_formats_give_the_same_bytes(house, eyes):
    live = house.played()
    query = {"as": eyes}

    lines = house.lines(live.id, **query)

    assert live.version == len(lines)
    for line in lines:
        contract.validate("an entry", {"$ref": "#/components/schemas/Entry"}, json.loads(line))
    assert lines == pages(house, live.id, {}, **query)
    assert lines == messages(house, live.id, {}, **query)
    assert lines == house.lines(live.id, follow="true", **query)
    assert lines[3:] == house.lines(live.id, after=3, **query)


def test_what_a_viewer_was_sent_stays_true_after_the_end(house):
    player, token = house.player()
    other, theirs = house.player("Bob")
    live = house.table("open", "open")
    for each in (player, other):
        house.desk.handle(live.id, lambda _, each=each: (TakeSeat(each), None), Attempt(f"sit-{each}"))
    house.move(live.id, 40)
    before = {name: house.lines(live.id, headers) for name, headers in (("a", token), ("b", theirs), ("public", {}))}
    house.desk.handle(live.id, lambda table: (Resign(table.seat_of(player)), table.seat_of(player)), Attempt("out"))

    assert "finished" == house.desk.table(live.id).table.status
    for name, headers in (("a", token), ("b", theirs), ("public", {})):
        assert before[name] == house.lines(live.id, headers)[:-1]
    assert 3 == len({b"".join(lines) for lines in before.values()})
    assert before["a"] == house.lines(live.id, **{"as": 0})[:-1]


def test_an_answer_to_a_command_has_the_same_entry(house):
    player, token = house.player()
    live = house.table("open", "random")
    house.desk.handle(live.id, lambda _: (TakeSeat(player), None), Attempt("sit"))
    while house.desk.table(live.id).table.to_act != (0,):
        house.move(live.id)
    path = f"/v1/tables/{live.id}/commands"
    command = house.json(path, token)["commands"][0]
    answer = msgspec.json.decode(house.get(path, token, "POST", command)[2], type=dict[str, msgspec.Raw])

    assert b"[" + house.lines(live.id, token)[-1] + b"]" == bytes(answer["entries"])


def test_json_lines_follow_a_table_to_its_end(house):
    live = house.table("random", "random")
    with house.ask(events(live.id, follow="true"), LINES) as stream:
        body = stream.until(lambda body: body.count(b"\n") >= 1)
        house.move(live.id, 10_000)
        body += stream.until()

    assert "application/x-ndjson" == stream.headers["content-type"]
    assert house.lines(live.id) == [line for line in body.split(b"\n") if line]


def test_json_lines_keep_a_quiet_table_open_with_empty_lines(house):
    live = house.table()
    with house.ask(events(live.id, after=1, follow="true"), LINES) as stream:
        assert b"\n\n" == stream.until(lambda body: len(body) >= 2)[:2]


def test_json_lines_resume_by_last_event_id_too_and_say_where_they_cannot(house):
    live = house.table()
    house.move(live.id, 4)

    assert house.lines(live.id)[3:] == house.lines(live.id, {"Last-Event-ID": "3"})
    assert [] == house.lines(live.id, after=5)
    (line,) = house.lines(live.id, after=6, follow="true")
    assert {"reset": {"reason": "history_lost", "version": 5, "after": 0}} == json.loads(line)
    assert 400 == house.get(events(live.id), {**LINES, "Last-Event-ID": "x"})[0]


def test_hidden_cards_are_in_no_byte_of_another_viewers_log(house):
    """The public's and the other seat's bytes are those of any deal that looks the same to them."""
    live = house.played()
    public = b"".join(house.lines(live.id, **{"as": "public"})[:-1])

    assert b'"cards":' not in public
    assert b'"cards":' in b"".join(house.lines(live.id, **{"as": "0"})[:-1])
