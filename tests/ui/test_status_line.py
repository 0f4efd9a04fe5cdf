"""The status bar: what it says of what comes next."""

import pytest
from pytestqt.qtbot import QtBot

from desktopsched.ui import plain
from desktopsched.ui.look import Look
from desktopsched.ui.status_line import StatusLine
from desktopsched.ui.summary import Summary
from tests.ui.scenery import BERLIN, NOON

SOON = NOON + 240


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (Summary(), "Nothing scheduled · 0 tasks · waiting for a first task"),
        (Summary(tasks=2), "Nothing scheduled · 2 tasks · nothing starts by itself"),
        (
            Summary(tasks=2, running=1, busy=1),
            "Nothing else scheduled · 1 running · 2 tasks · waiting for what runs to end",
        ),
        (
            Summary(tasks=1, next_name="Copy", next_due=SOON),
            "Next: Copy in 4 min · 1 task · waiting for 14:04",
        ),
        (
            Summary(tasks=3, running=2, next_name="Copy", next_due=SOON),
            "Next: Copy in 4 min · 2 running · 3 tasks · waiting for 14:04",
        ),
    ],
)
def test_what_comes_next_and_what_is_waited_for(
    qtbot: QtBot, look: Look, summary: Summary, words: str
) -> None:
    status = StatusLine(look)
    qtbot.addWidget(status)
    status.tell(summary, NOON, BERLIN, workers=4, paused=False)
    said = (status.lead.text(), status.name.text(), status.rest.text())
    assert " ".join(part for part in said if part) == words


def test_the_tool_tip_has_all_of_it_also_a_name_that_was_cut(qtbot: QtBot, look: Look) -> None:
    status, name = StatusLine(look), "A name that says everything " * 5
    qtbot.addWidget(status)
    status.tell(Summary(tasks=1, next_name=name, next_due=SOON), NOON, BERLIN, workers=4, paused=False)
    assert status.name.text().endswith("…")
    for part in (status.lead, status.name, status.rest):
        assert part.toolTip() == plain.tip(f"Next: {name} in 4 min · 1 task · waiting for 14:04")
