"""Refusals: a command that may not be, with a code that never changes and the ruling that forbids it."""

from collections.abc import Mapping
from typing import Final

ILLEGAL: Final = "illegal_command"


class Refusal(Exception):
    """A command was refused; nothing was decided and nothing may be written.

    `code` is one of the problem codes of the contract, `message` says in words what was wrong and what
    would be right, `ruling` is the id of the ruling that forbids it (`illegal_command` only), `errors`
    names what is wrong by field (`validation_failed` only).
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        ruling: str | None = None,
        errors: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.ruling = ruling
        self.errors = dict(errors or {})


def illegal(ruling: str, message: str) -> Refusal:
    """Make the refusal of a command that the rules forbid (`illegal_command`, with its ruling's id)."""
    return Refusal(ILLEGAL, message, ruling=ruling)


def not_your_turn(message: str = "It is another seat's turn.") -> Refusal:
    """Make the refusal of a command from a seat that has nothing to decide now."""
    return Refusal("not_your_turn", message)


def invalid(errors: Mapping[str, str]) -> Refusal:
    """Make the refusal of a well-formed request whose values can't be right, by field."""
    words = "; ".join(f"{field}: {reason}" for field, reason in errors.items())
    return Refusal("validation_failed", words, errors=errors)
