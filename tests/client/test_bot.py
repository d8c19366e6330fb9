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
from starledger_client import AsyncClient, Client, Table, Unreachable
from starledger_client.bot import Runner

from domain.chance import RandomChance
from domain.games import GAMES
from domain.values import Seat
from tests.support.running import ROOT, Running, wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]
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


def start_bot(server, token):
    env = os.environ | {"PYTHONPATH": f"{ROOT / 'client' / 'src'}:{ROOT / 'examples'}"}
    command = [sys.executable, "-m", "starledger_client.bot", "beam_me_up_bot:Collector"]
    return subprocess.Popen([*command, "--url", server.base, "--token-file", str(token)], env=env)


def test_bot_and_service_are_killed_and_the_table_ends_all_the_same(tmp_path):
    with Running(tmp_path / "data", WORKERS=1, LEASE=2) as server, Client(server.base) as client:
        made = client.create_player("Phoenix")
        token = tmp_path / "token"
        token.write_text(made.token)
        table = client.create_table("beam-me-up", [{"kind": "me"}, {"kind": "ai", "bot": "greedy"}]).id
        bot = start_bot(server, token)
        try:
            wait_for(lambda: client.table(table).version > 20, "it plays", 60)
            bot.kill()
            bot.wait()
            for part in ("service.api.server", "-m workers"):
                pids = server.processes(part)
                assert pids
                for pid in pids:
                    os.kill(pid, 9)
            bot = start_bot(server, token)

            def has_ended():
                try:
                    return client.table(table).status == "finished"
                except Unreachable:
                    return False

            wait_for(has_ended, "the table ends", 150)
        finally:
            bot.kill()
            bot.wait()
        versions = [entry.version for entry in client.follow(table)]

        assert list(range(1, len(versions) + 1)) == versions
