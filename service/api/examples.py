"""Examples that more than one operation shows."""

from typing import Any, Final

TABLE: Final[dict[str, Any]] = {
    "id": "b4n7c2x5q3w6e7r4t2y5u3i6oa",
    "game": "beam-me-up",
    "rules_version": 1,
    "options": {"earth_racer": True, "launched_aliens": "home", "lines": "open", "tie_break": "shared"},
    "status": "open",
    "version": 1,
    "visibility": "public",
    "rated": False,
    "created_at": "2026-05-01T12:00:00.000Z",
    "creator": "kq5hnzw3c2v4txrnbd7e6mjyoa",
    "you": {"seat": 0},
    "to_act": [],
    "seats": [
        {
            "seat": 0,
            "kind": "player",
            "resigned": False,
            "to_act": False,
            "player": {"id": "kq5hnzw3c2v4txrnbd7e6mjyoa", "name": "Ada", "kind": "human"},
        },
        {"seat": 1, "kind": "open", "resigned": False, "to_act": False},
    ],
    "view": None,
    "clock": None,
    "outcome": None,
    "fairness": {
        "commitment": "9f2c1e5d7a3b4c6d8e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d",
        "entropy": [None, None],
    },
}

RESIGNED: Final[dict[str, Any]] = {
    "version": 13,
    "entries": [
        {
            "version": 13,
            "time": "2026-05-01T12:04:09.120Z",
            "seat": 1,
            "events": [{"type": "seat_resigned", "seat": 1, "played_by": "greedy"}],
            "summary": "Seat 1 resigns; the bot greedy plays on.",
        }
    ],
    "view": None,
    "to_act": [0],
    "commands": [],
}

FRAME: Final[dict[str, Any]] = {
    "version": 12,
    "time": "2026-05-01T12:03:41.207Z",
    "events": [{"type": "card_played", "seat": 0, "card": "F7", "layer": 1}],
    "summary": "Seat 0 plays F7.",
    "view": None,
    "to_act": [1],
    "seat": 0,
}

IMPORTED: Final[dict[str, Any]] = {**TABLE, "you": None, "imported": True}

RECORD: Final = (
    '{"clock":null,"commitment":"9f2c1e5d7a3b4c6d8e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d",'
    '"created":"2026-05-01T12:00:00.000Z","format":"starledger-record","format_version":1,"game":"beam-me-up",'
    '"options":{"earth_racer":true,"launched_aliens":"home","lines":"open","tie_break":"shared"},"origin":null,'
    '"rules_version":1,"seats":[{"kind":"player","player":"kq5hnzw3c2v4txrnbd7e6mjyoa","seat":0},'
    '{"bot":"greedy","kind":"ai","seat":1}],"table":"b4n7c2x5q3w6e7r4t2y5u3i6oa","type":"header"}\n'
)

REPORT: Final[dict[str, Any]] = {
    "right": {
        "valid": True,
        "lines": 61,
        "entries": 57,
        "game": "beam-me-up",
        "table": "b4n7c2x5q3w6e7r4t2y5u3i6oa",
        "checks": [
            {"check": name, "result": "ok"} for name in ("form", "chain", "seed", "rules", "shuffles", "outcome")
        ],
    },
    "wrong": {
        "valid": False,
        "lines": 61,
        "entries": 57,
        "game": "beam-me-up",
        "table": "b4n7c2x5q3w6e7r4t2y5u3i6oa",
        "checks": [
            {"check": "form", "result": "ok"},
            {"check": "chain", "result": "wrong"},
            *({"check": name, "result": "not_reached"} for name in ("seed", "rules", "shuffles", "outcome")),
        ],
        "first_wrong": {
            "line": 58,
            "version": 57,
            "reason": "the hash of entry 57 is not that of its content behind entry 56",
        },
    },
}

EXPORT: Final = (
    '{"type":"record","table":"b4n7c2x5q3w6e7r4t2y5u3i6oa","game":"beam-me-up","created":"2026-05-01T12:00:00.000Z",'
    '"finished":"2026-05-01T12:31:07.904Z","cursor":"MTc3NzYzNjgwMDAwMC5iNG43","record":[]}\n'
    '{"type":"trailer","tables":1,"entries":57,"complete":true,"next_cursor":null}\n'
)
