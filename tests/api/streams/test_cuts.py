"""A stream cut off at any byte and resumed gives the log exactly."""

import random
import threading

import pytest

from tests.api.streams.conftest import EVENTS
from tests.support.wire import EventParser


def follow(house, path, chance, most_cuts):
    """Read a stream to its `end`, with the connection cut at random bytes; gives the data of the entries."""
    entries, last_id, cuts, is_over = [], "", 0, False
    while not is_over:
        parser = EventParser(last_id=last_id)
        headers = {"Last-Event-ID": last_id} if last_id else {}
        left = chance.randrange(0, 6000) if cuts < most_cuts else 1 << 30
        with house.ask(path, {**EVENTS, **headers}) as stream:
            while left > 0 and not stream.is_over:
                most = min(left, 65536)
                for message in parser.feed(stream.receive(most)):
                    if message.event == "end":
                        is_over = True
                    else:
                        entries.append((message.id, message.data.encode()))
                left -= most if most < 65536 else 0
            if stream.status == 204:
                break
        last_id = parser.last_id
        cuts += 1
    return entries, cuts


@pytest.mark.parametrize("seed", range(4))
def test_a_finished_log_cut_at_random_bytes_is_whole(house, seed):
    live = house.played()
    entries, cuts = follow(house, f"/v1/tables/{live.id}/events", random.Random(seed), most_cuts=150)

    assert cuts > 20
    assert [str(n) for n in range(1, live.version + 1)] == [each for each, _ in entries]
    assert house.lines(live.id) == [data for _, data in entries]


@pytest.mark.parametrize("seed", range(4))
def test_a_log_that_grows_meanwhile_is_whole_for_each_pair_of_eyes(house, seed):
    live = house.table("random", "random", "random")
    player, token = house.player()
    done = []

    def read(name, query, chance):
        done.append((name, follow(house, f"/v1/tables/{live.id}/events{query}", chance, most_cuts=100)[0]))

    readers = [threading.Thread(target=read, args=(n, "?as=public", random.Random(f"{seed}-{n}"))) for n in range(3)]
    for reader in readers:
        reader.start()
    house.move(live.id, 10_000)
    for reader in readers:
        reader.join()

    assert 3 == len(done)
    for _, entries in done:
        assert house.lines(live.id) == [data for _, data in entries]
