"""Fields: each a place in the task file, a name for people, a control, and when it counts. UI thread."""

from collections.abc import Callable, Sequence

from msgspec import UNSET

from desktopsched.model import InvalidTaskError, Task
from desktopsched.model.problem import Problem
from desktopsched.ui.form.control import Control
from desktopsched.ui.form.draft import Raw, at_place, put, read_draft, sentence
from desktopsched.ui.form.section import Row, Section


def as_is(raw: object) -> object:
    """What the control gives is what the file has."""
    return raw


def always() -> bool:
    """A field that counts whatever the others say."""
    return True


def fine() -> str:
    """Nothing is wrong that the readers would not see."""
    return ""


class Field:
    """One field. What the person leaves alone comes back exactly as it was, whatever its control can show."""

    def __init__(
        self,
        place: str,
        label: str,
        control: Control,
        row: Row,
        section: Section,
        *,
        when: Callable[[], bool] = always,
        required: str = "",
        check: Callable[[], str] = fine,
        says_itself: bool = False,
        decode: Callable[[object], object] = as_is,
        encode: Callable[[object], object] = as_is,
    ) -> None:
        """`required`: what to say where there is nothing. `decode`, `encode`: from the control to the file and back."""
        self.place, self.label, self.control = place, label, control
        self.row, self.section = row, section
        self.when, self.required, self.check, self.says_itself = when, required, check, says_itself
        self._decode, self._encode = decode, encode
        self._loaded: tuple[object, object] | None = None  # what the control gave, and what the file had

    def load(self, raw: Raw) -> None:
        """Show what the file has."""
        value = at_place(raw, self.place)
        self.control.set_raw(value if value is UNSET else self._encode(value))
        self._loaded = self.control.raw(), value

    def value(self) -> object:
        """What the file should have. InvalidTaskError."""
        now = self.control.raw()
        if self._loaded is not None and now == self._loaded[0]:
            return self._loaded[1]
        return now if now is UNSET else self._decode(now)


class Finding:
    """What a look at all fields gave: the task, or what is wrong by field."""

    def __init__(self) -> None:
        self.raw: Raw = {}
        self.task: Task | None = None
        self.problems: dict[Field, str] = {}

    @property
    def sections(self) -> list[str]:
        """The names of the sections with something to mend, in order."""
        return list(dict.fromkeys(field.section.name for field in self.problems))


def load(fields: Sequence[Field], raw: Raw) -> None:
    """Show a task. In order: some fields count only by what others before them say."""
    for field in fields:
        if field.when():
            field.load(raw)


def find(fields: Sequence[Field], fixed: Raw) -> Finding:
    """Read all fields that count, with `fixed` beside them, by the readers of the task file."""
    found = Finding()
    counting = [field for field in fields if field.when()]
    found.raw = {**fixed}
    for field in counting:
        if words := _take(field, found.raw):
            found.problems[field] = words
    found.task, problems = read_draft(found.raw)
    for problem in problems:
        field = owner(problem.place, counting)
        if not _told(problem, found.problems):
            found.problems.setdefault(field, sentence(field.label, problem.message))
    if found.problems:
        found.task = None
        found.problems = {field: found.problems[field] for field in counting if field in found.problems}
    return found


def _take(field: Field, raw: Raw) -> str:
    """Put the field's value in its place; what is wrong so far."""
    try:
        value = field.value()
    except InvalidTaskError as error:
        return str(error)
    put(raw, field.place, value)
    return field.required if value is UNSET and field.required else field.check()


def _told(problem: Problem, problems: dict[Field, str]) -> bool:
    """Whether the same was said already, of the place or of one within it."""
    return any(
        field.place == problem.place or problem.place in {"", *_above(field.place)} for field in problems
    )


def _above(place: str) -> list[str]:
    """The places around a place: `action` for `action.argv`."""
    parts = place.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def owner(place: str, fields: Sequence[Field]) -> Field:
    """The field that a problem's place lies in; else the nearest one."""
    around = [
        field
        for field in fields
        if place == field.place or place.startswith((f"{field.place}.", f"{field.place}["))
    ]
    if around:
        return max(around, key=lambda field: len(field.place))
    inside = [field for field in fields if field.place.startswith(f"{place}.")]
    return inside[0] if inside else fields[0]
