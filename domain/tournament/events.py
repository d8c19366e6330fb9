"""What can have happened in a tournament: its log is made of these."""

from typing import Literal

from msgspec import UNSET, UnsetType

from domain.tournament.plan import Plan
from domain.values import Event, Value

EntrantKind = Literal["player", "ai"]
Source = Literal["table", "organiser", "no_show"]


class Cost(Value, frozen=True):
    """Why a pairing is not better, by kind: meetings again, byes again, difference of scores, seats again.

    `score_spread` is the sum of squared differences in points between all two at a table (in 120ths squared).
    """

    repeats: int = 0
    bye_repeats: int = 0
    score_spread: int = 0
    seat_imbalance: int = 0


class Pairing(Value, frozen=True):
    """A table of a round: entries by seat in the first leg, and the id of the table at which each leg is played.

    In leg l seat s belongs to `entries[(s + l) % seats]`.
    """

    table: int
    entries: tuple[str, ...]
    games: tuple[str, ...]
    cost: Cost

    def seats(self, leg: int) -> tuple[str, ...]:
        """Give the entries by seat in a leg, from 0."""
        shift = leg % len(self.entries)
        return self.entries[shift:] + self.entries[:shift]


class Result(Value, frozen=True):
    """How a game ended: places and scores by seat (equal places share), seats that forfeited, who says so."""

    places: tuple[int, ...]
    scores: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    by: Source = "table"
    reason: str = ""


class TournamentCreated(Event, frozen=True, tag="tournament_created"):
    """The tournament is there; always the first event. `commitment` is SHA-256 of its secret in hex."""

    plan: Plan
    organiser: str
    commitment: str
    chosen_seed: str | UnsetType = UNSET


class EntryAdded(Event, frozen=True, tag="entry_added"):
    """Somebody entered: a player, or a built-in bot at a level."""

    entry: str
    kind: EntrantKind
    name: str
    player: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class EntryWithdrawn(Event, frozen=True, tag="entry_withdrawn"):
    """An entry is paired no more; what it has played counts on."""

    entry: str


class CheckedIn(Event, frozen=True, tag="checked_in"):
    """An entry says that it is there."""

    entry: str


class TournamentStarted(Event, frozen=True, tag="tournament_started"):
    """It begins: who plays, in the order of entry; the lots that were drawn; how many rounds (null: it depends)."""

    entries: tuple[str, ...]
    lots: tuple[str, ...]
    rounds: int | None


class RoundPaired(Event, frozen=True, tag="round_paired"):
    """A round's tables. `byes` get points for a free round, `idle` sit out without."""

    round: int
    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    cost: Cost
    at_ms: int


class TablesMade(Event, frozen=True, tag="tables_made"):
    """All tables of a round have been created; players have until `no_show.grace` after `at_ms` to sit down."""

    round: int
    at_ms: int | UnsetType = UNSET


class ResultRecorded(Event, frozen=True, tag="result_recorded"):
    """A game of a round has its result; the first one counts."""

    round: int
    game: str
    result: Result


class ResultCorrected(Event, frozen=True, tag="result_corrected"):
    """The organiser replaced a result."""

    round: int
    game: str
    result: Result


class AbsenceNoted(Event, frozen=True, tag="absence_noted"):
    """Players had not sat down in time at a game; the policy that was applied."""

    round: int
    game: str
    entries: tuple[str, ...]
    policy: Literal["forfeit", "bot"]


class PresenceChecked(Event, frozen=True, tag="presence_checked"):
    """The time to sit down in is over for a round; who was absent has been noted."""

    round: int


class RoundClosed(Event, frozen=True, tag="round_closed"):
    """All games of a round have their results."""

    round: int


class TournamentPaused(Event, frozen=True, tag="tournament_paused"):
    """No new round begins."""


class TournamentResumed(Event, frozen=True, tag="tournament_resumed"):
    """Rounds begin again."""


class TournamentFinished(Event, frozen=True, tag="tournament_finished"):
    """All is played; the secret is revealed, with duplicate deals once every table has ended."""

    reason: Literal["all_rounds", "winner", "sprt_h0", "sprt_h1", "too_few_left"]
    secret: str | UnsetType = UNSET


class TournamentCancelled(Event, frozen=True, tag="tournament_cancelled"):
    """The organiser ended it before its end."""

    reason: str
    secret: str | UnsetType = UNSET


class SecretRevealed(Event, frozen=True, tag="secret_revealed"):
    """No table with a duplicate deal is played any more: the secret that all deals follow from is revealed."""

    secret: str


TournamentEvent = (
    TournamentCreated
    | EntryAdded
    | EntryWithdrawn
    | CheckedIn
    | TournamentStarted
    | RoundPaired
    | TablesMade
    | ResultRecorded
    | ResultCorrected
    | AbsenceNoted
    | PresenceChecked
    | RoundClosed
    | TournamentPaused
    | TournamentResumed
    | TournamentFinished
    | TournamentCancelled
    | SecretRevealed
)
