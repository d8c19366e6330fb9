"""Log lines: one format for all processes, to stderr, without colours, with the time in UTC."""

import logging
import sys
import time

from service.settings import Log


def set_up_logs(level: Log, who: str) -> None:
    """Write log lines from `level` on; `who` is the process's role and stands in every line.

    Libraries speak up from `warning` on, unless all is wanted.
    """
    handler = logging.StreamHandler(sys.stderr)
    formatter = logging.Formatter(f"%(asctime)s.%(msecs)03dZ {who} %(levelname)s %(name)s %(message)s")
    formatter.converter = time.gmtime
    formatter.default_time_format = formatter.datefmt = "%Y-%m-%dT%H:%M:%S"
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    if level != "debug":
        for library in ("rq", "rq.worker", "rq.job", "httpx", "httpcore"):
            logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
