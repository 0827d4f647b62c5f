"""What the Plan page says of a filter: how many documents are outside, who of the related ones, what a draft does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from docgraph.domain.request import RetrievalRequest
from docgraph.planning.explanation import explain
from docgraph.views.plan import remedies
from docgraph.views.plan.cuts import expanded_blocks, filter_block
from docgraph.views.plan.draft.changes import _filter
from docgraph.views.plan.settings import input_facts
from docgraph.views.plan.summary import _cut, same_as_ms3
from tests.corpora import plan_of, probe
from tests.unit.planning.test_filters import library


def asked(**fields: Any) -> RetrievalRequest:
    return RetrievalRequest(query="queue hold", max_documents=3, **fields)


def test_both_lanes_say_who_is_outside() -> None:
    with library().reading() as snapshot:
        plan = plan_of(asked(where="status=accepted"), snapshot)
    block = filter_block(plan, max_rows=3)
    assert block is not None
    assert (block.head, block.foot, block.rows) == ("2 of 5 outside the filter", "status=accepted", ())
    [related] = [each for each in expanded_blocks(plan, max_rows=3) if each.key == "where.related"]
    assert (related.head, [row.document_id for row in related.rows]) == (
        "1 related document outside the filter",
        ["draft"],
    )
    [total] = [each for each in plan.cut_totals if each.limit == "where"]
    assert _cut(total, plan).text == "2 of 5 documents outside the filter status=accepted"


def test_without_a_filter_on_seeds_the_seeds_lane_says_nothing() -> None:
    with library().reading() as snapshot:
        where = {"conditions": ["status=accepted"], "applies_to": "related"}
        assert filter_block(plan_of(asked(where=where), snapshot), max_rows=3) is None
        assert filter_block(plan_of(asked(), snapshot), max_rows=3) is None


def test_that_nothing_is_added_is_owed_to_the_filter_and_not_to_missing_relationships() -> None:
    with library().reading() as snapshot:
        plan = plan_of(asked(where="status=accepted", seed_document_ids=("new",)), snapshot)
        other = plan_of(asked(where="status=nobody"), snapshot)
    assert plan.expanded_document_ids == ("other",)
    assert same_as_ms3(cast(Any, SimpleNamespace(plan=plan))) == ""
    assert same_as_ms3(cast(Any, SimpleNamespace(plan=other))) == ""
    with library().reading() as snapshot:
        none = plan_of(asked(where=["status=accepted", "nobody=*"], seed_document_ids=("new",)), snapshot)
    said = same_as_ms3(cast(Any, SimpleNamespace(plan=none)))
    assert said == "Every related document is outside the filter: same result as without relationships."


def test_why_not_and_its_button_speak_of_the_filter() -> None:
    with library().reading() as snapshot:
        request = asked(where="status=accepted")
        why = explain(request, "old", probe("queue hold"), snapshot)
        [obstacle] = [each for each in why.obstacles if each.kind == "outside_where"]
        assert remedies.obstacle_words(obstacle) == (
            "It does not meet the filter status=accepted (it has status = superseded)"
        )
        assert remedies.remedy_words(request, plan_of(request, snapshot), obstacle.remedy) == "Remove the filter"
        changed = remedies.changed(request, obstacle.remedy)
        assert changed is not None
        assert "old" in plan_of(changed, snapshot).document_ids


def test_a_draft_and_a_saved_run_name_the_filter() -> None:
    plain, one = asked(), asked(where="status=accepted")
    several = asked(where={"conditions": ["status=accepted", "date>=2024"], "applies_to": "seeds"})
    assert [part.text for part in _filter(plain, one)] == ["filter status=accepted"]
    assert [part.text for part in _filter(one, several)] == ["2 filters for seeds"]
    assert [(part.text, part.detail) for part in _filter(one, plain)] == [("no filter", "status=accepted")]
    assert _filter(one, one) == []
    assert ("Filter", "date>=2024, status=accepted") in input_facts(several)
