from desktopsched.model import Edge, On
from desktopsched.ui.graph.links import Link, Links
from tests.ui.graph.scenes import design, links_of
from tests.ui.scenery import task


def name_of(task_id: str) -> str:
    return task_id.upper()


def chain(count: int) -> Links:
    tasks = [task("t0"), *(task(f"t{at}", waits_for=(Edge(f"t{at - 1}"),)) for at in range(1, count))]
    return Links(tasks)


def test_links_are_those_among_tasks_that_are_there() -> None:
    links = Links([task("a", waits_for=(Edge("gone"), Edge("b", On.FAILURE), Edge("a"))), task("b")])
    assert links.all == (Link("b", "a", On.FAILURE),)
    assert links.linked("a")
    assert links.linked("b")
    assert not links.linked("gone")


def test_relatives_are_found_however_far_they_are() -> None:
    links = links_of(design())
    assert links.ancestors("up") == {"db", "ve"}
    assert links.descendants("ve") == {"up", "rm", "no"}
    assert len(chain(20_000).ancestors("t19999")) == 19_999


def test_a_link_that_closes_a_loop_is_refused_and_the_loop_is_named() -> None:
    links = links_of(design())
    assert links.refusal("up", "db", name_of) == "These tasks would wait for each other: DB → VE → UP → DB."
    assert links.refusal("ph", "db", name_of) == ""


def test_a_link_that_is_there_and_one_to_itself_are_refused() -> None:
    links = links_of(design())
    assert links.refusal("db", "ve", name_of) == "VE waits for DB already."
    assert links.refusal("db", "db", name_of) == "DB cannot wait for itself."


def test_of_a_long_loop_both_ends_are_named() -> None:
    words = chain(1_000).refusal("t999", "t0", name_of)
    assert words.endswith("T0 → T1 → T2 → … (996 more) → T999 → T0.")
