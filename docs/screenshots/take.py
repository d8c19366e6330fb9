"""Take the pictures of the page anew: `make pictures`. Needs Chromium and the extra `browser`.

The deals are chosen, the moves are the bots' own or the first one offered, so that a picture changes only where the
page does, or a bot.
"""

import base64
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

from tests.support.running import Person, Running, wait_for  # noqa: E402 - the project is found by then

DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 860}
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
SEED: Final = "pictures"
QUALITY: Final = 82
LARGEST: Final = 150_000
"""Bytes of one picture."""


class Picture(NamedTuple):
    """One picture: where, what stands there once it is drawn, how large, and in which theme."""

    path: str
    ready: str
    size: ViewportSize = DESKTOP
    theme: Literal["dark", "light"] = "dark"
    file: Path | None = None
    """Given to the page's file chooser first."""


def position(ada: Person, game: str, bots: tuple[str, ...], version: int) -> str:
    """Give a table where Ada is to move, at this version or later."""
    table = ada.table(game, *bots, seed=SEED)
    ada.play(table, until=lambda now: now["version"] >= version and 0 in now["to_act"])
    return table


def cup(ada: Person) -> str:
    """Give a tournament of bots that is over."""
    plan = {"name": "Perseid Cup", "game": "planet-pioneer", "format": "swiss", "seats_per_table": 2, "rounds": 5}
    made = str(ada.post("/v1/tournaments", {**plan, "rated": True, "seed": SEED})["id"])
    bots = ("greedy", "easy", "random", "greedy", "easy", "random")
    names = ("Vega", "Rigel", "Mira", "Deneb", "Altair", "Spica")
    entries = [{"kind": "ai", "bot": bot, "name": name} for bot, name in zip(bots, names, strict=True)]
    ada.post(f"/v1/tournaments/{made}/entries/bulk", {"entries": entries})
    ada.post(f"/v1/tournaments/{made}/start", {})
    wait_for(lambda: ada.get(f"/v1/tournaments/{made}")["status"] == "finished", "the end of the cup", 120)
    return made


def changed_record(ada: Person, table: str, folder: Path) -> Path:
    """Give a file with the table's record, where somebody has changed one card."""
    lines = ada._http.get(f"{ada.base}/v1/tables/{table}/record").content.split(b"\n")  # noqa: SLF001 - raw bytes
    lines[9] = lines[9].replace(b'"version":9', b'"version":8', 1)
    changed = folder / "changed.slr.jsonl"
    changed.write_bytes(b"\n".join(lines))
    return changed


def pictures(ada: Person, bo: Person, folder: Path) -> dict[str, Picture]:
    """Play what is shown, and say what to take."""
    made = cup(ada)
    tables = {
        "beam-me-up": position(ada, "beam-me-up", ("greedy", "greedy", "greedy"), 60),
        "planet-pioneer": position(ada, "planet-pioneer", ("greedy", "greedy"), 40),
        "universal-match": position(ada, "universal-match", ("greedy", "greedy", "greedy"), 24),
    }
    six = position(ada, "universal-match", ("greedy", "easy", "greedy", "easy", "greedy"), 50)
    ended = ada.table("planet-pioneer", "greedy", "easy", seed=SEED)
    last = ada.play(ended)["version"]
    for game, free in (("beam-me-up", 3), ("planet-pioneer", 2)):
        bo.post("/v1/tables", {"game": game, "seats": [{"kind": "me"}, *({"kind": "open"},) * (free - 1)]})
    part = "button.part"
    return {
        "lobby": Picture("/", "section[aria-labelledby=tables] .card-row"),
        "new-table": Picture("/new?game=universal-match", ".seat-list", theme="light"),
        **{game: Picture(f"/tables/{table}", part) for game, table in tables.items()},
        **{f"{game}-light": Picture(f"/tables/{table}", part, theme="light") for game, table in tables.items()},
        "six-seats": Picture(f"/tables/{six}", part),
        "phone-beam-me-up": Picture(f"/tables/{tables['beam-me-up']}", part, PHONE, "light"),
        "phone-planet-pioneer": Picture(f"/tables/{tables['planet-pioneer']}", part, PHONE),
        "phone-universal-match": Picture(f"/tables/{tables['universal-match']}", part, PHONE),
        "result": Picture(f"/tables/{ended}", ".result", theme="light"),
        "replay": Picture(f"/tables/{ended}/replay?at={last // 2}&as=all", "[data-frame]"),
        "verify": Picture(f"/verify?table={ended}", ".verdict.good"),
        "verify-refused": Picture("/verify", ".verdict.bad", theme="light", file=changed_record(ada, ended, folder)),
        "tournament": Picture(f"/tournaments/{made}?view=standings", ".figures tr"),
        "crosstable": Picture(f"/tournaments/{made}?view=crosstable", ".cross tr", theme="light"),
        "ratings": Picture(f"/tournaments/{made}?view=ratings", ".plot"),
    }


def take(browser: Browser, base: str, picture: Picture, kept: str) -> bytes:
    """Give one picture as WebP."""
    context = browser.new_context(
        base_url=base, viewport=picture.size, color_scheme=picture.theme, reduced_motion="reduce"
    )
    context.add_init_script(f"localStorage.setItem('starledger.player', {kept})")
    page = context.new_page()
    page.goto(picture.path)
    if picture.file is not None:
        page.locator("input[type=file]").set_input_files(picture.file)
    page.locator(picture.ready).first.wait_for()
    shot = painted(page)
    context.close()
    return shot


def painted(page: Page) -> bytes:
    """Give what is seen once two frames were drawn after the styles and the lists."""
    page.wait_for_function("() => !document.querySelector('.loading')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    session = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(shot["data"])


def main() -> None:
    """Take them all."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(Path(folder) / "data") as server,
        sync_playwright() as playwright,
    ):
        ada, bo = Person(server.base), Person(server.base, "Bo")
        wanted = pictures(ada, bo, Path(folder))
        kept = json.dumps(json.dumps(ada.kept()))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, picture in wanted.items():
            shot = take(browser, server.base, picture, kept)
            if len(shot) > LARGEST:
                sys.exit(f"{name} is too large: {len(shot)} bytes")
            (FOLDER / f"{name}.webp").write_bytes(shot)
            print(f"{name:<24}{len(shot) / 1000:6.1f} kB")
        browser.close()
        ada.close()
        bo.close()


if __name__ == "__main__":
    main()
