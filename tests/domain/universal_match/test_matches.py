"""What a match is and when it is perfect: U5, U6, U7, U28, and section 2 of the rulings."""

from itertools import combinations, permutations
from operator import add

import pytest

from domain.games.universal_match.cards import BIT, CARDS, RANKS, SUIT_VALUES, SUITS, VALUE
from domain.games.universal_match.matches import MATCHES, bits_of, is_perfect, kind_of, takings
from tests.domain.universal_match.build import card, cards

THREES = [tuple(map(card, map(add, "666", suits))) for suits in combinations(SUITS, 3)]
RAINBOWS = [tuple(map(card, map(add, "654", suits))) for suits in permutations(SUITS, 3)]


def share(shapes, definition):
    return sum(is_perfect(three, definition) for three in shapes), len(shapes)


def test_of_34220_threes_1208_are_matches():
    counts = {"three_of_a_kind": 0, "suited_run": 0, "rainbow_run": 0}
    threes = 0
    for three in combinations(CARDS, 3):
        threes += 1
        kind = kind_of(three)
        if kind is not None:
            counts[kind] += 1
        assert (kind is not None) == (bits_of(three) in MATCHES)
    assert (34_220, {"three_of_a_kind": 200, "suited_run": 48, "rainbow_run": 960}) == (threes, counts)


@pytest.mark.parametrize("three", ["GE SE ME", "GE SJ MV", "3J 2J 1J", "3J 2M 1N", "ME 7E 6E"])
def test_u5_galaxy_sun_moon_and_three_two_one_are_the_ends(three):
    assert kind_of(cards(three)) in ("suited_run", "rainbow_run")


@pytest.mark.parametrize("three", ["1E GE SE", "2E 1E GE", "1E GJ SM", "2J 1M GN"])
def test_u5_a_run_does_not_go_round_from_one_to_galaxy(three):
    """(xi)."""
    assert kind_of(cards(three)) is None


def test_u6_a_rainbow_run_has_three_suits():
    assert "rainbow_run" == kind_of(("5S", "4J", "3V"))


@pytest.mark.parametrize("three", ["5S 4S 3V", "5S 4V 3S", "5V 4S 3S"])
def test_u6_two_of_one_suit_and_one_of_another_are_no_run(three):
    assert kind_of(cards(three)) is None


@pytest.mark.parametrize("three", ["6E 6M 6S", "ME 7E 6E", "5S 4J 3V"])
def test_u7_where_a_card_lies_on_the_board_is_irrelevant(three):
    facts = {(MATCHES[bits_of(order)], kind_of(order)) for order in permutations(cards(three))}
    assert 1 == len(facts)


def test_u28_earth_and_neptune_count_three_jupiter_and_saturn_two_mars_and_venus_one():
    assert {"E": 3, "N": 3, "J": 2, "S": 2, "M": 1, "V": 1} == SUIT_VALUES
    assert 120 == sum(VALUE.values())


@pytest.mark.parametrize("rank", RANKS)
def test_u28_ranks_never_count(rank):
    assert [3, 2, 1, 3, 2, 1] == [VALUE[rank + suit] for suit in "EJMNSV"]


@pytest.mark.parametrize(("three", "points"), [("6E 6M 6S", 6), ("GN SN MN", 9), ("5S 4J 3V", 5), ("1M 2M 3M", 3)])
def test_u28_a_match_counts_the_values_of_its_cards(three, points):
    assert points == MATCHES[bits_of(cards(three))].points


def test_u34_one_card_of_each_value_makes_two_fifths_of_the_matches_perfect():
    assert (8, 20) == share(THREES, "one_of_each_value")
    assert (48, 120) == share(RAINBOWS, "one_of_each_value")


def test_u34_three_neighbouring_suits_make_a_fifth_of_the_matches_perfect():
    assert (4, 20) == share(THREES, "neighbouring_suits")
    assert (24, 120) == share(RAINBOWS, "neighbouring_suits")


def test_u34_the_sheets_own_three_of_a_kind_is_perfect_with_one_card_of_each_value():
    assert is_perfect(("6E", "6M", "6S"), "one_of_each_value")
    assert not is_perfect(("6E", "6M", "6S"), "neighbouring_suits")
    assert is_perfect(("6J", "6M", "6N"), "neighbouring_suits")
    assert not is_perfect(("6S", "6V", "6E"), "neighbouring_suits")


@pytest.mark.parametrize("definition", ["one_of_each_value", "neighbouring_suits"])
def test_u34_a_suited_run_is_never_perfect_and_can_never_be_taken(definition):
    for suit in SUITS:
        run = cards(f"5{suit} 4{suit} 3{suit}")
        assert not is_perfect(run, definition)
        assert () == takings(run, definition, restrained=False)


@pytest.mark.parametrize(
    ("definition", "restrained", "improvable", "others"),
    [
        ("one_of_each_value", False, 12, 12),
        ("one_of_each_value", True, 6, 12),
        ("neighbouring_suits", False, 16, 16),
        ("neighbouring_suits", True, 10, 16),
    ],
)
@pytest.mark.parametrize("ranks", ["666", "654"])
def test_u43_how_many_suits_one_switch_could_make_perfect(definition, restrained, improvable, others, ranks):
    threes = [tuple(map(card, map(add, ranks, suits))) for suits in combinations(SUITS, 3)]
    plain = [three for three in threes if not is_perfect(three, definition)]
    assert others == len(plain)
    assert improvable == sum(bool(takings(three, definition, restrained=restrained)) for three in plain)


@pytest.mark.parametrize("restrained", [False, True])
@pytest.mark.parametrize("definition", ["one_of_each_value", "neighbouring_suits"])
def test_u38_whoever_makes_a_match_perfect_puts_in_a_card_of_the_same_rank(definition, restrained):
    for three in (*THREES, *RAINBOWS):
        for give, take in takings(three, definition, restrained=restrained):
            assert give[0] == take[0]
            assert give not in three
            assert VALUE[give] >= VALUE[take] or not restrained


def test_u40_a_perfect_match_cannot_be_taken():
    for three in (*THREES, *RAINBOWS):
        if is_perfect(three, "one_of_each_value"):
            assert () == takings(three, "one_of_each_value", restrained=False)


def test_each_card_has_a_bit_of_its_own():
    assert 60 == len(CARDS) == len(set(CARDS))
    assert (1 << 60) - 1 == sum(BIT.values())
