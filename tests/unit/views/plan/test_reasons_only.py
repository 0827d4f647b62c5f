"""What the Plan page says of types that give reasons only: which, whom that keeps out, who decided, and the way in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from docgraph.curation.graph import reach_of
from docgraph.domain.plan import CutTotal
from docgraph.domain.request import RetrievalRequest
from docgraph.evaluation.scoring import can_matter
from docgraph.planning.explanation import explain
from docgraph.views.plan import remedies
from docgraph.views.plan.cuts import expanded_blocks
from docgraph.views.plan.reasons import _note
from docgraph.views.plan.summary import _cut, same_as_ms3
from tests.corpora import plan_of, probe
from tests.unit.planning.test_type_roles import WORLD, deciding, request

DECIDED = "generated questions −2.1 [−3.4, −0.8]"


def test_the_list_names_the_type_and_who_decided_and_lets_it_in_by_one_click() -> None:
    with deciding(WORLD, "links_to") as snapshot:
        plan = plan_of(request(), snapshot)
        [block] = [each for each in expanded_blocks(plan, max_rows=5) if each.key.startswith("reasons_only")]
        assert (block.head, block.foot) == ("2 not added: links_to only gives reasons", DECIDED)
        assert [(row.document_id, row.tail) for row in block.rows] == [("d", "position 2")]
        assert (block.fix, block.fix_label) == ({"relation_types": ["links_to", "requires"]}, "Include them")
        named = RetrievalRequest.model_validate({**request().model_dump(), **(block.fix or {})})
        assert "d" in plan_of(named, snapshot).expanded_document_ids


def test_the_status_says_it_in_a_sentence() -> None:
    total = CutTotal(limit="reasons_only", value=0, kept=1, total=3, relation_type="links_to", decided=DECIDED)
    line = _cut(total, cast(Any, None))
    assert line.text == f"2 documents not added: links_to only gives reasons ({DECIDED})"


def test_that_nothing_is_added_is_owed_to_the_role_and_not_to_missing_relationships() -> None:
    with deciding(WORLD, "links_to", "requires") as snapshot:
        plan = plan_of(request(), snapshot)
    said = same_as_ms3(cast(Any, SimpleNamespace(plan=plan)))
    assert said == "links_to, requires only give reasons: same result as without relationships."


def test_why_not_and_its_button_speak_of_the_type() -> None:
    with deciding(WORLD, "links_to") as snapshot:
        asked = request(max_expanded=1)
        obstacle = explain(asked, "d", probe("queue"), snapshot).obstacles[0]
        plan = plan_of(asked, snapshot)
    assert (
        remedies.obstacle_words(obstacle) == "Related only through links_to, which gives reasons but adds no document"
    )
    assert remedies.remedy_words(asked, plan, obstacle.remedy) == "Let links_to add documents"


def test_a_reason_that_brings_nothing_in_does_not_count_as_one_that_does() -> None:
    with deciding(WORLD, "links_to") as snapshot:
        plan = plan_of(request(), snapshot)
    [document] = plan.expanded_documents
    assert [reason.via for reason in plan.bringing(document)] == ["requires"]
    assert reach_of(plan).fired == {("a", "requires", "b")}
    assert can_matter(plan) == (("a", "requires", "b"),)
    assert _note(2, 1, seed=False) == "1 of 2 reasons adds it; the other types only give reasons."
