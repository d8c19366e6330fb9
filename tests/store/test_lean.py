"""Commands over connections kept aside."""

import threading

import pytest
import redis

from service.store.lean import Lean


def test_a_command_is_answered_and_its_connection_kept(events_client):
    lean = Lean(events_client)
    assert b"OK" == lean.execute("SET", "a", "1")
    for _ in range(3):
        assert b"1" == lean.execute("GET", "a")
    assert lean.execute("GET", "nothing") is None
    assert 1 == len(lean._free)


def test_a_refusal_of_the_server_is_raised_and_the_connection_stays_good(events_client):
    lean = Lean(events_client)
    for command in (("GETX",), ("EVALSHA", "0" * 40, 0), ("LPUSH", "s", "1")):
        lean.execute("SET", "s", "1")
        with pytest.raises(redis.ResponseError):
            lean.execute(*command)
        assert b"1" == lean.execute("GET", "s")
    assert 1 == len(lean._free)


def test_a_connection_that_was_closed_is_made_anew(events_client):
    lean = Lean(events_client)
    lean.execute("SET", "a", "1")
    for connection in lean._free:
        connection._sock.close()
    assert b"1" == lean.execute("GET", "a")
    events_client.client_kill_filter(_type="normal", skipme=True)
    assert b"1" == lean.execute("GET", "a")
    assert b"1" == lean.execute("GET", "a")


def test_what_interrupts_a_command_leaves_no_answer_for_the_next(events_client, monkeypatch):
    lean = Lean(events_client)
    lean.execute("SET", "a", "1")
    (connection,) = lean._free

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(connection, "read_response", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lean.execute("GET", "a")
    monkeypatch.undo()
    assert b"PONG" == lean.execute("PING")


def test_threads_never_share_a_connection(events_client):
    lean = Lean(events_client)
    wrong: list[int] = []

    def ask(n: int) -> None:
        for k in range(50):
            lean.execute("SET", f"k{n}", k)
            if lean.execute("GET", f"k{n}") != str(k).encode():
                wrong.append(n)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == wrong
    assert 1 <= len(lean._free) <= 8


def test_a_client_that_is_closed_closes_them_too(servers):
    from service.store.connect import open_client  # noqa: PLC0415 - beside its use

    client = open_client(servers.events_url)
    lean = Lean(client)
    lean.execute("PING")
    client.close()
    assert [None] == [connection._sock for connection in lean._free]
