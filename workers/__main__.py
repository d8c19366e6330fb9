"""`python -m workers ROLE`: be a worker, a sender or the relay, in the foreground, until a signal comes."""

import logging
import signal
import sys
import threading
from types import FrameType
from typing import Final

from domain.errors import Refusal
from domain.log import UnknownEvent
from service.application.feeds import catch_up_step
from service.application.live import Frozen
from service.application.ports import Damaged, Unavailable
from service.application.stream_kinds import is_tournament
from service.bootstrap import NotStarted, Services, connect, urls
from service.config import ConfigError, load
from service.logs import set_up_logs
from service.queue import RqQueue
from service.queue_sends import RqSends
from workers import sender, turns
from workers.relay import BATCH, Relay
from workers.sweep import Sweep
from workers.webhooks import WebhookRelay

ROLES: Final = ("worker", "sender", "relay")

_log = logging.getLogger("starledger.relay")


def main(arguments: list[str]) -> int:
    """Serve in a role; gives the exit code: 1 where it can't start, 2 where it was called or set up wrongly."""
    if len(arguments) != 1 or arguments[0] not in ROLES:
        print(f"usage: python -m workers {'|'.join(ROLES)}", file=sys.stderr)  # noqa: T201 - for who started it
        return 2
    role = arguments[0]
    try:
        config = load()
        set_up_logs(config.log, role)
        services = connect(config)
        queue_url = urls(config)[1]
    except ConfigError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201
        return 2
    except NotStarted as reason:
        print(reason, file=sys.stderr)  # noqa: T201
        return 1
    if not isinstance(services.queue, RqQueue) or services.queue_client is None:
        raise TypeError(type(services.queue))
    sends = RqSends(services.queue_client)
    try:
        match role:
            case "worker":
                turns.serve(services, queue_url, services.queue)
            case "sender":
                sender.serve(services.deliverer, queue_url, sends)
            case _:
                serve_relay(services, services.queue, sends)
    finally:
        services.close()
    return 0


def serve_relay(services: Services, queue: RqQueue, sends: RqSends) -> None:
    """Relay and sweep once a period until a signal comes."""
    stop = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    store = services.store
    relay = Relay(store, store, queue, services.config.lease)
    sweep = Sweep(
        store,
        lambda table: _record(services, table),
        also=catch_up_step(services.feeds, services.desk.table, services.tournaments.get),
    )
    _log.info("handing out what is due every %g s", services.config.relay_period)
    webhooks = WebhookRelay(services.webhooks.store, sends.hint, services.config.lease)
    while not stop.is_set():
        try:
            while relay.step() == BATCH and not stop.is_set():
                pass
            webhooks.step()
            sweep.step()
        except Unavailable as silent:
            _log.warning("the event store can't be used: %s; trying again", silent)
        except Damaged:
            _log.exception("the event store is damaged; trying again")
        stop.wait(services.config.relay_period)


def _record(services: Services, table: str) -> None:
    """Enter a table in the lists as it stands now."""
    if is_tournament(table):
        return
    try:
        services.directory.record(services.desk.table(table))
    except (Refusal, Frozen, UnknownEvent) as unreadable:
        _log.warning("table %s can't be entered in the lists: %s", table, unreadable)
    services.desk.forget(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
