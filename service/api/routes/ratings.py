"""Ratings: a game's list, and a player's history. They change without an entry, so no tag goes with them."""

from typing import Final

from flask import Response

from service.api.answers import NEVER_STORED, json_answer
from service.api.operation import Answer, Call, Operation
from service.api.schemas.tournaments import PlayerRatings, RatingHistory, RatingsQuery, RatingTable
from service.api.short_lists import page_of
from service.application.ratings import BOT

_FRESH: Final = {"Cache-Control": NEVER_STORED}


def list_ratings(call: Call) -> Response:
    """`GET /v1/ratings`."""
    game = call.query["game"]
    rated = call.services.ratings.of_game(game)
    page, cursor, links = page_of(call, rated, lambda row: (-row.rating.low, row.player))
    return json_answer(RatingTable(game=game, items=page, next_cursor=cursor), headers={**_FRESH, **links})


def get_player_ratings(call: Call) -> Response:
    """`GET /v1/players/{player}/ratings`."""
    player = call.path["player"]
    if not player.startswith(BOT):
        call.services.players.player(player)
    histories = (
        RatingHistory(game=game, games=call.services.ratings.history(game, player)) for game in call.services.games
    )
    shown = PlayerRatings(player=player, items=tuple(each for each in histories if each.games))
    return json_answer(shown, headers=_FRESH)


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/v1/ratings",
        name="listRatings",
        tag="Tournaments",
        summary="List the ratings of a game",
        text="Ratings from rated tables and rated tournaments, best first by mu - 2 sigma. mu is the belief of strength, "
        "sigma how unsure it is; the true strength lies between `low` and `high` in 95 of 100 cases. A correction of a "
        "result is worked in from that game on. Built-in bots stand as `ai:` and their level.",
        view=list_ratings,
        is_dear=True,
        query=RatingsQuery,
        answers={
            200: Answer(
                meaning="The ratings.",
                kind=RatingTable,
                headers=("Link",),
                examples={"none": {"game": "beam-me-up", "items": [], "next_cursor": None}},
            )
        },
    ),
    Operation(
        method="GET",
        path="/v1/players/{player}/ratings",
        name="getPlayerRatings",
        tag="Tournaments",
        summary="A player's ratings, with their history",
        text="For each game in which the player has rated games: all of them in the order in which they count, with the "
        "rating after each. `ai:greedy` asks for a built-in bot.",
        view=get_player_ratings,
        is_dear=True,
        answers={
            200: Answer(
                meaning="The ratings.",
                kind=PlayerRatings,
                examples={"none": {"player": "kq5hnzw3c2v4txrnbd7e6mjyoa", "items": []}},
            )
        },
        problems=("not_found",),
    ),
)
