"""Who calls: `Authorization: Bearer TOKEN`, and never in an address."""

from typing import Final

from flask import Request

from service.api.operation import Operation
from service.api.problems import Problem, unauthenticated
from service.application.accounts import Caller
from service.application.players import Players
from service.application.ports import Proof

_SCHEME: Final = "bearer"


def caller_of(request: Request, players: Players, operation: Operation) -> Caller | None:
    """Tell who calls; None for nobody known, and where the operation looks at no token.

    A token that is sent must be good, also where none is needed. Raises `Problem` `unauthenticated`.
    """
    token = _token(request, operation)
    if token is None:
        return None
    caller = players.authenticate(token)
    if caller is None:
        raise _not_good()
    return caller


def remembered(request: Request, players: Players, operation: Operation) -> tuple[Caller, Proof] | None:
    """Tell who calls an operation that proves it with its commit, without asking the store; None: it must be asked."""
    if not operation.is_proving:
        return None
    token = _token(request, operation)
    return None if token is None else players.remembered(token)


def confirm(players: Players, caller: Caller) -> None:
    """Insist that a remembered token is still good; raises `Problem` `unauthenticated`."""
    if not players.is_good(caller):
        raise _not_good()


def _not_good() -> Problem:
    return unauthenticated("The token is unknown or was revoked.", bad_token=True)


def _token(request: Request, operation: Operation) -> str | None:
    given = request.headers.get("Authorization")
    if given is None or operation.auth == "none":
        return None
    scheme, _, token = given.partition(" ")
    if scheme.lower() != _SCHEME:
        raise unauthenticated("The header Authorization must say Bearer and a token.", bad_token=True)
    return token.strip()


def admit(caller: Caller | None, operation: Operation) -> None:
    """Refuse a caller without a token, or without the scope, that an operation needs.

    Raises `Problem` `unauthenticated`, `scope_missing`.
    """
    if caller is None:
        if operation.auth == "required":
            raise unauthenticated("Send a token: Authorization: Bearer TOKEN.", bad_token=False)
    elif operation.scope is not None and operation.scope not in caller.scopes:
        raise Problem("scope_missing", f"This needs a token with the scope {operation.scope!r}.", scope=operation.scope)
