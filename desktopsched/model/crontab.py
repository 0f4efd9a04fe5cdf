"""A crontab, as `crontab -l` prints it, read into tasks line by line. Values only: nothing is run and nothing is asked.

Read as Debian's crontab(5) says, with the two settings that cronie adds. No line is dropped: one that makes no task
says why, and one that would run differently here says how.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from msgspec import Struct, structs

from desktopsched.model.action import Command
from desktopsched.model.cron import parse_cron
from desktopsched.model.document import read_task
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.schedule import Cron
from desktopsched.model.task import Task

_SETTING = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s="']+))\s*=\s*(.*?)\s*""")
_ENTRY = re.compile(r"\s*(@\S+|(?:\S+[ \t]+){4}\S+)[ \t]+(\S.*?)\s*")
_PERCENT = re.compile(r"(?<!\\)%")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=.*")
_PLAIN_SHELLS = frozenset({"", "/bin/sh", "sh"})
_MAIL = frozenset({"MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"})
_OF_CRON = _MAIL | {"CRON_TZ", "RANDOM_DELAY"}  # what it says is said to cron, and not to the commands
_INTERPRETERS = re.compile(
    r"(?:python|perl|ruby|node|php|bash|dash|zsh|ksh|sh)[\d.]*|sudo|nice|ionice|timeout|flock|env|exec|cd"
)
_NOTES_MOST = 3  # lines of comment above a line that speak of it; longer blocks are of the whole file
_NAME_MOST = 60


class Entry(Struct, frozen=True, kw_only=True):
    """A line that asks for something to be run."""

    number: int  # of the line, from 1
    text: str  # the line as it stands
    command: str  # what is run, as cron gives it to the shell
    task: Task | None = None  # switched off; its id is to be replaced by one that is free
    problem: str = ""  # why there is no task
    notes: tuple[str, ...] = ()  # what is different here from how cron does it


class Setting(Struct, frozen=True, kw_only=True):
    """A line that sets a variable, and what becomes of it."""

    number: int
    name: str
    value: str
    meaning: str


class Crontab(Struct, frozen=True, kw_only=True):
    """All lines that say something, in their order."""

    entries: tuple[Entry, ...] = ()
    settings: tuple[Setting, ...] = ()


def read_crontab(text: str) -> Crontab:
    """Read every line. Never raises: what is wrong in a line stands in its entry."""
    entries: list[Entry] = []
    settings: list[Setting] = []
    comments: list[str] = []
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("#"):
            comments.append(bare.lstrip("#").strip())
            continue
        if bare:
            if (found := _setting(line)) is not None:
                name, value = found
                values[name] = value
                settings.append(Setting(number=number, name=name, value=value, meaning=_meaning(name, value)))
            else:
                entries.append(_entry(number, line, values, comments))
        comments = []
    return Crontab(entries=tuple(entries), settings=tuple(settings))


# --- settings --------------------------------------------------------------------------------------------------


def _setting(line: str) -> tuple[str, str] | None:
    """Name and value, without the quotes that keep blanks at their ends."""
    match = _SETTING.fullmatch(line)
    if match is None:
        return None
    name = next(part for part in match.groups()[:3] if part is not None)
    value = match[4]
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return name, value


def _meaning(name: str, value: str) -> str:
    if name in _MAIL:
        return "Not used: no mail is sent here. The output of each run is kept, and a failure is told."
    if name == "SHELL":
        return "The lines below are run by it."
    if name == "HOME":
        return "The lines below are run in this folder."
    if name == "CRON_TZ":
        return "The time zone of the lines below."
    if name == "RANDOM_DELAY":
        return f"Up to {value} min are added to each start of the lines below."
    return "Goes with each of the lines below."


# --- lines that run something ----------------------------------------------------------------------------------


def _entry(number: int, line: str, values: Mapping[str, str], comments: Sequence[str]) -> Entry:
    match = _ENTRY.fullmatch(line)
    if match is None:
        return Entry(number=number, text=line, command="", problem=_incomplete(line.split(maxsplit=1)[0]))
    expression, entry = " ".join(match[1].split()), Entry(number=number, text=line, command=match[2])
    if expression.lower() == "@reboot":
        problem = "It runs when the computer starts, and that is no time. Leave this line in the crontab."
        return structs.replace(entry, problem=problem)
    try:
        parse_cron(expression)
    except InvalidTaskError as error:
        return structs.replace(entry, problem=str(error))
    return _with_task(entry, expression, values, comments)


def _incomplete(first: str) -> str:
    if first.startswith("@"):
        return f"There is no command after {first[:40]}."
    return "There is no command: cron reads five fields of time, then what is to be run."


def _with_task(entry: Entry, expression: str, values: Mapping[str, str], comments: Sequence[str]) -> Entry:
    said, notes = _with_input(entry.command, values.get("SHELL", ""))
    raw: dict[str, object] = {
        "id": f"line-{entry.number}",
        "name": name_of(entry.command),
        "enabled": False,
        "action": _action(said, values),
        "schedule": {"type": "cron", "expression": expression},
    }
    about = "\n".join(filter(None, comments))
    if about and len(comments) <= _NOTES_MOST:
        raw["notes"] = about
    if zone := values.get("CRON_TZ"):
        raw["timezone"] = zone
    if (delay := values.get("RANDOM_DELAY", "")).isdecimal() and int(delay):
        raw["random_delay"] = f"{int(delay)}m"
    task, problems = read_task(raw)
    if task is None:
        return structs.replace(entry, problem="; ".join(map(str, problems)))
    return structs.replace(entry, task=task, notes=(*notes, *parse_cron(expression).notes))


def _action(said: str, values: Mapping[str, str]) -> dict[str, object]:
    shell = values.get("SHELL", "")
    action: dict[str, object] = {"type": "command"}
    if shell in _PLAIN_SHELLS:
        action["shell"] = said
    else:
        action["argv"] = [shell, "-c", said]  # what cron itself does
    if home := values.get("HOME"):
        action["cwd"] = home
    if passed_on := {name: value for name, value in values.items() if name not in _OF_CRON}:
        action["env"] = passed_on
    return action


def _with_input(command: str, shell: str) -> tuple[str, tuple[str, ...]]:
    """What cron gives to the shell: a bare `%` ends the command, and what follows is its input, line by line."""
    first, *lines = (part.replace(r"\%", "%") for part in _PERCENT.split(command))
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        return first, ()
    given = " ".join(map(shlex.quote, lines))
    said = f"printf '%s\\n' {given} | {shlex.quote(shell or '/bin/sh')} -c {shlex.quote(first.strip())}"
    return said, ("What stands after % is given to the command as its input.",)


def name_of(command: str) -> str:
    """A short name for a command: what it runs, without folder and ending."""
    try:
        words = shlex.split(_PERCENT.split(command)[0], comments=False)
    except ValueError:  # a quotation mark has no end: the shell will say so
        words = command.split()
    telling = [word for word in words if not _ASSIGNED.fullmatch(word)]
    for place, word in enumerate(telling):
        name = PurePath(word).name
        follows_cd = place and telling[place - 1] == "cd"
        if word[:1] in "-&|;<>(" or not name or follows_cd or _INTERPRETERS.fullmatch(name):
            continue
        if re.fullmatch(r"[\d.:]+[smhd]?", name) or "/lock/" in word or name.endswith(".lock"):
            continue
        return _as_name(PurePath(name).stem if "." in name else name)
    return command.strip()[:_NAME_MOST] or "Command"


def _as_name(word: str) -> str:
    shown = re.sub(r"[-_]+", " ", word.rstrip(";")).strip() or word
    return (shown[0].upper() + shown[1:])[:_NAME_MOST]


def same_start(one: Task, other: Task) -> bool:
    """Whether two tasks run the same at the same times, whatever they are called."""
    return (
        isinstance(one.action, Command)
        and isinstance(one.schedule, Cron)
        and (one.action, one.schedule, one.timezone) == (other.action, other.schedule, other.timezone)
    )
