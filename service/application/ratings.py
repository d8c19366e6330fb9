"""Ratings: a projection of rated games, the same numbers to the last bit whenever it is made anew.

PlackettLuce of openskill over the places of each game, in the order of time, then table. A rating is a belief: mu, and
how sure it is (sigma); it is shown with mu ± 2 sigma. A corrected result replaces the old one and everything after
it is computed again, so that a correction and its reversal restore every number.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Annotated, Final, Protocol

from msgspec import Meta
from openskill.models import PlackettLuce, PlackettLuceRating

from domain.table import Table
from domain.tournament.events import Pairing
from domain.tournament.state import Round, Tournament
from domain.values import Value
from service.application.live import Live
from service.application.stream_kinds import is_tournament

BOT: Final = "ai:"
"""What the names of built-in bots begin with in ratings: `ai:greedy`."""
_DIGITS: Final = 6


class RatedGame(Value, frozen=True):
    """One game that counts: who played (by seat) and the places; no places: it counts no more."""

    table: str
    time_ms: int
    players: tuple[str, ...]
    places: tuple[int, ...]


class RatedGames(Protocol):
    """Where rated games are kept; both methods may raise `Unavailable`."""

    def put(self, game: str, rated: RatedGame) -> None:
        """Keep a game, or replace it by the same table."""
        ...

    def all(self, game: str) -> Sequence[RatedGame]:
        """Give all rated games of a game, in no order."""
        ...

    def count(self, game: str) -> int:
        """Give a number that changes whenever a game is kept or replaced."""
        ...


class Belief(Value, frozen=True):
    """What is believed of one's strength: mu, sigma, and mu ± 2 sigma."""

    mu: float
    sigma: float
    low: Annotated[float, Meta(description="mu - 2 sigma")]
    high: Annotated[float, Meta(description="mu + 2 sigma")]


class RatedPlayer(Value, frozen=True):
    """One player's rating in a game."""

    player: Annotated[str, Meta(description="A player's id, or `ai:` and a built-in bot's level.")]
    games: int
    rating: Belief


class RatingStep(Value, frozen=True):
    """One game of a player: the rating right after it."""

    table: str
    time_ms: int
    place: int
    players: int
    rating: Belief


class _Book:
    """All ratings of a game, folded as far as `games`."""

    def __init__(self) -> None:
        self.model = PlackettLuce()
        self.games: list[RatedGame] = []
        self.ratings: dict[str, PlackettLuceRating] = {}
        self.steps: dict[str, list[RatingStep]] = {}

    def fold(self, one: RatedGame) -> None:
        self.games.append(one)
        players = dict.fromkeys(one.players)
        if len(players) < 2 or len(one.places) != len(one.players):  # noqa: PLR2004 - a game is between two
            return
        # Who plays in two seats (bots of one level) counts by the better one.
        best = {player: min(p for who, p in zip(one.players, one.places, strict=True) if who == player)
                for player in players}  # fmt: skip
        order = sorted(best)
        teams = [[self.ratings.get(player) or self.model.rating(name=player)] for player in order]
        rated = self.model.rate(teams, ranks=[float(best[player]) for player in order])
        for player, (after,) in zip(order, rated, strict=True):
            self.ratings[player] = after
            self.steps.setdefault(player, []).append(
                RatingStep(
                    table=one.table,
                    time_ms=one.time_ms,
                    place=best[player],
                    players=len(order),
                    rating=belief(after.mu, after.sigma),
                )
            )


def belief(mu: float, sigma: float) -> Belief:
    """Give mu and sigma with their interval."""
    return Belief(
        mu=round(mu, _DIGITS),
        sigma=round(sigma, _DIGITS),
        low=round(mu - 2 * sigma, _DIGITS),
        high=round(mu + 2 * sigma, _DIGITS),
    )


class Ratings:
    """The ratings of all games, made from what is kept and held until it changes."""

    def __init__(self, kept: RatedGames) -> None:
        self._kept = kept
        self._books: dict[str, tuple[int, _Book]] = {}
        self._lock = threading.Lock()

    def table_closed(self, live: Live) -> None:
        """Enter a rated table that has ended (a step of `Closing`)."""
        rated = rated_table(live.id, live.table, live.entries[-1].time_ms)
        if rated is not None:
            self._kept.put(live.game.name, rated)

    def tournament_game(self, t: Tournament, one: Round, pairing: Pairing, leg: int, time_ms: int) -> None:
        """Enter a tournament's result as it stands."""
        if t.plan.rated:
            self._kept.put(t.plan.game, rated_result(t, one, pairing, leg, time_ms))

    def of_game(self, game: str) -> tuple[RatedPlayer, ...]:
        """Give all players of a game, the best first by mu - 2 sigma."""
        book = self._book(game)
        rows = (
            RatedPlayer(player=player, games=len(book.steps[player]), rating=belief(each.mu, each.sigma))
            for player, each in book.ratings.items()
        )
        return tuple(sorted(rows, key=lambda row: (-row.rating.low, row.player)))

    def history(self, game: str, player: str) -> tuple[RatingStep, ...]:
        """Give a player's games with the rating after each."""
        return tuple(self._book(game).steps.get(player, ()))

    def _book(self, game: str) -> _Book:
        with self._lock:
            count = self._kept.count(game)
            held = self._books.get(game)
            if held is not None and held[0] == count:
                return held[1]
            games = sorted(self._kept.all(game), key=lambda one: (one.time_ms, one.table))
            book = held[1] if held is not None and held[1].games == games[: len(held[1].games)] else _Book()
            for one in games[len(book.games) :]:
                book.fold(one)
            self._books[game] = (count, book)
            return book


def fold_ratings(games: Sequence[RatedGame]) -> Callable[[str], Belief | None]:
    """Rate games that are kept nowhere (the command line's own events)."""
    book = _Book()
    for one in sorted(games, key=lambda each: (each.time_ms, each.table)):
        book.fold(one)

    def of(player: str) -> Belief | None:
        found = book.ratings.get(player)
        return None if found is None else belief(found.mu, found.sigma)

    return of


def rated_table(table_id: str, table: Table, time_ms: int) -> RatedGame | None:
    """Give what a table counts for; None where it does not, or counts with its tournament."""
    if not table.rated or table.outcome is None or is_tournament(table.creator or ""):
        return None
    players = tuple(seat.player or "" for seat in table.seats)
    return RatedGame(table=table_id, time_ms=time_ms, players=players, places=table.outcome.places)


def rated_result(t: Tournament, one: Round, pairing: Pairing, leg: int, time_ms: int) -> RatedGame:
    """Give what a tournament's game counts for; a forfeit counts only where the plan says so."""
    game = pairing.games[leg]
    result = one.results[game]
    entrants = [t.entrants[entry] for entry in pairing.seats(leg)]
    unplayed = result.by == "no_show" or game in one.absences
    counts = not (unplayed and not t.plan.no_show.rated)
    return RatedGame(
        table=game,
        time_ms=time_ms,
        players=tuple(each.player or f"{BOT}{each.bot}" for each in entrants),
        places=result.places if counts else (),
    )
