"""Planet Pioneer: build a colony of 20 cells on a distant planet before the others do, for 2 to 4 players."""

from typing import Final

from domain.game import Game
from domain.games.planet_pioneer import shrewd
from domain.games.planet_pioneer.catalogue import cards
from domain.games.planet_pioneer.checks import check_command
from domain.games.planet_pioneer.commands import PlanetPioneerCommand
from domain.games.planet_pioneer.evaluate import evaluate
from domain.games.planet_pioneer.events import PlanetPioneerEvent
from domain.games.planet_pioneer.evolve import evolve
from domain.games.planet_pioneer.heuristic import rate
from domain.games.planet_pioneer.legal import default_move, legal
from domain.games.planet_pioneer.options import Options, check_options
from domain.games.planet_pioneer.resample import resample
from domain.games.planet_pioneer.rules import decide
from domain.games.planet_pioneer.scoring import outcome, to_act, verdict
from domain.games.planet_pioneer.search import Table
from domain.games.planet_pioneer.state import State, initial
from domain.games.planet_pioneer.turns import deal
from domain.games.planet_pioneer.views import PlanetPioneerView, hands, redact, view
from domain.games.planet_pioneer.words import summary

PLANET_PIONEER: Final[Game[State, Options, PlanetPioneerCommand, PlanetPioneerEvent, PlanetPioneerView]] = Game(
    name="planet-pioneer",
    title="Planet Pioneer",
    rules_version=1,
    seats=(2, 3, 4),
    options=Options,
    commands=PlanetPioneerCommand,
    events=PlanetPioneerEvent,
    views=PlanetPioneerView,
    check_options=check_options,
    check_command=check_command,
    initial=initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    to_act=to_act,
    legal=legal,
    outcome=outcome,
    verdict=verdict,
    view=view,
    redact=redact,
    hands=hands,
    summary=summary,
    cards=cards,
    default_move=default_move,
    resample=resample,
    rate=rate,
    evaluate=evaluate,
    imagine=Table,
    shrewd=shrewd.rate,
)

__all__ = ["PLANET_PIONEER"]
