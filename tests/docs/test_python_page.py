"""The page on the Python API lists every name of ``Docgraph`` and of its namespaces."""

from __future__ import annotations

import re

from docgraph.aio import namespace_of, public_members
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT

PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
ROWS = {
    head.strip("` "): set(re.findall(r"`(\w+)`", names))
    for head, names in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.split("## Verbs and namespaces")[1], re.MULTILINE)
}
NAMESPACES = {name: kind for name, each in public_members(Docgraph).items() if (kind := namespace_of(each)) is not None}


def test_every_namespace_is_listed_with_all_its_names() -> None:
    assert {name: ROWS.get(name) for name in NAMESPACES} == {
        name: set(public_members(kind)) for name, kind in NAMESPACES.items()
    }


def test_every_flat_name_is_listed_once() -> None:
    flat = [name for head, names in ROWS.items() if head not in NAMESPACES for name in names]
    assert sorted(flat) == sorted(set(public_members(Docgraph)) - set(NAMESPACES))


def test_there_are_few_flat_verbs() -> None:
    """A new capability goes into a namespace; the flat verbs are those of the trip, of workspaces, and of who works."""
    assert len(set(public_members(Docgraph)) - set(NAMESPACES)) <= 24
