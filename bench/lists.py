"""What a list of 200 tables costs the API: CPU time of one process on a real store, tables being played.

Prints milliseconds of this process's CPU a list: the first one, one on which nothing has changed, and one with a move
made before it.
"""

import random
import tempfile
import time
from pathlib import Path

from service.api.app import create_app
from service.bootstrap import connect
from service.config import load
from service.store.embedded import open_embedded

TABLES = 200
MOVES = 5
TIMES = 5
GAMES = (("beam-me-up", 2), ("planet-pioneer", 2), ("universal-match", 3))


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder, open_embedded(Path(folder)) as servers:
        settings = {
            "STARLEDGER_REDIS_URL": servers.events_url,
            "STARLEDGER_QUEUE_URL": servers.queue_url,
            "STARLEDGER_SECRET": "a key for a measurement, which signs nothing that lasts",
            "STARLEDGER_RATE_LIMITS": "off",
        }
        services = connect(load(settings))
        client = create_app(services).test_client()
        rng = random.Random(1)

        def asked(method: str, path: str, player: str | None = None, body: object = None) -> dict[str, object]:
            headers = {} if player is None else {"Authorization": f"Bearer {player}"}
            answer = client.open(path, method=method, json=body, headers=headers)
            if answer.status_code >= 400:
                raise SystemExit(answer.text)
            return dict(answer.json or {})

        players = [str(asked("POST", "/v1/players", None, {"name": "P", "kind": "human"})["token"]) for _ in range(3)]

        def move(table: str) -> None:
            for player in players:
                offer = asked("GET", f"/v1/tables/{table}/commands", player)["commands"]
                moves = [each for each in offer if each["type"] != "resign"]  # type: ignore[attr-defined]
                if moves:
                    asked("POST", f"/v1/tables/{table}/commands", player, rng.choice(moves))
                    return

        tables = []
        for n in range(TABLES):
            game, seats = GAMES[n % len(GAMES)]
            wish = {"game": game, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
            table = str(asked("POST", "/v1/tables", players[0], wish)["id"])
            for player in players[1:seats]:
                asked("POST", f"/v1/tables/{table}/seats", player, {})
            for _ in range(MOVES):
                move(table)
            tables.append(table)

        def listed() -> float:
            began = time.process_time()
            size = len(asked("GET", f"/v1/tables?limit={TABLES}")["items"])  # type: ignore[arg-type]
            if size != TABLES:
                raise SystemExit(f"the list has {size} tables")
            return (time.process_time() - began) * 1000

        first = listed()
        again = min(listed() for _ in range(TIMES))
        moved = []
        for _ in range(TIMES):
            move(rng.choice(tables))
            moved.append(listed())
        services.close()
        fresh = connect(load(settings))
        client = create_app(fresh).test_client()
        cold = listed()
        fresh.close()
        print(f"the first list               {first:8.1f} ms of CPU")
        print(f"again, nothing changed       {again:8.1f}")
        print(f"a move made before it        {min(moved):8.1f}")
        print(f"the first of a new process   {cold:8.1f}")


if __name__ == "__main__":
    main()
