"""From a request to its operation, in the order of the contract: token, form, idempotency key, then the view."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Request, Response, request
from marshmallow import Schema

from service.api.accept import accepts
from service.api.auth import admit, caller_of, confirm, remembered
from service.api.body import read_object
from service.api.dear import in_turn
from service.api.headers import LEAVING
from service.api.limits import count
from service.api.operation import Body, Call, Operation
from service.api.problems import Problem, invalid_fields
from service.api.raw_body import read_raw
from service.api.recent_keys import RecentKeys
from service.api.repeats import answered_again, keep
from service.application.accounts import Caller
from service.application.ports import Proof
from service.bootstrap import Services

KEY_HEADER: Final = "Idempotency-Key"
STRONG_KEY: Final = 32
"""The fewest characters of a key that no token protects."""

KEY_PATTERN: Final = '[!-+.-~-](([ -+.-~-]|, )*[!-+.-~-])?|"[ !#-~]*"'
"""A comma stands before a space or in quotes: where it joins, granian has made one header of two (RFC 9110, 5.2)."""
MOST_KEY: Final = 128
_KEY: Final = re.compile(KEY_PATTERN)


def view_function(operation: Operation, services: Services, recent: RecentKeys) -> Callable[..., Response]:
    """Give the function that Flask calls for an operation; `recent` is the application's own."""
    query_schema = None if operation.query is None else operation.query()
    body_schema = None if operation.body is None or operation.body.schema is None else operation.body.schema()

    def view(**path: str) -> Response:
        current: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - the request itself, once
        if operation.leaving is not None:
            current.environ[LEAVING] = operation.leaving
        known = remembered(current, services.players, operation)
        if known is None:
            return answer(current, path, _counted_caller(current, operation, services), None)
        caller, proof = known
        count(current, services.limiter, operation.bucket, caller)
        try:
            admit(caller, operation)
            return answer(current, path, caller, proof)
        except Exception:
            confirm(services.players, caller)  # a refusal proves nothing
            raise

    def answer(current: Request, path: Mapping[str, str], caller: Caller | None, proof: Proof | None) -> Response:
        _check_accept(current, operation)
        query = _query(current, operation, query_schema)
        sent = None if operation.body is None else _sent(current, operation.body)
        body = sent if body_schema is None or sent is None else _loaded(body_schema, sent)
        key = _key(current, operation, caller)
        call = Call(
            services=services,
            request=current,
            path=path,
            caller=caller,
            query=query,
            sent=sent,
            body=body,
            key=key,
            proof=proof,
        )
        if key is None or operation.keyed is None:
            return _viewed(call, operation)
        again = answered_again(call, operation, recent)
        if again is not None:
            return again
        return keep(call, operation, recent, _viewed(call, operation))

    return view


def _viewed(call: Call, operation: Operation) -> Response:
    if not operation.is_dear:
        return operation.view(call)
    with in_turn(call):
        return operation.view(call)


def _counted_caller(current: Request, operation: Operation, services: Services) -> Caller | None:
    """Tell who calls, and count the request: a caller who is refused by his token is counted by his address."""
    try:
        caller = caller_of(current, services.players, operation)
    except Problem:
        count(current, services.limiter, operation.bucket, None)
        raise
    count(current, services.limiter, operation.bucket, caller)
    admit(caller, operation)
    return caller


def _check_accept(current: Request, operation: Operation) -> None:
    accept = current.headers.get("Accept")
    if not accept or accept == "*/*" or not operation.media or operation.bucket is None:
        return  # the service's own pages and checks come as they are
    if not any(accepts(accept, media) for media in operation.media):
        raise Problem("not_acceptable", f"This address answers in {' or '.join(operation.media)}.")


def _query(current: Request, operation: Operation, schema: Schema | None) -> Mapping[str, Any]:
    if not current.query_string or operation.bucket is None:
        return {} if schema is None else _loaded(schema, {})
    given = current.args
    twice = [name for name, values in given.lists() if len(values) > 1]
    if twice:
        raise invalid_fields(dict.fromkeys(twice, "Must stand once."))
    if schema is None:
        raise invalid_fields(dict.fromkeys(given, "There is no such parameter here."))
    return _loaded(schema, given.to_dict())


def _loaded(schema: Schema, value: Mapping[str, Any]) -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = schema.load(value)
    return loaded


def _sent(current: Request, body: Body) -> Any:
    if body.raw:
        return read_raw(current, body.raw, body.most_bytes)
    return read_object(current, body.most_bytes, optional=body.optional)


def _key(current: Request, operation: Operation, caller: Caller | None) -> str | None:
    key = current.headers.get(KEY_HEADER)
    if key is None or operation.keyed is None:
        return None
    if len(key) > MOST_KEY or not _KEY.fullmatch(key):
        raise Problem(
            "malformed_request",
            f"The header {KEY_HEADER} must stand once and have 1 to {MOST_KEY} printable ASCII characters; a space "
            "follows each comma.",
        )
    if caller is None and len(key) < STRONG_KEY:
        raise Problem(
            "idempotency_key_weak",
            f"Without a token the {KEY_HEADER} must have at least {STRONG_KEY} characters, drawn at random.",
        )
    return key
