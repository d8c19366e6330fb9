"""The replay: any version through any eyes, by slider, steps and address; forks; records verified in the page."""

import base64
import hashlib
import itertools
import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from domain.history import GENESIS, canonical
from domain.record import RecordError, lines_of
from domain.verify import verify
from service.web.files import load

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

CHECK = """
async ({records, edition}) => {
  const {checkRecord} = (await import(`/web/${edition}/more.js`)).verify_record;
  const found = [];
  for (const text of records) {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    try {
      const {shuffles, head} = await checkRecord(bytes);
      found.push({shuffles, head});
    } catch (reason) {
      found.push({line: reason.line, entry: reason.entry ?? null, check: reason.check, reason: reason.message});
    }
  }
  return found;
}
"""

CHECK_CHANGED = """
async ({record, edition, changes}) => {
  // The record with one line replaced, for each of the changes: what is found wrong, null where nothing is.
  const {checkRecord} = (await import(`/web/${edition}/more.js`)).verify_record;
  const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const lines = record.map(bytes);
  const found = [];
  for (const [at, line] of changes) {
    const parts = lines.with(at, bytes(line));
    const text = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    parts.reduce((place, part) => (text.set(part, place), place + part.length), 0);
    try {
      await checkRecord(text);
      found.push(null);
    } catch (reason) {
      found.push({line: reason.line, entry: reason.entry ?? null, check: reason.check, reason: reason.message});
    }
  }
  return found;
}
"""

STEP = """
async () => {
  // Press "one move on" until the last one; give what stood there at each step.
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  const seen = [];
  for (;;) {
    const counter = document.querySelector(".counter");
    const frame = document.querySelector("[data-frame]");
    if (frame && frame.dataset.frame === counter.dataset.at) {
      const label = (part) => part.getAttribute("aria-label");
      seen.push({at: Number(counter.dataset.at), eyes: frame.dataset.eyes,
        hands: [...frame.querySelectorAll(".hand .part, .open-hand .part, .open-hand .um-chip")].map(label),
        hidden: frame.querySelectorAll(".fan").length});
      if (counter.dataset.at === counter.dataset.last) return seen;
      document.querySelector("[data-control=next]").click();
    } else if (counter.dataset.at === counter.dataset.last && !frame) return seen;
    else if (!frame && document.querySelector(".empty")) document.querySelector("[data-control=next]").click();
    await later(5);
  }
}
"""
KINDS = {"defense": 2, "visit": 0, "attack": 0, "strike": 0, "cap": 1}
NAMES = {"A": "Air", "E": "Earth", "F": "Fire", "W": "Water"}


@pytest.fixture(scope="module")
def tables(ada):
    """A finished table of each game."""
    more = {"universal-match": {"options": {"target": "one_hand", "advanced_b": True}}}
    made = {game: ada.table(game, "greedy", **more.get(game, {})) for game in GAMES}
    for table in made.values():
        ada.play(table)
    return made


@pytest.fixture(scope="module")
def short(ada):
    """A table of each game that ended early: few frames to step through."""
    made = {game: ada.table(game, "greedy") for game in GAMES}
    for table in made.values():
        ada.play(table, until=lambda now: now["version"] > 16)
        ada.move(table, {"type": "resign"})
    return made


@pytest.fixture(scope="module")
def records(ada, tables):
    return {game: ada._http.get(f"{ada.base}/v1/tables/{table}/record").content for game, table in tables.items()}


@pytest.fixture(scope="module")
def short_records(ada, short):
    return {game: ada._http.get(f"{ada.base}/v1/tables/{table}/record").content for game, table in short.items()}


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_is_stepped_to_its_end_through_each_pair_of_eyes(visit, ada, short, game):
    page = visit(f"/tables/{short[game]}/replay?at=1&as=all")
    last = ada.get(f"/v1/tables/{short[game]}")["version"]
    page.wait_for_selector("[data-frame]")
    walks = {}
    for eyes in ("all", "public", "0", "1"):
        page.locator("[data-control=eyes]").select_option(eyes)
        page.locator("input[type=range]").evaluate(
            "(slider) => { slider.value = 1; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
        )
        page.wait_for_function("eyes => document.querySelector('[data-frame=\"1\"]')?.dataset.eyes === eyes", arg=eyes)
        walks[eyes] = page.evaluate(STEP)
        assert list(range(1, last + 1)) == [step["at"] for step in walks[eyes]]
        assert {eyes} == {step["eyes"] for step in walks[eyes]}
    for open_, public, zero, one in itertools.islice(zip(*walks.values(), strict=True), last - 1):
        assert 0 == open_["hidden"]
        assert (2, []) == (public["hidden"], public["hands"])
        assert (1, 1) == (zero["hidden"], one["hidden"])
    if game == "beam-me-up":
        for eyes in ("0", "1"):
            frames = ada.get(f"/v1/tables/{short[game]}/replay", **{"as": eyes, "limit": 200})["items"]
            for frame, step in zip(frames[:-1], walks[eyes][:-1], strict=True):
                hand = frame["view"]["seats"][int(eyes)]["hand"]
                assert [f"{NAMES[card[0]]} {card[1:]}" for card in hand] == step["hands"]


def test_an_address_leads_to_a_version_and_eyes(visit, ada, tables):
    page = visit(f"/tables/{tables['planet-pioneer']}/replay?at=7&as=1")
    page.wait_for_selector("[data-frame='7'][data-eyes='1']")
    expect(page.locator(".log [aria-current=step]")).to_have_text(re.compile(r"^\s*7\D"))
    page.locator(".log-jump").nth(11).click()
    page.wait_for_selector("[data-frame='12']")
    page.wait_for_url(re.compile(r"\?at=12&as=1$"))
    page.locator("body").press("ArrowRight")
    page.wait_for_selector("[data-frame='13']")


def test_it_plays_by_itself_and_stops_at_the_end(visit, ada, tables):
    last = ada.get(f"/v1/tables/{tables['planet-pioneer']}")["version"]
    page = visit(f"/tables/{tables['planet-pioneer']}/replay?at={last - 3}&as=all")
    page.get_by_label("Speed").select_option("3")
    page.locator("[data-control=play]").click()
    page.wait_for_selector(f"[data-frame='{last}']")
    page.wait_for_selector("[data-control=play] >> text=Play")


def test_a_fork_is_played_on_from_the_version_shown(visit, ada, tables):
    page = visit(f"/tables/{tables['beam-me-up']}/replay?at=12&as=0", player=ada)
    page.wait_for_selector("[data-frame='12']")
    before = page.locator(".hand").inner_html()
    page.get_by_role("button", name="Fork, record").click()
    page.get_by_role("button", name="Fork at move 12").click()
    page.wait_for_url(lambda url: tables["beam-me-up"] not in url)
    page.wait_for_selector(".board")
    fork = ada.get(f"/v1/tables/{page.url.rsplit('/', 1)[1]}")
    assert {"table": tables["beam-me-up"], "version": 12} == fork["origin"]
    assert before


@pytest.fixture(scope="module")
def edition():
    return load().edition


def checked(page, edition, texts):
    return page.evaluate(CHECK, {"records": [base64.b64encode(text).decode() for text in texts], "edition": edition})


def test_the_page_recomputes_chain_and_shuffles_of_each_game(visit, records, edition):
    page = visit("/verify")
    for game, report in zip(records, checked(page, edition, records.values()), strict=True):
        trailer = json.loads(records[game].splitlines()[-2])
        assert trailer["head"] == report["head"]
        events = [event for line in records[game].splitlines() for event in json.loads(line).get("events", [])]
        wanted = [event["shuffle"] for event in events if "shuffle" in event]
        assert wanted
        assert wanted == [shuffle["k"] for shuffle in report["shuffles"]]


def test_the_page_checks_chosen_seeds_own_decks_forks_and_many_hands(visit, ada, short, edition):
    deck = [{"name": f"house_{n}", "kind": "structure", "level": 1 + n % 5, "copies": 3} for n in range(19)]
    deck += [{"name": kind, "kind": kind, "level": level, "copies": 5} for kind, level in KINDS.items()]
    fork = {"at": 12, "seats": [{"kind": "me"}, {"kind": "ai", "bot": "easy"}]}
    tables = [
        ada.table("planet-pioneer", "greedy", "easy", seed="nebula"),
        ada.table("planet-pioneer", "greedy", options={"deck": deck, "first_seat": 1}),
        ada.table("universal-match", "greedy", "greedy", "easy", options={"target": 50}),
        ada.post(f"/v1/tables/{short['beam-me-up']}/forks", fork)["id"],
    ]
    for table in tables:
        ada.play(table)
    records = [ada._http.get(f"{ada.base}/v1/tables/{table}/record").content for table in tables]
    reports = checked(visit("/verify"), edition, records)
    assert [None] * 4 == [report.get("reason") for report in reports]
    assert [0] == [shuffle["k"] for shuffle in reports[0]["shuffles"]][:1]
    assert 2 <= len(reports[2]["shuffles"])
    assert 0 not in [shuffle["k"] for shuffle in reports[3]["shuffles"]]


def changed_lines(page, edition, lines, changes):
    """Give for each change `(at, line)` the changed record's lines, what the page finds and what the reference does."""
    sent = [[at, base64.b64encode(line).decode()] for at, line in changes]
    record = [base64.b64encode(line).decode() for line in lines]
    reports = page.evaluate(CHECK_CHANGED, {"record": record, "edition": edition, "changes": sent})
    for (at, line), report in zip(changes, reports, strict=True):
        try:
            verify(lines_of(b"".join([*lines[:at], line, *lines[at + 1 :]])), GAMES)
            yield at, line, report, None
        except RecordError as error:
            yield at, line, report, error


def test_one_changed_byte_is_refused_with_the_entry_named(visit, short_records, edition):
    """Every byte of the header, the outcome and the trailer, and some of each entry: wherever one is changed."""
    page = visit("/verify")
    rng = random.Random(6)
    for record in short_records.values():
        lines = record.splitlines(keepends=True)
        last = len(lines) - 3
        places = [(at, place) for at in (0, last, last + 1) for place in range(len(lines[at]))]
        places += [(at, rng.randrange(len(lines[at]))) for at in range(1, last) for _ in range(9)]
        changes = [
            (at, lines[at][:place] + bytes([lines[at][place] ^ 1]) + lines[at][place + 1 :]) for at, place in places
        ]
        for at, line, report, error in changed_lines(page, edition, lines, changes):
            assert error is not None
            assert report is not None, line
            if 0 < at < last:
                assert (at, at + 1) == (report["entry"], report["line"])


def test_a_field_that_is_missing_strange_or_of_another_kind_is_refused_in_every_line(visit, short_records, edition):
    """The page refuses whatever the reference refuses, and no more, in each field of each kind of line."""
    page = visit("/verify")
    for record in short_records.values():
        lines = record.splitlines(keepends=True)
        last = len(lines) - 3
        changes = [
            (at, canonical(line) + b"\n")
            for at in (0, 1, last // 2, last - 1, last, last + 1, last + 2)
            for line in otherwise(json.loads(lines[at]))
        ]
        for at, line, report, error in changed_lines(page, edition, lines, changes):
            assert (error is None) == (report is None), (error, report, line)
            if error is not None:
                assert at + 1 == report["line"], (error, report, line)


def test_what_is_wrong_in_form_is_refused_though_all_hashes_fit(visit, short_records, edition):
    """A seat that is no number, a time that is none or goes back, a name that none can have."""
    wrong: list[tuple[int, dict[str, Any]]] = [
        (3, {"seat": "0"}),
        (3, {"seat": True}),
        (3, {"seat": -1}),
        (3, {"seat": []}),
    ]
    times = (
        "2026-13-45T99:99:99.000Z",
        "2026-02-30T00:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "1969-12-31T00:00:00.000Z",
    )
    wrong += [(3, {"time": time}) for time in times]
    texts = []
    for at, more in wrong:
        lines = [json.loads(line) for line in short_records["planet-pioneer"].splitlines()]
        lines[at] |= more
        before = GENESIS
        for line in lines[1:-3]:
            sealed = {name: line[name] for name in ("version", "time", "seat", "events", "salt")}
            before = line["hash"] = hashlib.sha256(bytes.fromhex(before) + canonical(sealed)).hexdigest()
        lines[-2]["head"] = before
        texts.append(b"".join(canonical(line) + b"\n" for line in lines))
    page = visit("/verify")
    for text, report in zip(texts, checked(page, edition, texts), strict=True):
        with pytest.raises(RecordError) as refused:
            verify(lines_of(text), GAMES)
        assert (4, 4, 3) == (refused.value.line, report["line"], report["entry"])
    lines = short_records["planet-pioneer"].splitlines(keepends=True)
    (player,) = json.loads(lines[-1])["names"]
    names = ("a\nb", "\0", "a\u202eb", " ", "x" * 41, "", "é", "🚀")
    changes = [(len(lines) - 1, canonical({"type": "names", "names": {player: name}}) + b"\n") for name in names]
    found = [(error is None, report is None) for *_, report, error in changed_lines(page, edition, lines, changes)]
    assert [(False, False)] * 5 + [(True, True)] * 3 == found


def otherwise(value):
    """Give a JSON value with each of its parts left out, renamed, doubled or replaced, one at a time."""
    if isinstance(value, dict):
        yield {**value, "cmock": None}
        for name, part in value.items():
            rest = {key: other for key, other in value.items() if key != name}
            yield rest
            yield {**rest, name[:-1] + "~": part}
            for other in otherwise(part):
                yield {**rest, name: other}
    elif isinstance(value, list):
        yield [*value, value[-1] if value else None]
        for at in (0, len(value) - 1) if value else ():
            yield [*value[:at], *value[at + 1 :]]
            for other in otherwise(value[at]):
                yield [*value[:at], other, *value[at + 1 :]]
    for other in (None, 7, "", [], {}):
        if other != value:
            yield other


def test_a_file_is_verified_and_a_changed_one_refused(visit, records, tmp_path):
    record = records["planet-pioneer"]
    good, bad = tmp_path / "good.slr.jsonl", tmp_path / "bad.slr.jsonl"
    good.write_bytes(record)
    lines = record.split(b"\n")
    assert b'"card":"' in lines[9]
    lines[9] = (
        lines[9].replace(b'"seat":0', b'"seat":1', 1)
        if b'"seat":0' in lines[9]
        else lines[9].replace(b'"seat":1', b'"seat":0', 1)
    )
    bad.write_bytes(b"\n".join(lines))
    page = visit("/verify")
    page.locator("input[type=file]").set_input_files(good)
    page.get_by_role("heading", name="This record checks out").wait_for()
    expect(page.locator(".checks .good")).to_have_count(5)
    page.get_by_role("button", name="Let the server check every move").click()
    page.wait_for_selector("text=every move is legal")
    page.locator("input[type=file]").set_input_files(bad)
    page.get_by_role("heading", name="This record is refused").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("Entry 9 (line 10)")


def test_a_table_is_verified_from_its_own_page(visit, tables):
    page = visit(f"/tables/{tables['universal-match']}")
    page.get_by_role("link", name="Verify the deal").click()
    page.get_by_role("heading", name="This record checks out").wait_for()


def test_the_bytes_of_chance_are_those_of_the_documentation(visit, edition):
    page = visit("/verify")
    found = page.evaluate(
        """async (edition) => {
          const {verify_chance: chance, verify_hash: hash} = await import(`/web/${edition}/more.js`);
          const {hex, sha256, unhex, hmac, utf8, plainSha256, plainHmac} = hash;
          const secret = hex(Uint8Array.from({length: 32}, (_, at) => at));
          const seed = await chance.drawnSeed(secret, "t_example", [null, "aGVsbG8"]);
          const ten = [...Array(10).keys()];
          const nebula = await chance.chosenSeed("nebula");
          const same = [];
          for (let length = 0; length < 200; length += 1) {
            const bytes = Uint8Array.from({length}, (_, at) => (at * 7 + length) % 256);
            same.push(hex(plainSha256(bytes)) === hex(await sha256(bytes)), hex(plainHmac(bytes.slice(0, 1 + length / 2), bytes)) === hex(await hmac(bytes.slice(0, 1 + length / 2).length ? bytes.slice(0, 1 + length / 2) : new Uint8Array(1), bytes)));
          }
          return {commitment: hex(await sha256(unhex(secret))), seed: hex(seed),
            zero: (await chance.shuffled(seed, 0, ten)).join(" "), one: (await chance.shuffled(seed, 1, ten)).join(" "),
            picks: [await chance.picked(seed, "dealer", 4), await chance.picked(seed, "first_seat", 3)],
            nebula: hex(nebula), other: (await chance.shuffled(nebula, 0, ten)).join(" "),
            dealer: await chance.picked(nebula, "dealer", 3), same: same.slice(2).every(Boolean)};
        }""",
        edition,
    )
    assert {
        "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "seed": "3eec06c426e8ac4b4f7badefa8d1aeabe0ccfc4ad26e913c63a591306de997c7",
        "zero": "3 2 9 7 1 0 8 5 6 4",
        "one": "0 6 4 7 3 9 5 2 1 8",
        "picks": [2, 1],
        "nebula": "1e841c236ab19c3ea399a7d283f45d242e99ac1e533fb6d437116d7b9f7278d8",
        "other": "3 9 6 0 8 2 7 1 5 4",
        "dealer": 0,
        "same": True,
    } == found
