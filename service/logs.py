"""Log lines: one format for all processes, JSON to stderr, a line for each, with the time in UTC."""

import json
import logging
import sys
from contextvars import ContextVar
from typing import Any, Final

from domain.history import rfc3339
from service.settings import Log

current_request: Final[ContextVar[str]] = ContextVar("current_request", default="")
"""The id of the request at work (`X-Request-Id`); it stands in every line that the request causes."""

FACTS: Final = "facts"
"""The key of `extra` under which a line carries further members: `extra={FACTS: {"status": 200}}`."""


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object: time, level, who, logger, message, request, facts, and a failure's trace."""

    def __init__(self, who: str) -> None:
        super().__init__()
        self._who = who

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        line: dict[str, Any] = {
            "time": rfc3339(int(record.created * 1000)),
            "level": record.levelname.lower(),
            "who": self._who,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := current_request.get():
            line["request"] = request
        line |= getattr(record, FACTS, {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up_logs(level: Log, who: str) -> None:
    """Write log lines from `level` on; `who` is the process's role and stands in every line.

    Libraries speak up from `warning` on, unless all is wanted.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(who))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if level != "debug":
        for library in ("rq", "rq.worker", "rq.job", "httpx", "httpcore"):
            logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
