"""Dear reads: lists, records and exports, of which few are worked on at once beside everything else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.api.at_hand import AT_HAND
from service.api.limits import address_of
from service.api.operation import Call
from service.api.problems import Problem
from service.application.few import Crowded

_HAS_TURN: Final = "starledger.has_turn"


@contextmanager
def in_turn(call: Call) -> Iterator[None]:
    """Work when it is this caller's turn; raises `Problem` `unavailable` where too many wait.

    Who waits leaves the place among the requests at hand to others. Whose turn it is already goes on.
    """
    if _HAS_TURN in call.request.environ:
        yield
        return
    few = call.services.few
    at_hand = call.request.environ.get(AT_HAND)
    try:
        if not few.try_take():
            if at_hand is None:
                few.take(caller_of(call))
            else:
                with at_hand.aside():
                    few.take(caller_of(call))
    except Crowded as crowded:
        raise Problem(
            "unavailable", "Too many lists, records and exports are asked for at once.", headers={"Retry-After": "5"}
        ) from crowded
    call.request.environ[_HAS_TURN] = True
    try:
        yield
    finally:
        del call.request.environ[_HAS_TURN]
        few.give_back()


def steps(call: Call, parts: Iterator[bytes]) -> Iterator[bytes]:
    """Give the parts of a body, each made when it is this caller's turn; while one is sent, others work."""
    few, caller = call.services.few, caller_of(call)
    while True:
        few.take(caller, is_patient=True)
        try:
            part = next(parts, None)
        finally:
            few.give_back()
        if part is None:
            return
        yield part


def caller_of(call: Call) -> str:
    """Name who waits, as rate limits do."""
    return address_of(call.request) if call.caller is None else f"token:{call.caller.token}"


__all__ = ["in_turn", "steps"]
