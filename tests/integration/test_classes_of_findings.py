"""Findings of one cause decided and undone as one, over both stores: the state before comes back whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import docgraph
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Decision
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import ConflictError, NotFoundError
from docgraph.orchestration.docgraph import Docgraph

N = 25


@pytest.fixture(params=["memory", "postgres"])
def dg(request: pytest.FixtureRequest) -> Iterator[Docgraph]:
    """Notes that all name a licence that is not stored."""
    url = request.getfixturevalue("new_database_url") if request.param == "postgres" else None
    documents = [Document(document_id=f"n{i}", title=f"Note {i}", text=f"Text {i}.") for i in range(N)]
    edges = [
        Relationship(from_document_id=f"n{i}", relation_type="links_to", to_document_id="licence") for i in range(N)
    ]
    edges += [Relationship(from_document_id="n0", relation_type="explains", to_document_id="n1")]
    with docgraph.connect(url, workspace="w", store=request.param) as opened:
        opened.ingest_records(documents, edges)
        yield opened


def licence(report: CheckReport) -> Decision:
    return next(each for each in report.decisions if each.label == f"{N} × licence")


def seen(dg: Docgraph) -> object:
    report = dg.check()
    return (
        sorted(dg.relationships.list(), key=lambda edge: edge.key),
        dg.rules.dismissals(),
        report.decisions,
        report.findings,
        dg.workspace.revision,
    )


def test_every_act_on_a_class_is_one_act_and_its_undo_brings_back_the_state_before(dg: Docgraph) -> None:
    before = seen(dg)
    report = dg.check()
    decision = licence(report)
    keys = [key for finding in report.findings_of(decision) for key in finding.relationships]
    acts = {
        "remove": report.fix_of(decision),
        "retype": [Edit(action="retype", key=key, relation_type="explains") for key in keys],
        "accept": [Edit(action="accept", key=key) for key in keys],
        "retarget": [Edit(action="retarget", key=key, to_document_id="n1") for key in keys if key[0] not in ("n1",)],
    }
    for name, edits in acts.items():
        done = dg.relationships.edit(edits, by="Ann", reason=name)
        assert len({entry.act for entry in done}) == 1, name
        assert len(done) == len(edits)
        assert seen(dg) != before, name
        back = dg.relationships.undo_act(done[0].act, by="Ann")
        assert len(back) == len(done)
        assert seen(dg) == before, name
        with pytest.raises(NotFoundError):
            dg.relationships.undo_act(done[0].act, by="Ann")


def test_a_class_that_somebody_built_on_is_not_taken_back_in_part(dg: Docgraph) -> None:
    report = dg.check()
    done = dg.relationships.edit(report.fix_of(licence(report)), by="Ann")
    dg.relationships.edit([Edit(action="add", key=("n3", "links_to", "licence"))], by="Bob", new_types=True)
    after = seen(dg)
    with pytest.raises(ConflictError, match="later changes depend on it"):
        dg.relationships.undo_act(done[0].act, by="Ann")
    assert seen(dg) == after


def test_a_class_is_ignored_and_taken_up_again_by_the_id_of_its_decision(dg: Docgraph) -> None:
    before = seen(dg)
    report = dg.check()
    decision = licence(report)
    others = [f for f in report.findings if f.finding_id not in decision.finding_ids][:1]
    made = dg.rules.dismiss(
        [*report.findings_of(decision), *others], by="Ann", reason="paper only", decisions=[decision]
    )
    assert {each.decision_id for each in made if each.subject_id in decision.finding_ids} == {decision.decision_id}
    assert not [each for each in made if each.decision_id and each.subject_id not in decision.finding_ids]
    assert {each.dismissal.decision_label for each in dg.check().ignored} >= {f"{N} × licence"}
    assert dg.rules.withdraw([decision.decision_id]) == N
    assert len(dg.rules.dismissals()) == len(others)
    dg.rules.withdraw([each.finding_id for each in others])
    assert seen(dg) == before
    assert dg.rules.withdraw([decision.decision_id]) == 0
