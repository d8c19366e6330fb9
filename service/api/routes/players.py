"""Accounts: register, look up, one's own profile and tokens."""

from typing import Final

from flask import Response

from domain.history import rfc3339
from service.api.answers import NEVER_STORED, empty_answer, json_answer, replayed
from service.api.operation import Answer, Body, Call, Operation
from service.api.schemas.players import (
    EXAMPLE_PLAYER,
    EXAMPLE_RATINGS,
    LimitsShown,
    Me,
    NewPlayerSchema,
    NewTokenSchema,
    PlayerMade,
    PlayerProfile,
    RateShown,
    RatingNow,
    TokenList,
    TokenMade,
    TokenShown,
)
from service.api.short_lists import page_of, query_of
from service.application.accounts import Token
from service.config import Rate

_SECRET: Final = {"Cache-Control": NEVER_STORED}


def create_player(call: Call) -> Response:
    """`POST /v1/players`."""
    made = call.services.players.register(call.body["name"], call.body["kind"], call.marked_key)
    player = made.player
    headers = {
        "Location": f"/v1/players/{player.id}",
        **_SECRET,
        **replayed(is_replay=made.replayed),
    }
    return json_answer(PlayerMade(player.id, player.name, player.kind, made.token), 201, headers)


def get_player(call: Call) -> Response:
    """`GET /v1/players/{player}`."""
    player = call.services.players.player(call.path["player"])
    shown = PlayerProfile(
        id=player.id,
        name=player.name,
        kind=player.kind,
        created_at=rfc3339(player.created_ms),
        ratings=_ratings(call, player.id),
    )
    return json_answer(shown)


def get_me(call: Call) -> Response:
    """`GET /v1/me`."""
    caller = call.known
    player = call.services.players.player(caller.player)
    limits = call.services.config.limits
    shown = None
    if limits is not None:
        shown = LimitsShown(_rate(limits.commands), _rate(limits.reads), _rate(limits.creations))
    me = Me(
        id=player.id,
        name=player.name,
        kind=player.kind,
        created_at=rfc3339(player.created_ms),
        ratings=_ratings(call, player.id),
        token_id=caller.token,
        scopes=caller.scopes,
        limits=shown,
    )
    return json_answer(me, headers=_SECRET)


def list_tokens(call: Call) -> Response:
    """`GET /v1/me/tokens`."""
    tokens = call.services.players.tokens(call.known.player)
    page, cursor, links = page_of(call, tokens, lambda token: (token.created_ms, token.id))
    listed = TokenList(items=tuple(_shown(token) for token in page), next_cursor=cursor)
    return json_answer(listed, headers={**_SECRET, **links})


def create_token(call: Call) -> Response:
    """`POST /v1/me/tokens`."""
    wanted = call.known.scopes if call.body["scopes"] is None else call.body["scopes"]
    made = call.services.players.add_token(call.known, wanted, call.marked_key)
    shown = _shown(made.token)
    answer = TokenMade(id=shown.id, scopes=shown.scopes, created_at=shown.created_at, token=made.text)
    return json_answer(answer, 201, {**_SECRET, **replayed(is_replay=made.replayed)})


def revoke_token(call: Call) -> Response:
    """`DELETE /v1/me/tokens/{token_id}`."""
    call.services.players.revoke(call.known, call.path["token_id"])
    return empty_answer()


def _ratings(call: Call, player: str) -> tuple[RatingNow, ...]:
    histories = {game: call.services.ratings.history(game, player) for game in call.services.games}
    return tuple(
        RatingNow(game=game, games=len(steps), rating=steps[-1].rating) for game, steps in histories.items() if steps
    )


def _rate(rate: Rate) -> RateShown:
    return RateShown(rate.per_second, rate.burst)


def _shown(token: Token) -> TokenShown:
    return TokenShown(id=token.id, scopes=token.scopes, created_at=rfc3339(token.created_ms))


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/players",
        name="createPlayer",
        tag="Players",
        summary="Register a player",
        text="Makes an account and its first token, which may play, take part in tournaments and set up webhooks. The "
        "token is shown in this answer only. There is no password: who holds a token is the player, so keep it, and "
        "revoke it if it leaks.\n\nWith an `Idempotency-Key` of at least 32 random characters the request may be sent "
        "again: a repeat gets the same player and the same token. Whoever knows key and body gets them too.",
        view=create_player,
        auth="none",
        body=Body(schema=NewPlayerSchema, examples={"person": {"name": "Ada", "kind": "human"}}),
        answers={
            201: Answer(
                meaning="The player is made.",
                kind=PlayerMade,
                headers=("Location",),
                examples={
                    "person": {
                        **EXAMPLE_PLAYER,
                        "token": "slt.w6x5v4u3t2s7r6q5p4o3n2m7la.3v1q0QfKq8o2m7Yl5b0d9s4h6j8k1l3z5x7c9v0b2n4",
                    }
                },
            )
        },
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="GET",
        path="/v1/players/{player}",
        name="getPlayer",
        tag="Players",
        summary="Look up a player",
        text="What everybody may know of an account: its name, its kind, and its ratings.",
        view=get_player,
        answers={
            200: Answer(
                meaning="The player.",
                kind=PlayerProfile,
                examples={
                    "person": {
                        **EXAMPLE_PLAYER,
                        "created_at": "2026-05-01T12:00:00.000Z",
                        "ratings": EXAMPLE_RATINGS,
                    }
                },
            )
        },
        problems=("not_found",),
    ),
    Operation(
        method="GET",
        path="/v1/me",
        name="getMe",
        tag="Players",
        summary="Look at one's own account",
        text="The account of the token that asks, what that token may do, and the rate limits.",
        view=get_me,
        auth="required",
        answers={
            200: Answer(
                meaning="The caller.",
                kind=Me,
                examples={
                    "person": {
                        **EXAMPLE_PLAYER,
                        "created_at": "2026-05-01T12:00:00.000Z",
                        "ratings": EXAMPLE_RATINGS,
                        "token_id": "w6x5v4u3t2s7r6q5p4o3n2m7la",
                        "scopes": ["play", "tournaments", "webhooks"],
                        "limits": {
                            "commands": {"per_second": 50, "burst": 500},
                            "reads": {"per_second": 500, "burst": 5000},
                            "creations": {"per_second": 10, "burst": 200},
                        },
                    }
                },
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/me/tokens",
        name="listTokens",
        tag="Players",
        summary="List one's own tokens",
        text="All tokens of the caller that are good, oldest first, without their secrets.",
        view=list_tokens,
        auth="required",
        query=query_of(int, str),
        answers={
            200: Answer(
                meaning="The tokens.",
                kind=TokenList,
                headers=("Link",),
                examples={
                    "one": {
                        "items": [
                            {
                                "id": "w6x5v4u3t2s7r6q5p4o3n2m7la",
                                "scopes": ["play", "tournaments", "webhooks"],
                                "created_at": "2026-05-01T12:00:00.000Z",
                            }
                        ],
                        "next_cursor": None,
                    }
                },
            )
        },
    ),
    Operation(
        method="POST",
        path="/v1/me/tokens",
        name="createToken",
        tag="Players",
        summary="Make another token",
        text="Makes a token for the same player that may do no more than the one that asks: one for each program, so "
        "that each can be revoked alone.",
        view=create_token,
        auth="required",
        body=Body(
            schema=NewTokenSchema, examples={"reader": {"scopes": []}, "player": {"scopes": ["play"]}}, optional=True
        ),
        answers={
            201: Answer(
                meaning="The token is made; its secret is shown in this answer only.",
                kind=TokenMade,
                examples={
                    "player": {
                        "id": "w6x5v4u3t2s7r6q5p4o3n2m7la",
                        "scopes": ["play"],
                        "created_at": "2026-05-01T12:00:00.000Z",
                        "token": "slt.w6x5v4u3t2s7r6q5p4o3n2m7la.3v1q0QfKq8o2m7Yl5b0d9s4h6j8k1l3z5x7c9v0b2n4",
                    }
                },
            )
        },
        problems=("scope_missing",),
        keyed="derived",
        bucket="creations",
    ),
    Operation(
        method="DELETE",
        path="/v1/me/tokens/{token_id}",
        name="revokeToken",
        tag="Players",
        summary="Revoke a token",
        text="The token is void at once and for ever. A token may revoke itself, and others of the same player that may "
        "do no more than itself.",
        view=revoke_token,
        auth="required",
        answers={204: Answer(meaning="The token is void.")},
        problems=("not_found", "scope_missing"),
        keyed="recorded",
        bucket="creations",
    ),
)
