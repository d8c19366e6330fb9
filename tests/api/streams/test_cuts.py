"""A stream cut off at any byte and resumed gives the log exactly."""

import random
import threading

import pytest

from domain.table_rules import TakeSeat
from service.application.handle import Attempt
from tests.api.streams.conftest import EVENTS
from tests.support.wire import EventParser


def follow(house, path, token, chance, most_cuts):
    """Read a stream to its `end`, with the connection cut at random bytes; gives the data of the entries."""
    entries, last_id, cuts, is_over = [], "", 0, False
    while not is_over:
        parser = EventParser(last_id=last_id)
        headers = {"Last-Event-ID": last_id} if last_id else {}
        left = chance.randrange(0, 6000) if cuts < most_cuts else 1 << 30
        with house.ask(path, {**EVENTS, **token, **headers}) as stream:
            while left > 0 and not stream.is_over:
                most = min(left, 65536)
                for message in parser.feed(stream.receive(most)):
                    if message.event == "end":
                        is_over = True
                    else:
                        entries.append((message.id, message.data.encode()))
                left -= most if most < 65536 else 0
            assert stream.status in (0, 200, 204)
            is_over = is_over or stream.status == 204
        last_id = parser.last_id
        cuts += 1
    return entries, cuts


@pytest.fixture
def house(open_houses):
    """Places stay taken until the next heartbeat after a cut: there are many."""
    return open_houses(streams=250, threads=300)


@pytest.mark.parametrize("seed", range(4))
def test_a_finished_log_cut_at_random_bytes_is_whole(house, seed):
    live = house.played()
    entries, cuts = follow(house, f"/v1/tables/{live.id}/events", {}, random.Random(seed), most_cuts=150)

    assert cuts > 50
    assert [str(n) for n in range(1, live.version + 1)] == [each for each, _ in entries]
    assert house.lines(live.id) == [data for _, data in entries]


@pytest.mark.parametrize("seed", range(4))
def test_a_log_that_grows_meanwhile_is_whole_for_each_pair_of_eyes(house, seed):
    live = house.table("open", "random", "random")
    player, token = house.player()
    house.desk.handle(live.id, lambda _: (TakeSeat(player), None), Attempt("sit"))
    got = {}

    def read(name, headers):
        chance = random.Random(f"{seed}-{name}")
        got[name] = follow(house, f"/v1/tables/{live.id}/events", headers, chance, most_cuts=60)[0]

    eyes = {"seat": token, "public": {}, "public too": {}}
    readers = [threading.Thread(target=read, args=each) for each in eyes.items()]
    for reader in readers:
        reader.start()
    house.move(live.id, 10_000)
    for reader in readers:
        reader.join()

    for name, headers in eyes.items():
        assert house.lines(live.id, headers) == [data for _, data in got[name]]
    assert got["seat"] != got["public"]
