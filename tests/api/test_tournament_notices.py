"""What players are told of tournaments: in their own feed, and by webhook."""

import itertools
import os

import pytest

from service.application.feeds import Feeds, catch_up_step
from service.store.feeds import MemoryFeeds
from tests.api.test_tournaments import cup
from workers.sweep import Sweep


def told(person, tournament):
    """Give what somebody was told of a tournament, without what is the same in all of it."""
    items = person.get("/v1/me/stream?limit=200").json["items"]
    mine = [each for each in items if each["type"].startswith("tournament_") and each["tournament"] == tournament]
    assert {"beam-me-up"} == {each["game"] for each in mine}
    return mine


def types(person, tournament):
    return [each["type"].removeprefix("tournament_") for each in told(person, tournament)]


def entered(organiser, *people, **more):
    made = cup(organiser, **{"format": "round_robin", **more}).json["id"]
    for person in people:
        person.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "me"}}, status=201)
    return made


def give_up(person, table):
    person.post(f"/v1/tables/{table}/commands", {"type": "resign"})


def test_an_event_is_told_from_entering_to_its_end(ada, bob):
    cup = entered(ada, ada, bob)
    ada.post(f"/v1/tournaments/{cup}/start")
    paired = told(ada, cup)[-1]
    ada.sit(paired["table"])
    bob.sit(paired["table"])
    give_up(bob, paired["table"])

    assert ["entered", "started", "paired", "result", "finished"] == types(ada, cup) == types(bob, cup)
    assert ("e1", 1, paired["seat"]) == (paired["entry"], paired["round"], told(ada, cup)[-2]["seat"])
    mine, his = told(ada, cup)[-2:], told(bob, cup)[-2:]
    assert (1, 2, None, True) == (mine[0]["place"], his[0]["place"], mine[0].get("forfeit"), his[0].get("forfeit"))
    assert [(1, 1.0, "all_rounds"), (2, 0.0, "all_rounds")] == [
        (each["place"], each["points"], each["reason"]) for each in (mine[1], his[1])
    ]


def test_a_table_is_there_when_the_pairing_is_told_and_its_own_notices_name_the_tournament(ada, bob):
    cup = entered(ada, ada, bob)
    ada.post(f"/v1/tournaments/{cup}/start")
    items = bob.get("/v1/me/stream").json["items"]
    (invited,) = (each for each in items if each["type"] == "table_invited")

    assert invited["tournament"] == cup
    assert told(bob, cup)[-1]["table"] == invited["table"]
    assert bob.sit(invited["table"])


def test_who_has_a_bye_is_told_so(ada, bob, public):
    carl = public.register("Carl")
    cup = entered(ada, ada, bob, carl, format="swiss", rounds=1)
    ada.post(f"/v1/tournaments/{cup}/start")
    last = [told(person, cup)[-1] for person in (ada, bob, carl)]

    assert [True] == [each["bye"] for each in last if "table" not in each]
    assert 2 == sum("table" in each for each in last)


def test_a_correction_is_told_as_one(ada, bob):
    cup = entered(ada, ada, bob)
    ada.post(f"/v1/tournaments/{cup}/start")
    table = told(ada, cup)[-1]["table"]
    ada.sit(table)
    bob.sit(table)
    give_up(bob, table)
    seat = told(bob, cup)[-2]["seat"]
    places = [1, 1]
    places[1 - seat] = 2
    body = {"places": places, "forfeits": [1 - seat], "reason": "The wrong one resigned."}
    ada.post(f"/v1/tournaments/{cup}/tables/{table}/result", body)
    corrected = told(bob, cup)[-1]

    assert ("tournament_result", 1, True, None) == (
        corrected["type"],
        corrected["place"],
        corrected["corrected"],
        corrected.get("forfeit"),
    )


@pytest.mark.parametrize("policy", ["forfeit", "bot"])
def test_who_does_not_sit_down_is_told_what_follows(ada, bob, services, policy):
    cup = entered(ada, ada, bob, no_show={"policy": policy, "grace": 1})
    ada.post(f"/v1/tournaments/{cup}/start")
    ada.sit(told(ada, cup)[-1]["table"])
    now = services.desk.now_ms() + 2000
    services.tournaments.now_ms = lambda: now
    services.driver.drive(cup)

    last = next(each for each in reversed(told(bob, cup)) if each["type"] != "tournament_finished")
    if policy == "forfeit":
        assert (["absent", "result"], True, 2, "not seated in time") == (
            types(bob, cup)[3:5],
            *map(last.get, ("forfeit", "place", "reason")),
        )
    else:
        assert ("absent", 1, "bot") == (types(bob, cup)[3], last["round"], last["policy"])
    assert "absent" not in types(ada, cup)


def test_a_withdrawal_and_a_cancellation_are_told(ada, bob):
    cup = entered(ada, ada, bob)
    bob.delete(f"/v1/tournaments/{cup}/entries/e2")
    ada.post(f"/v1/tournaments/{cup}/cancel", {"reason": "Rain"})

    assert ["entered", "withdrawn"] == types(bob, cup)
    assert ("tournament_cancelled", "Rain") == (told(ada, cup)[-1]["type"], told(ada, cup)[-1]["reason"])


def test_strangers_and_bots_are_told_nothing(ada, bob, services):
    made = cup(ada, rounds=1).json["id"]
    for level in ("easy", "random"):
        ada.post(f"/v1/tournaments/{made}/entries", {"entry": {"kind": "ai", "bot": level}}, status=201)
    ada.post(f"/v1/tournaments/{made}/start")

    assert [] == bob.get("/v1/me/stream").json["items"] == ada.get("/v1/me/stream").json["items"]
    assert 0 == services.feed_watch.store.position(made)


def test_a_webhook_takes_them_by_type(ada, bob, services):
    hook = bob.post("/v1/webhooks", {"url": "https://example.com/", "events": ["tournament_paired"]}, status=201).json
    posted = []
    services.deliverer._post = lambda _url, _headers, body: posted.append(body)
    cup = entered(ada, ada, bob)
    ada.post(f"/v1/tournaments/{cup}/start")

    assert ["tournament_paired"] == hook["events"]
    assert [hook["id"]] == [due.webhook for due in services.webhooks.store.due(10)]


@pytest.mark.parametrize("every", [1, 2, 3])
def test_whatever_processes_die_right_after_their_commits_the_same_is_told_in_the_same_order(ada, bob, services, every):
    cup = entered(ada, ada, bob, legs=2)
    ada.post(f"/v1/tournaments/{cup}/start")
    for person in (ada, bob):
        for table in {each["table"] for each in told(person, cup) if each["type"] == "tournament_paired"}:
            person.sit(table)
    for table in {each["table"] for each in told(bob, cup) if each["type"] == "tournament_paired"}:
        give_up(bob, table)
    whole = {person: [notice for _, notice in notices(services.feed_watch.store, person)] for person in (ada, bob)}

    store = MemoryFeeds()
    feeds = Feeds(store, threaded=False)
    live = services.tournaments.get(cup)
    for entry in itertools.islice(live.entries, 0, None, every):  # the others were committed by processes that died
        feeds.note_tournament(live, live.at(entry.version), entry)
    feeds.catch_up(live)
    feeds.catch_up(live)
    assert whole == {person: [notice for _, notice in notices(store, person)] for person in (ada, bob)}


def notices(store, person):
    """Give the notices of tournaments with their bytes, but the id."""
    found = store.notices(person.id, 0, 1000)
    return [(n, each.split(b",", 1)[1]) for n, each in found if b'"type":"tournament_' in each]


def test_the_sweep_tells_what_a_dead_process_did_not(ada, bob, services):
    services.tournaments._committed = lambda *_: None
    cup = entered(ada, ada, bob)
    assert [] == bob.get("/v1/me/stream").json["items"]
    step = catch_up_step(services.feeds, services.desk.table, services.tournaments.get)
    Sweep(services.store, also=step).step()

    assert ["entered"] == types(bob, cup)


def test_what_the_last_process_did_not_tell_is_told_before_the_mark_is_taken_away(ada, bob, services):
    cup = entered(ada, ada, bob)
    services.tournaments._committed = lambda *_: None
    ada.post(f"/v1/tournaments/{cup}/cancel", {"reason": os.urandom(4).hex()})
    services.driver.drive(cup)

    assert ["entered", "cancelled"] == types(bob, cup)
    assert None is services.store.mark(cup)
