"""What a shell is told that could be typed for a task. Like the commands that only look it takes no lock."""

import click
from click.shell_completion import CompletionItem

from desktopsched.model import StorageError
from desktopsched.storage.home import find_home
from desktopsched.storage.taskfile import TaskFile


def task_ids(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Ids that begin so, each with the name of its task. None of a file that cannot be read: a command says why."""
    home = find_home(context.find_root().params.get("home"))
    try:
        tasks = TaskFile(home.tasks).load(mend=False).tasks
    except StorageError:
        return []
    return [CompletionItem(task.id, help=task.name) for task in tasks if task.id.startswith(incomplete)]
