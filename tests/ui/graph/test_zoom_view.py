"""What fits stays fitting, and nothing jumps when the scene becomes a little larger."""

import pytest
from PySide6.QtWidgets import QGraphicsScene
from pytestqt.qtbot import QtBot

from desktopsched.ui.graph.zoom_view import ZoomView


def scene(width: float) -> QGraphicsScene:
    return QGraphicsScene(0, 0, width, 100)


@pytest.fixture
def view(qtbot: QtBot) -> ZoomView:
    found = ZoomView()
    qtbot.addWidget(found)
    found.resize(600, 400)
    with qtbot.waitExposed(found):
        found.show()
    return found


def show(view: ZoomView, width: float) -> float:
    found = scene(width)
    found.setParent(view)
    view.setScene(found)
    view.begin()
    return view.zoom


def test_a_scene_that_fitted_is_fitted_again_when_it_is_larger(view: ZoomView) -> None:
    room = view.maximumViewportSize().width()
    assert show(view, room / 0.9) == pytest.approx(0.9)
    assert show(view, room / 0.6) == pytest.approx(0.6)
    assert show(view, room / 0.9) == pytest.approx(0.9)


def test_what_can_be_read_no_more_when_it_fits_keeps_its_zoom(view: ZoomView) -> None:
    room = view.maximumViewportSize().width()
    assert show(view, room / 0.9) == pytest.approx(0.9)
    assert show(view, room / 0.2) == pytest.approx(0.9)


def test_a_large_scene_is_shown_as_drawn_at_first(view: ZoomView) -> None:
    assert show(view, view.maximumViewportSize().width() / 0.6) == pytest.approx(1)


def test_the_zoom_that_somebody_chose_stays(view: ZoomView) -> None:
    show(view, 500)
    view.set_zoom(1.5)
    assert show(view, 5_000) == pytest.approx(1.5)
