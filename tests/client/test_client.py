"""The client against a running service: games, feeds over restarts, records, problems."""

import asyncio
import threading

import pytest
from starledger_client import AsyncClient, Client, Conflict, Invalid, NotFound, Unauthenticated

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]
BOTS = [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}]


@pytest.fixture
def client(server):
    with Client(server.base) as one:
        one.create_player("Ada", "human")
        yield one


def play(client, table):
    while table.status == "playing":
        offer = client.commands(table.id)
        moves = [command for command in offer.commands if command["type"] != "resign"]
        if moves:
            client.post(table.id, moves[0], key=f"{table.id}-{offer.version}")
        else:
            client.log(table.id, after=offer.version, wait=5)
        table = client.table(table.id)
    return table


def test_a_whole_game_its_log_its_replay_its_record_a_fork_and_a_rematch(client):
    watched = []
    table = client.create_table("planet-pioneer", BOTS)
    watcher = threading.Thread(target=lambda: watched.extend(client.follow(table.id)))
    watcher.start()
    ended = play(client, table)
    watcher.join(30)

    assert ended.outcome is not None
    assert list(range(1, ended.version + 1)) == [entry.version for entry in watched]
    assert ended.version == len(list(client.replay(table.id, eyes="all")))
    record = client.record(table.id)
    assert record == client.record(table.id)
    assert client.verify_record(record)["valid"]
    assert "finished" == client.import_record(record).status
    assert ended.id in {one.id for one in client.all_tables(status="finished")}
    fork = client.fork(table.id, 3, BOTS)
    assert client.table(table.id, at=3).view is not None
    assert "playing" == fork.status
    assert client.rematch(table.id).id == client.rematch(table.id).id


def test_a_command_sent_twice_under_a_key_counts_once(client):
    table = client.create_table("beam-me-up", BOTS, key="make it once, please, and only once")

    assert table.id == client.create_table("beam-me-up", BOTS, key="make it once, please, and only once").id


def test_what_is_refused_is_raised_by_kind(client, server):
    table = client.create_table("beam-me-up", [{"kind": "me"}, {"kind": "open"}])
    with pytest.raises(Conflict) as conflict:
        client.post(table.id, {"type": "resign"})
    assert "table_not_started" == conflict.value.code
    with pytest.raises(NotFound):
        client.table("nowhere")
    with pytest.raises(Invalid) as invalid:
        client.create_table("beam-me-up", [{"kind": "me"}])
    assert "seats" in invalid.value.errors
    with Client(server.base, "bad") as stranger, pytest.raises(Unauthenticated):
        stranger.games()


def test_tokens_are_made_and_revoked(client, server):
    other = client.create_token(["play"])
    with Client(server.base, other.token) as second:
        second.me()
        client.revoke_token(other.id)
        with pytest.raises(Unauthenticated):
            second.me()


def test_the_async_client_plays_many_tables_at_once(server):
    async def one(client):
        table = await client.create_table("planet-pioneer", BOTS)
        async for entry in client.follow(table.id):
            if entry.events[-1]["type"] == "table_finished":
                break
            offer = await client.commands(table.id)
            if len(offer.commands) > 1:
                await client.post(table.id, offer.commands[0], key=f"{table.id}-{offer.version}")
        return (await client.table(table.id)).status

    async def all_of_them():
        async with AsyncClient(server.base) as client:
            await client.create_player("Async")
            return await asyncio.gather(*(one(client) for _ in range(3)))

    assert ["finished"] * 3 == asyncio.run(all_of_them())
