"""Options and deck lists: what is wrong is said by field."""

import pytest
from msgspec.structs import replace

from domain.errors import Refusal
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.cards import STANDARD, DeckCard
from domain.games.planet_pioneer.commands import Attack, Build, Discard, Strike, Visit
from domain.games.planet_pioneer.deck import deck_of
from domain.games.planet_pioneer.options import Options
from domain.options import options_dict, parse_options
from domain.values import Seat
from tests.domain.planet_pioneer.case import OWN_DECK


def wrong(*deck: DeckCard, seats: int = 2) -> dict[str, str]:
    return dict(PLANET_PIONEER.check_options(Options(deck=deck), seats))


def with_card(place: int, **changes: object) -> tuple[DeckCard, ...]:
    deck = list(OWN_DECK)
    deck[place] = replace(deck[place], **changes)
    return tuple(deck)


def place_of(name: str) -> int:
    return [card.name for card in OWN_DECK].index(name)


def test_the_standard_deck_has_27_level_names_as_the_rulings_count_them():
    counts = {
        level: len([card for card in STANDARD if card.level == level and card.kind in {"structure", "defense"}])
        for level in range(1, 7)
    }

    assert {1: 7, 2: 6, 3: 5, 4: 4, 5: 3, 6: 2} == counts
    assert 104 == sum(card.copies for card in STANDARD)
    assert {"alien_visit": 6, "alien_attack": 5, "meteor_strike": 7, "meteor_cap": 5} == {
        card.name: card.copies for card in STANDARD if card.kind not in {"structure", "defense"}
    }
    assert {3} == {card.copies for card in STANDARD if card.kind in {"structure", "defense"}}
    assert {} == wrong(*STANDARD)


def test_the_defaults_are_those_of_the_contract():
    assert {
        "first_round": "until_all_placed",
        "first_seat": None,
        "tie_break": "shared",
        "deck": "standard",
    } == options_dict(Options())


def test_an_own_deck_is_played_with():
    assert {} == wrong(*OWN_DECK)
    assert sum(card.copies for card in OWN_DECK) == len(deck_of(Options(deck=OWN_DECK)).cards)
    raw = options_dict(Options(deck=OWN_DECK))
    assert Options(deck=OWN_DECK) == parse_options(Options, raw)


@pytest.mark.parametrize(
    ("seats", "first", "fits"), [(2, 1, True), (2, 2, False), (3, 2, True), (4, 3, True), (3, 3, False)]
)
def test_p4_the_first_seat_must_be_at_the_table(seats, first, fits):
    errors = PLANET_PIONEER.check_options(Options(first_seat=Seat(first)), seats)
    assert ([] if fits else ["first_seat"]) == list(errors)


@pytest.mark.parametrize(
    ("place", "changes", "field"),
    [
        (3, {"level": 0}, "deck[3].level"),
        (place_of("wall"), {"level": 0}, f"deck[{place_of('wall')}].level"),
        (place_of("lid"), {"level": 2}, f"deck[{place_of('lid')}].level"),
        (place_of("friends"), {"level": 1}, f"deck[{place_of('friends')}].level"),
        (place_of("raiders"), {"level": 2}, f"deck[{place_of('raiders')}].level"),
        (place_of("comet"), {"level": 3}, f"deck[{place_of('comet')}].level"),
        (5, {"name": "base_station"}, "deck[5].name"),
    ],
)
def test_what_is_wrong_with_one_card_of_a_deck_is_said_by_its_field(place, changes, field):
    assert [field] == list(wrong(*with_card(place, **changes)))


def test_a_name_stands_once_in_a_deck():
    errors = wrong(*OWN_DECK, DeckCard("wall", "structure", 1, 2))

    assert [f"deck[{len(OWN_DECK)}].name"] == list(errors)


@pytest.mark.parametrize(("kind", "level"), [("visit", 0), ("attack", 0), ("strike", 0), ("cap", 1)])
def test_a_deck_has_one_name_only_of_visit_attack_strike_and_cap(kind, level):
    errors = wrong(*OWN_DECK, DeckCard("another", kind, level, 2))

    assert [f"deck[{len(OWN_DECK)}].kind"] == list(errors)


@pytest.mark.parametrize("kind", ["visit", "attack", "strike", "cap", "defense", "structure"])
def test_a_deck_has_a_card_of_each_kind(kind):
    others = [card for card in OWN_DECK if card.kind != kind]
    more = [DeckCard(f"more_{number}", "defense", 1 + number % 5, 3) for number in range(20)]
    errors = wrong(*others, *(more if kind != "defense" else ()))

    assert kind in errors["deck"]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_deck_has_each_of_the_levels_1_to_5_among_its_structures_and_defenses(level):
    deck = [replace(card, level=6) if card.level == level and card.kind != "cap" else card for card in OWN_DECK]
    errors = wrong(*deck)

    assert ["deck"] == list(errors)
    assert str(level) in errors["deck"]


def test_a_deck_has_at_least_18_names_of_structures_and_defenses():
    errors = wrong(*[card for card in OWN_DECK if card.name != "dome_15"])

    assert "at least 18 names" in errors["deck"]


@pytest.mark.parametrize(("copies", "fits"), [(5, False), (6, True)])
def test_a_deck_has_at_least_60_cards(copies, fits):
    total = sum(card.copies for card in OWN_DECK)
    assert 61 == total
    errors = wrong(*with_card(place_of("comet"), copies=copies))

    assert fits == (not errors)
    assert fits or "60 to 400 cards" in errors["deck"]


def test_a_deck_has_at_most_400_cards():
    exact = [replace(card, copies=20) for card in OWN_DECK[:18]]
    others = [replace(card, copies=10) for card in OWN_DECK[18:]]

    assert 400 == sum(card.copies for card in [*exact, *others])
    assert {} == wrong(*exact, *others)
    assert "60 to 400 cards" in wrong(*exact, *others, DeckCard("one_more", "structure", 1, 1))["deck"]


@pytest.mark.parametrize(
    ("card", "field"),
    [
        ({"name": "Dome", "kind": "structure", "level": 1, "copies": 3}, ".name"),
        ({"name": "9dome", "kind": "structure", "level": 1, "copies": 3}, ".name"),
        ({"name": "d" * 41, "kind": "structure", "level": 1, "copies": 3}, ".name"),
        ({"name": "dome", "kind": "house", "level": 1, "copies": 3}, ".kind"),
        ({"name": "dome", "kind": "structure", "level": 10, "copies": 3}, ".level"),
        ({"name": "dome", "kind": "structure", "level": -1, "copies": 3}, ".level"),
        ({"name": "dome", "kind": "structure", "level": "1", "copies": 3}, ".level"),
        ({"name": "dome", "kind": "structure", "level": 1, "copies": 0}, ".copies"),
        ({"name": "dome", "kind": "structure", "level": 1, "copies": 21}, ".copies"),
        ({"name": "dome", "kind": "structure", "level": 1}, ""),
        ({"name": "dome", "kind": "structure", "level": 1, "copies": 3, "text": "more"}, ""),
    ],
)
def test_a_card_of_another_shape_is_refused_by_field(card, field):
    raw = [*options_dict(Options(deck=OWN_DECK))["deck"], card]  # type: ignore[misc]  # a list of cards
    with pytest.raises(Refusal) as refusal:
        parse_options(Options, {"deck": raw})

    assert "validation_failed" == refusal.value.code
    assert [f"options.deck[{len(OWN_DECK)}]{field}"] == list(refusal.value.errors)


def test_a_card_that_the_deck_has_not_and_a_seat_that_is_not_there_are_refused_by_field():
    def check(command, options=None):
        return list(PLANET_PIONEER.check_command(options or Options(), 2, command))

    assert ["card"] == check(Build("dome_1", (0, 1)))
    assert ["card"] == check(Discard("fusion_plant"))
    assert [] == check(Discard("mine"))
    assert [] == check(Build("alien_visit", (0, 1)))
    assert [] == check(Build("dome_1", (0, 1)), Options(deck=OWN_DECK))
    assert ["card"] == check(Discard("mine"), Options(deck=OWN_DECK))
    assert ["opponent"] == check(Attack(Seat(2), (0, 1)))
    assert ["opponent"] == check(Strike(Seat(7), (0, 1)))
    assert [] == check(Attack(Seat(1), (0, 1)))
    assert [] == check(Visit((0, 1)))


def test_the_catalogue_has_every_card_with_its_kind_and_level():
    facts = {card.card: card for card in PLANET_PIONEER.cards(Options())}

    assert 32 == len(facts)
    assert ("Force Field", 3, {"kind": "defense", "level": 3}) == (
        facts["force_field"].title,
        facts["force_field"].copies,
        facts["force_field"].facts,
    )
    assert ("Base Station", 4) == (facts["base_station"].title, facts["base_station"].copies)
    assert 108 == sum(card.copies for card in facts.values())
    assert {"wall", "base_station"} < {card.card for card in PLANET_PIONEER.cards(Options(deck=OWN_DECK))}
