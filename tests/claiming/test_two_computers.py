"""Two computers and one list: each start happens on one of them, and both know it."""

from desktopsched.engine.events import RunElsewhere, RunFinished
from desktopsched.model import CatchUp, Overlap, State
from tests.claiming.town import Town
from tests.engine.world import FAIL, after, cron, every


def test_each_due_instant_is_performed_on_one_computer_and_shown_on_both() -> None:
    town = Town()
    task = cron("a", "* * * * *")
    desk, attic = town.computer("desk", task), town.computer("attic", task)
    desk.now.lasts["a"] = attic.now.lasts["a"] = 7
    town.advance(300)
    assert len(desk.starts("a")) + len(attic.starts("a")) == 5
    assert set(desk.starts("a")).isdisjoint(attic.starts("a"))
    for one in (desk, attic):
        assert len({event.run.scheduled_for for event in one.events if isinstance(event, RunFinished)}) == 5
    assert all(claim.state == "succeeded" for claim in town.rows())
