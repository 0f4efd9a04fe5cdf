"""This user's crontab is read, or there is none; neither is an error."""

import sys

import pytest

from desktopsched.storage.crontab import UserCrontab


def answers(program: str) -> UserCrontab:
    return UserCrontab((sys.executable, "-c", program))


def test_what_the_system_prints_is_the_crontab() -> None:
    found = answers("import sys; sys.stdout.buffer.write('@daily größe\\n'.encode() + b'\\xff')")
    assert found.available
    assert found.read() == "@daily größe\n\udcff"


@pytest.mark.parametrize(
    "crontab",
    [
        answers("import sys; print('something'); sys.exit('no crontab for me')"),
        UserCrontab(("no-such-program-as-this", "-l")),
    ],
)
def test_where_there_is_none_the_text_is_empty(crontab: UserCrontab) -> None:
    assert crontab.read() == ""


def test_a_system_without_the_program_has_no_crontabs() -> None:
    assert not UserCrontab(("no-such-program-as-this", "-l")).available
