"""The bot kit: the example bots beat `random`; a bot that is killed, on a service that is killed, plays on."""

import asyncio
import os
import random
import subprocess
import sys

import beam_me_up_bot
import msgspec
import planet_pioneer_bot
import pytest
import universal_match_bot
from starledger_client import AsyncClient, Client, Table
from starledger_client.bot import Runner

from domain.chance import RandomChance
from domain.games import GAMES
from domain.values import Seat
from tests.support.running import ROOT, Running, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]
SHORT = {"earth_racer": False}
KINDS = [beam_me_up_bot.Collector, planet_pioneer_bot.Builder, universal_match_bot.Matcher]


def wins(bot, game, seed):
    """Play a bot in seat `seed % 2` against random moves, by the rules alone; tell whether it won."""
    rules, rng = GAMES[game], random.Random(seed)
    chance, mine = RandomChance(rng), Seat(seed % 2)
    state = rules.initial(rules.options(), 2)
    for event in rules.deal(state, chance):
        state = rules.evolve(state, event)
    while to_act := rules.to_act(state):
        commands = rules.legal(state, to_act[0])
        choice = rng.randrange(len(commands))
        if to_act[0] == mine:
            view = msgspec.to_builtins(rules.view(state, mine, over=False, shown=False))
            offered = [msgspec.to_builtins(command) for command in commands]
            choice = offered.index(bot.choose(view, offered))
        for event in rules.decide(state, to_act[0], commands[choice], chance):
            state = rules.evolve(state, event)
    ranks = rules.verdict(state).ranks
    return ranks[mine] > ranks[1 - mine]


@pytest.mark.parametrize("kind", KINDS)
def test_each_example_bot_beats_random(kind, server, monkeypatch):
    monkeypatch.setenv("STARLEDGER_URL", server.base)
    bot = kind()

    assert sum(wins(bot, kind.game, seed) for seed in range(20)) >= 15


@pytest.mark.parametrize("kind", KINDS)
def test_each_example_bot_plays_on_a_service(kind, server, monkeypatch):
    monkeypatch.setenv("STARLEDGER_URL", server.base)
    bot = kind()
    ended: list[Table] = []
    bot.table_finished = ended.append

    async def play():
        async with AsyncClient(server.base) as client:
            await client.create_player(kind.__name__)
            for n in range(2):
                await client.create_table(
                    bot.game, [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}], seed=f"example {n}"
                )
            await Runner(bot, client, tables=2).run()

    asyncio.run(play())

    assert ["finished"] * 2 == [table.status for table in ended]


def test_a_bot_sits_down_where_a_seat_is_reserved_for_it(server):
    async def play():
        async with AsyncClient(server.base) as client, AsyncClient(server.base) as host:
            me = await client.create_player("Guest")
            await host.create_player("Host")
            table = await host.create_table(
                "beam-me-up", [{"kind": "ai", "bot": "greedy"}, {"kind": "player", "player": me.id}]
            )
            await Runner(beam_me_up_bot.Collector(), client, tables=1).run()
            return (await host.table(table.id)).status

    assert "finished" == asyncio.run(play())


def start_bot(server, token, *more):
    env = os.environ | {"PYTHONPATH": f"{ROOT / 'client' / 'src'}:{ROOT / 'examples'}"}
    command = [sys.executable, "-m", "starledger_client.bot", "beam_me_up_bot:Collector"]
    return subprocess.Popen([*command, "--url", server.base, "--token-file", str(token), *more], env=env)


def test_bots_enter_a_tournament_check_in_and_play_all_their_tables(server, monkeypatch):
    """One enters by itself with the code, another one is entered by the organiser and finds out from its feed."""
    monkeypatch.setenv("STARLEDGER_URL", server.base)
    over: list[str] = []
    both_know = asyncio.Event()

    class Keen(planet_pioneer_bot.Builder):
        def tournament_finished(self, tournament):
            over.append(tournament.status)
            if len(over) == 2:
                both_know.set()

    async def play():
        async with AsyncClient(server.base) as host, AsyncClient(server.base) as one, AsyncClient(server.base) as two:
            await host.create_player("Host")
            await one.create_player("One")
            other = await two.create_player("Two")
            cup = await host.create_tournament(
                "Bots",
                "planet-pioneer",
                "round_robin",
                2,
                legs=2,
                check_in=True,
                entry={"kind": "code", "code": "open-sesame"},
            )
            await host.enter_player(cup.id, other.id)
            invited = Runner(Keen(), two)
            runs = [
                asyncio.create_task(Runner(Keen(), one, enter=[cup.id], code="open-sesame").run()),
                asyncio.create_task(invited.run()),
            ]
            async for entry in host.follow_tournament(cup.id):
                if 2 == sum(each.checked_in for each in (await host.tournament(cup.id, at=entry.version)).entrants):
                    break
            await host.start_tournament(cup.id)
            await runs[0]
            await both_know.wait()
            invited.stop()
            await runs[1]
            return await host.tournament(cup.id), await host.standings(cup.id)

    cup, table = asyncio.run(asyncio.wait_for(play(), 120))
    assert ("finished", ["finished"] * 2) == (cup.status, over)
    assert [2, 2] == [each.games for each in table.standings]
    assert 0 == sum(each.forfeits for each in table.standings)


def test_a_tournament_bot_and_the_service_are_killed_and_the_event_ends_all_the_same(tmp_path):
    with Running(tmp_path / "data", WORKERS=1, LEASE=2) as server, Client(server.base) as host:
        host.create_player("Host")
        cup = host.create_tournament("Cup", "beam-me-up", "round_robin", 2, options=SHORT).id
        host.enter_bot(cup, "greedy")
        bot = start_bot(server, tmp_path / "token", "--enter", cup)
        try:
            wait_for(lambda: len(host.tournament(cup).entrants) == 2, "it enters", 60)
            host.start_tournament(cup)
            wait_for(lambda: any(table.version > 20 for table in host.all_tables(status="playing")), "it plays", 60)
            bot.kill()
            bot.wait()
            for part in ("service.api.server", "-m workers"):
                for pid in server.processes(part):
                    os.kill(pid, 9)
            bot = start_bot(server, tmp_path / "token", "--enter", cup)
            assert 0 == bot.wait(150), "it ends by itself when its tournament has ended"
        finally:
            bot.kill()
            bot.wait()

        assert ("finished", 0) == (host.tournament(cup).status, sum(s.forfeits for s in host.standings(cup).standings))
        (table,) = host.tournament_tables(cup)
        versions = [entry.version for entry in host.follow(table.table)]
        assert list(range(1, len(versions) + 1)) == versions
