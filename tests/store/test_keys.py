"""Key names: every key of a table and its bucket's outbox in one hash slot; a store's number of buckets for ever."""

import hashlib

import fakeredis
import pytest

from service.application.ports import Damaged
from service.store.keys import BUCKETS_KEY, Keys, recorded_keys


def test_all_keys_of_a_table_bear_the_tag_of_its_bucket():
    keys = Keys(buckets=1024)
    bucket = int.from_bytes(hashlib.sha256(b"T7").digest(), "big") % 1024
    tag = f"{{b{bucket:04d}}}"

    assert bucket == keys.bucket("T7")
    assert [f"g:{tag}:T7:ev", f"g:{tag}:T7:secret", f"ob:{tag}", f"act:{tag}"] == [
        keys.stream("T7"),
        keys.secret("T7"),
        keys.outbox(bucket),
        keys.running(bucket),
    ]


def test_the_table_is_read_back_from_its_streams_key_even_with_colons():
    assert "a:ev:ü" == Keys.table_of(Keys().stream("a:ev:ü").encode())


def test_tables_spread_over_all_buckets():
    assert set(range(16)) == {Keys().bucket(f"table {n}") for n in range(400)}


def test_the_number_of_buckets_is_fixed_when_a_store_is_first_set_up():
    client = fakeredis.FakeRedis()

    assert 16 == recorded_keys(client).buckets
    assert 16 == recorded_keys(client, 1024).buckets
    assert 1024 == recorded_keys(fakeredis.FakeRedis(), 1024).buckets


@pytest.mark.parametrize("buckets", [0, -1, 10_000])
def test_a_number_of_buckets_that_the_tag_has_no_room_for_is_refused(buckets):
    with pytest.raises(ValueError, match="1 to 9999 buckets"):
        recorded_keys(fakeredis.FakeRedis(), buckets)


def test_a_record_that_is_no_number_is_damage():
    client = fakeredis.FakeRedis()
    client.set(BUCKETS_KEY, "many")

    with pytest.raises(Damaged, match="must hold the store's number of buckets, and holds b'many'"):
        recorded_keys(client)
