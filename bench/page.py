"""How soon the page is there on a slow phone, and how much is sent for it.

Prints kilobytes (compressed, as sent) of the first view, and the median milliseconds until the lobby can be used, in
Chromium with the phone profile of Lighthouse (150 ms a round trip, 1.6 Mbit/s, processor four times slower), with an
empty cache and with a full one. The goals: below 150 kB, below 1,000 ms.
"""

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from tests.support.running import Running

RUNS: Final = 7
SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWER: Final = 4
PHONE: Final = {"width": 360, "height": 740}
WATCH: Final = """new MutationObserver((_, watcher) => {
  if (!document.querySelector(".game-card .primary")) return;
  watcher.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now(); }));
}).observe(document, {childList: true, subtree: true});"""
"""Notes when the first button of the lobby has been painted."""
SENT: Final = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .map((each) => each.transferSize).reduce((sum, each) => sum + each, 0)"""


def usable_ms(page: Page) -> tuple[float, int]:
    """Load the lobby and give when its first button was there, in ms, and the bytes that were sent for it."""
    page.goto("/", wait_until="commit")
    page.wait_for_function("() => window.usable")
    took: float = page.evaluate("() => window.usable")
    sent: int = page.evaluate(SENT)
    return took, sent


def main() -> None:
    """Measure."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        print("no Chromium on the PATH; on Debian: apt install chromium")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(Path(folder) / "data", WORKERS=1) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        looks: dict[str, list[tuple[float, int]]] = {"empty cache": [], "full cache": []}
        for _ in range(RUNS):
            options: dict[str, Any] = {"base_url": server.base, "viewport": PHONE}
            context = browser.new_context(**options)
            context.add_init_script(WATCH)
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", SLOW)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            for looked in looks.values():
                looked.append(usable_ms(page))
            context.close()
        browser.close()
    for name, looked in looks.items():
        ms = statistics.median(took for took, _ in looked)
        kilobytes = statistics.median(sent for _, sent in looked) / 1000
        print(f"{name:<12} {ms:6.0f} ms until the lobby can be used   {kilobytes:6.1f} kB sent")


if __name__ == "__main__":
    main()
