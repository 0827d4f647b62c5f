"""The command ``gate``: a folder imported aside, checked and evaluated, with one exit code; nothing is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

from docgraph.bootstrap import connect_apart
from docgraph.boundary.imports.profile_toml import profile_of
from docgraph.cli.commands.check import (
    CodeQualityOption,
    FailOn,
    SarifOption,
    fails,
    rules_in,
    write_findings,
)
from docgraph.cli.commands.evaluate import Configurations, Measures
from docgraph.cli.commands.ingest import AUTO, STOPPED, ExcludeOption, NoGitignoreOption
from docgraph.cli.files import write_file
from docgraph.cli.locating import Locator
from docgraph.cli.query_files import configurations_of, query_set_of, split
from docgraph.cli.session import JsonOption
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.imports import nothing_read
from docgraph.cli.text.output import line, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.evaluation import Evaluation, GateResult
from docgraph.domain.finding import CheckReport
from docgraph.domain.report import IngestReport
from docgraph.errors import RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.evaluating.evaluate import BOTH
from docgraph.orchestration.evaluating.gating import gated, parse_gates
from docgraph.views.blocks import Block, Heading, Item, Line, Title
from docgraph.views.relationships.findings.as_annotations import as_annotations
from docgraph.views.relationships.findings.located import Located
from docgraph.views.relationships.findings.report import report_blocks, verdict
from docgraph.views.report.as_markdown import written
from docgraph.views.report.of_sets import evaluation_blocks, unread_blocks
from docgraph.views.words.counts import plural

WORKSPACE = "gate"
SHOWN_CAUSES = 5
_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": "Files"}


class Annotations(StrEnum):
    """Who shows findings beside the lines of files, out of what a command writes."""

    GITHUB = "github"
    NONE = "none"


@dataclass(frozen=True)
class Judged:
    """What a gate found. ``evaluation`` = None without questions."""

    imported: IngestReport
    report: CheckReport
    fail_on: FailOn
    evaluation: Evaluation | None = None
    gates: tuple[GateResult, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Why it fails, in sentences of numbers and names that were given; empty: it passes."""
        found = []
        if nothing_read(self.imported):
            found.append("no source could be read")
        if fails(self.report, self.fail_on):
            found.append(f"findings of severity {self.fail_on} or worse")
        if missed := sum(not each.passed for each in self.gates):
            found.append(f"{missed} of {plural(len(self.gates), 'gate')} missed")
        return tuple(found)

    @property
    def sentence(self) -> str:
        """``Gate passed: 0 errors, 2 warnings, … in 12 documents …``."""
        how = f"failed ({', '.join(self.faults)})" if self.faults else "passed"
        return f"Gate {how}: {verdict(self.report)}"


def gate(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)],
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="FILE", help="Rules of the checks as TOML (docgraph rules show).")
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit with 1 if a finding has this severity or a higher one.")
    ] = FailOn.ERROR,
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="FILE", help="Also evaluate this file or folder of questions.")
    ] = None,
    qrels: Annotated[
        str | None, typer.Option("--qrels", metavar="FILE", help="Its judgments in TREC or BEIR format.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="[NAME:]MEASURE=MINIMUM", help="Exit with 1 below this; repeatable."),
    ] = None,
    config: Configurations = None,
    measure: Measures = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="auto|FILE", help="Use a proposed profile, or one from a TOML file."),
    ] = None,
    exclude: ExcludeOption = None,
    no_gitignore: NoGitignoreOption = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=1_000_000, help="Findings shown of each check.")
    ] = 10,
    annotations: Annotated[
        Annotations, typer.Option("--annotations", help="Write findings as annotations instead of the summary.")
    ] = Annotations.NONE,
    summary: Annotated[str | None, typer.Option("--summary", help="Write the summary as Markdown.", **_FILE)] = None,
    sarif: SarifOption = None,
    code_quality: CodeQualityOption = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown for a pull request.")] = False,
    json: JsonOption = False,
) -> None:
    """Check a folder for CI. Nothing is kept.

    It is imported into memory, the checks run, and questions are evaluated if there are any; no database is started
    or asked. Exit codes: 0 passed, 1 failed, 130 stopped; others mean that it could not run.
    """
    if sum((json, markdown, annotations is not Annotations.NONE)) > 1:
        raise RequestError(
            "--json, --markdown and --annotations all write to standard output",
            hint="choose one of them; --summary FILE writes Markdown to a file",
        )
    if queries is None and (given := "--fail-under" if fail_under else "--qrels" if qrels else ""):
        raise RequestError(f"{given} needs questions", hint="give --queries FILE as well")
    in_force = None if rules is None else rules_in(rules)
    quiet = json or markdown or annotations is not Annotations.NONE
    with connect_apart(WORKSPACE) as docgraph, import_progress(quiet=quiet) as progress:
        read_by = AUTO if profile == AUTO else profile_of(profile)
        imported = docgraph.ingest(
            path, profile=read_by, exclude=tuple(exclude or ()), gitignore=not no_gitignore, progress=progress
        )
        report = docgraph.check(in_force)
        judged = Judged(imported, report, fail_on)
        if queries is not None:
            judged = _evaluated(
                docgraph, judged, queries, qrels, fail_under or (), config or BOTH, split(measure or ())
            )
        found = Locator(docgraph, path).located(report.findings)
    if summary is not None:
        write_file(summary, [written(_blocks(judged, limit)).encode("utf-8", "replace")], instead="gate.md")
    write_findings(report, found, sarif=sarif, code_quality=code_quality)
    _tell(judged, found, limit=limit, annotations=annotations, markdown=markdown, json=json)
    if imported.stopped or not report.complete or (judged.evaluation is not None and judged.evaluation.stopped):
        raise typer.Exit(STOPPED)
    if judged.faults:
        raise typer.Exit(1)


def _evaluated(
    docgraph: Docgraph,
    judged: Judged,
    queries: str,
    qrels: str | None,
    fail_under: Sequence[str],
    config: Sequence[str],
    measures: Sequence[str],
) -> Judged:
    """The same with an evaluation and its gates, over the measures that are gated unless others are named.

    Raises UserError.
    """
    asked = query_set_of(queries, qrels)
    given, unread = configurations_of(config)
    gates = parse_gates(fail_under, tuple(given), measures)
    gated_measures = tuple(dict.fromkeys(each.measure for each in gates))
    made = docgraph.evaluate(asked, given, measures=measures or gated_measures or None)
    made = made.model_copy(update={"unread": (*asked.rejected, *unread), "adjusted": asked.adjusted})
    return Judged(judged.imported, judged.report, judged.fail_on, made, gated(made, gates))


def _blocks(judged: Judged, limit: int) -> Iterator[Block]:
    """The verdict, what was read, the findings, the evaluation."""
    yield Title(judged.sentence)
    imported = judged.imported
    yield Line(
        f"{plural(imported.n_stored, 'document')} and {plural(imported.n_relationships, 'relationship')} read, "
        f"{plural(imported.n_rejected, 'source')} rejected",
        "quiet",
    )
    yield from (Item(each.cause, aside=f"{each.n:,} ×") for each in imported.causes[:SHOWN_CAUSES])
    blocks = report_blocks(judged.report, limit=limit)
    yield from (Heading("Checks") if isinstance(block, Title) else block for block in blocks)
    if judged.evaluation is not None:
        yield from evaluation_blocks(judged.evaluation, judged.gates)
        yield from unread_blocks(judged.evaluation.unread, judged.evaluation.adjusted)


def _tell(
    judged: Judged,
    found: Sequence[Located],
    *,
    limit: int,
    annotations: Annotations,
    markdown: bool,
    json: bool,
) -> None:
    if json:
        write_json(
            {
                "passed": not judged.faults,
                "sentence": judged.sentence,
                "import": judged.imported.model_dump(mode="json"),
                "report": judged.report.model_dump(mode="json"),
                "locations": [{"finding_id": e.finding.finding_id, "path": e.path, "line": e.line} for e in found],
                "evaluation": judged.evaluation and judged.evaluation.model_dump(mode="json"),
                "gates": [each.model_dump(mode="json") for each in judged.gates],
            }
        )
    elif annotations is Annotations.GITHUB:  # nothing else: a runner reads commands in every line
        sys.stdout.buffer.write("".join(f"{each}\n" for each in as_annotations(found)).encode("utf-8", "replace"))
        sys.stdout.flush()
        line(judged.sentence, whole=True)
    else:
        show_blocks(_blocks(judged, limit), markdown=markdown)
