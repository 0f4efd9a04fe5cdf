"""What a save puts into the task file: what the person wrote, wherever it still says the same."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from desktopsched.model import InvalidTaskError, Task
from desktopsched.model.document import Document, read_task, write_task


def merged(document: Document, tasks: Sequence[Task], drop: Collection[str] = ()) -> list[object]:
    """What the file has to say of `tasks`, bad tasks in between, each behind the one that it followed."""
    ids = {task.id for task in tasks}
    written = {entry.task.id: entry for entry in document.entries if entry.task}
    behind: dict[str, list[object]] = defaultdict(list)
    last = ""
    for entry in document.entries:
        own = entry.task or entry.stand_in
        if own and own.id in ids:
            last = own.id
        elif entry.stand_in and entry.stand_in.id not in drop:
            behind[last].append(entry.raw)
    items = list(behind[""])
    for task in tasks:
        before = written.get(task.id)
        items.append(before.raw if before is not None and before.task == task else _checked(task))
        items.extend(behind[task.id])
    return items


def _checked(task: Task) -> dict[str, object]:
    """The task as the file has it, which must read back: what is written is never a mistake of ours."""
    raw = write_task(task)
    _, problems = read_task(raw, task.id)
    if problems:
        raise InvalidTaskError("\n".join(map(str, problems)))
    return raw
