"""Canonical bytes and the hash chain (fairness.md, tamper-evident history)."""

import hashlib
from itertools import pairwise

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from domain.history import GENESIS, Entry, canonical, chain, first_broken, ms_of, rfc3339, upcast
from domain.values import Seat

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), inner),
)


@given(JSON)
def test_canonical_bytes_are_those_of_rfc_8785(value: object) -> None:
    assert rfc8785.dumps(value) == canonical(value)  # type: ignore[arg-type]


@given(st.integers(0, 4_000_000_000_000))
def test_times_are_rfc_3339_in_utc_and_read_back(ms: int) -> None:
    assert ms == ms_of(rfc3339(ms))
    assert len("2026-11-30T06:39:45.123Z") == len(rfc3339(ms))


@given(st.integers(1, 10**6), st.none() | st.integers(0, 5), st.binary(min_size=16, max_size=16))
def test_the_chain_hashes_the_canonical_json_of_the_entry(version: int, seat: int | None, salt: bytes) -> None:
    events = [{"type": "table_started"}, {"type": "card_played", "seat": 1, "card": "F7"}]
    document = {"version": version, "time": rfc3339(5), "seat": seat, "events": events, "salt": salt.hex()}
    expected = hashlib.sha256(bytes.fromhex(GENESIS) + rfc8785.dumps(document)).hexdigest()  # type: ignore[arg-type]

    assert expected == chain(GENESIS, version, 5, None if seat is None else Seat(seat), canonical(events), salt)


def entries(count: int) -> list[Entry]:
    made: list[Entry] = []
    for version in range(1, count + 1):
        before = made[-1].hash if made else GENESIS
        events, salt = canonical([{"type": "table_started", "n": version}]), bytes([version]) * 16
        made.append(
            Entry(
                version=version,
                time_ms=version,
                seat=None,
                events=events,
                salt=salt,
                hash=chain(before, version, version, None, events, salt),
            )
        )
    return made


def test_a_whole_chain_holds() -> None:
    assert None is first_broken(entries(9))


@pytest.mark.parametrize(
    "change",
    [
        {"time_ms": 77},
        {"seat": Seat(1)},
        {"events": b"[]"},
        {"salt": bytes(16)},
        {"hash": "00" * 32},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_changed_field_is_found_at_its_version(change: dict[str, object]) -> None:
    log = entries(9)
    log[4] = structs.replace(log[4], **change)
    broken = first_broken(log)

    assert broken is not None
    assert 5 == broken[0]


def test_a_missing_or_reordered_entry_is_found_at_its_version() -> None:
    for version, log in ((5, [*entries(9)[:4], *entries(9)[5:]]), (3, [*entries(2), *entries(4)[3:], entries(4)[2]])):
        broken = first_broken(log)

        assert broken is not None
        assert version == broken[0]


def test_events_are_upcast_step_by_step_and_stored_bytes_stay() -> None:
    steps = {
        ("card_laid", 1): lambda raw: {**raw, "v": 2, "layer": 1},
        ("card_laid", 2): lambda raw: {**raw, "type": "card_played", "v": 3},
    }
    stored = {"type": "card_laid", "card": "F7"}

    assert {"type": "card_played", "card": "F7", "layer": 1} == upcast(stored, steps)
    assert {"type": "card_laid", "card": "F7"} == stored
    assert all(a.hash != b.hash for a, b in pairwise(entries(3)))
