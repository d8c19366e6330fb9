"""What an operation of the API is: a route with all that the contract says of it, as one value.

The same value serves requests (`dispatch.py`) and writes `openapi.yaml` (`openapi.py`), so neither can lie.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from flask import Request, Response
from marshmallow import Schema

from domain.history import canonical
from service.api.body import MOST_BYTES
from service.application.accounts import Caller, Scope
from service.application.players import Key
from service.application.ports import Proof
from service.bootstrap import Services

Method = Literal["GET", "POST", "DELETE"]

Keyed = Literal["log", "derived", "recorded"]
"""What makes a repeat under an `Idempotency-Key` harmless.

`log`: the table's own log, for as long as the table. `derived`: ids and secrets follow from the key. `recorded`:
the first answer is kept for 24 hours, also that nothing was left to do.
"""

Bucket = Literal["commands", "reads", "creations"]


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request as an operation gets it: who calls, and what was asked, checked by the operation's schemas.

    `sent` is the body as it came, `body` what the schema made of it. With a `proof` the caller's token is good as far
    as this process remembers; whether it still is, the commit proves.
    """

    services: Services
    request: Request
    path: Mapping[str, str]
    caller: Caller | None
    query: Mapping[str, Any]
    sent: Any
    body: Any
    key: str | None
    proof: Proof | None = None

    @property
    def player(self) -> str | None:
        """The id of who calls."""
        return None if self.caller is None else self.caller.player

    @property
    def known(self) -> Caller:
        """Who calls an operation that needs a token."""
        if self.caller is None:
            raise LookupError("the operation is open to callers without a token")
        return self.caller

    @cached_property
    def mark(self) -> bytes:
        """What tells one wish from another under the same key: method, path and body, canonically."""
        return canonical([self.request.method, self.request.path, self.sent])

    @property
    def marked_key(self) -> Key | None:
        """The idempotency key with the digest of `mark`."""
        return None if self.key is None else Key(key=self.key, mark=hashlib.sha256(self.mark).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a request's body may hold: by a schema, or as `kind` says where the table decides (then `schema` is None).

    With `raw` it is no JSON: the bytes as they come, in one of these media types, the preferred one first.
    """

    schema: type[Schema] | None
    examples: Mapping[str, Any]
    kind: Any = None
    optional: bool = False
    raw: tuple[str, ...] = ()
    most_bytes: int = MOST_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One good answer: what it means, the type of its JSON body (None: no body), its headers beyond the usual."""

    meaning: str
    kind: Any = None
    media: tuple[str, ...] = ("application/json",)
    headers: tuple[str, ...] = ()
    examples: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """That an operation will go: since when this is said, and when it may stop, both in seconds since 1970.

    `instead` is the address of the page that says what to do.
    """

    since_s: int
    sunset_s: int
    instead: str = "/docs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A route with its contract; `problems` are the codes beyond those that follow from the rest.

    `is_proving`: a remembered token is enough to begin with, for what the view gives has been committed with its proof.
    `is_dear`: it takes the processor for long, so only a few of these are worked on at once.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    text: str
    view: Callable[[Call], Response]
    answers: Mapping[int, Answer]
    auth: Literal["none", "optional", "required"] = "optional"
    scope: Scope | None = None
    query: type[Schema] | None = None
    body: Body | None = None
    problems: tuple[str, ...] = ()
    keyed: Keyed | None = None
    is_proving: bool = False
    bucket: Bucket | None = "reads"
    request_headers: tuple[str, ...] = ()
    is_dear: bool = False
    leaving: Leaving | None = None

    @property
    def media(self) -> tuple[str, ...]:
        """The formats that it can answer in, the preferred one first."""
        return tuple(dict.fromkeys(each for answer in self.answers.values() if answer.kind for each in answer.media))
