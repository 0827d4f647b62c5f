"""The command ``compare``: what changed between a baseline and a run, as text, JSON, Markdown, HTML or CSV."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from docgraph.cli.files import is_run, rankings_of, write_file
from docgraph.cli.request_options import OPTIONS, OVERRIDES, with_request_options
from docgraph.cli.session import WorkspaceOption, asked, opened
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.output import line
from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison
from docgraph.domain.report import Rejected
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import RunSummary
from docgraph.errors import RequestError, SettingsError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import utc_now
from docgraph.views.report.file import ReportKind, file_name, report
from docgraph.views.report.of_comparisons import comparison_blocks
from docgraph.views.report.of_rankings import ranking_blocks, ranking_file_name, ranking_report
from docgraph.views.report.of_sets import unread_blocks

REPORTS = "Report"
EPOCH = "SOURCE_DATE_EPOCH"

BaselineOption = Annotated[
    str,
    typer.Option(
        "--baseline",
        "-b",
        metavar="NAME",
        help="ms3 (without relationships), plain, literal, today, or the id of a saved run.",
    ),
]
RunOption = Annotated[
    str | None, typer.Option("--run", metavar="ID", help="Compare this saved run instead of a question.")
]
WithOption = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="RETRIEVER",
        help="Your own ranking as A: a URL, the name of one in DOCGRAPH_RETRIEVERS, or a TREC run (.trec, .run, .txt).",
    ),
]
QueryIdOption = Annotated[
    str | None, typer.Option("--query-id", metavar="ID", help="The question's id in the TREC run (default: its text).")
]
AnywayOption = Annotated[
    bool, typer.Option("--anyway", help="Compare even across corpora or embedders; the report says so.")
]
JsonReport = Annotated[bool, typer.Option("--json", help="Write the report as JSON.", rich_help_panel=REPORTS)]
MarkdownReport = Annotated[
    bool, typer.Option("--markdown", help="Write Markdown for a pull request.", rich_help_panel=REPORTS)
]
_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": REPORTS}
HtmlFile = Annotated[
    str | None, typer.Option("--html", help="Write an HTML file; in a folder it is named automatically.", **_FILE)
]
CsvFile = Annotated[
    str | None, typer.Option("--csv", help="Write a CSV file; in a folder it is named automatically.", **_FILE)
]


@with_request_options
def _question(
    request: RetrievalRequest,
    workspace: WorkspaceOption = None,
    baseline: BaselineOption = MS3,
    run: RunOption = None,
    own: WithOption = None,
    query_id: QueryIdOption = None,
    anyway: AnywayOption = False,
    json: JsonReport = False,
    markdown: MarkdownReport = False,
    html: HtmlFile = None,
    csv: CsvFile = None,
) -> None:
    if own is not None:
        _beside_own(request, own, query_id or "", workspace=workspace, json=json, markdown=markdown, csv=csv)
        return
    with asked(request, workspace) as docgraph:
        made = docgraph.compare(request, baseline, anyway=anyway)
    _write(made, None, json=json, markdown=markdown, files={"html": html, "csv": csv})


def compare(**given: Any) -> None:
    """Compare the answers with and without relationships.

    --baseline chooses another baseline; --run compares a saved run instead of a question.
    """
    if given["json"] and given["markdown"]:
        raise RequestError("--json and --markdown both write to standard output", hint="choose one of them")
    _one_baseline(given)
    stamp()  # a bad time is told before the work; libraries read the variable too
    if given["run"] is None:
        _question(**given)
        return
    extra = [name for name in ("query", *OPTIONS, *OVERRIDES) if given[name] not in (None, "", [])]
    if extra:
        said = "a question" if extra[0] == "query" else f"an option of a question ({extra[0]})"
        raise RequestError(
            f"--run {given['run'][:20]!r} cannot be combined with {said}",
            hint="a saved run already has a question and limits",
        )
    with opened(given["workspace"]) as docgraph:
        saved = docgraph.runs.get(given["run"])
        made = docgraph.compare(saved, given["baseline"], anyway=given["anyway"])
        about = _summary(docgraph, saved.run_id)
    files: dict[ReportKind, str | None] = {"html": given["html"], "csv": given["csv"]}
    _write(made, about, json=given["json"], markdown=given["markdown"], files=files)


def _one_baseline(given: Mapping[str, Any]) -> None:
    """``--with`` is the baseline, and has no HTML report. Raises RequestError."""
    if given["own"] is None:
        if given["query_id"] is not None:
            raise RequestError("--query-id needs --with", hint="add --with and a TREC run")
        return
    others = {"run": "--run", "html": "--html", "anyway": "--anyway"}
    clash = next((option for name, option in others.items() if given[name]), None)
    clash = clash or ("--baseline" if given["baseline"] != MS3 else None)
    if clash is not None:
        raise RequestError(
            f"--with and {clash} cannot be combined", hint="use --with with --json, --markdown or --csv only"
        )


def _beside_own(
    request: RetrievalRequest,
    own: str,
    query_id: str,
    *,
    workspace: str | None,
    json: bool,
    markdown: bool,
    csv: str | None,
) -> None:
    """A ranking of one's own beside the question's run; exit code 1 where there is no ranking."""
    given: Any = own
    unread: tuple[Rejected, ...] = ()
    if is_run(own):
        given, unread = rankings_of(own)
    with asked(request, workspace) as docgraph:
        name = Path(own).stem if is_run(own) else ""
        made = docgraph.runs.compare_with(request, given, name=name, query_id=query_id)
    made_at = stamp()
    if csv is not None:
        path = write_file(csv, [ranking_report(made, "csv", made_at=made_at)], instead=ranking_file_name(made, "csv"))
        if not (json or markdown):
            line(f"Wrote {path}", whole=True)
    if json or markdown:
        sys.stdout.buffer.write(ranking_report(made, "json" if json else "markdown", made_at=made_at))
        sys.stdout.flush()
    elif csv is None:
        show_blocks(ranking_blocks(made))
    if unread and not json:
        show_blocks(unread_blocks(unread))
    if made.a.failure:
        raise typer.Exit(1)


compare.__signature__ = inspect.signature(_question)  # type: ignore[attr-defined]
compare.__annotations__ = _question.__annotations__


def stamp() -> str:
    """The time for a report: now in UTC to the second, or that of ``SOURCE_DATE_EPOCH`` where it is set."""
    given = os.environ.get(EPOCH, "").strip()
    if not given:
        return utc_now()
    try:
        return datetime.fromtimestamp(int(given), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        raise SettingsError(
            f"{EPOCH} = {given[:40]!r} is not a time", hint="give whole seconds since 1970, or unset it"
        ) from None


def _summary(docgraph: Docgraph, run_id: str) -> RunSummary | None:
    found = docgraph.runs.list(text=run_id, everywhere=True)
    return next((summary for summary in found if summary.run_id == run_id), None)


def _write(
    comparison: Comparison, saved: RunSummary | None, *, json: bool, markdown: bool, files: dict[ReportKind, str | None]
) -> None:
    """Files first; then JSON or Markdown on the standard output, or text when nothing else was asked for."""
    made_at = stamp()
    named = {kind: name for kind, name in files.items() if name is not None}
    for kind, name in named.items():
        content = report(comparison, kind, made_at=made_at, saved=saved)
        path = write_file(name, [content], instead=file_name(comparison, kind))
        if not (json or markdown):
            line(f"Wrote {path}", whole=True)
    if json or markdown:
        sys.stdout.buffer.write(report(comparison, "json" if json else "markdown", made_at=made_at, saved=saved))
        sys.stdout.flush()
    elif not named:
        show_blocks(comparison_blocks(comparison))
