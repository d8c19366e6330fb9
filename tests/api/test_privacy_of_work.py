"""Privacy of the time that an answer takes, without a clock: two states that look alike to a viewer cost the same work.

Work is every call of a function of this program and of the store, by name; what differed there could be measured.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from msgspec import structs

from domain.games import GAMES
from domain.log import seen_log
from domain.values import Seat
from tests.api.test_privacy import refusals, seat_players
from tests.support.api import Api, play

READ = (
    "",
    "?as=public",
    "?at=2",
    "?as=all",
    "/commands",
    "/events",
    "/events?after=1&limit=1",
    "/replay?limit=3",
    "/record",
)
OURS = ("/service/", "/domain/")


def work_of(step: Callable[[], object]) -> Counter[str]:
    """Count the calls of our functions in a step."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and any(part in frame.f_code.co_filename for part in OURS):
            calls[f"{frame.f_code.co_filename.rpartition('/')[2]}: {frame.f_code.co_qualname}"] += 1

    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
    return calls


def works(app: Any, table: str, viewer: Api, refused: list[Any]) -> list[tuple[str, Counter[str]]]:
    """Give what each request of a viewer costs; each is sent once before, so that nothing is made for the first time."""
    headers = {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}
    client, base = app.test_client(), f"/v1/tables/{table}"

    def cost(path: str, command: Any = None) -> Counter[str]:
        method = "GET" if command is None else "POST"

        def send() -> None:
            client.open(f"{base}{path}", method=method, headers=headers, json=command).get_data()

        send()
        return work_of(send)

    return [
        *((path, cost(path)) for path in READ),
        *((str(command), cost("/commands", command)) for command in refused),
    ]


@pytest.mark.parametrize(("game", "moves"), list(zip(GAMES, (12, 30, 7), strict=True)))
def test_two_states_that_look_alike_to_a_viewer_cost_the_same_work(app, services, ada, public, game, moves):
    rng = random.Random(f"{game} {moves}")
    table, persons = seat_players(ada, game)
    play(table, persons, rng, most=moves)
    live = services.desk.table(table)
    first = live.table
    for seat, person in enumerate(persons):
        asked = rng.sample(refusals(services, table, seat, rng), 5)
        log = seen_log(live.game, live.entries, Seat(seat))
        other = live.game.resample(first.options, len(persons), Seat(seat), log, random.Random(moves))
        assert other != first.play
        for viewer in (person, public):
            commands = asked if viewer is person else []
            one = works(app, table, viewer, commands)
            live._table = structs.replace(first, play=other)
            two = works(app, table, viewer, commands)
            live._table = first
            for (what, here), (_, there) in zip(one, two, strict=True):
                assert here == there, what
                assert here.total() > 20


def test_work_that_depends_on_what_is_hidden_would_be_found(services, ada):
    table, _ = seat_players(ada, "beam-me-up")
    live = services.desk.table(table)
    state, game = live.table.play, live.game
    costs = [work_of(lambda seat=seat: game.legal(state, Seat(seat))) for seat in range(2)]  # type: ignore[misc]
    assert costs[0] != costs[1], "whose turn it is costs more, and is no secret; it shows that counting tells"
