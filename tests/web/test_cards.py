"""Every card of every game, in every place of its table: what is written on it stands on it, whole, however it is read."""

import pytest

from domain.games import GAMES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }"
"""WCAG 1.4.12."""
LOOKS = {
    "as it comes": (" ", (360, 1280)),
    "spaced": (SPACED, (360,)),
    "letters of twice the size": ("", (360,)),
}
"""How it is read: a style of the reader's own, and pixels of width."""
STYLED = """css => {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  document.adoptedStyleSheets = [style];
  document.documentElement.style.fontSize = css ? "" : "200%";
}"""
"""Without a style the letters are twice as large (WCAG 1.4.4)."""

SMALLEST = 5
"""Pixels of a drawing; beside letters that are spaced or enlarged it may have less room."""

WRONG = """least => {
  const wrong = new Set();
  const faces = [...document.querySelectorAll(".face, .racer-face, .um-chip > span, .mini-card")].filter((face) => face.checkVisibility());
  for (const face of faces) {
    const named = face.closest("[aria-label]").getAttribute("aria-label");
    const say = (what) => wrong.add(`${named}, ${face.clientWidth} pixels wide: ${what}`);
    const box = face.getBoundingClientRect();
    if (face.scrollWidth > face.clientWidth || face.scrollHeight > face.clientHeight) say(`needs ${face.scrollWidth} by ${face.scrollHeight}`);
    const seen = [...face.querySelectorAll(".sign")].map((sign) => ({ what: "sign", ...sign.getBoundingClientRect().toJSON() }));
    for (const drawing of face.querySelectorAll("svg")) {
      const { width, height } = drawing.getBoundingClientRect();
      if (Math.min(width, height) < least) say(`a drawing of ${width} by ${height}`);
    }
    const walker = document.createTreeWalker(face, NodeFilter.SHOW_TEXT);
    for (let text; (text = walker.nextNode()); ) {
      if (!text.parentElement.checkVisibility()) continue;
      const size = parseFloat(getComputedStyle(text.parentElement).fontSize);
      // A word is parted nowhere but where it may be.
      for (const { 0: part, index } of text.data.matchAll(/[^\\s\\u00ad]+/g)) {
        const letters = Array.from(part, (_, at) => {
          const range = document.createRange();
          range.setStart(text, index + at);
          range.setEnd(text, index + at + 1);
          return [...range.getClientRects()].at(-1);
        });
        const [first, last] = [letters[0], letters.at(-1)];
        const isUpright = !text.parentElement.matches(".pips");
        if (isUpright && first.top !== last.top) say(`${part} is parted`);
        const [left, right] = [Math.min(first.left, last.left), Math.max(first.right, last.right)];
        const middle = (first.top + first.bottom) / 2;
        const [top, bottom] = isUpright ? [middle - size * 0.36, middle + size * 0.36] : [first.top, last.bottom];
        if (left < box.left + 1 || right > box.right - 1) say(`${part} is at its edge`);
        if (top < box.top || bottom > box.bottom) say(`${part} is above or below it`);
        seen.push({ what: part, left, right, top, bottom });
      }
    }
    seen.forEach((one, at) => {
      for (const other of seen.slice(at + 1)) {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 0.5 && down > 0.5 && one.what + other.what !== "signsign") say(`${one.what} lies over ${other.what}`);
      }
    });
  }
  return [faces.length, [...wrong]];
}"""


def beam_me_up(view, cards):
    aliens = [card["card"] for card in cards if card["facts"]["kind"] == "alien"]
    view["racers"] = [card["card"] for card in cards if card["facts"]["kind"] != "alien"]
    view["seats"][0]["hand"] = aliens
    longest = sorted(aliens, key=len)[-4:]
    view["discard_top"], view["discard_count"] = longest[0], 1
    for seat in view["seats"]:
        seat["line"], seat["line_count"] = longest[:3], 3
    view["trick"]["layers"] = [[{"seat": seat["seat"], "card": longest[seat["seat"]]} for seat in view["seats"]]]
    view["trick"]["on_table"] = longest


def planet_pioneer(view, cards):
    names = [card["card"] for card in cards]
    view["seats"][0]["hand"] = names
    for seat in view["seats"][1:]:
        seat["hand"] = names
    for seat in view["seats"]:
        there = [names[(seat["seat"] * 20 + at) % len(names)] for at in range(20)]
        seat["colony"] = [{"cell": divmod(at, 5), "cards": [card], "level": 1} for at, card in enumerate(there)]


def universal_match(view, cards):
    names = [card["card"] for card in cards]
    view["phase"] = "play"
    view["discard"] = names
    for seat in view["seats"]:
        seat["hand"] = names
        seat["board"] = [name for name in names if name.endswith("N")][:3]


FILLED = {"beam-me-up": beam_me_up, "planet-pioneer": planet_pioneer, "universal-match": universal_match}


@pytest.mark.parametrize(
    ("game", "seats"), [(game, max(GAMES[game].seats)) for game in GAMES] + [("planet-pioneer", 2)]
)
def test_every_name_stands_whole_on_its_card(visit, ada, game, seats):
    table = ada.table(game, *["greedy"] * (seats - 1), seed="cards")
    ada.play(table, until=lambda now: 0 in now["to_act"])
    cards = ada.get(f"/v1/games/{game}")["cards"]

    def filled(route):
        answer = route.fetch()
        now = answer.json()
        FILLED[game](now["view"], cards)
        route.fulfill(response=answer, json=now)

    page = visit("/verify", player=ada)
    page.route(f"**/v1/tables/{table}", filled)
    page.goto(f"/tables/{table}")
    page.wait_for_selector(".dock .hand .part:nth-child(20)")
    for look, (style, widths) in LOOKS.items():
        page.evaluate(STYLED, style)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            count, wrong = page.evaluate(WRONG, SMALLEST if style == " " else 0)
            assert count > len(cards) / 2
            assert [] == wrong, f"{look}, {width} pixels"
