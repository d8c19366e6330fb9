"""Few at once: never more than there are places, callers in turn, and no crowding out."""

import threading
import time

import pytest

from service.application.few import Crowded, Few


class Crowd:
    """Threads that wait for a place; `called` names their callers in the order in which they got one."""

    def __init__(self, few):
        self.few, self.called, self.refused, self.threads = few, [], [], []

    def come(self, caller, **how):
        def wait():
            try:
                self.few.take(caller, **how)
            except Crowded:
                self.refused.append(caller)
            else:
                self.called.append(caller)

        before = self.few.waiting + len(self.refused)
        thread = threading.Thread(target=wait)
        self.threads.append(thread)
        thread.start()
        until(lambda: self.few.waiting + len(self.refused) > before)

    def call_all(self):
        while self.few.waiting:
            count = len(self.called)
            self.few.give_back()
            until(lambda count=count: len(self.called) > count)
        for thread in self.threads:
            thread.join(30)


def until(is_so):
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        threading.Event().wait(0.001)


def test_callers_get_places_in_turn_however_many_of_one_wait():
    crowd = Crowd(Few(1, 10))
    assert crowd.few.try_take()
    assert not crowd.few.try_take()
    for caller in "aaabba":
        crowd.come(caller)
    crowd.call_all()

    assert list("ababaa") == crowd.called
    crowd.few.give_back()
    assert [True, False] == [crowd.few.try_take() for _ in range(2)]


def test_where_too_many_wait_the_newest_of_the_caller_with_the_most_is_refused():
    crowd = Crowd(Few(1, 3))
    crowd.few.take("x")
    for caller in "aaabcc":
        crowd.come(caller)

    assert 3 == crowd.few.waiting
    crowd.call_all()
    assert (list("abc"), list("aac")) == (sorted(crowd.called), sorted(crowd.refused))


def test_who_is_in_the_middle_of_an_answer_is_never_refused():
    crowd = Crowd(Few(1, 1))
    crowd.few.take("x")
    for _ in range(3):
        crowd.come("a", is_patient=True)
    crowd.come("b")
    with pytest.raises(Crowded):
        crowd.few.take("b")
    crowd.call_all()
    assert list("abaa") == crowd.called
