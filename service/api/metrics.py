"""Counters of this process for Prometheus: requests by route and status, their times, refusals by code."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

METRICS: Final = "starledger.metrics"
"""Where an application holds its `Metrics`, in `app.extensions`."""
MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What one application counts, in a registry of its own; no label holds an id or a name."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "starledger_requests_total",
            "Requests by method, route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "starledger_request_seconds",
            "Time to an answer (for a stream: to its first byte).",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._held: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._problems = Counter("starledger_problems_total", "Problems by code.", ("code",), registry=self.registry)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        key = (method, route, status)
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = (
                self._requests.labels(method, route, str(status)),
                self._seconds.labels(method, route),
            )
        held[0].inc()
        held[1].observe(seconds)

    def count_problem(self, code: str) -> None:
        """Count a problem."""
        self._problems.labels(code).inc()

    def text(self) -> bytes:
        """Write all counters in Prometheus's text format."""
        return generate_latest(self.registry)
