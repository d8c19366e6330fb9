"""Client and bot kit for Starledger.

`Client` and `AsyncClient` speak to a service; `bot.Bot` is a player that you write.
"""

from starledger_client.aio import AsyncClient
from starledger_client.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    Problem,
    RateLimited,
    Stale,
    StarledgerError,
    Unauthenticated,
    Unreachable,
)
from starledger_client.models import (
    Accepted,
    Command,
    Entry,
    Frame,
    LogPage,
    NewPlayer,
    NewToken,
    Offer,
    Outcome,
    Page,
    Player,
    Seat,
    Table,
    View,
)
from starledger_client.sync import Client

__all__ = [
    "Accepted",
    "AsyncClient",
    "Client",
    "Command",
    "Conflict",
    "Entry",
    "Forbidden",
    "Frame",
    "Invalid",
    "LogPage",
    "NewPlayer",
    "NewToken",
    "NotFound",
    "Offer",
    "Outcome",
    "Page",
    "Player",
    "Problem",
    "RateLimited",
    "Seat",
    "Stale",
    "StarledgerError",
    "Table",
    "Unauthenticated",
    "Unreachable",
    "View",
]
