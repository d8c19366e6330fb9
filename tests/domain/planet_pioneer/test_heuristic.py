"""What the greedy bot thinks good."""

import random

from domain.bots.greedy import choose_greedy
from domain.bots.uniform import choose_random
from domain.chance import RandomChance
from domain.game import Seen
from domain.games.planet_pioneer import PLANET_PIONEER
from domain.games.planet_pioneer.commands import Attack, Build, Cap, Discard, PlanetPioneerCommand, Strike
from domain.games.planet_pioneer.events import RoundBegan
from domain.games.planet_pioneer.grid import CELLS
from domain.values import Command, Seat
from tests.domain.planet_pioneer.scenes import BASE, A, B, C, Scene

LAST = (3, 4)


def seen_by(scene: Scene, seat: Seat = A) -> Seen:
    view = PLANET_PIONEER.view(scene.state, seat, over=False, shown=False)
    commands = PLANET_PIONEER.legal(scene.state, seat)
    return Seen(options=scene.options, seats=scene.seats, seat=seat, view=view, commands=commands, log=())


def rates(scene: Scene) -> dict[Command, float]:
    seen = seen_by(scene)
    return dict(zip(seen.commands, PLANET_PIONEER.rate(seen), strict=True))


def choice(scene: Scene) -> PlanetPioneerCommand:
    command = choose_greedy(PLANET_PIONEER, seen_by(scene), random.Random(0))
    assert isinstance(command, PlanetPioneerCommand)
    return command


def test_the_highest_level_is_built_first():
    command = choice(Scene(hands={A: ("oxygen", "mine", "terraformer", "school", "water", "crops")}))

    assert isinstance(command, Build)
    assert "terraformer" == command.card


def test_a_card_goes_next_to_a_defense():
    scene = Scene(hands={A: ("terraformer", "alien_attack")}).colony(A, {(0, 1): "force_field", (0, 3): "water"})

    assert rates(scene)[Build("terraformer", (1, 1))] > rates(scene)[Build("terraformer", (1, 3))]


def test_a_defense_goes_where_it_protects_most():
    scene = Scene(hands={A: ("force_field",)}).colony(A, {(0, 1): "school", (1, 1): "hospital", (0, 3): "water"})

    found = {command: value for command, value in rates(scene).items() if isinstance(command, Build)}
    assert max(found, key=lambda command: found[command]) in {
        Build("force_field", (2, 1)),
        Build("force_field", (1, 0)),
    }


def test_a_strike_hits_the_highest_level_of_who_is_in_front():
    scene = Scene(3, hands={A: ("meteor_strike", "oxygen")})
    scene.colony(B, {(0, 1): "terraformer", (0, 3): "hospital"}).colony(C, {(0, 1): "city_hall"})

    found = {command: value for command, value in rates(scene).items() if isinstance(command, Strike)}
    assert Strike(B, (0, 1)) == max(found, key=lambda command: found[command])


def worthless_but_for_the_last_cell(scene: Scene) -> Scene:
    return scene.colony(A, {cell: "alien_visit" for cell in CELLS if cell not in (BASE, LAST)})


def test_who_leads_fills_the_grid():
    assert Build("terraformer", LAST) == choice(Scene(hands={A: ("terraformer", "mine")}).full_but(A, LAST))


def test_who_does_not_lead_lets_the_last_cell_be():
    scene = worthless_but_for_the_last_cell(Scene(hands={A: ("oxygen", "water"), B: ()})).full_but(B, LAST)

    assert isinstance(choice(scene), Discard)


def test_after_a_dry_round_filling_the_grid_is_never_held_back():
    scene = worthless_but_for_the_last_cell(Scene(hands={A: ("oxygen", "water"), B: ()})).full_but(B, LAST)
    scene.happened(RoundBegan(7, 1), RoundBegan(8, 1)).turn(A)

    assert 1 == scene.view().dry_rounds
    assert isinstance(choice(scene), Build)


def test_in_the_final_round_an_attack_on_who_has_yet_to_play_beats_one_on_who_has_not():
    scene = Scene(3, hands={A: ("terraformer",), B: ("alien_attack", "oxygen"), C: ("mine",)}).full_but(A, LAST)
    scene.does(Build("terraformer", LAST))
    seen = seen_by(scene, B)
    found = dict(zip(seen.commands, PLANET_PIONEER.rate(seen), strict=True))

    assert found[Attack(C, (0, 1))] > 0
    assert {C} == {command.opponent for command in found if isinstance(command, Attack)}


def test_a_cap_is_better_than_nothing():
    scene = Scene(hands={A: ("meteor_cap", "water")}).colony(A, {(0, 1): "water", (0, 3): ["crops", "meteor_strike"]})

    assert Cap((0, 3)) == choice(scene)


def test_what_lives_already_is_discarded_before_what_can_still_be_laid():
    scene = Scene(round=2, hands={A: ("city_hall", "oxygen", "terraformer")}).colony(A, {(0, 1): "oxygen"})

    assert Discard("oxygen") == choice(scene)


def test_greedy_beats_a_random_player():
    seats, won = 2, 0
    for seed in range(40):
        rng = random.Random(seed)
        chance = RandomChance(rng)
        greedy = Seat(seed % seats)
        scene = Scene(seats)
        state = PLANET_PIONEER.initial(scene.options, seats)
        events = PLANET_PIONEER.deal(state, chance)
        while True:
            for event in events:
                state = PLANET_PIONEER.evolve(state, event)
            if state.turn is None:
                break
            scene.state = state
            seen = seen_by(scene, state.turn)
            choose = choose_greedy if state.turn == greedy else choose_random
            command = choose(PLANET_PIONEER, seen, rng)
            assert isinstance(command, PlanetPioneerCommand)
            events = PLANET_PIONEER.decide(state, state.turn, command, chance)
        ranks = PLANET_PIONEER.verdict(state).ranks
        won += ranks[greedy] == max(ranks)
    assert won >= 36
