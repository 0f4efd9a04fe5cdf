"""A store that is opened when it is first asked: what the others hear meanwhile, and how it is closed."""

import threading
import time

from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.errors import AddressError
from desktopsched.sharing.late import LateStore
from desktopsched.sharing.store import Store
from tests.sharing.memory import MemoryStore


class Closing(MemoryStore):
    """It counts how often it was closed."""

    def __init__(self) -> None:
        super().__init__(time.time)
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_what_cannot_be_opened_says_why_and_is_tried_again_each_time() -> None:
    tries: list[None] = []

    def open_() -> Store:
        tries.append(None)
        if len(tries) < 3:
            raise AddressError("That is no address.")
        return MemoryStore(time.time)

    late = LateStore(open_)
    assert late.now() == late.check() == Unknown("That is no address.")
    assert isinstance(late.now(), float)
    assert isinstance(late.unfinished("x"), tuple)
    assert len(tries) == 3


def test_while_one_waits_for_the_keychain_the_others_hear_that_and_start_nothing() -> None:
    unlocked, asked, store = threading.Event(), threading.Event(), Closing()

    def open_() -> Store:
        asked.set()
        assert unlocked.wait(20)
        return store

    late, first = LateStore(open_, within=0.01), list[object]()
    thread = threading.Thread(target=lambda: first.append(late.now()))
    thread.start()
    assert asked.wait(20)
    waits = late.now()
    assert isinstance(waits, Unknown)
    assert "still being opened" in waits.reason
    late.close()  # the program ends before the person has answered
    unlocked.set()
    thread.join()
    assert first == [Unknown("the program ends")]
    assert store.closed == 1


def test_what_was_opened_is_closed_and_what_was_not_is_not_opened_for_that() -> None:
    store = Closing()
    used, unused = LateStore(lambda: store), LateStore(lambda: store)
    used.now()
    used.close()
    unused.close()
    assert store.closed == 1
