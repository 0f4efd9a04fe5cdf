import pytest

from desktopsched.model import Edge, Join, On
from desktopsched.ui.graph.sentence import sentence
from desktopsched.ui.row import Row
from tests.ui.graph.scenes import by_id, design, links_of, row


def words(rows: list[Row], task_id: str) -> str:
    return sentence(by_id(rows), links_of(rows), task_id, len(rows)).words


@pytest.mark.parametrize(
    ("task_id", "said"),
    [
        (
            "ve",
            (
                "Verify dump waits for 1 task; 3 tasks wait for it. "
                "If it fails, Upload dump is skipped and Notify on failure runs."
            ),
        ),
        (
            "up",
            (
                "Upload dump waits for 2 tasks; 2 tasks wait for it. "
                "If it fails, Remove old dumps and Notify on failure run."
            ),
        ),
        ("rm", "Remove old dumps waits for 3 tasks; none waits for it."),
        (
            "ph",
            "Photo sync waits for no other task; 1 task waits for it. If it fails, Notify on failure runs.",
        ),
        ("alone", "VAT return waits for no other task; none waits for it."),
        ("", "8 tasks are shown. Choose one to see what it waits for."),
    ],
)
def test_the_sentence_says_what_it_waits_for_and_what_its_failure_leads_to(task_id: str, said: str) -> None:
    assert words(design(), task_id) == said


def test_nothing_is_said_of_a_child_that_other_tasks_decide_too() -> None:
    rows = [
        row("a"),
        row("b"),
        row("any", after=("a", "b"), join=Join.ANY),
        row("all", after=(Edge("a", On.FAILURE), Edge("b", On.FAILURE))),
    ]
    assert "If it fails" not in words(rows, "a")


def test_many_names_are_counted_and_long_ones_are_cut() -> None:
    rows = [row("a", "A" * 100), *(row(f"c{at}", after=("a",)) for at in range(5))]
    assert words(rows, "a") == (
        f"{'A' * 39}… waits for no other task; 5 tasks wait for it. "
        "If it fails, C0, C1, C2 and 2 more are skipped."
    )


def test_without_links_it_says_how_to_make_one() -> None:
    assert sentence({}, links_of([]), "", 0).words.startswith("Nothing is linked here.")
