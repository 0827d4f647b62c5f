"""The command ``compare``: what changed between a baseline and a run, as text, JSON, Markdown, HTML or CSV."""

from __future__ import annotations

import inspect
import os
import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from docgraph.cli.files import write_file
from docgraph.cli.request_options import OPTIONS, OVERRIDES, with_request_options
from docgraph.cli.session import WorkspaceOption, asked, opened
from docgraph.cli.text.comparison import show_comparison
from docgraph.cli.text.output import line
from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.saved_run import RunSummary
from docgraph.errors import RequestError, SettingsError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import utc_now
from docgraph.views.report.file import ReportKind, file_name, report

REPORTS = "Report"
EPOCH = "SOURCE_DATE_EPOCH"

BaselineOption = Annotated[
    str, typer.Option("--baseline", "-b", metavar="NAME", help="ms3, plain, literal, today, or the id of a saved run.")
]
RunOption = Annotated[
    str | None, typer.Option("--run", metavar="ID", help="Compare this saved run; takes the place of the question.")
]
AnywayOption = Annotated[
    bool, typer.Option("--anyway", help="Compare over different corpora or embedders too; the report says so.")
]
JsonReport = Annotated[bool, typer.Option("--json", help="Write the report as JSON.", rich_help_panel=REPORTS)]
MarkdownReport = Annotated[
    bool, typer.Option("--markdown", help="Write it as Markdown for a pull request.", rich_help_panel=REPORTS)
]
_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": REPORTS}
HtmlFile = Annotated[str | None, typer.Option("--html", help="Write one HTML file; a folder gets a name.", **_FILE)]
CsvFile = Annotated[str | None, typer.Option("--csv", help="Write one CSV file; a folder gets a name.", **_FILE)]


@with_request_options
def _question(
    request: RetrievalRequest,
    workspace: WorkspaceOption = None,
    baseline: BaselineOption = MS3,
    run: RunOption = None,
    anyway: AnywayOption = False,
    json: JsonReport = False,
    markdown: MarkdownReport = False,
    html: HtmlFile = None,
    csv: CsvFile = None,
) -> None:
    with asked(request, workspace) as docgraph:
        made = docgraph.compare(request, baseline, anyway=anyway)
    _write(made, None, json=json, markdown=markdown, files={"html": html, "csv": csv})


def compare(**given: Any) -> None:
    """Say what changed from a baseline to a question's run, or to a saved run."""
    if given["json"] and given["markdown"]:
        raise RequestError("--json and --markdown both go to the standard output", hint="ask for one of them")
    stamp()  # a bad time is told before the work; libraries read the variable too
    if given["run"] is None:
        _question(**given)
        return
    extra = [name for name in ("query", *OPTIONS, *OVERRIDES) if given[name] not in (None, "", [])]
    if extra:
        said = "a question" if extra[0] == "query" else f"an option of a question ({extra[0]})"
        raise RequestError(
            f"--run {given['run'][:20]!r} was given beside {said}", hint="a saved run has its own question and limits"
        )
    with opened(given["workspace"]) as docgraph:
        saved = docgraph.runs.get(given["run"])
        made = docgraph.compare(saved, given["baseline"], anyway=given["anyway"])
        about = _summary(docgraph, saved.run_id)
    files: dict[ReportKind, str | None] = {"html": given["html"], "csv": given["csv"]}
    _write(made, about, json=given["json"], markdown=given["markdown"], files=files)


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
            f"{EPOCH} = {given[:40]!r} is no time", hint="give whole seconds since 1970, or unset it"
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
        show_comparison(comparison)
