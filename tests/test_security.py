"""Promises of SECURITY.md that no single room keeps."""

import ast
import re
from pathlib import Path

import desktopsched

ROOT = Path(desktopsched.__file__).parent
EXECUTES_WHAT_IT_READS = {"pickle", "shelve", "marshal", "dill", "cloudpickle", "jsonpickle", "code"}


def imported(file: Path) -> set[str]:
    """The first names of all modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def called(file: Path) -> set[str]:
    """Names that are called as functions of no module."""
    calls = (node.func for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


CARRIER = Path("cluster/connect.py")
"""Hands our own function to Dask, which pickles all that goes through it. SECURITY.md says what follows from that."""


def test_nothing_is_unpickled_and_no_text_is_run_as_python() -> None:
    files = [file for file in ROOT.rglob("*.py") if "resources" not in file.parts]
    assert len(files) > 100
    for file in files:
        allowed = {"pickle", "cloudpickle"} if file.relative_to(ROOT) == CARRIER else set()
        assert imported(file) & EXECUTES_WHAT_IT_READS == allowed, file
        assert called(file) & {"eval", "exec", "compile", "__import__"} == set(), file


def test_what_the_promises_name_is_there() -> None:
    """A file that was renamed must not leave a promise without its test."""
    text = (ROOT.parent / "SECURITY.md").read_text()
    folder = ""
    for name in re.findall(
        r"`([^`]+)`", "\n".join(line for line in text.splitlines() if line.startswith("|"))
    ):
        if name.startswith("tests/"):
            folder = name if not name.endswith(".py") else name.rpartition("/")[0]
            assert (ROOT.parent / name).exists(), name
        elif name.endswith(".py"):
            assert (ROOT.parent / folder / name).exists(), f"{folder}/{name}"
