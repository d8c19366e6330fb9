"""Who calls: `Authorization: Bearer TOKEN`, and never in an address."""

from typing import Final

from flask import Request

from service.api.operation import Operation
from service.api.problems import Problem, unauthenticated
from service.application.accounts import Caller
from service.application.players import Players

_SCHEME: Final = "bearer"


def caller_of(request: Request, players: Players, operation: Operation) -> Caller | None:
    """Tell who calls; None for nobody known, and where the operation looks at no token.

    A token that is sent must be good, also where none is needed. Raises `Problem` `unauthenticated`.
    """
    given = request.headers.get("Authorization")
    if given is None or operation.auth == "none":
        return None
    scheme, _, token = given.partition(" ")
    if scheme.lower() != _SCHEME:
        raise unauthenticated("The header Authorization must say Bearer and a token.", bad_token=True)
    caller = players.authenticate(token.strip())
    if caller is None:
        raise unauthenticated("The token is unknown or was revoked.", bad_token=True)
    return caller


def admit(caller: Caller | None, operation: Operation) -> None:
    """Refuse a caller without a token, or without the scope, that an operation needs.

    Raises `Problem` `unauthenticated`, `scope_missing`.
    """
    if caller is None:
        if operation.auth == "required":
            raise unauthenticated("Send a token: Authorization: Bearer TOKEN.", bad_token=False)
    elif operation.scope is not None and operation.scope not in caller.scopes:
        raise Problem("scope_missing", f"This needs a token with the scope {operation.scope!r}.", scope=operation.scope)
