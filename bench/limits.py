"""What a rate limit costs a request: counted by this process from its share, and by a round trip to the server.

Prints microseconds a request, beside one bare round trip (PING) on the same connection as the floor.
"""

import functools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from service.application.limiting import Flow, Limiter
from service.store.buckets import MemoryBuckets, RedisBuckets, open_limits_client
from service.store.embedded import open_embedded

TIMES = 20_000
DEFAULTS = {"commands": Flow(50, 500), "reads": Flow(500, 5000)}
"""The contract's own."""
ENDLESS = Flow(1_000_000, 100_000_000)


def us(step: Callable[[int], object], times: int = TIMES) -> float:
    """Give the microseconds that one step takes."""
    began = time.perf_counter()
    for n in range(times):
        step(n)
    return (time.perf_counter() - began) / times * 1e6


def _spend(limiter: Limiter, flow: Flow, name: str, n: int) -> object:
    return limiter.spend(name, f"caller{n // flow.burst}")


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder, open_embedded(Path(folder)) as servers:
        client = open_limits_client(servers.queue_url)
        buckets = RedisBuckets(client)
        floor = us(lambda _: client.ping())
        alone = us(lambda _: buckets.take("reads:bench", ENDLESS, 1))
        print(f"PING, the floor                      {floor:7.1f} us")
        print(f"a round trip for each request        {alone:7.1f} us  {alone / floor:5.2f} x the floor")
        for name, flow in DEFAULTS.items():
            limiter = Limiter(DEFAULTS, buckets, MemoryBuckets())
            # Callers who don't run dry: each has a full bucket.
            cost = us(functools.partial(_spend, limiter, flow, name))
            print(f"{name:<8} shares of {flow.share:>3}               {cost:7.1f} us  {cost / floor:5.2f} x the floor")
        memory = us(lambda _: Limiter.spend(limiter, "reads", "empty"))
        print(f"a flood beyond the limit             {memory:7.1f} us  {memory / floor:5.2f} x the floor")


if __name__ == "__main__":
    main()
