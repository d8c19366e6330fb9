"""What can be wished of a tournament: by people through the API, by its tables, and by the workers that drive it."""

from typing import Literal

from domain.tournament.events import EntrantKind, Result
from domain.tournament.plan import Plan
from domain.values import Value


class Create(Value, frozen=True):
    """The wish for a tournament; `seats` are the numbers of seats that its game takes."""

    plan: Plan
    organiser: str
    seats: tuple[int, ...]
    chosen_seed: str | None = None


class NewEntry(Value, frozen=True):
    """One who wants in: a player by id, or a built-in bot by level."""

    kind: EntrantKind
    name: str
    player: str | None = None
    bot: str | None = None


class AddEntries(Value, frozen=True):
    """Enter all of these or none."""

    entries: tuple[NewEntry, ...]
    by: str
    code: str | None = None
    bulk: bool = False


class Withdraw(Value, frozen=True):
    """Take an entry out."""

    entry: str
    by: str


class CheckIn(Value, frozen=True):
    """Say that an entry is there."""

    entry: str
    by: str


class Start(Value, frozen=True):
    """Begin: by the organiser, or by the time of the start (None)."""

    by: str | None


class Pause(Value, frozen=True):
    """Begin no new round."""

    by: str


class Resume(Value, frozen=True):
    """Go on."""

    by: str


class Cancel(Value, frozen=True):
    """End it without a winner."""

    by: str
    reason: str = ""


class PairRound(Value, frozen=True):
    """Pair the round of this number."""

    round: int


class MarkTablesMade(Value, frozen=True):
    """All tables of this round are there."""

    round: int


class Record(Value, frozen=True):
    """A game has ended."""

    game: str
    result: Result


class NoteAbsence(Value, frozen=True):
    """These seats of a game have nobody, and the time to sit down is over."""

    game: str
    seats: tuple[int, ...]


class MarkPresenceChecked(Value, frozen=True):
    """All absences of this round have been noted."""

    round: int


class RevealSecret(Value, frozen=True):
    """It is over and all its tables have ended."""


class Judge(Value, frozen=True):
    """The organiser says how a game ended, first or instead of what stands."""

    game: str
    result: Result
    by: str


Action = Literal["start", "pause", "resume", "cancel"]

TournamentCommand = (
    AddEntries
    | Withdraw
    | CheckIn
    | Start
    | Pause
    | Resume
    | Cancel
    | PairRound
    | MarkTablesMade
    | Record
    | NoteAbsence
    | MarkPresenceChecked
    | RevealSecret
    | Judge
)
