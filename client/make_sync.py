"""Make the synchronous client from the asynchronous one. Run: `python client/make_sync.py [--check]`."""

import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent / "src" / "starledger_client"
FILES = ("aio_base.py", "aio_cups.py", "aio.py")
"""Of each `aio` is replaced by `sync` in the name."""
REPLACE = (
    (r"\bAsync(Client|Base|Tournaments)\b", r"\1"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"\bstarledger_client\.aio", "starledger_client.sync"),
    (r"\[(\w+) async for \1 in (.*)\]$", r"list(\2)"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\baclose\(", "close("),
    (r"\baread\(", "read("),
    (r"\baiter_lines\(", "iter_lines("),
    (r"\baconnect_sse\b", "connect_sse"),
    (r"\baiter_sse\b", "iter_sse"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio\n(?=import time$)", ""),
    (r"for (\w+) in (page\.items):\n\s+yield \1$", r"yield from \2"),
    (r"safe to use from many tasks", "safe to use from many threads"),
)


def made(file: str) -> str:
    """Give the text of the synchronous file."""
    text = (SOURCE / file).read_text()
    first = f'"""The synchronous part of {file}, made by `python client/make_sync.py`; do not edit."""'
    text = re.sub(r'^""".*?"""', first, text, count=1, flags=re.DOTALL)
    for pattern, by in REPLACE:
        text = re.sub(pattern, by, text, flags=re.MULTILINE)
    fix = [sys.executable, "-m", "ruff", "check", "--select", "I,F401", "--fix-only", "--quiet", "--stdin-filename"]
    for ruff in (fix, [sys.executable, "-m", "ruff", "format", "--stdin-filename"]):
        argv = [*ruff, str(SOURCE / file.replace("aio", "sync")), "-"]
        text = subprocess.run(argv, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own
    return text


def main() -> int:
    """Write the files, or tell with --check whether they are as they must be."""
    wrong = 0
    for file in FILES:
        target = SOURCE / file.replace("aio", "sync")
        if "--check" not in sys.argv:
            target.write_text(made(file))
        elif not target.exists() or target.read_text() != made(file):
            wrong += 1
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
