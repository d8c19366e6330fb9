"""The service itself: alive, able to serve, measured."""

from typing import Final

from flask import Response, current_app

from domain.values import Value
from service.api import readiness
from service.api.answers import NEVER_STORED, json_answer
from service.api.metrics import MEDIA_TYPE, METRICS
from service.api.operation import Answer, Call, Operation
from service.api.problems import Problem

_FRESH: Final = {"Cache-Control": NEVER_STORED}


class Alive(Value, frozen=True):
    """The process answers."""

    status: str


class Ready(Value, frozen=True):
    """The process is able to serve; each check with `ok`."""

    status: str
    checks: dict[str, str]


def get_health(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /healthz`."""
    return json_answer(Alive("alive"), headers=_FRESH)


def get_readiness(call: Call) -> Response:
    """`GET /readyz`."""
    checks = dict(readiness.checks(call.services))
    wrong = [f"{name}: {reason}" for name, reason in checks.items() if reason != readiness.OK]
    if wrong:
        raise Problem("unavailable", "Not able to serve. " + "; ".join(wrong), checks=checks)
    return json_answer(Ready("ready", checks), headers=_FRESH)


def get_metrics(call: Call) -> Response:  # noqa: ARG001 - every view has this shape
    """`GET /metrics`."""
    return Response(current_app.extensions[METRICS].text(), 200, _FRESH, content_type=MEDIA_TYPE)


OPERATIONS: Final = (
    Operation(
        method="GET",
        path="/healthz",
        name="getHealth",
        tag="Service",
        summary="Ask whether the process is alive",
        text="Answers as long as the process does, whatever its store does. A process that does not answer should be "
        "started again.",
        view=get_health,
        auth="none",
        answers={200: Answer(meaning="It is alive.", kind=Alive, examples={"alive": {"status": "alive"}})},
        bucket=None,
    ),
    Operation(
        method="GET",
        path="/readyz",
        name="getReadiness",
        tag="Service",
        summary="Ask whether the process is able to serve",
        text="Ready means: the event store is reached and safe to commit to, a worker has shown itself, and the process "
        "is not stopping. A process that is not ready should get no requests, and should not be started again.",
        view=get_readiness,
        auth="none",
        answers={
            200: Answer(
                meaning="It is able to serve.",
                kind=Ready,
                examples={"ready": {"status": "ready", "checks": {"process": "ok", "store": "ok", "workers": "ok"}}},
            )
        },
        bucket=None,
    ),
    Operation(
        method="GET",
        path="/metrics",
        name="getMetrics",
        tag="Service",
        summary="Read this process's counters",
        text="For Prometheus: requests and their times by route, problems by code. Of this process alone; they hold no "
        "id and no name.",
        view=get_metrics,
        auth="none",
        answers={200: Answer(meaning="The counters.", kind=str, media=("text/plain",))},
        bucket=None,
    ),
)
