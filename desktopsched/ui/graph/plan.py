"""The plan: which tasks the graph shows, and where. Pure, no Qt: a large one is made in another thread."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from desktopsched.model import On
from desktopsched.ui.graph.layout import lay_out
from desktopsched.ui.graph.links import Link, Links
from desktopsched.ui.graph.places import Layout, Sizes
from desktopsched.ui.graph.routes import Route, routes
from desktopsched.ui.row import Row


class Choice(Struct, frozen=True):
    """What the person picked: everything that is linked, what concerns the selected task, or a group."""

    only_selected: bool = False
    group: str | None = None


EVERYTHING, SELECTED = Choice(), Choice(only_selected=True)


class Plan(Struct, frozen=True):
    """Places and curves of all that is shown."""

    layout: Layout
    links: tuple[Link, ...]
    routes: dict[tuple[str, str], Route]


def picked(rows: Mapping[str, Row], links: Links, choice: Choice, selected: str) -> list[str]:
    """The tasks to show, in the order of the list. A task without links is shown only where it was asked for."""
    if choice.only_selected:
        if selected not in rows:
            return []
        wanted = links.ancestors(selected) | links.descendants(selected) | {selected}
        return [one for one in rows if one in wanted]
    linked = [one for one in rows if links.linked(one)]
    if choice.group is None:
        return linked
    members = {one for one in linked if rows[one].task.group == choice.group}
    around = {link.parent for one in members for link in links.above(one)}
    around |= {link.child for one in members for link in links.below(one)}
    return [one for one in linked if one in members or one in around]


def groups(rows: Iterable[Row], links: Links) -> list[str]:
    """The groups that have linked tasks, in the order of the list."""
    found = {row.task.group for row in rows if row.task.group and links.linked(row.task.id)}
    return list(dict.fromkeys(row.task.group for row in rows if row.task.group in found))


def plan(widths: Mapping[str, float], links: Iterable[Link], sizes: Sizes, head: float) -> Plan:
    """Lay out the nodes of these widths and the links among them; curves end `head` before their node."""
    shown = tuple(link for link in links if link.parent in widths and link.child in widths)
    strong = [(link.parent, link.child) for link in shown if link.on is not On.FAILURE]
    weak = [(link.parent, link.child) for link in shown if link.on is On.FAILURE]
    layout = lay_out(widths, strong, weak, sizes)
    return Plan(layout, shown, routes(layout, shown, head))


class Wanted(Struct, frozen=True, kw_only=True):
    """What a plan is asked for with: all that it depends on, as it is at that moment."""

    rows: Mapping[str, Row]
    links: Links | None  # None: they are to be looked for
    choice: Choice
    selected: str
    sizes: Sizes
    head: float
    before: tuple[object, ...]  # what the plan that is shown was made for


class Draft(Struct, frozen=True, kw_only=True):
    """What came of it. Without a plan the one that is shown still holds."""

    links: Links
    groups: list[str]
    ids: list[str]
    shown: tuple[object, ...]
    plan: Plan | None


def draft(wanted: Wanted, width_for: Callable[[str], float]) -> Draft:
    """Everything from the rows to the plan; `width_for` measures a name."""
    rows = wanted.rows
    links = wanted.links or Links(row.task for row in rows.values())
    ids = picked(rows, links, wanted.choice, wanted.selected)
    shown = (links.all, tuple((one, rows[one].task.name) for one in ids), wanted.sizes)
    made = None
    if shown != wanted.before:
        widths = {one: width_for(rows[one].task.name) for one in ids}
        made = plan(widths, links.all, wanted.sizes, wanted.head)
    return Draft(links=links, groups=groups(rows.values(), links), ids=ids, shown=shown, plan=made)
