"""How soon the page is there on a slow phone, how much is sent for it, and how near that is to what could be.

Prints kilobytes (compressed, as sent) of the first view, and the milliseconds until the lobby can be used (what to press
is painted; until the script is there a link) and is whole (drawn by the script, its tables in it), in Chromium with the
phone profile of Lighthouse (150 ms a round trip, 1.6 Mbit/s, processor four times slower), with an empty cache and with a
full one. The goals: below 150 kB, usable below 1,000 ms. Beside each run stands one of a bare page: a document, two
scripts and an answer of the same sizes, and nothing drawn but one button, by the script. The browser needs both of this
machine's cores to be free: look at the load that is printed.
"""

import os
import shutil
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.running import Person, Running

RUNS: Final = 9
SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWER: Final = 4
LONG_MS: Final = 3_000
PHONE: Final = {"width": 360, "height": 740}
WATCH: Final = """const painted = (what, name) => new MutationObserver((_, watcher) => {
  if (!document.querySelector(what)) return;
  watcher.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window[name] = performance.now(); }));
}).observe(document, {childList: true, subtree: true});
painted(".game-card .primary", "usable");
painted(".game-card button.primary", "whole");"""
"""Notes when the first thing to press has been painted (in the lobby at first a link), and when all is, tables too."""
SENT: Final = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .map((each) => each.transferSize).reduce((sum, each) => sum + each, 0)"""
DATA: Final = "/v1/tables?status=open&limit=20"
BARE: Final = b"""<!doctype html><meta name="viewport" content="width=device-width">
<link rel="preload" as="fetch" href="/data" crossorigin>
<script type="module" src="/script"></script><body><p class="game-card"></p><script src="/early"></script>"""
SCRIPT: Final = b"""await fetch("/data").then((answer) => answer.text());
document.querySelector("p").innerHTML = "<button class=primary>Play</button>";//"""


@contextmanager
def bare_page(base: str) -> Iterator[str]:
    """Serve a page with as many bytes in each file as the lobby's, and nothing to do; gives its address."""
    with httpx.Client(base_url=base) as client:
        shell = client.get("/").text
        edition = shell.split("/web/", 1)[1].split("/", 1)[0]

        def size(path: str) -> int:
            return int(client.get(path, headers={"Accept-Encoding": "gzip"}).headers["Content-Length"])

        files = {
            "/": ("text/html", BARE.ljust(size("/"))),
            "/early": ("text/javascript", b" " * size(f"/web/{edition}/early.js")),
            "/script": ("text/javascript", SCRIPT.ljust(size(f"/web/{edition}/first.js"))),
            "/data": ("text/plain", b" " * size(DATA)),
        }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            kind, body = files.get(self.path, ("text/plain", b""))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-cache" if self.path in {"/", "/data"} else "max-age=3600")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as bare:
        threading.Thread(target=bare.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{bare.server_port}"
        bare.shutdown()


class Look(NamedTuple):
    """When the page could be used and when it was whole, in ms, and the bytes of all that it asked for."""

    usable: float
    whole: float
    sent: int


def look(page: Page) -> Look:
    """Load the lobby."""
    page.goto("/", wait_until="commit")
    page.wait_for_timeout(LONG_MS)  # what waits inside the page takes part of its slow processor
    usable, whole = page.evaluate("() => [window.usable, window.whole]")
    page.wait_for_load_state("networkidle")
    return Look(usable, whole, page.evaluate(SENT))


def two_looks(browser: Browser, base: str) -> list[Look]:
    """Look at a page with an empty cache, then with a full one."""
    options: dict[str, Any] = {"base_url": base, "viewport": PHONE}
    context = browser.new_context(**options)
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    looks = [look(page) for _ in range(2)]
    context.close()
    return looks


def main() -> None:
    """Measure."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        print("no Chromium on the PATH; on Debian: apt install chromium")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(Path(folder) / "data", WORKERS=1) as server,
        bare_page(server.base) as bare,
        sync_playwright() as playwright,
    ):
        host = Person(server.base)
        for game in ("beam-me-up", "planet-pioneer", "universal-match"):
            host.post("/v1/tables", {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]})
        host.close()
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        two_looks(browser, server.base)
        runs = [(two_looks(browser, server.base), two_looks(browser, bare)) for _ in range(RUNS)]
        browser.close()
    print(f"load of the machine's {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}")
    for at, name in enumerate(("empty cache", "full cache")):
        usable, whole = (sorted(round(getattr(ours[at], when)) for ours, _ in runs) for when in ("usable", "whole"))
        least = statistics.median(bare[at].whole for _, bare in runs)
        kilobytes = statistics.median(ours[at].sent for ours, _ in runs) / 1000
        for said, took in (("can be used", usable), ("is whole", whole)):
            ms = statistics.median(took)
            print(
                f"{name:<12}{ms:6.0f} ms until the lobby {said}: {ms / least:.2f} times; runs {', '.join(map(str, took))}"
            )
        print(f"{'':<12}{least:6.0f} ms until the bare page is whole; {kilobytes:.1f} kB are sent for ours")


if __name__ == "__main__":
    main()
