"""A task list of somebody else: what each of its tasks does, and how it joins the person's own list. Pure, no Qt.

What joins is switched off. A task whose id or name is taken is left out, stands beside the other as a copy, or takes
its place: the person decides.
"""

import json
from collections.abc import Mapping, Sequence

from msgspec import structs

from desktopsched.model import Command, Edge, Open, Reminder, Script, Task
from desktopsched.model.change import Change
from desktopsched.model.document import Document, Entry, write_task
from desktopsched.model.identity import new_id
from desktopsched.ui.form.command_line import join_words
from desktopsched.ui.importing.line import Line, visible

_NAME_MOST = 200


def guest_lines(document: Document, known: Sequence[Task]) -> list[Line]:
    """A line for each task of the list. What is on the own list already is not ticked, and says so."""
    ids = {task.id for task in (*document.tasks, *known)}
    return [_line(number, entry, known, ids) for number, entry in enumerate(document.entries, 1)]


def _line(number: int, entry: Entry, known: Sequence[Task], ids: set[str]) -> Line:
    task, place = entry.task, f"Task {number}"
    if task is None:
        text = json.dumps(entry.raw, ensure_ascii=False)
        return Line(number=number, place=place, text=text, problem=" ".join(map(str, entry.problems)))
    twin = _twin(task, known)
    return Line(
        number=number,
        place=place,
        text=task.name,
        command=doing(task),
        task=task,
        twin=twin,
        ticked=twin is None,
        notes=tuple(filter(None, (_said_of_twin(task, twin), _said_of_parents(task, ids)))),
    )


def _twin(task: Task, known: Sequence[Task]) -> Task | None:
    """The own task that it would be taken for: by its id, or else by its name."""
    named = task.name.casefold()
    found = [one for one in known if one.id == task.id] or [
        one for one in known if one.name.casefold() == named
    ]
    return found[0] if found else None


def _said_of_twin(task: Task, twin: Task | None) -> str:
    if twin is None:
        return ""
    if structs.replace(twin, enabled=task.enabled) == task:
        return "On your list already, just like this."
    return f"{twin.name} is on your list already. Keep both, or replace yours."


def _said_of_parents(task: Task, ids: set[str]) -> str:
    lost = any(edge.task not in ids for edge in task.waits_for)
    return "What it waits for and is on neither list is left out." if lost else ""


def doing(task: Task) -> str:
    """What it does, in one line."""
    match task.action:
        case Command(argv=argv, shell=shell):
            return shell or join_words(argv)
        case Script(interpreter=interpreter, text=text):
            return f"{interpreter}: {' ⏎ '.join(text.split(chr(10)))}"
        case Reminder(message=message):
            return f"Reminds: {message}"
        case Open(target=target):
            return f"Opens {target}"


def whole(task: Task) -> str:
    """All of it, as the task file would have it."""
    return visible(json.dumps(write_task(task), indent=2, ensure_ascii=False))


def joining(lines: Sequence[Line], known: Sequence[Task]) -> list[Change]:
    """The changes of the list by which the ticked ones join it, switched off."""
    chosen = [(line, line.task) for line in lines if line.ticked and line.task is not None]
    taken = {task.id for task in known}
    ids: dict[str, str] = {}
    for line, task in chosen:
        replaced = line.twin if line.replaces else None
        ids[task.id] = replaced.id if replaced else new_id(task.name, taken) if task.id in taken else task.id
        taken.add(ids[task.id])
    listed = {task.id for task in known}
    return [
        Change(before=line.twin if line.replaces else None, after=_joined(line, task, ids, listed))
        for line, task in chosen
    ]


def _joined(line: Line, task: Task, ids: Mapping[str, str], listed: set[str]) -> Task:
    edges: dict[str, Edge] = {}
    for edge in task.waits_for:
        parent = ids.get(edge.task, edge.task)
        if edge.task in ids or parent in listed:
            edges[parent] = structs.replace(edge, task=parent)
    name = task.name
    if line.twin is not None and not line.replaces and name.casefold() == line.twin.name.casefold():
        name = f"{name[: _NAME_MOST - 5]} copy"
    return structs.replace(task, id=ids[task.id], name=name, waits_for=tuple(edges.values()), enabled=False)
