"""Universal Match: three-card sets from the Universal Card Deck, for two to six seats; the game in one statement."""

from typing import Final

from domain.game import Game
from domain.games.universal_match.cards import CARD_FACTS
from domain.games.universal_match.commands import DeclineMatch, UniversalMatchCommand, check_command
from domain.games.universal_match.evaluate import evaluate
from domain.games.universal_match.events import UniversalMatchEvent
from domain.games.universal_match.evolve import evolve
from domain.games.universal_match.flow import deal
from domain.games.universal_match.heuristic import rate
from domain.games.universal_match.legal import default_move, legal
from domain.games.universal_match.options import Options, check_options
from domain.games.universal_match.outcome import outcome, verdict
from domain.games.universal_match.redact import redact
from domain.games.universal_match.resample import resample
from domain.games.universal_match.rules import decide
from domain.games.universal_match.search import table_of
from domain.games.universal_match.state import State, initial, to_act
from domain.games.universal_match.summary import summary
from domain.games.universal_match.views import View, hands, view

UNIVERSAL_MATCH: Final[Game[State, Options, UniversalMatchCommand, UniversalMatchEvent, View]] = Game(
    name="universal-match",
    title="Universal Match",
    rules_version=1,
    seats=(2, 3, 4, 5, 6),
    options=Options,
    commands=UniversalMatchCommand,
    events=UniversalMatchEvent,
    views=View,
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
    cards=lambda _: CARD_FACTS,
    default_move=default_move,
    resample=resample,
    rate=rate,
    evaluate=evaluate,
    veils=lambda seen: any(isinstance(each, DeclineMatch) for each in seen.commands),  # an answer to an offer (U45)
    imagine=table_of,
)

__all__ = ["UNIVERSAL_MATCH"]
