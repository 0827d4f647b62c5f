"""Plans and runs of earlier builds are read under the ids they were given, and no altered one is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph.domain.frozen import fingerprint
from docgraph.domain.plan import RetrievalPlan, forms, parse_plan
from docgraph.domain.saved_run import SavedRun, content_hash
from docgraph.errors import PlanError
from tests import ROOT

BEFORE = ROOT / "tests" / "golden" / "before_provenance"
"""Written by the last commit before plans stated where their reasons come from."""
PLAN = (BEFORE / "plan.json").read_text(encoding="utf-8")
SAVED = (BEFORE / "saved_run.json").read_text(encoding="utf-8")

LATER = {
    "a name": lambda p: p["seed_documents"][0].update(named="holds"),
    "a preset": lambda p: p["constraints"].update(preset="literal"),
    "a bound on boilerplate": lambda p: p["constraints"].update(max_linked_percent=25),
    "a source": lambda p: p["expanded_documents"][0]["reasons"][0].update(extractor="header_fields"),
    "a quotation": lambda p: p["expanded_documents"][0]["reasons"][0].update(text="as the limits say"),
    "a review": lambda p: p["seed_documents"][1]["reasons"][0].update(review="accepted"),
    "a count of links": lambda p: p["cut"][0].update(linked_by=3, n_documents=4),
}


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in JSON that holds no other."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from leaves(each, (*path, key))
    if not isinstance(value, dict | list):
        yield path


def altered(path: tuple[str | int, ...]) -> str:
    content = json.loads(PLAN)
    holder = content
    for key in path[:-1]:
        holder = holder[key]
    there = holder[path[-1]]
    is_number = isinstance(there, int | float) and not isinstance(there, bool)
    holder[path[-1]] = (not there) if isinstance(there, bool) else there + 1 if is_number else f"{there}x"
    return json.dumps(content)


def test_a_plan_of_before_provenance_is_read_under_its_own_id() -> None:
    plan = parse_plan(PLAN)
    assert plan.plan_id == json.loads(PLAN)["plan_id"]
    assert plan.content_id() != plan.plan_id  # the form of today is another one


def test_such_a_plan_is_written_and_read_again_as_the_same() -> None:
    plan = parse_plan(PLAN)
    assert parse_plan(plan.model_dump_json()) == plan
    assert RetrievalPlan.model_validate(dict(plan)) == plan


@pytest.mark.parametrize("path", list(leaves(json.loads(PLAN))), ids=lambda path: ".".join(map(str, path)))
def test_such_a_plan_with_anything_altered_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(PlanError, match="this is not a valid plan"):
        parse_plan(altered(path))


@pytest.mark.parametrize("said", LATER)
def test_a_field_that_was_not_there_can_say_nothing_under_an_id_of_before(said: str) -> None:
    content = json.loads(PLAN)
    LATER[said](content)
    with pytest.raises(PlanError, match="does not fit the content"):
        parse_plan(json.dumps(content))


def test_a_plan_of_today_has_one_id_alone() -> None:
    plan = parse_plan(PLAN)
    content = {name: value for name, value in dict(plan).items() if name != "plan_id"}
    today = RetrievalPlan.sealed(**content)
    assert today.plan_id == plan.content_id()
    named = today.seed_documents[0].model_copy(update={"named": "holds"})
    said = content | {"seed_documents": (named, *today.seed_documents[1:])}
    assert all(
        fingerprint(form) != today.plan_id
        for form in forms(RetrievalPlan.sealed(**said).model_dump(mode="json", exclude={"plan_id"}))
    )


def test_a_run_that_was_saved_before_provenance_is_read_whole() -> None:
    given = json.loads(SAVED)
    saved = SavedRun.model_validate_json(SAVED)
    assert set(saved.baselines) == {"ms3", "ms3_grouped"}
    for run, text in (
        (saved.run, given["run"]),
        *((saved.baselines[n], given["baselines"][n]) for n in given["baselines"]),
    ):
        assert run.plan.plan_id == run.context.plan_id == run.assembled.plan_id == text["plan"]["plan_id"]
        assert run.context.model_dump(mode="json") == text["context"]
    assert content_hash(saved.run) != saved.content_hash
    assert fingerprint({k: v for k, v in given["run"].items() if k != "trace"}) == saved.content_hash
