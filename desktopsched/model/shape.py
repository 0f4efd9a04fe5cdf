"""Fields are data: a struct's form in the file is a table of fields, each with its reader and its writer.

The task file reads and writes by these tables; a form reads single fields with the same readers as one types.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT, UNSET, Struct, structs

from desktopsched.model.fields import closest, mapped
from desktopsched.model.problem import Problem, ProblemsError, Reader, collect, key_place, shorten, shown

Writer = Callable[[Any], object]
Check = Callable[[Mapping[str, object], Mapping[str, Any]], Iterable[Problem]]
"""Looks at the whole: what the file has, and what could be read of it."""


def as_is(value: object) -> object:
    """The writer of what JSON has anyway."""
    return value


class Field(Struct, frozen=True):
    """One field: its name, how it is read and written, and under which key."""

    name: str  # in the struct
    read: Reader
    write: Writer = as_is
    key: str = ""  # in the file, where it is another name
    required: str = ""  # what to write, where it must be there

    @property
    def file_key(self) -> str:
        """The key under which the file has it."""
        return self.key or self.name


class Shape(Struct, frozen=True):
    """The form of one struct: its fields, in the order in which they are written."""

    make: Callable[..., Any]  # the struct's class
    fields: tuple[Field, ...]
    checks: tuple[Check, ...] = ()

    def field(self, name: str) -> Field:
        """The field of this name."""
        return next(field for field in self.fields if field.name == name)

    def read(self, raw: object) -> Any:
        """The struct. Raises ProblemsError with everything that is wrong in it."""
        given = mapped(raw)
        problems: list[Problem] = []
        values, known = {}, 0
        for field in self.fields:
            key = field.key or field.name
            if key in given:
                known += 1
            if (one := given.get(key)) is not None:
                value = collect(field.read, one, key, problems)
                if value is not UNSET:
                    values[field.name] = value
            elif field.required:  # a key with null is as good as none: the default holds
                problems.append(Problem(key, f"is missing. Write {field.required}."))
        if known < len(given):
            problems.extend(self._unknown(given))
        for check in self.checks:
            problems.extend(check(given, values))
        if problems:
            raise ProblemsError(problems)
        return self.make(**values)

    def write(self, value: Any) -> dict[str, object]:
        """The object in the file: keys in a fixed order, defaults left out."""
        defaults = _defaults(self.make)
        return {
            field.file_key: field.write(own)
            for field in self.fields
            if (own := getattr(value, field.name)) != defaults[field.name]
        }

    def _unknown(self, given: Mapping[str, object]) -> Iterable[Problem]:
        known = _keys(self)
        for key in given:
            if key not in known:
                yield unknown_key(key, known)


class Kinds(Struct, frozen=True):
    """A value of several kinds, told apart by its `type`."""

    kinds: Mapping[str, Shape]

    def read(self, raw: object) -> Any:
        """The struct of the kind that `type` says."""
        given = mapped(raw)
        kind = given.get("type")
        if not isinstance(kind, str) or kind not in self.kinds:
            raise ProblemsError([Problem("type", self._wrong(kind))])
        return self.kinds[kind].read({key: value for key, value in given.items() if key != "type"})

    def write(self, value: Any) -> dict[str, object]:
        """The object in the file, its `type` first."""
        name, shape = next((name, shape) for name, shape in self.kinds.items() if shape.make is type(value))
        return {"type": name, **shape.write(value)}

    def _wrong(self, kind: object) -> str:
        words = ", ".join(map(repr, self.kinds))
        if kind is None:
            return f"is missing. Write one of {words}."
        guess = closest(kind, self.kinds) if isinstance(kind, str) else ""
        return f"must be one of {words}, not {shown(kind)}.{guess}"


def unknown_key(key: str, known: Iterable[str]) -> Problem:
    """The problem of a key that means nothing here."""
    return Problem(
        key_place(key), f"there is no such key here: {shorten(key)!r}. Take it out.{closest(key, known)}"
    )


@cache
def _defaults(make: type[Struct]) -> dict[str, object]:
    """What each field is when nothing is said; NODEFAULT, which equals nothing, where something must be."""
    return {
        field.name: field.default_factory() if field.default_factory is not NODEFAULT else field.default
        for field in structs.fields(make)
    }


def _keys(shape: Shape) -> frozenset[str]:
    return frozenset(field.file_key for field in shape.fields)
