"""The bytes of docs/fairness.md: its vectors, and a second implementation written from its prose alone."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import RandomChance, Secret, SeededChance, bot_rng, chosen_secret
from domain.values import Seat

SECRET = Secret(secret=bytes(range(32)), bots=bytes(32))
PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()


def from_the_prose(seed: bytes, label: bytes, n: int) -> list[int]:
    stream = b"".join(hmac.new(seed, label + i.to_bytes(4, "big"), "sha256").digest() for i in range(400))
    cards = list(range(n))
    at = 0
    for i in range(n - 1, 0, -1):
        bound = (i + 1) * (2**32 // (i + 1))
        while (x := int.from_bytes(stream[at : at + 4], "big")) >= bound:
            at += 4
        at += 4
        j = x % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_the_vectors_of_the_page_hold() -> None:
    chance = SECRET.chance("t_example", (None, "aGVsbG8"))
    chosen = chosen_secret("nebula")
    said = [
        SECRET.commitment,
        chance.seed.hex(),
        " ".join(map(str, chance.shuffle(0, range(10)))),
        " ".join(map(str, chance.shuffle(1, range(10)))),
        f"{chance.pick('dealer', 4)}; {chance.pick('first_seat', 3)}",
        chosen.secret.hex(),
        chosen.commitment,
        chosen.bots.hex(),
        " ".join(map(str, chosen.chance("any", ()).shuffle(0, range(10)))) + "; 0",
    ]

    assert [] == [vector for vector in said if vector not in PAGE]
    assert 0 == chosen.chance("any", ()).pick("dealer", 3)


def test_the_seed_follows_from_secret_table_and_entropies_in_seat_order() -> None:
    document = json.dumps(["t_example", [None, "aGVsbG8"]], separators=(",", ":")).encode()

    assert hashlib.sha256(SECRET.secret + document).digest() == SECRET.chance("t_example", (None, "aGVsbG8")).seed


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32 - 1), st.integers(0, 120))
def test_a_shuffle_is_the_one_that_the_prose_describes(seed: bytes, k: int, n: int) -> None:
    expected = from_the_prose(seed, b"shuffle" + k.to_bytes(4, "big"), n)

    assert tuple(expected) == SeededChance(seed).shuffle(k, range(n))


def test_a_chosen_seed_deals_the_same_at_every_table() -> None:
    first, second = (chosen_secret("nebula").chance(table, (entropy,)) for table, entropy in (("a", None), ("b", "x")))

    assert first == second


@pytest.mark.parametrize("n", [2, 3, 6])
def test_every_order_comes_up_about_equally_often(n: int) -> None:
    counts = [0] * n
    for k in range(3_000):
        counts[SeededChance(b"s" * 32).shuffle(k, range(n))[0]] += 1

    assert all(abs(count - 3_000 / n) < 5 * (3_000 / n) ** 0.5 for count in counts)


def test_a_bots_own_numbers_are_the_same_on_every_python() -> None:
    rng = bot_rng(chosen_secret("nebula").bots, Seat(1), 7, "move")

    assert (15207783189168995573, 0.8426605178075598) == (rng.getrandbits(64), rng.random())


def test_simulated_chance_keeps_all_cards() -> None:
    chance = RandomChance(bot_rng(b"k", Seat(0), 1, "test"))

    assert set(range(50)) == set(chance.shuffle(0, range(50)))
    assert chance.pick("dealer", 4) in range(4)
