"""Make `sync.py` from `aio.py`: the same client without `async`. Run: `python client/make_sync.py [--check]`."""

import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent / "src" / "starledger_client"
REPLACE = (
    (r'^""".*?"""', '"""The synchronous client: made from aio.py by `python client/make_sync.py`; do not edit."""'),
    (r"\bAsyncClient\b", "Client"),
    (r"httpx\.Client\(base_url", "httpx.Client(base_url"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"\baclose\(", "close("),
    (r"\baread\(", "read("),
    (r"\baconnect_sse\b", "connect_sse"),
    (r"\baiter_sse\b", "iter_sse"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio$", "import time"),
    (r"for (\w+) in (page\.items):\n\s+yield \1$", r"yield from \2"),
    (r"safe to use from many tasks", "safe to use from many threads"),
)


def made() -> str:
    """Give the text of sync.py."""
    text = (SOURCE / "aio.py").read_text()
    for pattern, by in REPLACE:
        text = re.sub(pattern, by, text, count=0, flags=re.MULTILINE | (re.DOTALL if pattern.startswith('^"') else 0))
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(SOURCE / "sync.py"), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own


def main() -> int:
    """Write the file, or tell with --check whether it is as it must be."""
    target = SOURCE / "sync.py"
    if "--check" in sys.argv:
        return int(not target.exists() or target.read_text() != made())
    target.write_text(made())
    return 0


if __name__ == "__main__":
    sys.exit(main())
