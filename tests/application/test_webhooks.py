"""Webhooks: what is sent, signed and sent again, until it was taken or is given up."""

import base64
import hashlib
import hmac
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from domain.errors import Refusal
from service.application.accounts import Caller
from service.application.delivering import LEASE_S, MOST_REST_S, SLOW_MS, WAITS_S, Deliverer
from service.application.handle import KeyReused
from service.application.notices import NOTICE_TYPES
from service.application.players import Key
from service.application.webhooks import KEPT, MOST, Noted, Sent, Webhooks, signature
from service.store.feeds import MemoryFeeds, RedisFeeds
from service.store.webhooks import RedisWebhooks
from service.store.webhooks_memory import MemoryWebhooks
from tests.support.servers import events_client, real_store, servers  # noqa: F401 - fixtures
from workers.webhooks import WebhookRelay

KEY = b"k" * 32
ADA = Caller(player="ada", token="t", scopes=("webhooks",))
EVE = Caller(player="eve", token="u", scopes=("webhooks",))
URL = "https://example.com/hook"


class House:
    """Webhooks on a store, and an address that answers as the test says; in memory time is in the test's hand."""

    def __init__(self, feeds, store, clock=None) -> None:
        self.now = clock or [1_800_000_000_000]
        self.feeds = feeds
        self.store = store
        self.took_ms = 3
        self.status: int | None = 200
        self.posts: list[tuple[str, dict[str, str], bytes]] = []
        self.webhooks = Webhooks(
            store,
            KEY,
            lambda n: b"r" * n,
            lambda _: None,
            lambda player: feeds.bounds(player).last,
            lambda: self.now[0],
        )
        self.deliverer = Deliverer(store, feeds, self.post, KEY, lambda: self.now[0])
        self._told = 0

    def post(self, url, headers, body) -> Sent:
        self.posts.append((url, dict(headers), body))
        error = None if self.status else "The connection failed."
        return Sent(at_ms=self.now[0], took_ms=self.took_ms, status=self.status, error=error)

    def hook(self, caller: Caller = ADA, events=NOTICE_TYPES, key: Key | None = None):
        number = len(self.store.of(caller.player))
        return self.webhooks.add(caller, URL, events, key or Key(f"k{caller.player}{number}", "m"))[0]

    def tell(self, kind: str = "your_turn", player: str = "ada") -> None:
        self._told += 1
        notice = {"time": "2027-01-15T08:00:00.000Z", "type": kind, "table": "t", "game": "g", "seat": 0}
        told = json.dumps({**notice, "version": self._told}).encode()
        self.feeds.publish("t", self._told - 1, self._told, [(player, told)])

    def send(self) -> int:
        """Send all that is due; gives how many messages went out."""
        before = len(self.posts)
        for due in self.store.due(1000):
            self.deliverer.send(due.webhook)
        return len(self.posts) - before

    def numbers(self) -> list[int]:
        """Give the numbers of the messages that went out, in order."""
        return [int(headers["webhook-id"].rpartition("_")[2]) for _, headers, _ in self.posts]


def in_memory() -> House:
    now = [1_800_000_000_000]
    store = MemoryWebhooks(lambda: now[0])
    return House(MemoryFeeds(on_notice=store.noticed), store, now)


@pytest.fixture
def house() -> House:
    return in_memory()


@pytest.fixture(params=["memory", "server"])
def both(request) -> House:
    """The same on each store; only what needs no other time than now."""
    if request.param == "memory":
        return in_memory()
    request.getfixturevalue("real_store")
    client = request.getfixturevalue("events_client")
    return House(RedisFeeds(client), RedisWebhooks(client))


def test_a_notice_is_sent_once_to_each_webhook_of_its_player(both):
    one, two = both.hook(), both.hook()
    both.hook(EVE)
    both.tell()

    assert 2 == both.send()
    assert 0 == both.send()
    assert {f"msg_{hook.id}_1" for hook in (one, two)} == {headers["webhook-id"] for _, headers, _ in both.posts}
    assert "delivered" == both.store.deliveries(one.id, None, 10)[0].status


def test_the_body_is_type_time_and_notice(house):
    house.hook()
    house.tell("table_started")
    house.send()
    body = json.loads(house.posts[0][2])

    assert ("table_started", "2027-01-15T08:00:00.000Z", 1) == (body["type"], body["timestamp"], body["data"]["id"])


def test_a_message_is_signed_as_standard_webhooks_says(house):
    hook = house.hook()
    house.tell()
    house.send()
    _, headers, body = house.posts[0]
    secret = base64.b64decode(house.webhooks.secret(hook).removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()

    assert f"v1,{expected}" == headers["webhook-signature"]
    assert house.now[0] // 1000 == int(headers["webhook-timestamp"])


def test_the_signature_is_that_of_the_standards_own_example():
    """The vector of the reference implementations: https://github.com/standard-webhooks/standard-webhooks."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    assert "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" == signature(
        secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )


def test_only_what_was_asked_for_is_sent(both):
    both.hook(events=("table_finished",))
    both.tell("your_turn")
    both.tell("table_finished")

    assert 1 == both.send()
    assert [] == list(both.store.due(10))


def test_what_happened_before_a_webhook_was_made_is_not_sent(both):
    both.tell()
    both.hook()

    assert 0 == both.send()


def test_a_message_that_is_not_taken_is_sent_again_after_each_wait_under_the_same_id_and_body(house):
    hook = house.hook()
    house.status = 500
    house.tell()
    house.send()
    for wait in WAITS_S:
        house.now[0] += wait * 1000 - 1
        assert 0 == house.send()
        house.now[0] += 1
        assert 1 == house.send()
    house.now[0] += 10**9
    assert 0 == house.send()

    delivery = house.store.delivery(hook.id, 1)
    assert delivery is not None
    assert "failed" == delivery.status
    assert [500] * 10 == [attempt.status for attempt in delivery.attempts]
    assert 1 == len({(headers["webhook-id"], body) for _, headers, body in house.posts})


def give_up(house: House) -> None:
    house.send()
    for wait in WAITS_S:
        for part_s in (min(wait, MOST_REST_S), max(0, wait - MOST_REST_S)):
            house.now[0] += part_s * 1000
            house.send()


def test_a_webhook_that_takes_nothing_is_disabled_and_the_log_says_so(house, caplog):
    hook = house.hook()
    house.status = None
    house.tell()
    give_up(house)
    shown = house.webhooks.one_of(ADA, hook.id)
    house.tell()

    assert "disabled" == shown.status
    assert "No message was taken" in shown.reason
    assert f"webhook {hook.id} is disabled" in caplog.text
    assert 0 == house.send()


def test_a_webhook_that_took_others_meanwhile_is_not_disabled_for_one(house):
    hook = house.hook()
    post = house.post

    def takes_all_but_the_first(url, headers, body):
        house.status = 500 if headers["webhook-id"].endswith("_1") else 200
        return post(url, headers, body)

    house.deliverer = Deliverer(house.store, house.feeds, takes_all_but_the_first, KEY, lambda: house.now[0])
    house.tell()
    house.tell()
    give_up(house)

    assert ["delivered", "failed"] == [each.status for each in house.store.deliveries(hook.id, None, 10)]
    assert "active" == house.webhooks.one_of(ADA, hook.id).status


def test_messages_go_out_in_the_order_of_the_feed_also_over_a_short_outage(house):
    house.hook()
    house.status = 503
    for _ in range(3):
        house.tell()
    house.send()
    house.now[0] += WAITS_S[0] * 1000
    house.send()
    house.status = 200
    house.now[0] += WAITS_S[1] * 1000 - 1
    assert 0 == house.send(), "the webhook rests, and with it what came later"
    house.now[0] += 1
    house.send()

    assert [1, 1, 1, 2, 3] == house.numbers()


def test_a_message_that_is_never_taken_steps_aside_for_those_behind_it(house):
    house.hook()
    post = house.post

    def takes_all_but_the_first(url, headers, body):
        house.status = 500 if headers["webhook-id"].endswith("_1") else 200
        return post(url, headers, body)

    house.deliverer = Deliverer(house.store, house.feeds, takes_all_but_the_first, KEY, lambda: house.now[0])
    house.tell()
    house.tell()
    house.send()
    for wait in WAITS_S[:3]:
        house.now[0] += wait * 1000
        house.send()
    house.now[0] += MOST_REST_S * 1000
    house.send()

    assert [1, 1, 1, 1, 2] == house.numbers()


def test_an_address_that_fails_costs_one_attempt_a_rest_however_much_waits_for_it(house):
    house.hook()
    house.status = None
    for _ in range(50):
        house.tell()
    house.send()
    for wait in WAITS_S[:4]:
        house.now[0] += min(wait, MOST_REST_S) * 1000
        house.send()

    assert 5 == len(house.posts)


def test_what_is_told_while_a_webhook_is_disabled_is_not_sent_when_it_works_again(both):
    hook = both.hook()
    both.status = 410
    both.tell()
    both.send()
    both.tell()
    both.status = 200
    both.webhooks.again(ADA, hook.id, 1)
    both.send()
    both.tell()
    both.send()

    assert [1, 1, 3] == both.numbers()


def test_an_address_that_is_gone_is_disabled_at_once(both):
    hook = both.hook()
    both.status = 410
    both.tell()
    both.send()
    both.tell()

    assert "disabled" == both.webhooks.one_of(ADA, hook.id).status
    assert [] == list(both.store.due(10))


def test_a_redelivery_goes_out_at_once_and_enables_what_works_again(both):
    hook = both.hook()
    both.status = 410
    both.tell()
    both.send()
    both.status = 204
    waiting = both.webhooks.again(ADA, hook.id, 1)

    assert ("pending", 1) == (waiting.status, len(waiting.attempts))
    assert 1 == both.send()
    assert "active" == both.webhooks.one_of(ADA, hook.id).status
    both.tell()
    assert 1 == both.send()


def test_a_message_that_was_taken_can_be_sent_again_too(both):
    hook = both.hook()
    both.tell()
    both.send()
    both.webhooks.again(ADA, hook.id, 1)

    assert 1 == both.send()


def test_nothing_is_sent_to_a_webhook_that_was_deleted(both):
    hook = both.hook()
    both.tell()
    both.webhooks.remove(ADA, hook.id)

    assert 0 == both.send()
    assert [] == list(both.store.due(10))
    with pytest.raises(Refusal, match="no webhook"):
        both.webhooks.one_of(ADA, hook.id)
    assert [] == list(both.webhooks.all_of(ADA))


def test_another_players_webhook_is_not_there(both):
    hook = both.hook()
    for ask in (
        lambda: both.webhooks.one_of(EVE, hook.id),
        lambda: both.webhooks.remove(EVE, hook.id),
        lambda: both.webhooks.again(EVE, hook.id, 1),
    ):
        with pytest.raises(Refusal, match="no webhook"):
            ask()


def test_under_a_key_it_is_made_once_with_one_secret(both):
    one, first = both.webhooks.add(ADA, URL, NOTICE_TYPES, Key("k", "m"))
    two, again = both.webhooks.add(ADA, URL, NOTICE_TYPES, Key("k", "m"))

    assert (one, False, True) == (two, first, again)
    assert 1 == len(both.webhooks.all_of(ADA))
    with pytest.raises(KeyReused):
        both.webhooks.add(ADA, URL, NOTICE_TYPES, Key("k", "other"))


def test_a_player_has_no_more_than_so_many(both):
    for _ in range(MOST):
        both.hook()
    with pytest.raises(Refusal, match=str(MOST)):
        both.hook()


def test_nor_has_he_if_he_asks_for_them_all_at_once(both):
    def add(number):
        try:
            return both.webhooks.add(ADA, URL, NOTICE_TYPES, Key(f"k{number}", "m"))[1]
        except Refusal:
            return None

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(add, range(3 * MOST)))
    assert MOST == done.count(False) == len(both.webhooks.all_of(ADA))
    both.webhooks.remove(ADA, both.webhooks.all_of(ADA)[0].id)
    assert add("one more") is False


def test_the_log_keeps_the_newest_and_is_read_in_pages(both):
    hook = both.hook()
    for _ in range(KEPT + 5):
        both.tell()
    both.send()
    first = both.store.deliveries(hook.id, None, 3)
    rest = both.store.deliveries(hook.id, first[-1].number, 1000)

    assert [KEPT + 5, KEPT + 4, KEPT + 3] == [each.number for each in first]
    assert list(range(KEPT + 2, 5, -1)) == [each.number for each in rest]


def test_a_message_that_waits_for_its_next_try_stays_in_the_log_however_many_come(both):
    hook = both.hook()
    both.status = 500
    both.tell()
    both.send()
    turn = both.store.begin(hook.id, "test", 60_000)
    waiting = both.store.delivery(hook.id, 1)
    for number in range(2, KEPT + 10):
        taken = structs.replace(waiting, number=number, status="delivered", next_ms=None)
        both.store.note(turn, Noted(taken, None, upto=number))
    both.store.end(turn, None)

    assert "pending" == both.store.delivery(hook.id, 1).status
    assert None is both.store.delivery(hook.id, 2)
    assert KEPT == len(both.store.deliveries(hook.id, None, 1000))


def test_a_sender_that_dies_while_it_sends_leaves_the_message_due_under_the_same_id(house):
    house.hook()
    house.tell()

    def dies(_url, headers, _body):
        house.posts.append(("", dict(headers), b""))
        raise KeyboardInterrupt

    house.deliverer = Deliverer(house.store, house.feeds, dies, KEY, lambda: house.now[0])
    with pytest.raises(KeyboardInterrupt):
        house.send()
    house.deliverer = Deliverer(house.store, house.feeds, house.post, KEY, lambda: house.now[0])
    assert 0 == house.send()
    house.now[0] += round(LEASE_S * 1000)

    assert 1 == house.send()
    assert 1 == len({headers["webhook-id"] for _, headers, _ in house.posts})


def test_a_sender_that_comes_back_after_its_lease_changes_nothing(both):
    hook = both.hook()
    both.tell()
    late = both.store.begin(hook.id, "late", 60_000)
    both.store.end(late, 0)
    both.send()
    delivered = both.store.delivery(hook.id, 1)

    assert not both.store.note(late, Noted(structs.replace(delivered, status="failed"), None, upto=1))
    assert "delivered" == both.store.delivery(hook.id, 1).status


def test_one_sender_at_a_time_has_the_turn_at_a_webhook(both):
    hook, other = both.hook(), both.hook()
    both.tell()
    turn = both.store.begin(hook.id, "one", 60_000)

    assert None is both.store.begin(hook.id, "two", 60_000)
    assert None is not both.store.begin(other.id, "two", 60_000)
    assert None is not both.store.begin(hook.id, "one", 60_000)
    both.tell()
    assert not both.store.end(turn, None), "something came meanwhile"
    assert both.store.end(both.store.begin(hook.id, "one", 60_000), None)
    assert None is not both.store.begin(hook.id, "two", 60_000)


def test_many_senders_send_each_message_once_and_in_order(both):
    both.hook()
    for _ in range(30):
        both.tell()
    gate = threading.Barrier(4)
    failures = []

    def work():
        gate.wait()
        try:
            for due in both.store.due(1000):
                both.deliverer.send(due.webhook)
        except BaseException as failure:  # noqa: BLE001 - told by the test
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == failures
    assert list(range(1, 31)) == both.numbers()


def test_who_has_enough_leaves_the_rest_due_now(both):
    hook = both.hook()
    both.tell()
    both.tell()

    assert both.deliverer.send(hook.id, lambda: True)
    assert [1] == both.numbers()
    assert [hook.id] == [due.webhook for due in both.store.due(10)]
    assert not both.deliverer.send(hook.id)
    assert [1, 2] == both.numbers()


def test_the_relay_asks_for_what_is_due_and_who_was_late_is_served_apart(both):
    fine, late, lost = both.hook(), both.hook(EVE), both.hook(Caller(player="bob", token="v", scopes=()))
    asked: list[tuple[str, bool]] = []

    def hint(hook, *, is_slow):
        asked.append((hook, is_slow))
        return True

    def step():
        asked.clear()
        return WebhookRelay(both.store, hint, 60).step()

    for player, took_ms, status in (("ada", 5, 200), ("eve", SLOW_MS + 1, 200), ("bob", 5, 500)):
        both.took_ms, both.status = took_ms, status
        both.tell(player=player)
        assert 1 == both.send()
    assert (0, []) == (step(), asked)
    for player in ("ada", "eve", "bob"):
        both.tell(player=player)

    assert 3 == step()
    assert {(fine.id, False), (late.id, True), (lost.id, True)} == set(asked)
    assert (0, []) == (step(), asked), "they rest for the lease"


def test_while_the_queue_is_away_nothing_is_put_off(both):
    hook = both.hook()
    both.tell()

    assert 0 == WebhookRelay(both.store, lambda _hook, *, is_slow: not is_slow, 60).step()
    assert [hook.id] == [due.webhook for due in both.store.due(10)]
