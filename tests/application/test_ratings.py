"""T8: ratings are the same to the last bit whenever they are made, ties are equal, corrections restore."""

import random

from service.application.ratings import RatedGame, Ratings, fold_ratings
from service.store.tournaments import MemoryRatedGames

GAME = "beam-me-up"


def some_games(count: int) -> list[RatedGame]:
    rng = random.Random(2)
    games = []
    for number in range(count):
        players = tuple(rng.sample(["a", "b", "c", "d", "e"], rng.choice([2, 3, 4])))
        scores = [rng.randrange(3) for _ in players]
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        games.append(RatedGame(table=f"t{number}", time_ms=1000 + number // 2, players=players, places=places))
    return games


def kept(games: list[RatedGame]) -> MemoryRatedGames:
    held = MemoryRatedGames()
    for game in games:
        held.put(GAME, game)
    return held


def test_t8_live_and_made_anew_and_in_any_order_are_the_same():
    games = some_games(60)
    held = MemoryRatedGames()
    live = Ratings(held)
    for game in games:
        held.put(GAME, game)
        live.of_game(GAME)
    shuffled = random.Random(1).sample(games, len(games))
    assert live.of_game(GAME) == Ratings(kept(shuffled)).of_game(GAME)
    assert live.history(GAME, "a") == Ratings(kept(games)).history(GAME, "a")
    assert live.history(GAME, "a")[-1].rating == next(row.rating for row in live.of_game(GAME) if "a" == row.player)


def test_t8_a_correction_and_its_reversal_restore_exactly():
    games = some_games(30)
    held = kept(games)
    live = Ratings(held)
    before = live.of_game(GAME)
    wrong = RatedGame(games[3].table, games[3].time_ms, games[3].players, games[3].places[::-1])
    assert wrong != games[3]
    held.put(GAME, wrong)
    assert before != live.of_game(GAME)
    held.put(GAME, games[3])
    assert before == live.of_game(GAME)


def test_t8_who_ties_is_rated_alike_whatever_the_seat():
    rating = fold_ratings([RatedGame("t", 1, ("a", "b", "c"), (1, 1, 1))])
    assert rating("a") == rating("b") == rating("c")
    one = fold_ratings([RatedGame("t", 1, ("a", "b", "c"), (1, 2, 3))])
    other = fold_ratings([RatedGame("t", 1, ("c", "a", "b"), (3, 1, 2))])
    assert [one(each) for each in "abc"] == [other(each) for each in "abc"]
    assert one("nobody") is None


def test_a_game_that_counts_no_more_leaves_no_trace():
    held = kept([RatedGame("t", 1, ("a", "b"), (1, 2))])
    ratings = Ratings(held)
    assert ratings.of_game(GAME)
    held.put(GAME, RatedGame("t", 1, ("a", "b"), ()))
    assert () == ratings.of_game(GAME)


def test_the_interval_is_two_sigma_and_the_numbers_are_openskills():
    first = Ratings(kept([RatedGame("t", 1, ("a", "b"), (1, 2))])).of_game(GAME)[0]
    assert "a" == first.player
    assert (27.635389, 8.065901) == (first.rating.mu, first.rating.sigma)
    assert first.rating.low < first.rating.mu < first.rating.high
