"""Whether a planned document still holds is said beside its reasons, as in its evidence."""

from __future__ import annotations

import pytest

from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.lanes.layout import node_id
from tests.ui.conftest import Open, page_text


@pytest.mark.parametrize(("question", "said"), [("Do clients poll for updates?", True), ("Who pushes?", False)])
def test_the_selected_document_says_what_keeps_it_from_holding(
    docgraph: Docgraph, open_page: Open, question: str, said: bool
) -> None:
    files = [
        ("adr-1.md", b"---\nid: adr-1\ntitle: Polling\nstatus: Rejected\n---\nClients poll for updates.\n"),
        ("adr-2.md", b"---\nid: adr-2\ntitle: Push\n---\nThe server pushes.\n"),
    ]
    docgraph.ingest_files(files)
    at = open_page("plan", query=question)
    assert at.session_state["docgraph.state"].run.plan.document_ids[0] == ("adr-1" if said else "adr-2")
    at.session_state["docgraph.state"].selected = node_id("adr-1" if said else "adr-2")
    at.run()
    inspected = page_text(at).split('class="pl-title"')[1].split("pl-h3")[0]
    assert ('<p class="pl-standing"><span>rejected</span></p>' in inspected) is said
