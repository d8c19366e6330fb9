"""The kit finds what it is for: each test breaks one law in a copy of Beam Me Up and names what must be said."""

import dataclasses
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.errors import Refusal, illegal
from domain.games.beam_me_up import BEAM_ME_UP
from domain.games.beam_me_up.commands import DeclineCard, PlayCard
from domain.games.beam_me_up.events import CardCollected
from domain.games.events import CardsDrawn
from domain.testing import check_facts, check_game, check_golden, playing, record_golden
from domain.values import ALL
from tests.domain.beam_me_up.case import CASE

GAME: Any = BEAM_ME_UP


def examine(case):
    for seed in range(3):
        check_game(case, GAME.options(), case.game.seats[0], seed)


def found(message: str, *, seats: int = 2, **changes: Any) -> None:
    """The kit must find a game with these changes wrong, with this message, within three games."""
    game = dataclasses.replace(GAME, **{"seats": (seats,), **changes})
    with pytest.raises(AssertionError, match=message):
        examine(dataclasses.replace(CASE, game=game))


def test_the_game_itself_is_found_right():
    check_game(CASE, GAME.options(), 2, seed=0)


def test_a_log_that_shows_anothers_draw():
    def redact(event, viewer):
        return event if isinstance(event, CardsDrawn) else GAME.redact(event, viewer)

    found("shows .* hidden cards", redact=redact)


def test_a_log_that_shows_the_pile_to_the_public():
    found("shows public hidden cards", redact=lambda event, _viewer: event)


def test_a_log_that_blanks_what_it_should_leave_out():
    def redact(event, viewer):
        seen = GAME.redact(event, viewer)
        return replace(seen, cards=()) if isinstance(seen, CardsDrawn) and seen.cards is UNSET else seen

    found("beside a count|has 0 items", redact=redact)


def test_a_log_that_hides_from_all():
    found("redacted for `all`", redact=lambda event, viewer: GAME.redact(event, "public" if viewer == ALL else viewer))


def test_a_view_that_shows_hands():
    found(
        "shows hidden cards", view=lambda state, _viewer, *, over, shown: GAME.view(state, ALL, over=over, shown=shown)
    )


def test_a_view_whose_order_comes_from_what_is_hidden():
    def view(state, viewer, *, over, shown):
        seen = GAME.view(state, viewer, over=over, shown=shown)
        first = state.draw[0][0] if state.draw else "A"
        return seen if first < "F" else replace(seen, racers=seen.racers[::-1])

    found("could tell another world by the view", view=view)


def test_a_command_that_is_accepted_and_not_listed():
    def legal(state, seat):
        commands = GAME.legal(state, seat)
        return commands[:-1] if state.phase == "launch" and len(commands) > 1 else commands

    found("not listed and was accepted", legal=legal)


def test_a_command_that_is_listed_and_refused():
    def decide(state, seat, command, chance):
        if isinstance(command, DeclineCard):
            raise illegal("B7", "Take a card.")
        return GAME.decide(state, seat, command, chance)

    found("is listed for seat .* and was refused", decide=decide)


def test_a_refusal_that_tells_where_a_card_is():
    def decide(state, seat, command, chance):
        try:
            return GAME.decide(state, seat, command, chance)
        except Refusal:
            if isinstance(command, PlayCard) and seat == state.turn and command.card in state.draw:
                raise illegal("B37", "That card is in the draw pile.") from None
            raise

    found("is answered .* in one world and .* in another", decide=decide)


def test_a_refusal_without_a_ruling():
    def decide(state, seat, command, chance):
        try:
            return GAME.decide(state, seat, command, chance)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.message) from None

    found("was refused by no ruling", decide=decide)


def test_an_order_of_commands_that_shows_the_pile():
    def legal(state, seat):
        commands = GAME.legal(state, seat)
        return commands if not state.draw or state.draw[0] < "E" else commands[::-1]

    found("has other commands in another world", legal=legal)


def test_a_lost_card():
    def evolve(state, event):
        after = GAME.evolve(state, event)
        return replace(after, discard=state.discard) if isinstance(event, CardCollected) and event.replaced else after

    found("cards were lost or doubled", seats=4, evolve=evolve)


def test_a_seat_to_act_after_the_end():
    found("to act are", to_act=lambda state: (state.turn,) if state.turn is not None else ())


def test_a_default_move_that_looks_into_the_pile():
    def default_move(state, seat):
        return GAME.legal(state, seat)[-1 if state.draw and state.draw[0] > "F" else 0]

    found("default move .* depends on what it can't see", default_move=default_move)


def test_a_default_move_that_is_not_listed():
    found("default move .* is not listed", default_move=lambda _state, _seat: PlayCard("A1"))


def test_a_summary_that_names_another_card():
    found("names Fire 7", summary=lambda event: "" if "F7" in repr(event) else "Somebody has Fire 7")


def test_a_shuffle_that_depends_on_the_order_of_the_discards():
    def decide(state, seat, command, chance):
        class Unordered:
            def shuffle(self, k, cards):
                return chance.shuffle(k, cards[::-1])

        return GAME.decide(state, seat, command, Unordered())

    found("not in card order", seats=4, decide=decide)


def test_a_heuristic_of_the_wrong_length():
    def rate(seen):
        return (*GAME.rate(seen), -1000.0)

    found("figures for .* commands", rate=rate)


def test_a_world_that_forgets_the_log():
    def resample(options, seats, seat, log, rng):
        return GAME.resample(options, seats, seat, log[:3], rng)

    found("could tell another world", resample=resample)


def test_a_command_without_an_event():
    found("caused nothing", decide=lambda _state, _seat, _command, _chance: ())


def test_a_game_that_does_not_end(monkeypatch):
    monkeypatch.setattr(playing, "MANY", 20)
    found("has not ended after 20 decisions")


def test_a_game_without_seats_in_order():
    with pytest.raises(AssertionError, match="not ascending"):
        check_facts(dataclasses.replace(CASE, game=dataclasses.replace(GAME, seats=(4, 2, 3))))


GOLDEN = record_golden(CASE, GAME.options(), 2, "a golden log")


def test_a_golden_log_is_kept():
    check_golden(GAME, GOLDEN)
    assert record_golden(CASE, GAME.options(), 2, "a golden log") == GOLDEN


def test_a_recorded_event_that_means_another_thing_now():
    def evolve(state, event):
        after = GAME.evolve(state, event)
        return replace(after, home=()) if after.home else after

    with pytest.raises(AssertionError, match=r"view\.home"):
        check_golden(dataclasses.replace(GAME, evolve=evolve), GOLDEN)


def test_a_behaviour_that_changed_without_a_new_rules_version():
    def decide(state, seat, command, chance):
        events = GAME.decide(state, seat, command, chance)
        return events[:-1] if len(events) > 2 else events

    changed = dataclasses.replace(GAME, decide=decide)
    with pytest.raises(AssertionError, match="Raise rules_version"):
        check_golden(changed, GOLDEN)
    check_golden(dataclasses.replace(changed, rules_version=2), GOLDEN)


def test_a_log_that_shows_less_than_was_recorded():
    def redact(event, _viewer):
        return GAME.redact(event, "public")

    with pytest.raises(AssertionError, match="is not the recorded one"):
        check_golden(dataclasses.replace(GAME, redact=redact), GOLDEN)
