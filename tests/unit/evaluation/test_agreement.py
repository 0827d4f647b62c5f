"""Agreement of two judges: equal to published figures, and not known where nothing speaks of chance."""

from __future__ import annotations

from itertools import product

import pytest

from docgraph.domain.judging import Passage
from docgraph.evaluation.agreement import agreement, kappa_and_alpha


def pairs_of(table: list[list[int]]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in product(range(3), repeat=2) for _ in range(table[i][j])]


def by_hand(table: list[list[int]]) -> tuple[float, float]:
    """Kappa and alpha from the definitions: Cohen 1960; Krippendorff 2011, sections B and D (ordinal, no gaps)."""
    n = sum(map(sum, table))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    observed, chance = sum(table[i][i] for i in range(3)) / n, sum(r * c for r, c in zip(rows, columns, strict=True))
    marginals = [r + c for r, c in zip(rows, columns, strict=True)]

    def apart(i: int, j: int) -> float:
        low, high = min(i, j), max(i, j)
        return float((sum(marginals[low : high + 1]) - (marginals[low] + marginals[high]) / 2) ** 2)

    cells = list(product(range(3), repeat=2))
    seen = sum((table[i][j] + table[j][i]) * apart(i, j) for i, j in cells) / (2 * n)
    expected = sum(marginals[i] * marginals[j] * apart(i, j) for i, j in cells) / (2 * n * (2 * n - 1))
    return (observed - chance / n**2) / (1 - chance / n**2), 1 - seen / expected


def test_kappa_is_what_the_textbook_example_has() -> None:
    """50 proposals, two readers, yes or no: 0.4 (the worked example of Cohen's kappa, 20 / 5 / 10 / 15)."""
    kappa, _ = kappa_and_alpha(pairs_of([[20, 0, 5], [0, 0, 0], [10, 0, 15]]))
    assert kappa == pytest.approx(0.4)


def test_alpha_of_two_grades_is_the_nominal_one_of_the_published_example() -> None:
    """Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*, section A: ten units, two judges, 0.095."""
    judges = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    _, alpha = kappa_and_alpha(list(zip(*judges, strict=True)))
    assert alpha == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize(
    "table", [[[17, 2, 0], [2, 9, 2], [0, 3, 13]], [[5, 0, 4], [1, 1, 0], [2, 7, 1]], [[0, 9, 0], [0, 0, 9], [9, 0, 0]]]
)
def test_both_figures_are_what_the_definitions_say(table: list[list[int]]) -> None:
    assert kappa_and_alpha(pairs_of(table)) == pytest.approx(by_hand(table))


def test_one_grade_in_all_passages_or_no_passage_is_not_known() -> None:
    assert kappa_and_alpha([]) == (None, None)
    assert kappa_and_alpha([(1, 1)] * 5) == (None, None)


def test_the_table_counts_what_both_graded_and_lists_what_differs() -> None:
    passages = [
        Passage(query_id="q", query="?", document_id="d", chunk_id=f"d#{n}", text_hash=f"{n}") for n in range(5)
    ]
    keys = [each.key for each in passages]
    graded = {"Mira": dict(zip(keys, (0, 2, 1), strict=False)), "Tom": dict(zip(keys[1:], (0, 1, 2), strict=False))}
    found = agreement("Mira", "Tom", graded=graded, passages=passages)
    assert (found.n, found.equal, found.table) == (2, 1, ((0, 0, 0), (0, 1, 0), (1, 0, 0)))
    assert [(each.passage.chunk_id, each.a, each.b) for each in found.differing] == [("d#1", 2, 0)]
    assert (found.apart(0), found.apart(1), found.apart(2)) == (1, 0, 1)
    assert agreement("Mira", "nobody", graded=graded, passages=passages).n == 0
