"""A crontab becomes tasks, line by line, and nothing of it is lost in silence."""

import subprocess

import pytest

from desktopsched.model import Command, Cron, InvalidTaskError
from desktopsched.model.cron import parse_cron
from desktopsched.model.crontab import Entry, name_of, read_crontab, same_start
from desktopsched.model.document import read_task, write_task


def only(text: str) -> Entry:
    (entry,) = read_crontab(text).entries
    return entry


def action(text: str) -> Command:
    task = only(text).task
    assert task is not None
    assert isinstance(task.action, Command)
    return task.action


def test_a_line_becomes_a_task_that_is_switched_off_and_runs_it_by_the_shell() -> None:
    entry = only("  30 2,14 *\t* *   pg_dump -Fc shop > ~/shop.dump  \n")
    assert entry.task is not None
    assert entry.problem == ""
    assert not entry.task.enabled
    assert entry.task.schedule == Cron("30 2,14 * * *")
    assert entry.task.action == Command(shell="pg_dump -Fc shop > ~/shop.dump")
    assert entry.task.name == "Pg dump"


def test_a_task_of_a_line_is_kept_by_the_task_file_as_it_is() -> None:
    text = "PATH=/bin\nHOME=/srv\nCRON_TZ=Europe/Berlin\nRANDOM_DELAY=5\n# about it\n@daily x\n"
    task = only(text).task
    assert task is not None
    assert read_task(write_task(task)) == (task, [])


@pytest.mark.parametrize("nickname", ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly"])
def test_nicknames_stay_what_they_are(nickname: str) -> None:
    task = only(f"{nickname} backup").task
    assert task is not None
    assert task.schedule == Cron(nickname)


def test_comments_and_empty_lines_are_no_entries() -> None:
    assert read_crontab("# 5 * * * * off\n\n   \n\t# x\n").entries == ()
    assert read_crontab("").entries == ()


def test_what_a_comment_right_above_says_becomes_the_notes_but_no_header_of_the_file() -> None:
    header = "".join(f"# line {number}\n" for number in range(4))
    about, far, head = read_crontab(
        f"# dump\n# the shop\n@daily a\n# far\n\n@daily b\n{header}@daily c\n"
    ).entries
    assert [one.task.notes for one in (about, far, head) if one.task] == ["dump\nthe shop", "", ""]


# --- what cannot become a task -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 25 * * * x", "Hours go from 0 to 23"),
        ("0 5 * * *", "There is no command"),
        ("@daily", "There is no command after @daily"),
        ("@reboot /usr/bin/start", "starts"),
        ("@often x", "There is no nickname '@often'"),
        ("FOO", "There is no command"),
        ("30 4 31 2 * never", "This never happens"),
        ("@daily printf '\udcff'", "half a character"),
    ],
)
def test_a_line_that_makes_no_task_is_shown_with_its_reason(line: str, words: str) -> None:
    entry = only(line)
    assert entry.task is None
    assert words in entry.problem
    assert entry.text == line


def test_every_line_that_is_no_comment_is_told_in_its_order() -> None:
    text = "MAILTO=me\n0 25 * * * bad\n# x\n@daily good\nPATH=/bin\n@reboot y"
    found = read_crontab(text)
    numbers = [entry.number for entry in found.entries] + [setting.number for setting in found.settings]
    assert sorted(numbers) == [1, 2, 4, 5, 6]


@pytest.mark.parametrize("expression", ["0 9 * * mon-fri", "*/15 * * * *", "5 4 1,15 * sun", "0 0 * * 7"])
def test_what_cron_reads_is_read(expression: str) -> None:
    task = only(f"{expression} x").task
    assert task is not None
    assert task.schedule == Cron(expression)
    parse_cron(expression)


def test_what_is_probably_not_meant_is_noted() -> None:
    assert any("means minute 0 only" in note for note in only("*/90 * * * * x").notes)


# --- settings ----------------------------------------------------------------------------------------------------


def test_variables_go_with_the_lines_below_them_and_no_line_above() -> None:
    above, below = read_crontab('@daily a\nPATH = /opt/bin:/bin\nGREETING=" hello "\n@daily b\n').entries
    assert above.task is not None
    assert below.task is not None
    assert above.task.action == Command(shell="a")
    assert below.task.action == Command(shell="b", env={"PATH": "/opt/bin:/bin", "GREETING": " hello "})


def test_a_later_value_of_a_variable_counts_from_there_on() -> None:
    entries = read_crontab("A=1\n@daily a\nA=2\n@daily b\n").entries
    actions = [one.task.action for one in entries if one.task]
    assert actions == [Command(shell="a", env={"A": "1"}), Command(shell="b", env={"A": "2"})]


def test_mail_is_not_sent_and_that_is_said() -> None:
    found = read_crontab("MAILTO=me@example.org\n@daily a\n")
    assert "no mail is sent" in found.settings[0].meaning
    assert (found.settings[0].name, found.settings[0].value) == ("MAILTO", "me@example.org")
    assert action("MAILTO=me@example.org\n@daily a\n") == Command(shell="a")


def test_the_home_is_the_folder_and_another_shell_runs_the_line() -> None:
    assert action("HOME=/srv\n@daily a\n") == Command(shell="a", cwd="/srv", env={"HOME": "/srv"})
    assert action("SHELL=/bin/sh\n@daily a\n").shell == "a"
    assert action("SHELL=/bin/bash\n@daily a | b\n") == Command(
        argv=("/bin/bash", "-c", "a | b"), env={"SHELL": "/bin/bash"}
    )


def test_time_zone_and_random_delay_of_cronie_count() -> None:
    task = only("CRON_TZ=Europe/Berlin\nRANDOM_DELAY=10\n@daily a\n").task
    assert task is not None
    assert (task.timezone, task.random_delay) == ("Europe/Berlin", 600.0)
    assert "zone" in only("CRON_TZ=Mars/Base\n@daily a\n").problem


# --- the command -------------------------------------------------------------------------------------------------


def test_an_escaped_percent_is_one_and_a_bare_one_begins_the_input() -> None:
    assert action(r"@daily date +\%F").shell == "date +%F"
    entry = only("@daily mail me%Dear me,%%it's done%")
    assert entry.notes == ("What stands after % is given to the command as its input.",)


@pytest.mark.skipif("sys.platform == 'win32'", reason="crontabs are lines for a POSIX shell")
@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("tr a-z A-Z%one%two's%%end%", "ONE\nTWO'S\n\nEND\n"),
        ("cat; echo after  # a comment%one", "one\nafter\n"),
        ("cat%", ""),
        (r"echo 50\%; cat%in", "50%\nin\n"),
    ],
)
def test_input_after_a_percent_reaches_the_command_as_cron_gives_it(command: str, printed: str) -> None:
    line = action(f"@daily {command}").shell
    found = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    assert found.stdout == printed


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/usr/local/bin/backup-home.sh --all", "Backup home"),
        ("cd /srv/shop && ./sync_photos.sh", "Sync photos"),
        ("flock -n /tmp/x.lock nice -n 10 python3 /opt/report.py > /dev/null 2>&1", "Report"),
        ("LANG=C timeout 5m certbot renew", "Certbot"),
        ('echo "no end', "Echo"),
        ("/usr/bin/python3", "/usr/bin/python3"),
        ("größe", "Größe"),
    ],
)
def test_a_name_is_made_from_what_is_run(command: str, name: str) -> None:
    assert name_of(command) == name


def test_the_same_line_twice_is_found_whatever_it_is_called() -> None:
    one, other, third = read_crontab("@daily a b\n# again\n@daily a b\n@hourly a b\n").entries
    assert one.task is not None
    assert other.task is not None
    assert third.task is not None
    assert same_start(one.task, other.task)
    assert not same_start(one.task, third.task)


def test_no_line_however_strange_ends_the_reading() -> None:
    text = "\0\n= \n\"\n'=x\n@\n* * * * *\n% % % % % %\n" + "x" * 200_000 + "\n@daily " + "y" * 200_000
    found = read_crontab(text)
    assert len(found.entries) + len(found.settings) == 9
    assert all(entry.task or entry.problem for entry in found.entries)
    with pytest.raises(InvalidTaskError):
        parse_cron("% % % % %")
