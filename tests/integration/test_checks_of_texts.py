"""Checks of what texts say, over files as they lie, in both stores: names, numbers, fields."""

from __future__ import annotations

from pathlib import Path

import pytest

import docgraph
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Finding

NEW = ("ambiguous_title", "fields_disagree", "named_by_number")


def proposal(number: int, title: str, text: str, *, fields: str = "") -> str:
    return f"---\neip: {number}\ntitle: {title}\nstatus: Final\n{fields}---\n\n# Summary\n\n{text}\n"


def write(folder: Path) -> Path:
    """Twelve proposals that link each other, and among them one fault of each kind."""
    texts = {
        n: proposal(n, f"Rule about matter {chr(96 + n)}", f"As [EIP-{n + 1}](eip-{n + 1}.md) says.")
        for n in range(1, 12)
    }
    texts[12] = proposal(12, "Rule about matter c", "The checksum follows EIP-5 here.")
    texts[7] = proposal(70, "Rule about matter g", "As [EIP-8](eip-8.md) says.")
    texts[9] = proposal(9, "Rule about matter i", "This proposal has been replaced by [EIP-10](eip-10.md).")
    for number, text in texts.items():
        (folder / f"eip-{number}.md").write_text(text, encoding="utf-8")
    return folder


def of(report: CheckReport) -> dict[str, list[Finding]]:
    return {each.check_id: list(each.findings) for each in report.results if each.check_id in NEW}


@pytest.mark.parametrize("store", ["memory", "postgres"])
def test_each_fault_of_the_texts_is_found_once_and_its_act_settles_it(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("new_database_url") if store == "postgres" else None
    with docgraph.connect(url, workspace="w", store=store) as dg:
        dg.ingest(write(tmp_path), profile="auto")
        report = dg.check()
        found = of(report)
        [alike], [number] = found["ambiguous_title"], found["named_by_number"]
        assert alike.document_ids == ("eip-12", "eip-3")
        assert number.relationships == (("eip-12", "mentions", "eip-5"),)
        assert number.evidence == "The checksum follows EIP-5 here."
        [named, told] = sorted(found["fields_disagree"], key=lambda each: not each.document_ids)
        assert named.sentence.endswith("(eip-7): its name says 7, its eip says 70")
        assert told.sentence.endswith("its status is final")
        assert told.fix == ()
        dg.relationships.edit(
            [Edit(action="retype", key=number.relationships[0], relation_type="links_to")], by="Ann", reason="a link"
        )
        dg.rules.dismiss([alike], by="Ann", reason="one is older")
        after = of(dg.check())
    assert (after["ambiguous_title"], after["named_by_number"]) == ([], [])
    assert {each.finding_id for each in after["fields_disagree"]} == {named.finding_id, told.finding_id}
