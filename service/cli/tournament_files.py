"""What an event leaves behind: standings, results, crosstable and ratings as JSON and CSV, and all records."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from domain.history import canonical
from service.application.ratings import Belief, RatedGame, fold_ratings
from service.cli.client import Client, Json

RESULTS: Final = (
    *(f"{name}.{kind}" for name in ("standings", "results", "crosstable", "ratings") for kind in ("json", "csv")),
    "record.jsonl",
    "records",
)
"""What is written at the end of an event."""
_HEAD: Final = ("place", "entry", "name", "points", "games", "wins", "byes", "forfeits")


def write_all(client: Client, tournament_id: str, folder: Path) -> Json:
    """Write all files of an event that is over; gives what they hold."""
    base = f"/v1/tournaments/{tournament_id}"
    shown = client.get(base)
    rounds = [client.get(f"{base}/rounds/{number}") for number in range(1, shown["round"] + 1)]
    standings: list[Json] = client.get(f"{base}/standings")["standings"]
    crossings: list[Json] = client.get(f"{base}/crosstable")["crossings"]
    names = {each["entry"]: each["name"] for each in shown["entrants"]}
    results = list(_results(rounds, names))
    ratings = _ratings(results, names, are_absences_rated=shown["no_show"]["rated"])
    found: Json = {
        "name": shown["name"],
        "status": shown["status"],
        "ended": shown["ended"],
        "standings": standings,
        "results": results,
        "ratings": ratings,
        "sprt": shown["sprt_state"],
    }
    _json(folder / "standings.json", standings)
    _json(folder / "results.json", results)
    _json(folder / "crosstable.json", crossings)
    _json(folder / "ratings.json", ratings)
    tie_breaks = [each["name"] for each in standings[0]["tie_breaks"]] if standings else []
    _csv(
        folder / "standings.csv",
        (*_HEAD, *tie_breaks),
        ([*(row[name] for name in _HEAD), *(each["value"] for each in row["tie_breaks"])] for row in standings),
    )
    _csv(
        folder / "results.csv",
        ("round", "table", "leg", "seat", "entry", "name", "place", "score", "forfeit"),
        (
            [game["round"], game["table"], game["leg"], seat, entry, names[entry], game["places"][seat],
             game["scores"][seat] if game["scores"] else "", seat in game["forfeits"]]
            for game in results
            for seat, entry in enumerate(game["entries"])
        ),
    )  # fmt: skip
    met = {(each["entry"], each["opponent"]): each for each in crossings}
    order = [row["entry"] for row in standings]
    _csv(
        folder / "crosstable.csv",
        ("name", *(names[entry] for entry in order)),
        ([names[one], *(_crossed(met.get((one, other))) for other in order)] for one in order),
    )
    _csv(
        folder / "ratings.csv",
        ("name", "mu", "sigma", "low", "high"),
        ([row["name"], row["mu"], row["sigma"], row["low"], row["high"]] for row in ratings),
    )
    record = client.raw(f"{base}/record")
    (folder / "record.jsonl").write_bytes(record)
    _records(record, folder / "records")
    return found


def standings_table(found: Json) -> Table:
    """Give the standings for the terminal."""
    table = Table(title=f"{found['name']}: {found['status']} ({str(found['ended']).replace('_', ' ')})")
    for head in ("#", "name", "points", "games", "wins", "rating ± 2σ"):
        table.add_column(head, justify="left" if head == "name" else "right")
    ratings = {row["entry"]: row for row in found["ratings"]}
    for row in found["standings"]:
        rating = ratings.get(row["entry"])
        shown = "" if rating is None else f"{rating['mu']:.1f} ± {2 * rating['sigma']:.1f}"
        table.add_row(str(row["place"]), row["name"], f"{row['points']:g}", str(row["games"]), str(row["wins"]), shown)
    if found["sprt"] is not None:
        test = found["sprt"]
        table.caption = (
            f"SPRT: ratio {test['llr']:.2f} between {test['lower']:.2f} and {test['upper']:.2f} after "
            f"{test['blocks']} rounds: {test['verdict']}"
        )
    return table


def _results(rounds: Sequence[Json], names: Json) -> Iterable[Json]:
    for one in rounds:
        for table in one["tables"]:
            for game in table["games"]:
                result = game["result"]
                if result is not None:
                    yield {
                        "round": one["round"],
                        "table": table["table"],
                        "leg": game["leg"],
                        "entries": game["seats"],
                        "names": [names[entry] for entry in game["seats"]],
                        **{name: result[name] for name in ("places", "scores", "forfeits", "by", "reason")},
                        "no_show": game["no_show"],
                    }


def _ratings(results: Sequence[Json], names: Json, *, are_absences_rated: bool) -> list[Json]:
    """Rate the event by itself: everybody begins as unknown. Who did not come is rated where the event says so."""
    games = [
        RatedGame(table=f"{at:09d}", time_ms=0, players=tuple(game["entries"]), places=tuple(game["places"]))
        for at, game in enumerate(results)
        if are_absences_rated or not game["no_show"]
    ]
    of = fold_ratings(games)
    found: list[tuple[str, Belief]] = [(entry, rating) for entry in names if (rating := of(entry)) is not None]
    found.sort(key=lambda each: (-each[1].low, each[0]))
    return [
        {"entry": entry, "name": names[entry], "mu": r.mu, "sigma": r.sigma, "low": r.low, "high": r.high}
        for entry, r in found
    ]


def _crossed(crossing: Json | None) -> str:
    return "" if crossing is None else f"{crossing['ahead']}-{crossing['level']}-{crossing['behind']}"


def _records(record: bytes, folder: Path) -> None:
    """Write the record of each table to a file of its own, which `starledger verify` takes."""
    folder.mkdir(exist_ok=True)
    for line in record.splitlines():
        row = json.loads(line)
        if row["type"] == "table":
            lines = b"".join(canonical(each) + b"\n" for each in row["record"])
            (folder / f"{row['table']}.slr.jsonl").write_bytes(lines)


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _csv(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
