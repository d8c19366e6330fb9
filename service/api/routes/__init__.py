"""The operations of the API by resource; `ALL` is the only list of them."""

from typing import Final

from service.api.operation import Operation
from service.api.routes import (
    commands,
    events,
    export,
    forks,
    games,
    players,
    records,
    reference,
    replay,
    seats,
    service,
    tables,
)

ALL: Final[tuple[Operation, ...]] = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *tables.OPERATIONS,
    *seats.OPERATIONS,
    *commands.OPERATIONS,
    *events.OPERATIONS,
    *replay.OPERATIONS,
    *records.OPERATIONS,
    *forks.OPERATIONS,
    *export.OPERATIONS,
    *service.OPERATIONS,
    *reference.OPERATIONS,
)
