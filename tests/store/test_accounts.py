"""Players, tokens, lists of tables and kept answers: one suite for Redis and memory."""

import itertools
import random

import fakeredis
import msgspec
import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from service.application.accounts import Player, PlayerStore, Token
from service.application.directory import Listing, Place, TableIndex, Wanted
from service.application.ports import Damaged, Unavailable
from service.application.repeats import KEPT_S, Repeat, Repeats
from service.store import (
    MemoryPlayers,
    MemoryRepeats,
    MemoryTableIndex,
    RedisPlayers,
    RedisRepeats,
    RedisTableIndex,
)

KINDS = ("memory", "fakeredis", "embedded")


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest) -> redis.Redis | None:
    match request.param:
        case "memory":
            return None
        case "fakeredis":
            return fakeredis.FakeRedis()
        case _:
            found: redis.Redis = request.getfixturevalue("events_client")
            return found


@pytest.fixture
def players(client: redis.Redis | None) -> PlayerStore:
    return MemoryPlayers() if client is None else RedisPlayers(client)


@pytest.fixture
def index(client: redis.Redis | None) -> TableIndex:
    return MemoryTableIndex() if client is None else RedisTableIndex(client)


@pytest.fixture
def repeats(client: redis.Redis | None) -> Repeats:
    return MemoryRepeats() if client is None else RedisRepeats(client)


ADA = Player(id="ada", name="Ada 愛", kind="human", created_ms=7, mark="m")
TOKEN = Token(id="t1", player="ada", scopes=("play", "webhooks"), created_ms=7, digest="d" * 64, mark="m")


# ---- players and tokens


def test_a_player_is_kept_with_his_first_token(players):
    assert players.add(ADA, TOKEN) is None
    assert {"ada": ADA} == players.find(["ada", "nobody"])
    assert TOKEN == players.token("t1")
    assert (TOKEN,) == players.tokens("ada")


def test_who_stands_under_an_id_stays(players):
    players.add(ADA, TOKEN)
    other = msgspec.structs.replace(ADA, name="Eve", mark="other")
    assert ADA == players.add(other, msgspec.structs.replace(TOKEN, digest="e" * 64))
    assert {"ada": ADA} == players.find(["ada"])
    assert TOKEN == players.token("t1")


def test_a_player_without_his_token_gets_it_when_he_is_added_again(players, client):
    """The process died between the two writes."""
    players.add(ADA, TOKEN)
    if client is None:
        del players._tokens["t1"]
    else:
        client.delete("token:t1", "tokens:ada")
    assert ADA == players.add(ADA, TOKEN)
    assert (TOKEN,) == players.tokens("ada")


def test_tokens_are_given_oldest_first(players):
    players.add(ADA, TOKEN)
    later = [msgspec.structs.replace(TOKEN, id=f"t{n}", created_ms=n) for n in (30, 20, 10)]
    assert [None] * 3 == [players.add_token(token) for token in later]
    assert ["t1", "t10", "t20", "t30"] == [token.id for token in players.tokens("ada")]
    assert () == players.tokens("nobody")


def test_a_token_is_made_once(players):
    players.add(ADA, TOKEN)
    assert TOKEN == players.add_token(msgspec.structs.replace(TOKEN, scopes=()))
    assert TOKEN == players.token("t1")


def test_a_revoked_token_stays_revoked(players):
    players.add(ADA, TOKEN)
    players.revoke("t1")
    players.revoke("t1")
    players.revoke("nothing")
    revoked = msgspec.structs.replace(TOKEN, revoked=True)
    assert revoked == players.token("t1")
    assert revoked == players.add_token(TOKEN)
    players.add(ADA, TOKEN)
    assert (revoked,) == players.tokens("ada")
    assert players.token("nothing") is None


def test_nobody_is_found_among_none(players):
    assert {} == players.find([])
    assert {} == players.find(["a", "b"])


# ---- the index of tables


def listing(
    table: str, created_ms: int, status: str = "open", game: str = "g", players: tuple[str, ...] = ()
) -> Listing:
    return Listing(place=Place(created_ms, table), game=game, status=status, players=players)  # type: ignore[arg-type]


def tables(index: TableIndex, before: Place | None = None, limit: int = 100, **wanted) -> list[str]:
    return [place.table for place in index.rows(Wanted(**wanted), before, limit)]


def test_tables_stand_newest_first_and_by_id_where_times_are_equal(index):
    for table, created in (("b", 2), ("a", 2), ("d", 1), ("c", 3), ("B", 2)):
        index.put(listing(table, created))
    assert ["c", "b", "a", "B", "d"] == tables(index)
    assert ["a", "B"] == tables(index, Place(2, "b"), 2)
    assert ["d"] == tables(index, Place(2, "B"))
    assert [] == tables(index, Place(1, "d"))


def test_a_table_that_changes_its_status_leaves_the_old_list_and_keeps_its_place(index):
    index.put(listing("a", 1))
    index.put(listing("b", 2))
    index.put(listing("a", 9, "playing", players=("ada",)))
    assert (["b"], ["a"]) == (tables(index, status="open"), tables(index, status="playing"))
    assert (["b", "a"], ["a"]) == (tables(index), tables(index, player="ada"))
    assert ["a"] == tables(index, game="g", status="playing")
    assert [] == tables(index, game="h")


@given(st.lists(st.tuples(st.integers(0, 3), st.text("abc", min_size=1, max_size=2)), max_size=12), st.integers(1, 4))
def test_pages_in_memory_and_on_redis_are_the_same_whatever_the_times(entered, limit):
    """And going on by the last place neither skips nor doubles."""
    stores: list[TableIndex] = [MemoryTableIndex(), RedisTableIndex(fakeredis.FakeRedis())]
    found: list[list[str]] = []
    for index in stores:
        for created, table in entered:
            index.put(listing(table, created))
        pages: list[str] = []
        before: Place | None = None
        while rows := index.rows(Wanted(), before, limit):
            assert len(rows) <= limit
            pages += [place.table for place in rows]
            before = rows[-1]
        found.append(pages)
    assert found[0] == found[1]
    assert sorted({table for _, table in entered}) == sorted(found[0])


def test_many_tables_of_one_millisecond_come_in_small_pages(index):
    names = [f"{a}{b}" for a, b in itertools.product("abcdefgh", repeat=2)]
    random.Random(1).shuffle(names)
    for name in names:
        index.put(listing(name, 5))
    before, found = None, []
    while rows := index.rows(Wanted(status="open"), before, 3):
        found += [place.table for place in rows]
        before = rows[-1]
    assert sorted(names, reverse=True) == found


# ---- kept answers


def test_the_first_answer_under_a_key_stays(repeats):
    first = Repeat(mark="m", status=201, headers=(("Location", "/x"),), body=b"\x00\xff{}")
    assert repeats.get("ada", "k") is None
    repeats.keep("ada", "k", first)
    repeats.keep("ada", "k", Repeat(mark="other", status=204))
    assert first == repeats.get("ada", "k")
    assert repeats.get("bob", "k") is None
    assert repeats.get("ada", "K") is None


def test_an_answer_is_kept_for_a_day(client):
    if client is None:
        now = [1000.0]
        memory = MemoryRepeats(clock=lambda: now[0])
        memory.keep("ada", "k", Repeat(mark="m", status=204))
        now[0] += KEPT_S - 1
        assert memory.get("ada", "k") is not None
        now[0] += 2
        assert memory.get("ada", "k") is None
    else:
        RedisRepeats(client).keep("ada", "k", Repeat(mark="m", status=204))
        (name,) = client.keys("repeat:ada:*")
        assert KEPT_S - 5 < client.ttl(name) <= KEPT_S


# ---- foreign errors


def test_a_silent_server_is_unavailable_and_a_torn_row_is_damage():
    server = fakeredis.FakeServer()
    client = fakeredis.FakeRedis(server=server)
    client.set("player:ada", b"{")
    client.set("token:t1", b"[]")
    client.set("repeat:ada:" + "x" * 32, b"x")
    with pytest.raises(Damaged):
        RedisPlayers(client).find(["ada"])
    with pytest.raises(Damaged):
        RedisPlayers(client).token("t1")
    server.connected = False
    for call in (
        lambda: RedisPlayers(client).token("t1"),
        lambda: RedisPlayers(client).add(ADA, TOKEN),
        lambda: RedisPlayers(client).find(["ada"]),
        lambda: RedisPlayers(client).revoke("t1"),
        lambda: RedisTableIndex(client).put(listing("a", 1)),
        lambda: RedisTableIndex(client).rows(Wanted(), None, 1),
        lambda: RedisRepeats(client).get("ada", "k"),
        lambda: RedisRepeats(client).keep("ada", "k", Repeat(mark="m", status=204)),
    ):
        with pytest.raises(Unavailable):
            call()
