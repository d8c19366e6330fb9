"""Take the pictures of the page anew: `python docs/screenshots/take.py`. Needs Chromium and the extra `browser`.

The deals are chosen, the moves are the bots' own or the first one offered, so that a picture changes only where the
page does, or a bot.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

from tests.support.running import Person, Running  # noqa: E402 - the project is found by then

DESKTOP = {"width": 1360, "height": 880}
PHONE = {"width": 390, "height": 844}
SEED = "pictures"


def position(ada: Person, game: str, bots: tuple[str, ...], version: int, **more: object) -> str:
    """Give a table where Ada is to move, at this version or later."""
    table = ada.table(game, *bots, seed=SEED, **more)
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
    return made


def main() -> None:
    """Take them all."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder) / "data") as server, sync_playwright() as play:
        ada = Person(server.base)
        made = cup(ada)
        beam = position(ada, "beam-me-up", ("greedy", "greedy", "greedy"), 60)
        pioneer = position(ada, "planet-pioneer", ("greedy", "greedy"), 40)
        match = position(ada, "universal-match", ("greedy", "greedy", "greedy"), 24)
        ended = ada.table("planet-pioneer", "greedy", "easy", seed=SEED)
        last = ada.play(ended)["version"]
        while ada.get(f"/v1/tournaments/{made}")["status"] == "running":
            ada.get(f"/v1/tournaments/{made}/events", after=0)
        token = ada._http.headers["Authorization"].removeprefix("Bearer ")  # noqa: SLF001 - the pictures are Ada's
        kept = json.dumps(json.dumps({"id": ada.id, "name": "Ada", "token": token}))
        pictures = {
            "lobby": ("/?status=playing", ".card-row", DESKTOP, "dark"),
            "beam-me-up": (f"/tables/{beam}", "button.part", DESKTOP, "dark"),
            "planet-pioneer": (f"/tables/{pioneer}", "button.part", DESKTOP, "dark"),
            "universal-match": (f"/tables/{match}", "button.part", DESKTOP, "light"),
            "phone-beam-me-up": (f"/tables/{beam}", "button.part", PHONE, "light"),
            "phone-planet-pioneer": (f"/tables/{pioneer}", "button.part", PHONE, "dark"),
            "phone-universal-match": (f"/tables/{match}", "button.part", PHONE, "dark"),
            "replay": (f"/tables/{ended}/replay?at={last // 2}&as=all", "[data-frame]", DESKTOP, "dark"),
            "verify": (f"/verify?table={ended}", ".verdict.good", DESKTOP, "light"),
            "tournament": (f"/tournaments/{made}?view=standings", ".figures tr", DESKTOP, "dark"),
            "ratings": (f"/tournaments/{made}?view=ratings", ".plot", DESKTOP, "light"),
        }
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (path, ready, size, theme) in pictures.items():
            context = browser.new_context(
                base_url=server.base, viewport=size, color_scheme=theme, reduced_motion="reduce"
            )
            context.add_init_script(f"localStorage.setItem('starledger.player', {kept})")
            page = context.new_page()
            page.goto(path)
            page.wait_for_selector(ready)
            page.wait_for_load_state("networkidle") if "/tables/" not in path else page.wait_for_timeout(800)
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        browser.close()
        ada.close()


if __name__ == "__main__":
    main()
