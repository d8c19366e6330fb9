"""What each viewer sees: U46, U47, U48, and the contract's conventions for views and redacted events."""

import json
import random

import msgspec
import pytest
from msgspec import UNSET

from domain.chance import RandomChance
from domain.games.events import CardsDrawn
from domain.games.universal_match import UNIVERSAL_MATCH as GAME
from domain.games.universal_match.cards import in_order
from domain.games.universal_match.commands import DrawCard, SwitchHand, SwitchOwn
from domain.games.universal_match.options import Options
from domain.values import ALL, PUBLIC, Seat
from tests.domain.universal_match.build import dealt, do, legal, position, run, the_deal


def wire(state, viewer, **more):
    return json.loads(msgspec.json.encode(GAME.view(state, viewer, **{"over": False, "shown": False, **more})))


def middle(seats=3, options=None, decisions=60, seed=5):
    rng = random.Random(seed)
    chance = RandomChance(rng)
    state = dealt(seats, options, chance)
    for _ in range(decisions):
        to_act = GAME.to_act(state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        _, state = do(state, seat, rng.choice(legal(state, seat)), chance)
    return state


def test_the_view_has_the_contracts_fields():
    shown = wire(middle(), PUBLIC)
    assert {
        *("game", "phase", "hand_number", "dealer", "turn", "forced_draw", "dry_turns", "seats", "offer"),
        *("stock_count", "discard", "banned_pairs"),
    } == set(shown)
    assert {"seat", "hand_count", "chosen_count", "board", "total", "hand_points", "matches"} == set(shown["seats"][0])
    assert "universal-match" == shown["game"]


def test_before_the_boards_are_chosen_nobody_is_in_turn():
    shown = wire(dealt(2), PUBLIC)
    assert ("choose", None, 1) == (shown["phase"], shown["turn"], shown["hand_number"])
    assert [6, 6] == [seat["hand_count"] for seat in shown["seats"]]


def test_u47_a_hidden_card_is_a_count_and_its_list_is_absent():
    shown = wire(middle(), PUBLIC)
    for seat in shown["seats"]:
        assert "hand" not in seat
        assert "chosen" not in seat
        assert "drawn" not in seat
    assert "stock" not in shown


def test_u47_a_seat_sees_its_own_hand_only():
    state = middle()
    for viewer in range(3):
        seats = wire(state, Seat(viewer))["seats"]
        assert list(state.hands[viewer]) == seats[viewer]["hand"]
        assert [viewer] == [seat["seat"] for seat in seats if "hand" in seat]


def test_u47_a_drawn_card_is_shown_to_its_drawer_only():
    events, state = do(position(["1E 3J 6M", "1J 7M GN"], stock="SJ"), 0, DrawCard())
    assert "SJ" == wire(state, Seat(0))["seats"][0]["drawn"]
    for viewer in (Seat(1), PUBLIC):
        assert "drawn" not in wire(state, viewer)["seats"][0]
        assert CardsDrawn(seat=Seat(0), count=1) == GAME.redact(events[0], viewer)
    assert CardsDrawn(seat=Seat(0), count=1, cards=("SJ",)) == GAME.redact(events[0], Seat(0))
    assert 4 == wire(state, PUBLIC)["seats"][0]["hand_count"]


def test_u46_the_whole_discard_pile_lies_open_from_bottom_to_top():
    state = position(["1E 3J 6M", "1J 7M GN"], discard="SJ GE 2V")
    assert ["SJ", "GE", "2V"] == wire(state, PUBLIC)["discard"]
    switches = [c for c in legal(state, 0) if isinstance(c, SwitchHand) and c.source == "discard"]
    assert {"2V"} == {command.take for command in switches}


def test_u48_a_card_taken_into_a_hand_is_not_marked_but_the_log_shows_it():
    events, state = do(position(["1E 3J 6M", "1J 7M GN"]), 0, SwitchOwn(give="1V", take="1E"))
    assert "hand" not in wire(state, Seat(1))["seats"][0]
    assert events[0] == GAME.redact(events[0], Seat(1)) == GAME.redact(events[0], PUBLIC)


def test_hands_are_sorted_by_rank_then_suit_from_high_to_low():
    state = middle(4)
    for hand in state.hands:
        assert in_order(hand) == hand
    assert ("GE", "GV", "SE", "ME", "7E", "1V") == in_order(("1V", "7E", "ME", "SE", "GV", "GE"))


def test_a_board_lies_in_the_order_laid_the_newest_card_last():
    state = run(position(["1E 3J 6M", "1J 7M GN"], ["GE 2V 2S", ""]), (0, SwitchOwn(give="GE", take="1E")))
    assert ["3J", "6M", "GE"] == wire(state, PUBLIC)["seats"][0]["board"]


def test_when_the_table_has_ended_all_hands_are_shown_and_nobody_is_to_act():
    state = middle()
    shown = wire(state, PUBLIC, over=True, shown=True)
    assert ("over", None, None) == (shown["phase"], shown["turn"], shown["offer"])
    assert state.hands == GAME.hands(state) == tuple(tuple(seat["hand"]) for seat in shown["seats"])
    assert all("drawn" not in seat and "chosen" not in seat for seat in shown["seats"])


def test_with_as_all_everything_is_shown():
    state = dealt(3)
    _, state = do(state, 1, legal(state, 1)[0])
    shown = wire(state, ALL)
    assert list(state.stock) == shown["stock"]
    assert [list(hand) for hand in state.hands] == [seat["hand"] for seat in shown["seats"]]
    assert [0, 3, 0] == [len(seat["chosen"]) for seat in shown["seats"]]


def test_with_as_all_the_answers_to_an_offer_are_shown():
    state = position(["7E 7J 1M", "1J 3M GN", "1N 3E GV"], ["7S GE SE", "", ""], options=Options(advanced_b=True))
    state = run(state, (0, SwitchOwn(give="7S", take="1M")))
    state = run(state, (2, legal(state, 2)[-1]))
    assert [{"seat": 2, "answer": None}] == wire(state, ALL)["offer"]["answers"]
    offer = wire(state, PUBLIC)["offer"]
    assert {"seat": 0, "cards": ["7E", "7J", "7S"], "asked": [1, 2], "answered": [2]} == offer
    assert wire(state, Seat(2))["offer"]["own_answer"] is None


@pytest.mark.parametrize("seed", range(4))
def test_there_are_sixty_cards_in_every_view(seed):
    for decisions in range(0, 120, 9):
        shown = wire(middle(4, decisions=decisions, seed=seed), PUBLIC)
        seats = shown["seats"]
        held = sum(seat["hand_count"] + seat["chosen_count"] + len(seat["board"]) for seat in seats)
        banked = sum(len(match["cards"]) for seat in seats for match in seat["matches"])
        assert 60 == held + banked + shown["stock_count"] + len(shown["discard"])


def test_a_hidden_field_is_absent_from_the_json_of_an_event_and_never_null():
    event = the_deal(2)
    told = json.loads(msgspec.json.encode(GAME.redact(event, Seat(1))))
    assert {"seat": 0, "count": 6} == told["hands"][0]
    assert {"seat", "count", "cards"} == set(told["hands"][1])
    assert {"count": 48} == told["stock"]
    assert event.hands[0].cards is not UNSET


def test_from_is_from_on_the_wire():
    events, _ = do(position(["1E 3J 6M", "1J 7M GN"]), 0, SwitchHand(give="1V", take="1J", source=Seat(1)))
    assert 1 == json.loads(msgspec.json.encode(events[0]))["from"]
    command = msgspec.json.decode(
        b'{"type":"switch_hand","give":"1V","take":"1J","from":"discard"}', type=GAME.commands
    )
    assert SwitchHand(give="1V", take="1J", source="discard") == command


def test_a_summary_says_no_more_than_its_viewer_sees():
    events, _ = do(position(["1E 3J 6M", "1J 7M GN"], stock="SJ"), 0, DrawCard())
    assert "{seat:0} drew SJ" == GAME.summary(GAME.redact(events[0], Seat(0)))
    assert "{seat:0} drew a card" == GAME.summary(GAME.redact(events[0], Seat(1)))


def test_every_card_is_in_the_catalogue_once_in_card_order():
    facts = GAME.cards(Options())
    assert 60 == len(facts)
    assert ("GE", "Galaxy of Earth", 1) == (facts[0].card, facts[0].title, facts[0].copies)
    assert {"rank": "1", "suit": "Venus", "value": 1} == facts[-1].facts
