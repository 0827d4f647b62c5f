"""Components and shortest ways are those that networkx finds."""

from __future__ import annotations

import itertools

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.plugins.checks._circles import components, shortest_way, successors_of

NODES = st.sampled_from("abcdefgh")
PAIRS = st.lists(st.tuples(NODES, NODES), max_size=30)


@given(PAIRS)
def test_the_components_are_those_of_networkx(pairs: list[tuple[str, str]]) -> None:
    wanted = {frozenset(each) for each in networkx.strongly_connected_components(networkx.DiGraph(pairs))}
    found = [frozenset(each) for each in components(successors_of(pairs))]
    assert len(found) == len(wanted)
    assert set(found) == wanted


@given(PAIRS, NODES, NODES)
def test_a_shortest_way_is_as_short_as_that_of_networkx(pairs: list[tuple[str, str]], start: str, end: str) -> None:
    graph, whole = successors_of([*pairs, (start, start), (end, end)]), networkx.DiGraph([*pairs, (start, start)])
    whole.add_node(end)
    if networkx.has_path(whole, start, end):
        way = shortest_way(graph, start, end)
        assert len(way) == networkx.shortest_path_length(whole, start, end) + 1
        assert (way[0], way[-1]) == (start, end)
        assert all(step in pairs for step in itertools.pairwise(way))
    else:
        with pytest.raises(ValueError, match="no way leads"):
            shortest_way(graph, start, end)


def test_a_chain_as_long_as_a_corpus_is_walked_without_recursion() -> None:
    names = [str(number) for number in range(20_000)]
    chain = list(itertools.pairwise(names))
    assert sum(1 for _ in components(successors_of(chain))) == len(names)
    assert [len(each) for each in components(successors_of([*chain, (names[-1], names[0])]))] == [len(names)]
