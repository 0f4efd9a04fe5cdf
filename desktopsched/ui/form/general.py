"""General: name, group, priority, enabled. UI thread."""

from collections.abc import Mapping, Sequence

from desktopsched.model import Task
from desktopsched.ui.form.choice import Choice
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.fields import Field
from desktopsched.ui.form.section import Section, words
from desktopsched.ui.form.suggest import GroupBox
from desktopsched.ui.form.switch import Switch
from desktopsched.ui.look import Look

PRIORITIES = ((50, "Highest"), (10, "High"), (0, "Normal"), (-10, "Low"), (-50, "Lowest"))


class General:
    """The first section."""

    def __init__(self, look: Look, tasks: Sequence[Task], hues: Mapping[str, int]) -> None:
        self.section = Section(look, "General", rule=False)
        self.name = FieldBox(look, "Name")
        self.name.edit.setPlaceholderText("Name")
        self.group = GroupBox(look, _groups(tasks), lambda name: hues.get(name, len(hues)))
        self.priority = Choice(look, "Priority", PRIORITIES, width=96)
        self.enabled = Switch(look, "Enabled", default=True)
        row = self.section.add(self.name, self.group, words(look, "Priority"), self.priority, self.enabled)
        self.fields = [
            Field("name", "The name", self.name, row, self.section, required="Write a name."),
            Field("group", "The group", self.group, row, self.section),
            Field("enabled", "Enabled", self.enabled, row, self.section),
        ]

    def follow(self, tasks: Sequence[Task]) -> None:
        """The groups of these tasks can be chosen."""
        self.group.set_words(_groups(tasks))


def _groups(tasks: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(task.group for task in tasks if task.group))
