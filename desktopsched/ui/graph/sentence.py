"""The sentence below the graph: what the chosen task waits for, and what its failure leads to. Pure, no Qt."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from desktopsched.model import Join, On
from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.node import waiting_words
from desktopsched.ui.row import Row

_NAMED = 3  # tasks that are named before the others are counted
_LONGEST = 40  # characters of a name in a sentence that has several


class Sentence(Struct, frozen=True):
    """The name that it is about, to be shown in bold, and the rest, which begins with a space if there is a name."""

    name: str
    rest: str

    @property
    def words(self) -> str:
        """All of it."""
        return self.name + self.rest


def sentence(rows: Mapping[str, Row], links: Links, task_id: str, shown: int) -> Sentence:
    """About the chosen task; without one, about how many are `shown`."""
    if task_id in rows:
        parts = [f" {waiting_words(task_id, links)}.", _if_it_fails(rows, links, task_id)]
        return Sentence(short(rows[task_id].task.name), " ".join(part for part in parts if part))
    if shown:
        tasks = "1 task is" if shown == 1 else f"{shown:,} tasks are"
        return Sentence("", f"{tasks} shown. Choose one to see what it waits for.")
    return Sentence("", "Nothing is linked here. To link two tasks, let one of them wait for the other.")


def _if_it_fails(rows: Mapping[str, Row], links: Links, task_id: str) -> str:
    below = links.below(task_id)
    skipped = [link.child for link in below if link.on is On.SUCCESS and _decides(rows[link.child], links)]
    runs = [link.child for link in below if link.on is not On.SUCCESS and _suffices(rows[link.child], links)]
    parts = []
    if skipped:
        parts.append(f"{_names(rows, skipped)} {'is' if len(skipped) == 1 else 'are'} skipped")
    if runs:
        parts.append(f"{_names(rows, runs)} {'runs' if len(runs) == 1 else 'run'}")
    return f"If it fails, {' and '.join(parts)}." if parts else ""


def _decides(child: Row, links: Links) -> bool:
    """Whether one parent alone can keep it from running."""
    return child.task.join is Join.ALL or len(links.above(child.task.id)) == 1


def _suffices(child: Row, links: Links) -> bool:
    """Whether one parent alone can make it run."""
    return child.task.join is Join.ANY or len(links.above(child.task.id)) == 1


def _names(rows: Mapping[str, Row], ids: Sequence[str]) -> str:
    names = [short(rows[one].task.name) for one in ids]
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def short(name: str) -> str:
    """A name for a sentence."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"
