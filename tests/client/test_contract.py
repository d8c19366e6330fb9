"""The client has a typed method for every operation of openapi.yaml, and every member of every answer."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest
import yaml
from starledger_client import AsyncClient, Client, cups, models

from tests.support.running import ROOT

CONTRACT = yaml.load((ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in CONTRACT["paths"].items()
    for method, operation in methods.items()
    if "operationId" in operation
}

FOR_PEOPLE = {"getDocs", "getDocsAsset", "listProblems", "getProblem", "getOpenapiYaml"}
"""Pages for people, and the contract once more."""

ME = [{"kind": "me"}]

CALLS: dict[str, Callable[[Any], Any]] = {
    "listGames": lambda c: c.games(),
    "getGame": lambda c: c.game("beam-me-up"),
    "createPlayer": lambda c: c.create_player("Ada", "human"),
    "getPlayer": lambda c: c.player("p"),
    "getMe": lambda c: c.me(),
    "listTokens": lambda c: c.tokens(),
    "createToken": lambda c: c.create_token(["play"]),
    "revokeToken": lambda c: c.revoke_token("t"),
    "followMe": lambda c: c.notices(after=1, limit=2, wait=3),
    "createTable": lambda c: c.create_table("beam-me-up", ME, rated=False),
    "listTables": lambda c: c.tables(game="beam-me-up", status="open", player="p", cursor="x", limit=2),
    "getTable": lambda c: c.table("t", at=3, eyes="public"),
    "abortTable": lambda c: c.abort("t", etag='"1-a"'),
    "sitDown": lambda c: c.sit("t", 1, entropy="e", etag='"1-a"'),
    "leaveSeat": lambda c: c.leave("t", 1, etag='"1-a"'),
    "listCommands": lambda c: c.commands("t"),
    "postCommand": lambda c: c.post("t", {"type": "resign"}, etag='"1-a"'),
    "listEvents": lambda c: c.log("t", after=1, wait=2, limit=3, eyes=0),
    "replayTable": lambda c: c.replay("t", eyes="all", first=1, last=9),
    "getRecord": lambda c: c.record("t"),
    "importRecord": lambda c: c.import_record(b"{}"),
    "verifyRecord": lambda c: c.verify_record(b"{}"),
    "forkTable": lambda c: c.fork("t", 3, ME),
    "rematchTable": lambda c: c.rematch("t"),
    "exportTables": lambda c: c.export(game="g", player="p", tournament="c", since="a", until="b", cursor="x"),
    "createTournament": lambda c: c.create_tournament("Cup", "beam-me-up", "swiss", 2, rounds=3),
    "listTournaments": lambda c: c.tournaments(game="beam-me-up", status="open", cursor="x", limit=2),
    "getTournament": lambda c: c.tournament("c", at=3),
    "enterTournament": lambda c: c.enter("c", code="open-sesame", etag='"1-a"'),
    "enterMany": lambda c: c.enter_many("c", [{"kind": "ai", "bot": "easy"}], dry_run=True, etag='"1-a"'),
    "withdrawEntry": lambda c: c.withdraw("c", "e1", etag='"1-a"'),
    "checkIn": lambda c: c.check_in("c", "e1", etag='"1-a"'),
    "startTournament": lambda c: c.start_tournament("c", etag='"1-a"'),
    "pauseTournament": lambda c: c.pause_tournament("c", etag='"1-a"'),
    "resumeTournament": lambda c: c.resume_tournament("c", etag='"1-a"'),
    "cancelTournament": lambda c: c.cancel_tournament("c", "Rain", etag='"1-a"'),
    "getRound": lambda c: c.round("c", 1),
    "previewPairings": lambda c: c.preview_pairings("c"),
    "getStandings": lambda c: c.standings("c", at=3),
    "getCrosstable": lambda c: c.crosstable("c", at=3),
    "listTournamentTables": lambda c: c.tournament_tables("c"),
    "listTournamentEvents": lambda c: c.tournament_log("c", after=1, limit=2),
    "getTournamentRecord": lambda c: c.tournament_record("c"),
    "judgeTable": lambda c: c.judge("c", "t", [1, 2], "Seen", scores=[3, 1], forfeits=[1], etag='"1-a"'),
    "listRatings": lambda c: c.ratings("beam-me-up"),
    "getPlayerRatings": lambda c: c.player_ratings("p"),
    "createWebhook": lambda c: c.create_webhook("https://example.com", ["your_turn"]),
    "listWebhooks": lambda c: c.webhooks(),
    "getWebhook": lambda c: c.webhook("w"),
    "deleteWebhook": lambda c: c.delete_webhook("w"),
    "listDeliveries": lambda c: c.deliveries("w"),
    "redeliver": lambda c: c.redeliver("w", "1"),
    "getHealth": lambda c: c.health(),
    "getReadiness": lambda c: c.ready(),
    "getMetrics": lambda c: c.metrics(),
    "getOpenapiJson": lambda c: c.contract(),
}
MORE: dict[str, list[Callable[[Any], Any]]] = {
    "listTables": [lambda c: c.all_tables(game="beam-me-up", status="open", player="p")],
    "listTournaments": [lambda c: c.all_tournaments(game="beam-me-up", status="open")],
    "enterTournament": [lambda c: c.enter_player("c", "p"), lambda c: c.enter_bot("c", "easy", name="E")],
    "postCommand": [lambda c: c.resign("t")],
    "followMe": [lambda c: c.follow_me(after=3)],
    "listEvents": [lambda c: c.follow("t", after=3, eyes="public")],
    "listTournamentEvents": [lambda c: c.follow_tournament("c", after=3)],
}


def operation_of(request: httpx.Request) -> str:
    """Give the operation that a request is for."""
    for name, (method, path, _) in OPERATIONS.items():
        if method == request.method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
            return name
    raise AssertionError(f"there is no operation for {request.method} {request.url.path}")


def parameters(operation: dict[str, Any]) -> dict[str, str]:
    """Give an operation's parameters by name, with where they stand."""
    found = [
        CONTRACT["components"]["parameters"][each["$ref"].rsplit("/", 1)[1]] if "$ref" in each else each
        for each in operation.get("parameters", [])
    ]
    return {each["name"].lower(): each["in"] for each in found}


def check(request: httpx.Request) -> httpx.Response:
    """Check a request against the contract, and answer with the contract's own example."""
    name = operation_of(request)
    method, _, operation = OPERATIONS[name]
    named = parameters(operation)
    assert set() == {key for key in request.url.params if named.get(key) != "query"}
    assert set() == {key for key in ("if-match", "last-event-id") if key in request.headers} - named.keys()
    if method in ("POST", "DELETE"):
        assert ("idempotency-key" in named) == ("idempotency-key" in request.headers)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if request.headers.get("content-type") == "application/json":
        assert body is not None
        if (known := properties(body)) is not None:
            assert json.loads(request.content).keys() <= known
    status = min(code for code in operation["responses"] if code.startswith("2"))
    media = operation["responses"][status].get("content") or {}
    if not media:
        return httpx.Response(int(status))
    accepted = request.headers["accept"]
    if accepted == "text/event-stream":
        assert accepted in media
        item = example(media["application/json"])["items"]
        return httpx.Response(200, headers={"content-type": accepted}, content=sse(item))
    kind = accepted if accepted in media else next(iter(media))
    if "json" not in kind:
        return httpx.Response(int(status), headers={"content-type": kind}, content=b"text")
    shown = example(media[kind])
    if "cursor" in request.url.params and isinstance(shown, dict):
        shown = {**shown, "next_cursor": None}
    content = shown.encode() if isinstance(shown, str) else json.dumps(shown).encode()
    return httpx.Response(int(status), headers={"content-type": kind, "etag": '"1-a"'}, content=content)


def sse(items: list[Any]) -> bytes:
    """Write items as a stream that ends."""
    messages = [f"id: {100 + n}\ndata: {json.dumps(item)}\n\n" for n, item in enumerate(items)]
    return "".join([*messages, "event: end\ndata: {}\n\n"]).encode()


def example(media: dict[str, Any]) -> Any:
    """Give the first example of an answer; {} where it has none."""
    found: dict[str, Any] = next(iter(media.get("examples", {}).values()), {"value": {}})
    if "$ref" in found:
        found = CONTRACT["components"]["examples"][found["$ref"].rsplit("/", 1)[1]]
    return found["value"]


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    return CONTRACT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def properties(schema: dict[str, Any]) -> set[str] | None:
    """Give the members that a body may have; None: it depends."""
    found = resolved(schema).get("properties")
    return None if found is None else set(found)


def drained(given: Any) -> Any:
    return list(given) if hasattr(given, "__next__") else given


async def adrained(given: Any) -> Any:
    return [each async for each in given] if hasattr(given, "__anext__") else await given


def test_every_operation_has_a_method():
    assert OPERATIONS.keys() == CALLS.keys() | FOR_PEOPLE


CASES = [(name, call) for name in CALLS for call in (CALLS[name], *MORE.get(name, []))]


@pytest.fixture(scope="module")
def asked():
    """The operations that the clients asked for since the test began."""
    return []


@pytest.fixture(scope="module")
def clients(asked):
    """A client of each kind whose every request is checked, and answered from the contract."""

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(operation_of(request))
        return check(request)

    client, other = Client("http://x", "token"), AsyncClient("http://x", "token")
    client._http = httpx.Client(base_url="http://x", transport=httpx.MockTransport(answer))
    other._http = httpx.AsyncClient(base_url="http://x", transport=httpx.MockTransport(answer))
    return client, other


@pytest.mark.parametrize(("name", "call"), CASES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CASES)])
def test_a_method_sends_what_the_contract_says_and_reads_the_contracts_example(name, call, clients, asked):
    client, other = clients
    asked.clear()

    async def asynchronously() -> Any:
        return await adrained(call(other))

    assert drained(call(client)) == asyncio.run(asynchronously())
    assert {name} == set(asked)


TYPES: dict[str, Any] = {
    "PlayerProfile": models.Player,
    "Me": models.Me,
    "Limits": models.Limits,
    "Rate": models.Rate,
    "Token": models.Token,
    "TokenMade": models.NewToken,
    "PlayerMade": models.NewPlayer,
    "Game": models.Game,
    "CardFacts": models.CardFacts,
    "Seat": models.Seat,
    "You": models.You,
    "Outcome": models.Outcome,
    "Origin": models.Origin,
    "Table": models.Table,
    "Entry": models.Entry,
    "LogPage": models.LogPage,
    "CommandList": models.Offer,
    "CommandAnswer": models.Accepted,
    "Frame": models.Frame,
    "RecordCheck": models.RecordCheck,
    "FirstWrong": models.FirstWrong,
    "RecordReport": models.Report,
    "FeedNotice": models.Notice,
    "FeedPage": models.NoticePage,
    "Belief": models.Belief,
    "RatedPlayer": models.Rated,
    "RatingNow": models.RatingNow,
    "RatingStep": models.RatingStep,
    "RatingHistory": models.RatingHistory,
    "WebhookMade": models.Webhook,
    "Attempt": models.Attempt,
    "Delivery": models.Delivery,
    "Ready": models.Ready,
    "Entrant": cups.Entrant,
    "Blocker": cups.Blocker,
    "Ratio": cups.Ratio,
    "Tournament": cups.Tournament,
    "TournamentSummary": cups.TournamentSummary,
    "EntriesMade": cups.Entries,
    "Cost": cups.Cost,
    "Result": cups.Result,
    "RoundGame": cups.RoundGame,
    "RoundTable": cups.RoundTable,
    "TournamentRound": cups.Round,
    "PairingsPreview": cups.Preview,
    "TieBroken": cups.TieBreak,
    "Standing": cups.Standing,
    "Standings": cups.Standings,
    "Crossing": cups.Crossing,
    "Crosstable": cups.Crosstable,
    "LiveTable": cups.LiveTable,
    "ShownTournamentEntry": cups.TournamentEntry,
    "TournamentLog": cups.TournamentLog,
}
OURS = {"etag"}
"""What stands in a header."""


@pytest.mark.parametrize("name", TYPES)
def test_a_type_has_the_members_of_the_contract(name):
    schema = CONTRACT["components"]["schemas"][name]

    assert set(schema["properties"]) == {each.encode_name for each in msgspec.structs.fields(TYPES[name])} - OURS


def test_every_type_is_held_against_the_contract():
    ours = {each for module in (models, cups) for each in vars(module).values() if isinstance(each, type)}
    structs = {each for each in ours if issubclass(each, msgspec.Struct) and each is not msgspec.Struct}

    assert {"ExportedTable", "Trailer", "Page"} == {each.__name__ for each in structs - set(TYPES.values())}
