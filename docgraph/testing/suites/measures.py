"""What every measure must keep to: run it against your own with ``check_measure(measure)``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from docgraph.ports import AnyMeasure, JudgedMeasure, Measure

IDS = tuple("abcdefgh")
STRANGE = ("adr-1\nadr-1#0", "Größe", "日本語 🙂", "a|b%c", "<b>", "'; DROP TABLE x;")
PAIRS: tuple[tuple[Sequence[str], Sequence[str]], ...] = (
    *((IDS[:4], order) for order in permutations(IDS[:4])),
    (IDS, IDS[::-1]),
    (IDS, IDS[:3]),
    (IDS[:3], IDS),
    (IDS[:4], IDS[2:]),
    (IDS[:1], IDS[7:]),
    (IDS[:4], IDS[4:]),
    (STRANGE, STRANGE[::-1]),
    ([f"long-{i}" for i in range(500)], [f"long-{i}" for i in range(250, 700)]),
)
"""Pairs of rankings: every order of four, reversed, shorter, longer, overlapping, foreign, strange and long ones."""


def check_measure(measure: AnyMeasure, *, symmetric: bool = True) -> None:
    """Run every check. ``symmetric=False`` is for a measure that means something else from B to A.

    Raises AssertionError that says which promise was broken.
    """
    check_description(measure)
    if measure.kind == "judged" or measure.kind == "judged_in_sets":
        check_judged(measure)
        return
    check_bounds(measure)
    check_determinism(measure)
    check_names_do_not_matter(measure)
    if symmetric:
        check_symmetry(measure)
    if measure.kind == "overlap":
        check_overlap(measure)
    else:
        check_correlation(measure)


def check_description(measure: AnyMeasure) -> None:
    """Name, title, formula and source are one line of text each; the kind is one of the four."""
    for field in ("name", "title", "formula", "source"):
        text = getattr(measure, field)
        assert isinstance(text, str), f"{field} is no text"
        assert text.strip(), f"{field} is empty"
        assert text.isprintable(), f"{field} must be one line of plain text"
    kinds = ("overlap", "correlation", "judged", "judged_in_sets")
    assert measure.kind in kinds, f"kind {measure.kind!r} is none of {', '.join(kinds)}"


def check_bounds(measure: Measure) -> None:
    """An overlap lies in [0, 1], a correlation in [−1, 1]; both are ordinary floats or ``None``."""
    lowest = 0.0 if measure.kind == "overlap" else -1.0
    for a, b in _asked(measure):
        value = measure.compute(a, b)
        assert value is None or type(value) is float, f"{value!r} is neither a float nor None"
        assert value is None or lowest <= value <= 1.0, f"{value!r} is outside [{lowest:g}, 1]"


def check_determinism(measure: Measure) -> None:
    """Equal input gives equal output, as tuple or as list; the input stays as it was."""
    for a, b in _asked(measure):
        x, y = list(a), list(b)
        assert measure.compute(a, b) == measure.compute(x, y) == measure.compute(x, y), "equal input, other output"
        assert (x, y) == (list(a), list(b)), "compute must not change its input"


def check_names_do_not_matter(measure: Measure) -> None:
    """Only places count: other names for the same items change nothing."""
    for a, b in _asked(measure):
        renamed = {item: f"{i}-{item[::-1]}" for i, item in enumerate(sorted({*a, *b}, reverse=True))}
        value = measure.compute([renamed[item] for item in a], [renamed[item] for item in b])
        assert value == measure.compute(a, b), "the names of the items change the value"


def check_symmetry(measure: Measure) -> None:
    """From A to B it is what it is from B to A."""
    for a, b in _asked(measure):
        there, back = measure.compute(a, b), measure.compute(b, a)
        assert there == back, f"{there!r} from A to B, but {back!r} from B to A"


def check_overlap(measure: Measure) -> None:
    """1 for a ranking and itself, 0 when nothing is in common or one side is empty."""
    for ranking in (IDS[:1], IDS, STRANGE, [f"long-{i}" for i in range(500)]):
        assert measure.compute(ranking, ranking) == 1.0, "a ranking must overlap itself wholly"
        assert measure.compute(ranking, ["of its own"]) == 0.0, "nothing in common must be 0"
        assert measure.compute(ranking, []) == measure.compute([], ranking) == 0.0, "an empty side must be 0"


def check_correlation(measure: Measure) -> None:
    """1 for the same order, −1 for the opposite one, ``None`` where it is undefined: fewer than two items."""
    for ranking in (IDS[:2], IDS, STRANGE):
        assert measure.compute(ranking, ranking) == 1.0, "the same order must be 1"
        assert measure.compute(ranking, ranking[::-1]) == -1.0, "the opposite order must be −1"
    assert measure.compute(IDS[:1], IDS[:1]) is None, "one item has no order: None"
    assert measure.compute([], []) is None, "no item has no order: None"


def check_judged(measure: JudgedMeasure) -> None:
    """In [0, 1], 1 when the relevant ones and no others are read, 0 for none of them, ``None`` when nothing is.

    Deterministic, whatever the items are called; what stands beyond ``k`` does not count.
    """
    for ranking, other in PAIRS:
        if not ranking or not other:
            continue
        for relevant in (other, ranking[:2], ranking[-1:]):
            _check_one_ranking(measure, ranking, relevant)
        assert measure.compute(ranking, frozenset(ranking), k=len(ranking)) == 1.0, "all and only relevant must be 1"
        assert measure.compute(ranking, {"of its own"}, k=len(ranking)) == 0.0, "nothing relevant read must be 0"
        assert measure.compute([], frozenset(other), k=1) == 0.0, "nothing read must be 0"
        assert measure.compute(ranking, frozenset(), k=len(ranking)) is None, "nothing relevant at all must be None"


def _check_one_ranking(measure: JudgedMeasure, ranking: Sequence[str], relevant: Sequence[str]) -> None:
    names = {item: f"{i}-{item[::-1]}" for i, item in enumerate(sorted({*ranking, *relevant}, reverse=True))}
    renamed, known = [names[item] for item in ranking], [names[item] for item in relevant]
    for k in (1, 3, len(ranking) + 1):
        value = measure.compute(ranking, frozenset(relevant), k=k)
        assert type(value) is float, f"{value!r} is no float"
        assert 0.0 <= value <= 1.0, f"{value!r} is outside [0, 1]"
        assert value == measure.compute(list(ranking), list(relevant), k=k), "equal input, other output"
        assert value == measure.compute(renamed, known, k=k), "the names of the items change the value"
        assert value == measure.compute(ranking[:k], frozenset(relevant), k=k), "what stands beyond k counts"


def _asked(measure: Measure) -> list[tuple[Sequence[str], Sequence[str]]]:
    """The pairs that comparison would ask about: for a correlation the common part, in both orders."""
    if measure.kind == "overlap":
        return list(PAIRS)
    common = [({*a} & {*b}, a, b) for a, b in PAIRS]
    return [([i for i in a if i in both], [i for i in b if i in both]) for both, a, b in common]
