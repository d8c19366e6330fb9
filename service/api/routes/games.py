"""The catalogue: what can be played, and how."""

import functools
from typing import Any, Final

from flask import Response

from domain.bots import BOTS
from domain.errors import Refusal
from domain.game import AnyGame
from service.api.answers import json_answer
from service.api.json_schemas import standalone
from service.api.operation import Answer, Call, Operation
from service.api.schemas.catalogue import GameList, GameShown
from service.api.schemas.commands import PlainCommand
from service.api.short_lists import page_of, query_of

_CACHED: Final = {"Cache-Control": "public, max-age=60"}


def list_games(call: Call) -> Response:
    """`GET /v1/games`."""
    games = [_shown(call.services.games[name]) for name in sorted(call.services.games)]
    page, cursor, links = page_of(call, games, lambda shown: (shown.game,))
    return json_answer(GameList(items=page, next_cursor=cursor), headers={**_CACHED, **links})


def get_game(call: Call) -> Response:
    """`GET /v1/games/{game}`."""
    game = call.services.games.get(call.path["game"])
    if game is None:
        raise Refusal("not_found", f"There is no game {call.path['game']!a}.")
    return json_answer(_shown(game), headers=_CACHED)


@functools.cache
def _shown(game: AnyGame) -> GameShown:
    return GameShown(
        game=game.name,
        title=game.title,
        rules_version=game.rules_version,
        seats=game.seats,
        options=standalone(game.options),
        commands=standalone(game.commands | PlainCommand),
        cards=game.cards(game.options()),
        bots=tuple(BOTS),
    )


_EXAMPLE: Final[dict[str, Any]] = {
    "game": "beam-me-up",
    "title": "Beam Me Up",
    "rules_version": 1,
    "seats": [2, 3, 4],
    "options": {
        "type": "object",
        "properties": {"lines": {"enum": ["hidden", "open"], "default": "open", "x-ruling": "B34"}},
    },
    "commands": {"type": "object", "properties": {"type": {"enum": ["resign"]}}, "required": ["type"]},
    "cards": [
        {"card": "F7", "title": "Fire 7", "copies": 1, "facts": {"kind": "alien", "elemental": "fire", "number": 7}}
    ],
    "bots": list(BOTS),
}

OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/games",
        name="listGames",
        tag="Games",
        summary="List the games",
        text="The catalogue of all games that this server plays.",
        view=list_games,
        query=query_of(str),
        answers={
            200: Answer(
                meaning="The games.",
                kind=GameList,
                headers=("Link",),
                examples={"one": {"items": [_EXAMPLE], "next_cursor": None}},
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/games/{game}",
        name="getGame",
        tag="Games",
        summary="Look at a game",
        text="One game of the catalogue: its seats, options, commands and cards, and the bots that can sit there. A "
        "client needs nothing else to offer every option and to send every command.",
        view=get_game,
        answers={200: Answer(meaning="The game.", kind=GameShown, examples={"one": _EXAMPLE})},
        problems=("not_found",),
    ),
)
