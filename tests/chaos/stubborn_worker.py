"""A worker whose bot `easy` never gives the interpreter back; run as a program."""

import contextlib
import sys

from domain.bots import BOTS
from service.application.choosing import Thinking
from service.bootstrap import connect, urls
from service.config import load
from service.logs import set_up_logs
from service.queue import RqQueue
from workers import turns
from workers.limits import thinking_limit


def never(game, seen, rng):
    return sum(range(10**14))


config = load()
set_up_logs(config.log, "stubborn")
with contextlib.closing(connect(config)) as services:
    assert isinstance(services.queue, RqQueue)
    thinking = Thinking(bots={**BOTS, "easy": never}, limit=lambda: thinking_limit(config.lease * 2 / 3))
    turns.serve(services, urls(config)[1], services.queue, thinking)
sys.exit(0)
