"""Circles in a directed graph: its strongly connected components, and a shortest way between two of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

Successors = Mapping[str, Sequence[str]]


def successors_of(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Node → where its edges lead; every node is a key, and both are in the order of ``pairs``."""
    found: dict[str, list[str]] = {}
    for start, end in pairs:
        found.setdefault(start, []).append(end)
        found.setdefault(end, [])
    return found


def components(graph: Successors) -> Iterator[set[str]]:
    """The strongly connected components (Tarjan 1972), without recursion: a chain may be as long as a corpus."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    is_open: set[str] = set()
    for root in graph:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        open_nodes.append(root)
        is_open.add(root)
        way = [(root, iter(graph[root]))]
        while way:
            node, others = way[-1]
            for other in others:
                if other not in number:
                    number[other] = lowest[other] = len(number)
                    open_nodes.append(other)
                    is_open.add(other)
                    way.append((other, iter(graph[other])))
                    break
                if other in is_open:
                    lowest[node] = min(lowest[node], number[other])
            else:
                way.pop()
                if way:
                    lowest[way[-1][0]] = min(lowest[way[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component: set[str] = set()
                    while node not in component:
                        component.add(open_nodes.pop())
                    is_open -= component
                    yield component


def shortest_way(graph: Successors, start: str, end: str) -> list[str]:
    """The nodes of a shortest way from ``start`` to ``end``, both included. Raises ValueError where there is none."""
    came_from = {start: start}
    reached = [start]
    for node in reached:
        if node == end:
            break
        for other in graph[node]:
            if other not in came_from:
                came_from[other] = node
                reached.append(other)
    if end not in came_from:
        raise ValueError(f"no way leads from {start!r} to {end!r}")
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
