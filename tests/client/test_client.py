"""The client against a running service: games, feeds over restarts, records, problems."""

import asyncio
import threading

import pytest
from starledger_client import AsyncClient, Client, Conflict, Forbidden, Invalid, NotFound, Stale, Unauthenticated

from tests.support.running import wait_for

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
    assert client.verify_record(record).valid
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


def test_a_tournament_from_its_making_to_its_record(client):
    cup = client.create_tournament("Cup", "planet-pioneer", "round_robin", 2, rated=True, entrants={"min": 2, "max": 3})
    assert ["not_enough_entrants"] == [each.code for each in cup.waits_for]
    rows = [{"kind": "ai", "bot": bot} for bot in ("greedy", "random", "easy")]
    with pytest.raises(Invalid) as full:
        client.enter_many(cup.id, [*rows, rows[0]])
    assert {"entries[3]"} == set(full.value.errors)
    assert client.enter_many(cup.id, rows, dry_run=True).dry_run
    assert ["e1", "e2", "e3"] == [each.entry for each in client.enter_many(cup.id, rows).entries]
    assert 1 == client.preview_pairings(cup.id).round
    with pytest.raises(Stale):
        client.start_tournament(cup.id, etag=cup.etag)
    assert "paused" == client.pause_tournament(client.start_tournament(cup.id).id).status
    client.resume_tournament(cup.id)
    log = list(client.follow_tournament(cup.id))

    assert list(range(1, len(log) + 1)) == [entry.version for entry in log]
    done = client.tournament(cup.id)
    assert ("finished", "all_rounds", len(log)) == (done.status, done.ended, done.version)
    assert [log[0]] == client.tournament_log(cup.id, limit=1).items
    places = [each.place for each in client.standings(cup.id).standings]
    assert sorted(places) == places
    assert 0 == sum(each.points for each in client.standings(cup.id, at=1).standings)
    assert {"e1", "e2", "e3"} == set(client.crosstable(cup.id).entries)
    first = client.round(cup.id, 1)
    assert first.closed
    assert [game.id for table in client.round(cup.id, 3).tables for game in table.games] == [
        table.table for table in client.tournament_tables(cup.id)
    ]
    assert b'"type":"standings"' in client.tournament_record(cup.id).splitlines()[-1]
    assert [cup.id] == [each.id for each in client.all_tournaments(status="finished") if each.id == cup.id]
    exported = {each.table: each.file() for each in client.export(tournament=cup.id)}
    assert exported == {table: client.record(table) for table in exported}
    assert 3 == len(exported)
    game = first.tables[0].games[0]
    judged = client.judge(cup.id, game.id, [2, 1], "A trial.", forfeits=[0])
    assert "organiser" == judged.tables[0].games[0].result.by


def test_a_player_enters_checks_in_withdraws_and_is_told(client, server):
    cup = client.create_tournament(
        "Mine", "beam-me-up", "swiss", 2, entry={"kind": "code", "code": "open-sesame"}, check_in=True
    )
    with Client(server.base) as guest:
        guest.create_player("Guest", "human")
        with pytest.raises(Forbidden):
            guest.enter(cup.id, code="y")
    mine = client.enter(cup.id, code="open-sesame", etag=client.tournament(cup.id).etag)
    assert client.check_in(cup.id, mine.entry).checked_in
    me = client.me()
    assert me.id == mine.player
    assert me.limits is None
    client.withdraw(cup.id, mine.entry)
    assert None is client.tournament(cup.id).entry_of(me.id)
    assert "Rain" == client.tournament(client.cancel_tournament(cup.id, "Rain").id).ended
    wait_for(lambda: len(client.notices().items) == 2, "both are told, behind the answers")
    told = client.notices()
    assert ["tournament_entered", "tournament_withdrawn"] == [each.type for each in told.items]
    for notice, expected in zip(client.follow_me(after=1), told.items[1:], strict=False):
        assert expected == notice
        break


def test_webhooks_are_made_listed_and_deleted(client):
    made = client.create_webhook("https://example.com/hook", ["your_turn"])

    assert made.secret.startswith("whsec_")
    assert [made.id] == [each.id for each in client.webhooks()]
    assert None is client.webhook(made.id).secret
    assert [] == list(client.deliveries(made.id))
    with pytest.raises(NotFound):
        client.redeliver(made.id, "1")
    client.delete_webhook(made.id)
    assert [] == client.webhooks()


def test_what_else_there_is_to_read(client):
    assert {"beam-me-up", "planet-pioneer", "universal-match"} <= {game.game for game in client.games()}
    assert "random" in client.game("beam-me-up").bots
    assert "Ada" == client.player(client.me().id).name
    assert [client.me().token_id] == [token.id for token in client.tokens()]
    assert [] == client.player_ratings(client.me().id)
    assert isinstance(client.ratings("beam-me-up"), list)
    assert "alive" == client.health()
    assert client.ready().checks
    assert "# HELP" in client.metrics()
    assert "/v1/tables" in client.contract()["paths"]


def test_a_table_is_changed_only_if_it_is_still_as_it_was_seen(client):
    table = client.create_table("beam-me-up", BOTS)
    seen = wait_for(lambda: only_i_act(client.table(table.id)), "the bot has moved, or waits")
    assert seen.etag == client.table(table.id, eyes=0).etag
    posted = client.post(table.id, {"type": "resign"}, etag=seen.etag)

    assert posted.etag
    with pytest.raises((Stale, Conflict)):
        client.post(table.id, {"type": "resign"}, etag=seen.etag)


def only_i_act(table):
    return table if list(table.to_act) == [0] else None
