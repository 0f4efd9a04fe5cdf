"""Pasting: text becomes tasks that can join the list. Pure, no Qt.

They arrive switched off, since nobody has looked at them yet. One whose id is taken, by a task of the list or of the
text, is a copy with an id of its own; what waited for it in the text waits for the copy.
"""

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from desktopsched.model import Task
from desktopsched.model.document import read_document, write_document
from desktopsched.model.identity import new_id
from desktopsched.ui.loops import shown

_NO_TASKS = "There is nothing to paste: copy tasks first, here or as text from a task file."


class Pasted(Struct, frozen=True, kw_only=True):
    """What a text is as tasks; or, with no tasks, why it is none."""

    tasks: tuple[Task, ...] = ()
    words: str = ""  # what is wrong, or what was left out


def read_tasks(text: str, listed: Sequence[Task]) -> Pasted:
    """The tasks of a text: a task file, a list of tasks, or one task, as JSON. All or none."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return Pasted(words=_NO_TASKS)
    document = read_document(_as_file(raw))
    if document.head or any(entry.task is None for entry in document.entries):
        return Pasted(words=f"Nothing was pasted, there is a mistake in it: {document.problems[0]}")
    if not document.tasks:
        return Pasted(words=_NO_TASKS)
    known = {task.id for task in listed}
    taken = set(known)
    ids: dict[str, str] = {}
    for task in document.tasks:
        ids[task.id] = new_id(task.name, taken) if task.id in taken else task.id
        taken.add(ids[task.id])
    names = [shown(task.name) for task in document.tasks if _strangers(task, ids, known)]
    lost = f"{', '.join(names[:3])}: what it waits for and is not on this list was left out." if names else ""
    return Pasted(tasks=tuple(_joining(task, ids, known) for task in document.tasks), words=lost)


def _as_file(raw: object) -> object:
    """One task, or a list of them, as the file that has them."""
    if isinstance(raw, dict) and "action" in raw:
        return write_document([raw])
    return write_document(raw) if isinstance(raw, list) else raw


def _strangers(task: Task, ids: Mapping[str, str], known: set[str]) -> bool:
    return any(edge.task not in ids and edge.task not in known for edge in task.waits_for)


def _joining(task: Task, ids: Mapping[str, str], known: set[str]) -> Task:
    edges = tuple(
        structs.replace(edge, task=ids.get(edge.task, edge.task))
        for edge in task.waits_for
        if edge.task in ids or edge.task in known
    )
    name = task.name if ids[task.id] == task.id else f"{task.name[:195]} copy"
    return structs.replace(task, id=ids[task.id], name=name, waits_for=edges, enabled=False)
