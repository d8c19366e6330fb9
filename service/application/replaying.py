"""Check a stored table against the rules: what `fsck` does beside chain and marks."""

from collections.abc import Callable, Mapping

from domain.game import AnyGame
from domain.log import UnknownEvent, decode_events, game_of
from domain.record import RecordError
from domain.table_events import TableCreated
from domain.tournament.log import fold
from domain.verify import replay
from service.application.live import unpack_imported, unpack_secret
from service.application.ports import Stream
from service.application.stream_kinds import is_tournament

Replay = Callable[[str, Stream], tuple[int, str] | None]


def replayer(games: Mapping[str, AnyGame]) -> Replay:
    """Give a function that tells the first version which the rules don't allow, and why; None where all is right."""

    def fault(table: str, stream: Stream) -> tuple[int, str] | None:
        if is_tournament(table):
            return _tournament_fault(table, stream)
        try:
            game = game_of(stream.entries[0], games)
            first = decode_events(game, stream.entries[0].events)[0]
            secret = unpack_secret(stream.secret)
            if isinstance(first, TableCreated) and secret.commitment != first.commitment:
                return 1, "the secret is not the one that was committed to"
            imported = unpack_imported(stream.secret)
            replay(table if imported is None else imported.table, stream.entries, game, secret)
        except RecordError as wrong:
            return wrong.version or 0, wrong.reason
        except UnknownEvent as unknown:
            return 1, str(unknown)
        except IndexError:
            return 0, "its secret is missing"
        return None

    return fault


def _tournament_fault(tournament: str, stream: Stream) -> tuple[int, str] | None:
    try:
        state = fold(tournament, stream.entries)
    except UnknownEvent as unknown:
        return 1, str(unknown)
    if state is not None and unpack_secret(stream.secret).commitment != state.commitment:
        return 1, "the secret is not the one that was committed to"
    return None
