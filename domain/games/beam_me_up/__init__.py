"""Beam Me Up: tricks won by the highest number, aliens lined up three alike, Space Racers launched for them."""

from domain.game import Game
from domain.games.beam_me_up.cards import catalogue
from domain.games.beam_me_up.commands import BeamMeUpCommand
from domain.games.beam_me_up.default import default_move
from domain.games.beam_me_up.evaluate import evaluate
from domain.games.beam_me_up.events import BeamMeUpEvent
from domain.games.beam_me_up.evolve import evolve
from domain.games.beam_me_up.heuristic import rate
from domain.games.beam_me_up.options import Options
from domain.games.beam_me_up.resample import resample
from domain.games.beam_me_up.rules import deal, decide, legal, outcome, to_act, verdict
from domain.games.beam_me_up.search import Table
from domain.games.beam_me_up.state import State, initial
from domain.games.beam_me_up.views import BeamMeUpView, hands, redact, view
from domain.games.beam_me_up.words import summary

BEAM_ME_UP: Game[State, Options, BeamMeUpCommand, BeamMeUpEvent, BeamMeUpView] = Game(
    name="beam-me-up",
    title="Beam Me Up",
    rules_version=1,
    seats=(2, 3, 4),
    options=Options,
    commands=BeamMeUpCommand,
    events=BeamMeUpEvent,
    views=BeamMeUpView,
    check_options=lambda _options, _seats: {},
    check_command=lambda _options, _seats, _command: {},
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
    cards=lambda options: catalogue(earth_racer=options.earth_racer),
    default_move=default_move,
    resample=resample,
    rate=rate,
    evaluate=evaluate,
    imagine=Table,
)

__all__ = ["BEAM_ME_UP"]
