"""``docgraph vocabulary`` and ``docgraph suggestions``: what they write, what they change, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.suggestion import Suggestions
from docgraph.domain.vocabulary import Vocabulary
from tests.command_line import Command, filled_workspace, running

WORKSPACE = "cli-insight"
HOSTILE = "Evil \x1b[31m | <img src=x> \u202e"
DOCUMENTS = tuple(
    Document(document_id=i, title=title, text=f"Words of {i}.")
    for i, title in (("adr-1", HOSTILE), ("adr-2", "Queue"), ("adr-3", "Alarm"), ("adr-4", "Tides"))
)
EDGES = tuple(
    Relationship(
        from_document_id=start,
        relation_type=via,
        to_document_id=end,
        relationship_metadata={"text": "as ADR-2 says\x1b"},
    )
    for start, via, end in (
        ("adr-3", "explains", "adr-4"),
        ("adr-4", "explain", "adr-3"),
        ("adr-1", "mentions", "adr-2"),
        ("adr-3", "mentions", "adr-2"),
    )
)

pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, EDGES):
        yield


def test_types_are_listed_merged_in_a_dry_run_and_merged(capsys: pytest.CaptureFixture[str]) -> None:
    vocabulary: Command = running("vocabulary", capsys)
    code, out, err = vocabulary()
    assert (code, err) == (0, "")
    assert "3 types on 4 relationships; no saved questions to count" in out
    assert "explain " in out
    merge = ("--merge", "explain", "--into", "explains", "--by", "Ann")
    assert vocabulary(*merge, "--dry-run")[1].endswith("Nothing was written.\n")
    assert "1 relationship changes to explains" in vocabulary(*merge)[1]
    found = Vocabulary.model_validate_json(vocabulary("--json")[1])
    assert {use.relation_type: use.n for use in found.types} == {"explains": 2, "mentions": 2}
    [entry] = json.loads(running("history", capsys)("--json")[1])["entries"]
    assert (entry["by"], entry["reason"]) == ("Ann", "merged explain into explains")
    for wrong in (merge, ("--into", "explains"), ("--merge", "explains"), ("--merge", "explains", "--into", "new_one")):
        code, out, err = vocabulary(*wrong)
        assert (code > 0, out, err.count("\n")) == (True, "", 2)


def test_suggestions_are_listed_accepted_and_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    suggestions: Command = running("suggestions", capsys)
    code, out, err = suggestions()
    assert (code, err) == (0, "")
    assert "Compared 2 pairs of documents; 2 are open." in out
    assert "“as ADR-2 says" in out
    assert not {"\x1b", "\u202e"} & set(out)
    found = Suggestions.model_validate_json(suggestions("--json")[1])
    first, second = (each.suggestion_id for each in found.suggestions)
    code, out, _ = suggestions("accept", first[:6], "--type", "explains", "--flip", "--by", "Ann")
    assert (code, "added adr-2 —explains→" in out) == (0, True)
    assert suggestions("reject", second, "--by", "Ann")[1].startswith(second)
    assert "0 are open, 1 was rejected" in suggestions()[1]
    for wrong in (
        ("accept", first),
        ("reject", "xy"),
        ("accept", second, "--type", ""),
        ("accept", second, "--type", "a\x01"),
    ):
        code, out, err = suggestions(*wrong)
        assert (code > 0, out, err.count("\n")) == (True, "", 2)
