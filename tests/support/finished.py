"""Tables that have ended, made in an instant: for tests of what can be done with them."""

from typing import Any

from tests.support.api import Api


def resigned(ada: Api, bob: Api, game: str = "beam-me-up", moves: int = 6, **more: Any) -> str:
    """Let two persons make some moves, then one gives up."""
    seats = {"planet-pioneer": 3}.get(game, 2)
    table = str(ada.table(game, "me", "open", *["open"] * (seats - 2), **more)["id"])
    persons = [ada, bob, *(ada.register(f"P{n}") for n in range(seats - 2))]
    for person in persons[1:]:
        person.sit(table)
    for _ in range(moves):
        to_act = ada.get(f"/v1/tables/{table}").json["to_act"]
        actor = persons[to_act[0]]
        actor.do(table, actor.commands(table)[0])
    for person in persons[1:]:
        person.do(table, {"type": "resign"})
    return table
