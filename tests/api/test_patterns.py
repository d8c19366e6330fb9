"""A pattern of the contract ends where the text ends: Python's `$` would let a line break pass."""

import pytest
from marshmallow import ValidationError

from service.api.fields import Matches
from service.api.schemas.tables import ENTROPY


@pytest.mark.parametrize("pattern", [ENTROPY, r"^[a-z][a-z0-9_]{0,39}$"])
def test_a_line_break_at_the_end_matches_no_pattern(pattern):
    Matches(pattern)("aa")
    with pytest.raises(ValidationError, match="Must match"):
        Matches(pattern)("aa\n")


def test_entropy_with_a_line_break_is_refused(ada, bob):
    table = ada.post("/v1/tables", {"game": "beam-me-up", "seats": [{"kind": "me"}, {"kind": "open"}]}, 201).json
    refused = bob.post(f"/v1/tables/{table['id']}/seats", {"entropy": "aGVsbG8\n"}, 422).json
    assert {"entropy": "Must be up to 64 bytes in base64url."} == refused["errors"]


def test_a_card_of_an_own_deck_has_no_line_break_in_its_name(ada):
    deck = [{"name": "hull\n", "kind": "structure", "level": 1, "copies": 1}]
    wish = {"game": "planet-pioneer", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"deck": deck}}
    assert "options.deck[0].name" in ada.post("/v1/tables", wish, 422).json["errors"]
