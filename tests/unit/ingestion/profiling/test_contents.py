"""A look counts the documents that an import stores, whatever their files are called."""

from __future__ import annotations

from pathlib import Path

import pytest

import docgraph
from tests.unit.ingestion.profiling.folders import TEXT, write

SDOC = """[DOCUMENT]
TITLE: Rules

[REQUIREMENT]
UID: R-1
TITLE: Bounded
STATEMENT: A queue shall be bounded.

[REQUIREMENT]
UID: R-2
TITLE: Refusing
STATEMENT: A full queue shall refuse.
RELATIONS:
- TYPE: Parent
  VALUE: R-1
"""
ITEM = "active: true\nderived: false\nlevel: 1.0\nlinks: {links}\nnormative: true\nreviewed: null\ntext: |\n  {text}\n"
MIXED = {
    "a.md": f"# A\n\n{TEXT}[b](b.md)\n",
    "b.md": f"# B\n\n{TEXT}",
    "people.csv": "name,team\nAnn,queues\n",
    "lock.json": '{"lockfileVersion": 3, "packages": {}}',
    "ci.yml": "steps:\n  - make test\n",
    "needs.csv": "id,title,text,parent\nN-1,One,A queue is bounded.,\nN-2,Two,A full queue refuses.,N-1\n",
    "rules.sdoc": SDOC,
    "reqs/REQ001.yml": ITEM.format(links="[]", text="A queue is bounded."),
    "reqs/REQ002.yml": ITEM.format(links="[REQ001]", text="A full queue refuses."),
}


@pytest.mark.parametrize(
    "names",
    [
        ("a.md", "b.md", "people.csv"),
        ("a.md", "lock.json", "ci.yml"),
        ("a.md", "needs.csv"),
        ("rules.sdoc",),
        tuple(MIXED),
    ],
    ids=["a table of people", "settings", "a table of requirements", "requirements in one file", "all together"],
)
def test_a_look_counts_the_documents_that_the_import_stores(tmp_path: Path, names: tuple[str, ...]) -> None:
    folder = write(tmp_path, {name: MIXED[name] for name in names})
    with docgraph.connect(store="memory", workspace="looked") as dg:
        look = dg.documents.look(folder)
        report = dg.ingest(folder)
    assert look.n_documents == report.n_stored
    assert sum(each.n for each in look.unread) == report.n_rejected


def test_a_look_counts_the_relationships_that_files_of_a_dialect_state(tmp_path: Path) -> None:
    folder = write(tmp_path, {name: MIXED[name] for name in ("rules.sdoc", "reqs/REQ001.yml", "reqs/REQ002.yml")})
    with docgraph.connect(store="memory", workspace="looked") as dg:
        looked = {each.name: each.sentence for each in dg.documents.look(folder).dialects}
        assert looked == {each.name: each.sentence for each in dg.ingest(folder).dialects}
    assert looked["doorstop"].endswith("1 link")


def test_a_look_counts_each_link_once_and_all_of_them(tmp_path: Path) -> None:
    """A page that two dialects claim counted twice, one that none claims not at all, and nodes of a file as one."""
    requirement = "[REQUIREMENT]\nUID: R{n}\nTITLE: Rule {n}\nSTATEMENT: >>>\nIt holds.\n<<<\n\n"
    pages = {
        "content/a.md": '[b]({{< ref "b.md" >}}) and [c]({% link content/c.md %})\n',
        "content/b.md": "# B\n\nSee [c](c.md).\n",
        "content/c.md": "# C\n\nA text.\n",
        "rules.sdoc": "[DOCUMENT]\nTITLE: Rules\n\n" + "".join(requirement.format(n=n) for n in range(3)),
    }
    with docgraph.connect(store="memory", workspace="counted") as dg:
        folder = write(tmp_path, pages)
        look, report = dg.documents.look(folder), dg.ingest(folder)
        stated = [edge for edge in dg.relationships.list() if edge.relation_type != "mentions"]
    assert look.n_links == len({(edge.from_document_id, edge.to_document_id) for edge in stated}) == 6
    told = {each.title: each.n_links for each in report.dialects}
    assert told == {each.title: each.n_links for each in look.dialects}
    assert told["StrictDoc"] == 3
    assert sum(filter(None, told.values())) > 6, "Hugo and Jekyll both claim a page"
