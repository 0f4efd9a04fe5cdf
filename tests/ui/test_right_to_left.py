"""Names that are written from right to left: a sentence that begins with one still begins at the left."""

from PySide6.QtWidgets import QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.alerts.failure_card import FailureCard
from desktopsched.ui.alerts.failures import Failing
from desktopsched.ui.alerts.reminder_card import ReminderCard
from desktopsched.ui.alerts.snooze import Shown
from desktopsched.ui.banner import Banner, Notice
from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.look import Look
from tests.ui.graph.scenes import row
from tests.ui.scenery import BERLIN, NOON, run, task

NAME = "גיבוי של התמונות"
_NEAR = 24  # pixels: the margin of a label, and somewhat more


def inked(widget: QWidget) -> tuple[int, int]:
    """The first and the last column in which something is written."""
    image = widget.grab().toImage()
    ground = image.pixel(image.width() - 1, image.height() - 1)
    rows = range(image.height())
    found = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in rows)]
    return found[0], found[-1]


def begins_at_the_left(label: QWidget) -> bool:
    first, last = inked(label)
    return first < _NEAR and label.width() - last > _NEAR


def test_in_a_message(qtbot: QtBot, look: Look) -> None:
    parent = QWidget()
    parent.setStyleSheet(look.sheet())
    qtbot.addWidget(parent)
    box = plain.box(parent, QMessageBox.Icon.Information, NAME, f"{NAME} was skipped.")
    with qtbot.waitExposed(box):
        box.show()
    labels = [label for label in box.findChildren(QLabel) if NAME in label.text()]
    assert [begins_at_the_left(label) for label in labels] == [True, True]
    box.close()


def test_below_the_graph(qtbot: QtBot, look: Look) -> None:
    panel = GraphPanel(look, now=lambda: NOON, zone=lambda: BERLIN)
    qtbot.addWidget(panel)
    panel.resize(760, 320)
    panel.show_rows([row("a", NAME), row("b", "Upload", after=("a",))])
    panel.select("a")
    panel.show()
    assert begins_at_the_left(panel.foot)


def test_in_a_notice(qtbot: QtBot, look: Look) -> None:
    failing = Failing(task=task("a", NAME), run=run("a"), reason="exit code 1", at=NOON, since=NOON)
    card = FailureCard(look, failing, BERLIN)
    qtbot.addWidget(card)
    card.fit()
    card.show()
    labels = [label for label in card.findChildren(QLabel) if NAME in label.text()]
    assert labels
    assert all(begins_at_the_left(label) for label in labels)


def test_in_a_banner(qtbot: QtBot, look: Look) -> None:
    banner = Banner(Notice(icon="info", tone=State.SKIPPED, headline="One", more=f"{NAME} and others."), look)
    qtbot.addWidget(banner)
    banner.resize(700, 36)
    banner.show()
    (label,) = (label for label in banner.findChildren(QLabel) if NAME in label.text())
    assert begins_at_the_left(label)


def test_but_a_reminder_in_words_of_ones_own_goes_their_way(qtbot: QtBot, look: Look) -> None:
    shown = Shown(task_id="a", title="Stretch", message=NAME, due=NOON, at=NOON)
    card = ReminderCard(look, shown, BERLIN)
    qtbot.addWidget(card)
    card.fit()
    card.show()
    (label,) = (label for label in card.findChildren(QLabel) if NAME in label.text())
    assert not begins_at_the_left(label)
