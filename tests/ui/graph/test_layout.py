import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from desktopsched.ui.graph.layout import lay_out
from desktopsched.ui.graph.places import Box, Layout, Sizes

Drawn = tuple[dict[str, float], list[tuple[str, str]], list[tuple[str, str]]]


@st.composite
def graphs(draw: st.DrawFn) -> Drawn:
    """Links go from lower to higher numbers, so there is no loop; some of them are weak."""
    count = draw(st.integers(1, 40))
    widths = {f"t{at}": float(draw(st.integers(116, 220))) for at in range(count)}
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda two: two[0] < two[1]
    )
    links = draw(st.lists(pairs, max_size=80, unique=True)) if count > 1 else []
    named = [(f"t{one}", f"t{other}") for one, other in links]
    cut = draw(st.integers(0, len(named)))
    return widths, named[:cut], named[cut:]


def apart(one: Box, other: Box) -> bool:
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return beside or one.y + one.height <= other.y or other.y + other.height <= one.y


@given(graphs())
def test_every_link_goes_to_the_right(drawn: Drawn) -> None:
    widths, strong, weak = drawn
    boxes = lay_out(widths, strong, weak).boxes
    assert list(boxes) == list(widths)
    for parent, child in (*strong, *weak):
        assert boxes[parent].x + boxes[parent].width + Sizes().column_gap <= boxes[child].x


@given(graphs())
def test_no_two_nodes_overlap_and_all_are_within_the_picture(drawn: Drawn) -> None:
    layout = lay_out(*drawn)
    boxes = list(layout.boxes.values())
    for at, one in enumerate(boxes):
        assert 0 <= one.x <= one.x + one.width <= layout.width
        assert 0 <= one.y <= one.y + one.height <= layout.height
        assert all(apart(one, other) for other in boxes[at + 1 :])


@given(graphs())
def test_a_long_link_passes_each_column_in_a_lane_beside_its_nodes(drawn: Drawn) -> None:
    layout = lay_out(*drawn)
    for (parent, child), lanes in layout.lanes.items():
        assert len(lanes) == layout.boxes[child].column - layout.boxes[parent].column - 1
        for lane in lanes:
            assert all(
                not box.y <= lane.y <= box.y + box.height
                for box in layout.boxes.values()
                if box.x == lane.left
            )


@given(graphs())
def test_the_same_list_gives_the_same_picture(drawn: Drawn) -> None:
    assert lay_out(*drawn) == lay_out(*drawn)


@given(graphs())
@settings(max_examples=30)
def test_a_part_of_its_own_below_moves_nothing(drawn: Drawn) -> None:
    widths, strong, weak = drawn
    before = lay_out(widths, strong, weak).boxes
    after = lay_out({**widths, "x": 116, "y": 116}, [*strong, ("x", "y")], weak).boxes
    assert all(before[one].y == after[one].y and before[one].column == after[one].column for one in widths)


def test_a_chain_is_straight_though_links_pass_below_it() -> None:
    widths = dict.fromkeys(("db", "ve", "up", "rm", "no", "ph", "ce"), 116.0)
    chain = [("db", "ve"), ("ve", "up"), ("up", "rm")]
    boxes = lay_out(widths, chain, [(one, "no") for one in ("db", "ve", "up", "ph", "ce")]).boxes
    assert {boxes[one].y for one in ("db", "ve", "up", "rm")} == {0}
    assert (boxes["no"].column, boxes["rm"].column) == (3, 3)


def test_a_loop_is_laid_out_all_the_same() -> None:
    boxes = lay_out(dict.fromkeys("abc", 116.0), [("a", "b"), ("b", "c"), ("c", "a")]).boxes
    assert [boxes[one].column for one in "abc"] == [0, 1, 2]


def test_nothing_and_unknown_ends_are_no_trouble() -> None:
    assert lay_out({}, []) == Layout({}, {}, 0, 0)
    assert list(lay_out({"a": 116}, [("a", "gone"), ("a", "a")]).boxes) == ["a"]


def test_a_chain_of_ten_thousand_needs_no_recursion() -> None:
    ids = [f"t{at}" for at in range(10_000)]
    boxes = lay_out(dict.fromkeys(ids, 116.0), list(itertools.pairwise(ids))).boxes
    assert boxes[ids[-1]].column == 9_999


def test_five_thousand_nodes_have_each_a_place_of_their_own() -> None:
    ids = [f"t{at}" for at in range(5_000)]
    links = [(ids[max(at - 1 - at * 7 % 23, 0)], ids[at]) for at in range(1, 5_000)]
    links += [(ids[max(at - 3 - at * 5 % 31, 0)], ids[at]) for at in range(4, 5_000, 4)]
    boxes = lay_out(dict.fromkeys(ids, 116.0), links).boxes
    assert len({(box.x, box.y) for box in boxes.values()}) == 5_000
