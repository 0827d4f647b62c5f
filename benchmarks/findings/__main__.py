"""What a person who opens the queue of findings meets first, over folders as they lie, and what it is worth.

    python -m benchmarks.findings FOLDER [FOLDER …] [--first 10] [--set NAME] [--labels FILE] [--json FILE]

Each folder is imported into memory without a profile, checked under the default rules, and the first decisions are
printed in the order of ``docgraph check --by-effect`` with what they are to be judged by: the sentence, the text that
speaks for it, the relationship and its fix. ``labels.jsonl`` holds what was said of such findings by reading their
sources, one a line, in the form of ``tests/integration/labelled_findings.jsonl``: is it so (``true``), would a
maintainer change something because of it (``worth_an_act``), and ``why``. A decision goes by its first finding that is
labelled. ``--set`` = the name that a folder has in the labels; without it the folder's own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import docgraph
from docgraph.domain.finding import CheckReport, Decision, Finding

LABELS = Path(__file__).with_name("labels.jsonl")
SHOWN = 4
"""Findings of one decision that are printed."""

Labels = Mapping[str, Mapping[str, Any]]
"""finding_id → its line of the labels."""


@dataclass(frozen=True)
class Precision:
    """Counts over the first decisions of one folder; errors are all that are labelled, wherever they stand."""

    name: str
    n_documents: int
    n_decisions: int
    worth: int
    not_worth: int
    unlabelled: int
    errors: int
    true_errors: int
    labelled_errors: int

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        judged, left = self.worth + self.not_worth, f", {self.unlabelled} not judged" if self.unlabelled else ""
        return (
            f"{self.name}: {self.n_documents:,} documents, {self.n_decisions:,} decisions; "
            f"worth an act {self.worth} of {judged}{left}; "
            f"errors {self.errors}, true {self.true_errors} of {self.labelled_errors} judged"
        )


def main() -> None:
    """Import, check, print, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--first", type=int, default=10)
    parser.add_argument("--set", dest="name")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.name and len(options.folders) > 1:
        parser.error("--set names one folder: ask for one, or leave it out")
    found = []
    for folder in options.folders:
        name = options.name or folder.name
        labels, report = labels_of(name, options.labels), report_over(folder)
        for line in queue(report, labels, first=options.first):
            print(line)
        precision = measured(name, report, labels, first=options.first)
        print(f"{precision.sentence}\n", flush=True)
        found.append(asdict(precision))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def report_over(folder: Path) -> CheckReport:
    """What the checks find over a folder that is imported as it lies."""
    with (
        tempfile.TemporaryDirectory(prefix="docgraph-findings-") as data_dir,
        docgraph.connect(store="memory", data_dir=data_dir, workspace="findings") as dg,
    ):
        dg.ingest(folder)
        return dg.check()


def labels_of(name: str, path: Path = LABELS) -> Labels:
    """The labels of one set. Raises ValueError for a line that is no label, with its number."""
    found: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        row = json.loads(line)
        if set(row) != {"set", "check_id", "finding_id", "true", "worth_an_act", "why"}:
            raise ValueError(f"{path.name}, line {number}: no label: {line[:80]}")
        if row["set"] == name:
            found[row["finding_id"]] = row
    return found


def measured(name: str, report: CheckReport, labels: Labels, *, first: int) -> Precision:
    """How many of the first decisions are worth an act, and how many errors are true."""
    said = [_label(decision, labels) for decision in report.decisions[:first]]
    errors = [labels.get(each.finding_id) for each in report.findings if each.severity == "error"]
    return Precision(
        name=name,
        n_documents=report.n_documents,
        n_decisions=len(report.decisions),
        worth=sum(label is not None and label["worth_an_act"] for label in said),
        not_worth=sum(label is not None and not label["worth_an_act"] for label in said),
        unlabelled=said.count(None),
        errors=len(errors),
        true_errors=sum(label is not None and label["true"] for label in errors),
        labelled_errors=sum(label is not None for label in errors),
    )


def queue(report: CheckReport, labels: Labels, *, first: int) -> Iterator[str]:
    """The first decisions in lines, with what a reader needs to judge them."""
    for place, decision in enumerate(report.decisions[:first], start=1):
        label = _label(decision, labels)
        said = "?" if label is None else f"{'worth' if label['worth_an_act'] else 'not worth'}: {label['why']}"
        yield f"{place:3} {decision.severity} {decision.check_id}: {decision.label}  [{said}]"
        for finding in report.findings_of(decision)[:SHOWN]:
            yield from (f"      {line}" for line in _lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    yield f"{finding.finding_id} {finding.sentence}"
    yield from (f"   {' → '.join(key)}" for key in finding.relationships[:1])
    if finding.evidence:
        yield f"   “{' '.join(finding.evidence.split())[:300]}”"
    yield from (f"   fix: {edit.action} {edit.to_document_id or ''}".rstrip() for edit in finding.fix[:1])


def _label(decision: Decision, labels: Labels) -> Mapping[str, Any] | None:
    return next((labels[each] for each in decision.finding_ids if each in labels), None)


if __name__ == "__main__":
    main()
