import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktopsched.ui.background import Background


@pytest.fixture
def background() -> Iterator[Background]:
    background = Background()
    yield background
    background.close()


def test_work_is_done_elsewhere_in_order_and_answered_here(qtbot: QtBot, background: Background) -> None:
    here, answers = threading.get_ident(), list[tuple[int, bool]]()
    threads: list[int] = []

    def work(number: int) -> int:
        threads.append(threading.get_ident())
        return number

    for number in range(5):
        background.do(
            lambda number=number: work(number),  # type: ignore[misc]
            lambda result: answers.append((result, threading.get_ident() == here)),
        )
    qtbot.waitUntil(lambda: len(answers) == 5)
    assert answers == [(number, True) for number in range(5)]
    assert here not in threads


def test_what_fails_is_told_and_the_next_is_done(qtbot: QtBot, background: Background) -> None:
    failures, answers = list[str](), list[int]()

    def fail() -> int:
        raise ValueError("no")

    background.do(fail, failed=lambda error: failures.append(str(error)))
    background.do(lambda: 1, answers.append)
    qtbot.waitUntil(lambda: answers == [1])
    assert failures == ["no"]
