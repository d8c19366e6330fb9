"""The operations of the API by resource; `ALL` is the only list of them."""

from typing import Final

from service.api.operation import Operation
from service.api.routes import (
    commands,
    events,
    export,
    feeds,
    forks,
    games,
    players,
    ratings,
    records,
    reference,
    replay,
    seats,
    service,
    tables,
    tournament_views,
    tournaments,
    webhooks,
)

ALL: Final[tuple[Operation, ...]] = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *feeds.OPERATIONS,
    *tables.OPERATIONS,
    *seats.OPERATIONS,
    *commands.OPERATIONS,
    *events.OPERATIONS,
    *replay.OPERATIONS,
    *records.OPERATIONS,
    *forks.OPERATIONS,
    *export.OPERATIONS,
    *tournaments.OPERATIONS,
    *tournament_views.OPERATIONS,
    *ratings.OPERATIONS,
    *webhooks.OPERATIONS,
    *service.OPERATIONS,
    *reference.OPERATIONS,
)
