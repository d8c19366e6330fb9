"""The operations of the API by resource; `ALL` is the only list of them."""

from typing import Final

from service.api.operation import Operation
from service.api.routes import commands, events, games, players, reference, seats, service, tables

ALL: Final[tuple[Operation, ...]] = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *tables.OPERATIONS,
    *seats.OPERATIONS,
    *commands.OPERATIONS,
    *events.OPERATIONS,
    *service.OPERATIONS,
    *reference.OPERATIONS,
)
