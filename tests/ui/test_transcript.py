import itertools

from msgspec import structs

from desktopsched.actions.text import plain_text
from desktopsched.engine.events import Paused, RunRetrying, RunSkipped, RunsMissed
from desktopsched.model import CatchUp, Cause, Outcome, State
from desktopsched.ui.transcript import BURST, LONGEST, QUEUED_MOST, SLICE_LINES, Entry, Transcript
from tests.ui.scenery import MARKUP, NOON, added, finished, output, run, started, status, task


def everything(transcript: Transcript) -> list[Entry]:
    """All entries that wait."""
    steps = iter(transcript.next, [])
    return list(itertools.chain.from_iterable(steps)) + (everything(transcript) if transcript.waiting else [])


def shown(transcript: Transcript) -> list[str]:
    """As a reader sees it: open lines are replaced by what follows."""
    lines: list[str] = []
    open_: dict[int, int] = {}
    while transcript.waiting:
        for entry in transcript.next():
            text = entry.words if entry.line is None else f"{entry.tag}: {entry.line.plain}"
            place = open_.pop(entry.run, None) if entry.line is not None else None
            if place is None:
                lines.append(text)
                place = len(lines) - 1
            else:
                lines[place] = text
            if entry.open:
                open_[entry.run] = place
    return lines


def test_a_run_is_told_from_start_to_end() -> None:
    transcript = Transcript()
    one = run("a")
    transcript.take([added(task("a", "Dump")), started(one), output(one, "one\ntwo\n")], 0.0)
    transcript.take([finished(one, Outcome(State.SUCCEEDED, exit_code=0), NOON + 84)], 0.0)
    assert shown(transcript) == [
        "Dump started, run 1",
        "Dump: one",
        "Dump: two",
        "Dump succeeded in 1 min 24 s",
    ]


def test_every_kind_of_news_has_its_words() -> None:
    transcript = Transcript()
    one = run("a", cause=Cause.MANUAL)
    failed, skipped = Outcome(State.FAILED, "exit code 1", 1), Outcome(State.SKIPPED, "Dump failed")
    transcript.take(
        [
            added(task("a", "Copy")),
            started(one),
            RunRetrying(at=NOON, run=one, outcome=failed, retry_at=NOON + 30, status=status()),
            started(run("a", attempt=2)),
            finished(one, failed),
            RunSkipped(at=NOON, run=one, outcome=skipped, status=status()),
            RunsMissed(
                at=NOON,
                task_id="a",
                first=NOON,
                last=NOON,
                count=1_200,
                policy=CatchUp.ASK,
                status=status(),
            ),
            Paused(at=NOON),
        ],
        0.0,
    )
    assert shown(transcript) == [
        "Copy started, run 1, by hand",
        "Copy failed: exit code 1. It tries again in 30 s",
        "Copy started, run 1, attempt 2",
        "Copy failed: exit code 1",
        "Copy was skipped: Dump failed",
        "Copy missed 1,200 runs, and waits for your answer",
        "All tasks are paused: nothing new starts",
    ]


def test_what_follows_from_a_run_says_from_which() -> None:
    transcript = Transcript()
    child = structs.replace(run("b", 2, cause=Cause.DEPENDENCY), parents=(1,))
    transcript.take([added(task("a", "Dump")), added(task("b", "Verify"))], 0.0)
    transcript.take([finished(run("a"), Outcome(State.SUCCEEDED)), started(child)], 0.0)
    assert shown(transcript) == ["Dump succeeded", "Verify started, run 2, because Dump succeeded"]


def test_a_progress_bar_is_its_last_state_and_stays_one_line() -> None:
    transcript = Transcript()
    one = run("a")
    for percent in (10, 50, 100):
        transcript.take([output(one, f"\r{percent} %")], 0.0)
    transcript.take([output(one, "\nready\n")], 0.0)
    assert shown(transcript) == ["a: 100 %", "a: ready"]


def test_a_last_line_without_a_newline_is_kept_when_the_run_ends() -> None:
    transcript = Transcript()
    one = run("a")
    transcript.take([output(one, "no newline"), finished(one, Outcome(State.SUCCEEDED))], 0.0)
    assert shown(transcript)[0] == "a: no newline"


def test_lines_of_two_runs_do_not_mix() -> None:
    transcript = Transcript()
    one, two = run("a", 1), run("b", 2)
    transcript.take([output(one, "be"), output(two, "other\n"), output(one, "gun\n")], 0.0)
    assert shown(transcript) == ["a: begun", "b: other"]


def test_an_endless_line_is_wrapped() -> None:
    transcript = Transcript()
    transcript.take([output(run("a"), "x" * (LONGEST + 100) + "\n")], 0.0)
    lines = [entry.line for entry in everything(transcript) if entry.line is not None and not entry.open]
    assert [len(line.plain) for line in lines] == [LONGEST, 100]


def test_one_step_is_small_whatever_comes() -> None:
    transcript = Transcript()
    transcript.take([output(run("a"), "y\n" * 4_000)], 0.0)
    steps = [len(step) for step in iter(transcript.next, [])]
    assert max(steps) <= SLICE_LINES + 1
    assert sum(steps) == 4_000


def test_a_burst_is_shown_whole_and_a_flood_is_thinned_with_a_mark() -> None:
    transcript = Transcript()
    one = run("a")
    transcript.take([output(one, "y\n" * 2_000)], 0.0)
    assert len(shown(transcript)) == 2_000
    for _ in range(20):
        transcript.take([output(one, "y\n" * 16_000)], 0.0)
        lines = shown(transcript)
    assert len(lines) < 100
    assert "15,961 lines are not shown here" in plain_lines(lines)


def plain_lines(lines: list[str]) -> str:
    return "\n".join(lines)


def test_output_flows_again_once_the_flood_is_over() -> None:
    transcript = Transcript()
    one = run("a")
    transcript.take([output(one, "y\n" * 2 * BURST)], 0.0)
    shown(transcript)
    transcript.take([output(one, "z\n" * 1_000)], 10.0)
    assert shown(transcript) == ["a: z"] * 1_000


def test_what_waits_is_bounded_for_each_run_and_what_is_left_out_is_said() -> None:
    transcript = Transcript()
    one, two = run("a", 1), run("b", 2)
    for _ in range(50):
        transcript.take([output(one, "x" * 32_000)], 0.0)
    transcript.take([output(two, "quiet\n"), finished(one, Outcome(State.SUCCEEDED))], 0.0)
    assert sum(transcript._queued.values()) <= QUEUED_MOST + 200
    lines = shown(transcript)
    assert "b: quiet" in lines
    assert any("1,536,000 characters are not shown here" in line for line in lines)


def test_a_removed_reader_leaves_nothing_behind() -> None:
    transcript = Transcript()
    for number in range(50):
        one = run("a", number)
        transcript.take([started(one), output(one, "x"), finished(one, Outcome(State.SUCCEEDED))], 0.0)
    everything(transcript)
    assert (transcript._readers, transcript._begun, transcript._queued) == ({}, {}, {})


def test_markup_and_escapes_are_text() -> None:
    transcript = Transcript()
    one = run("a")
    transcript.take([added(task("a", MARKUP)), output(one, "<b>x</b>\x1b]0;title\x07\0\n")], 0.0)
    (entry,) = everything(transcript)
    assert entry.tag == MARKUP
    assert entry.line is not None
    assert plain_text([entry.line]) == "<b>x</b>␀"
