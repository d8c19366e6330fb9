"""What can be wrong with the file of an event: all of it at once, each by its line, its field and what is allowed."""

import datetime as dt
import math
import random
import sys
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from service.cli import main
from service.cli.event_faults import event_faults
from service.cli.event_file import EventFile

HEAD = 'game = "planet-pioneer"\nformat = "swiss"\nseats_per_table = 3\n'
FOUR = '[[entrants]]\nbot = "random"\ncount = 4\n'
BOTS = "random, easy, greedy, hard, expert"
FORMATS = "gauntlet, knockout, round_robin, swiss"
GAMES = "beam-me-up, planet-pioneer, universal-match"
BREAKS = "buchholz, head_to_head, lot, second_places, sonneborn_berger, total_score, wins"
KEYS = (
    "game, format, seats_per_table, entrants, name, options, rounds, legs, advance, duplicate, clock, limits, no_show, "
    "byes, points, tie_breaks, rated, sprt, seed"
)
LIST = "a list, [[entrants]] in two brackets before each"
MISSING = [
    f"1: entrants: Is missing. It must be {LIST}.",
    f"1: format: Is missing. It must be one of: {FORMATS}.",
    f"1: game: Is missing. Must be one of: {GAMES}.",
    "1: seats_per_table: Is missing. It must be a whole number.",
]
EVENT = "It belongs to the event itself: put it above the first section in [brackets]."


@pytest.fixture
def told(tmp_path):
    """Give what a run says of a file, each fault without the file's name; it must leave nothing behind."""

    def run(text: str | bytes) -> list[str]:
        path = tmp_path / "e.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        result = CliRunner().invoke(main, ["tournament", "run", str(path)])
        first, *more, last = result.output.splitlines()
        assert (1, "Nothing was started, nothing was written.") == (result.exit_code, last)
        assert ["e.toml"] == [each.name for each in tmp_path.iterdir()]
        faults = [first.removeprefix("Error: "), *more]
        assert [] == [fault for fault in faults if not fault.startswith(f"{path}:")]
        return [fault.removeprefix(f"{path}:") for fault in faults]

    return run


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", MISSING),
        ("# nothing\n\n", MISSING),
        ("this is not toml", ["1: This is no TOML: Expected '=' after a key in a key/value pair."]),
        ('{"game": "planet-pioneer"}', ["1: This is no TOML: Invalid statement."]),
        (HEAD + 'game = "x"\n' + FOUR, ["4: This is no TOML: Cannot overwrite a value."]),
        (HEAD.encode() + b'name = "f\xfcr"\n', ["4: This is not UTF-8; save the file in that encoding."]),
        ((HEAD + FOUR).encode("utf-16"), ["1: This is not UTF-8; save the file in that encoding."]),
        (f"rounds = {'9' * 5000}", ["1: A number has thousands of digits; none may have more than 4300."]),
        ("a = " + "[" * 5000, [" This is no TOML that can be read: its lists or sections lie too deep in each other."]),
    ],
    ids=["empty", "blank", "prose", "json", "twice", "latin1", "utf16", "digits", "deep"],
)
def test_what_is_no_file_of_an_event_is_told_in_a_line(told, text, faults):
    assert faults == told(text)


WHOLE = f"""\
game = 1
format = 2
seats_per_table = "3"
name = 4
options = 5
rounds = "6"
legs = 7.5
advance = "a"
duplicate = "yes"
clock = 3
limits = 4
no_show = []
byes = "all"
points = 3
tie_breaks = "wins"
rated = 1
sprt = true
seed = 2026-01-01
entrants = "{"me" * 40}"
"""


def test_a_wrong_type_at_every_field_is_told_at_once(told):
    assert [
        f"1: game: Must be one of: {GAMES}.",
        f"2: format: Must be one of: {FORMATS}, not the number 2.",
        "3: seats_per_table: Must be a whole number, not the text '3'.",
        "4: name: Must be text in quotes, not the number 4.",
        "5: options: Must be a section [options], not the number 5.",
        "6: rounds: Must be a whole number, not the text '6'.",
        "7: legs: Must be a whole number, not the number 7.5.",
        "8: advance: Must be a whole number, not the text 'a'.",
        "9: duplicate: Must be true or false, not the text 'yes'.",
        "10: clock: Must be a section [clock] with kind: bank, turn, not the number 3.",
        "11: limits: Must be a section [limits] with min, max, not the number 4.",
        "12: no_show: Must be a section [no_show] with grace, policy, bot, rated, not a list.",
        "13: byes: Must be one of: half, none, win, not the text 'all'.",
        "14: points: Must be a section [points] with by_place, win_bonus, not the number 3.",
        f"15: tie_breaks: Must be a list, [...], each one of: {BREAKS}, not the text 'wins'.",
        "16: rated: Must be true or false, not the number 1.",
        "17: sprt: Must be a section [sprt] with elo0, elo1, alpha_permille, beta_permille, not true.",
        "18: seed: Must be text in quotes, not the time 2026-01-01.",
        f"19: entrants: Must be {LIST}, not the text '{'me' * 19}m….",
    ] == told(WHOLE)


INSIDE = """
tie_breaks = ["wins", "luck", 3]
clock = { kind = "turn", seconds = "9", on_expiry = "explode", bot = 3 }
limits = { min = "a", max = nan }
no_show = { grace = -1, policy = "x", bot = 1, rated = "t" }
points = { by_place = [3, "2", inf], win_bonus = -1 }
sprt = { elo0 = 1.5, elo1 = "x", alpha_permille = 0, beta_permille = 501 }
[options]
first_round = "never"
first_seat = 9
deck = [{ name = "X", kind = "q", level = 10, copies = 0 }, { name = "a" }, 3]
[[entrants]]
bot = 1
command = 2
name = 3
count = "4"
[[entrants]]
command = ["a", 1]
[[entrants]]
level = "hard"
[[entrants]]
bot = "god"
count = 0
[[entrants]]
bot = "easy"
command = "true"
[[entrants]]
name = ""
bot = "easy"
"""


def test_a_fault_at_every_place_inside_is_told_at_once_with_the_place(told):
    size = "a whole number from"
    assert [
        f"5: tie_breaks[1]: Must be one of: {BREAKS}, not the text 'luck'.",
        f"5: tie_breaks[2]: Must be one of: {BREAKS}, not the number 3.",
        "6: clock.bot: Must be text in quotes, not the number 3.",
        "6: clock.on_expiry: Must be one of: bot, default_move, resign, not the text 'explode'.",
        f"6: clock.seconds: Must be {size} 1 to 1209600, not the text '9'.",
        f"7: limits.max: Must be {size} 2 to 2000, not the number nan.",
        f"7: limits.min: Must be {size} 2 to 2000, not the text 'a'.",
        "8: no_show.bot: Must be text in quotes, not the number 1.",
        f"8: no_show.grace: Must be {size} 0 to 1209600, not the number -1.",
        "8: no_show.policy: Must be one of: bot, forfeit, not the text 'x'.",
        "8: no_show.rated: Must be true or false, not the text 't'.",
        f"9: points.by_place[1]: Must be {size} 0 to 1000, not the text '2'.",
        f"9: points.by_place[2]: Must be {size} 0 to 1000, not the number inf.",
        f"9: points.win_bonus: Must be {size} 0 to 1000, not the number -1.",
        f"10: sprt.alpha_permille: Must be {size} 1 to 500, not the number 0.",
        f"10: sprt.beta_permille: Must be {size} 1 to 500, not the number 501.",
        f"10: sprt.elo0: Must be {size} -1000 to 1000, not the number 1.5.",
        f"10: sprt.elo1: Must be {size} -1000 to 1000, not the text 'x'.",
        "12: options.first_round: Must be one of: one_lap, until_all_placed, not the text 'never'.",
        f"13: options.first_seat: Must be {size} 0 to 3, not the number 9.",
        f"14: options.deck[0].copies: Must be {size} 1 to 20, not the number 0.",
        "14: options.deck[0].kind: Must be one of: attack, cap, defense, strike, structure, visit, not the text 'q'.",
        f"14: options.deck[0].level: Must be {size} 0 to 9, not the number 10.",
        "14: options.deck[0].name: Must be text that matches ^[a-z][a-z0-9_]{0,39}$, not the text 'X'.",
        f"14: options.deck[1].copies: Is missing. It must be {size} 1 to 20.",
        "14: options.deck[1].kind: Is missing. It must be one of: attack, cap, defense, strike, structure, visit.",
        f"14: options.deck[1].level: Is missing. It must be {size} 0 to 9.",
        "14: options.deck[2]: Must be a section with name, kind, level, copies, not the number 3.",
        "16: entrants[0].bot: Must be text in quotes, not the number 1.",
        "17: entrants[0].command: Must be text in quotes or a list, [...], each text in quotes, not the number 2.",
        "18: entrants[0].name: Must be text in quotes, not the number 3.",
        "19: entrants[0].count: Must be a whole number, not the text '4'.",
        "21: entrants[1].command[1]: Must be text in quotes, not the number 1.",
        "23: entrants[2].level: There is no such field. There are: bot, command, name, count.",
        f"25: entrants[3].bot: Must be one of: {BOTS}.",
        "26: entrants[3].count: Must be a whole number from 1 to 2000, not 0.",
        "27: entrants[4]: Must have either a bot or a command.",
        "31: entrants[5].name: Must have 1 to 40 characters besides spaces around it.",
    ] == told(HEAD + INSIDE)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ("round = 3", "4: round: There is no such field. Is it rounds?"),
        ("tiebreaks = []", "4: tiebreaks: There is no such field. Is it tie_breaks?"),
        ("xyzzy = 1", f"4: xyzzy: There is no such field. There are: {KEYS}."),
        ('"" = 1', f'1: "": There is no such field. There are: {KEYS}.'),
        ('"\\u001b[31m" = 1', f"1: \ufffd[31m: There is no such field. There are: {KEYS}."),
        ("grace = 3", "4: grace: It belongs to [no_show]."),
        ('bot = "easy"', "4: bot: It belongs to [[entrants]]."),
        ('kind = "turn"', "4: kind: It belongs to [clock]."),
        ('entry = "open"', "4: entry: An event from a file begins at once, with its [[entrants]]; leave it out."),
        ("[options]\nfirst_rond = 1", "5: options.first_rond: There is no such field. Is it first_round?"),
        ("[options]\nrounds = 3", f"5: options.rounds: {EVENT}"),
        ('[[entrants]]\nbot = "easy"\nseed = "s"', f"6: entrants[0].seed: {EVENT}"),
        ("clock = { seconds = 3 }", "4: clock.kind: Must be one of: bank, turn; it is missing."),
        ('clock = { kind = "sand" }', "4: clock.kind: Must be one of: bank, turn, not the text 'sand'."),
        (
            'clock = { kind = "bank", seconds = 3 }',
            "4: clock.increment: Is missing. It must be a whole number from 0 to 1209600.",
        ),
        (
            'clock = { kind = "turn", seconds = 3, on_expiry = "bot" }',
            f"4: clock.bot: Goes with on_expiry: bot, and must be one of: {BOTS}.",
        ),
        ("rounds = -1", "4: rounds: Must be 1 to 1000."),
        (f"legs = {10**30}", "4: legs: Must be 1 to 60."),
        ("advance = 2", "4: advance: Goes with format: knockout only."),
        ("limits = { min = 5, max = 9 }", "5: entrants: 4 play; there must be 5 to 9."),
        ("sprt = {}", "4: sprt: Needs round_robin, two seats per table and two entrants."),
        (f'no_show = {{ bot = "{"b" * 99}" }}', f"4: no_show.bot: Must be one of: {BOTS}."),
        (
            '[[entrants]]\ncommand = "python bot.py"',
            ('5: entrants[0].command: There is no program with spaces in its name. Write each word by itself: ["python", '
            '"bot.py"].'),
        ),
        ('[[entrants]]\ncommand = ["no-such-bot"]', "5: entrants[0].command: There is no program no-such-bot."),
        ('[[entrants]]\ncommand = "/dev/null"', "5: entrants[0].command: /dev/null is no program that this user may run."),
        ('[[entrants]]\ncommand = ["a\\u0000"]', "5: entrants[0].command: Must not have a character of number 0."),
        ("[[entrants]]\ncommand = []", "5: entrants[0].command: Must name a program."),
        (
            f'[[entrants]]\nbot = "easy"\ncount = {10**40}',
            "6: entrants[0].count: Must be a whole number from 1 to 2000, not a number with very many digits.",
        ),
    ],
)  # fmt: skip
def test_one_fault_is_told_alone_with_what_to_do(told, more, fault):
    assert [fault] == told(f"{HEAD}{more}\n{FOUR}")


@pytest.mark.parametrize(
    ("entrants", "fault"),
    [
        ('[entrants]\nbot = "easy"', f"4: entrants: Must be {LIST}, not a section."),
        ("entrants = []", "4: entrants: There must be [[entrants]], each with a bot or a command."),
        (
            'entrants = ["easy"]',
            "4: entrants[0]: Must be a section with bot, command, name, count, not the text 'easy'.",
        ),
    ],
)
def test_entrants_in_another_form_are_told(told, entrants, fault):
    assert [fault] == told(HEAD + entrants)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        ('game = "planet-pionner"', f"1: game: Must be one of: {GAMES}."),
        ('game = "universal-match"\noptions = { target = true }', "2: options.target: Must be one of: 50, 100, one_hand, not true."),
        ('game = "universal-match"\noptions = { target = 50.0 }', "2: options.target: Must be one of: 50, 100, one_hand, not the number 50.0."),
    ],
)  # fmt: skip
def test_a_game_and_its_options_are_told(told, game, fault):
    assert [fault] == told(f'{game}\nformat = "swiss"\nseats_per_table = 3\n{FOUR}')


def test_a_folder_and_a_file_that_is_not_there_are_told(tmp_path):
    for path, why in ((tmp_path, "is a directory"), (tmp_path / "none.toml", "does not exist")):
        result = CliRunner().invoke(main, ["tournament", "run", str(path)])
        assert 2 == result.exit_code
        assert why in result.output


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_file_that_was_written_on_windows_is_right(tmp_path, mark):
    path = tmp_path / "e.toml"
    text = f"{HEAD}rounds = '3'\n{FOUR}".replace("\n", "\r\n").encode()
    path.write_bytes(mark + text)
    result = CliRunner().invoke(main, ["tournament", "run", str(path)])
    assert f"{path}:4: rounds: Must be a whole number, not the text '3'." in result.output
    assert 2 == len(result.output.splitlines())


def test_the_same_entrant_may_enter_twice():
    entrant = {"name": "A", "bot": "easy"}
    raw = {"game": "planet-pioneer", "format": "swiss", "seats_per_table": 3, "entrants": [entrant] * 3}
    assert {} == event_faults(raw, "e")


VALUES: list[Any] = [
    0, 1, 3, -1, 10**30, 2.5, math.nan, math.inf, True, False, "", "x", "easy", "swiss", "turn", [], {}, ["x"], [3, 2, 1], [{}],
    [{"bot": "easy", "count": 4}], {"kind": "turn"}, {"kind": "bank", "seconds": 1}, {"kind": 3}, {"min": 2},
    dt.date(2026, 1, 1), dt.time(3), "planet-pioneer", "knockout", {"deck": []}, {"by_place": [1]}, {"elo0": 1},
]  # fmt: skip


def test_whatever_stands_in_a_file_is_told_or_can_be_read():
    chance = random.Random(3)
    right = {
        "game": "planet-pioneer",
        "format": "swiss",
        "seats_per_table": 3,
        "entrants": [{"bot": "easy", "count": 4}],
    }
    names = [*EventFile.__struct_fields__, "x"]
    read = 0
    for _ in range(400):
        raw = {**right, **{name: chance.choice(VALUES) for name in chance.sample(names, chance.randrange(1, 3))}}
        if not event_faults(raw, "e"):
            msgspec.convert(raw, EventFile)
            read += 1
    assert read > 3, read


def test_a_program_that_is_there_is_taken(tmp_path):
    raw = {
        "game": "beam-me-up",
        "format": "swiss",
        "seats_per_table": 2,
        "entrants": [{"command": [sys.executable, "x"]}] * 2,
    }
    assert {} == event_faults(raw, str(tmp_path.name))
