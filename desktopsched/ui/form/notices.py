"""What a form says above its page: what became of its task elsewhere, and why it was not saved. No widgets here."""

from collections.abc import Callable

from desktopsched.model import State
from desktopsched.ui.banner import Answer, Notice


def not_saved(why: str) -> Notice:
    """The list did not take it."""
    return Notice(icon="warning", tone=State.FAILED, headline="Not saved.", more=why)


def removed(save: Callable[[], object]) -> Notice:
    """The task is not on the list any more."""
    return Notice(
        icon="warning",
        tone=State.READY,
        headline="This task was removed meanwhile.",
        more="What is written here is kept: save it as a new task, or cancel.",
        answers=(Answer("Save as new", save),),
    )


def changed(what: str, take: Callable[[], object], keep: Callable[[], object]) -> Notice:
    """The task is another one on the list; `what`: "name, cron expression"."""
    return Notice(
        icon="info",
        tone=State.RUNNING,
        headline="Changed elsewhere meanwhile:",
        more=f"{what}. What you wrote stays.",
        answers=(Answer("Take the other version", take), Answer("Keep mine", keep)),
    )
