"""The command ``check``: what is wrong with the relationships, with an exit code for continuous integration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import docgraph as docgraph_package
from docgraph import plugins
from docgraph.boundary.limits import MAX_RULES_BYTES
from docgraph.boundary.rules_toml import read_rules
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.commands.triage import day_in
from docgraph.cli.files import read_file, write_file
from docgraph.cli.locating import Locator
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.output import write_json
from docgraph.cli.text.progress import check_progress
from docgraph.domain.finding import SEVERITIES, CheckReport, Rule
from docgraph.errors import NotFoundError, RequestError
from docgraph.views.relationships.findings.as_sarif import as_code_quality, as_sarif
from docgraph.views.relationships.findings.located import Located
from docgraph.views.relationships.findings.report import report_blocks


class FailOn(StrEnum):
    """The lowest severity that makes the command fail."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": "Files"}
SarifOption = Annotated[
    str | None, typer.Option("--sarif", help="Write findings as SARIF 2.1.0, for code hosts and editors.", **_FILE)
]
CodeQualityOption = Annotated[
    str | None, typer.Option("--code-quality", help="Write findings as GitLab's code quality report.", **_FILE)
]
FAILING = {FailOn.ERROR: SEVERITIES[:1], FailOn.WARNING: SEVERITIES[:2], FailOn.NEVER: ()}


def check(
    workspace: WorkspaceOption = None,
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="FILE", help="Rules as TOML: [checks.orphan] on = false …")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="CHECK", help="Only this check; repeatable or comma-separated."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=1_000_000, help="Findings shown of each check.")
    ] = 10,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown for a pull request.")] = False,
    by_effect: Annotated[
        bool, typer.Option("--by-effect", help="One list, sorted by the number of saved questions affected.")
    ] = False,
    owner: Annotated[
        str | None, typer.Option("--owner", metavar="NAME", help="Only decisions about this owner's documents.")
    ] = None,
    owner_field: Annotated[
        list[str] | None,
        typer.Option("--owner-field", metavar="FIELD", help="Metadata field that names the owner; repeatable."),
    ] = None,
    assigned: Annotated[
        str | None,
        typer.Option(
            "--assigned", metavar="NAME", help="Only decisions assigned to NAME, or about documents NAME owns."
        ),
    ] = None,
    due: Annotated[
        str | None, typer.Option("--due", metavar="DAY", help="Only decisions due by DAY, or today.")
    ] = None,
    ignored: Annotated[bool, typer.Option("--ignored", help="Also list ignored findings.")] = False,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit with 1 if a finding has this severity or a higher one.")
    ] = FailOn.ERROR,
    sarif: SarifOption = None,
    code_quality: CodeQualityOption = None,
    json: JsonOption = False,
) -> None:
    """Find problems in the relationships. Nothing is changed.

    Without --rules, the stored rules of the workspace apply. Ignored findings do not count. Ctrl+C stops: what is
    finished is written, and the exit code is 130 whatever was found.
    """
    if json and markdown:
        raise RequestError("--json and --markdown both write to standard output", hint="choose one of them")
    given = rules_in(rules) if rules is not None else None
    wanted, day = _wanted(only or ()), day_in(due or "")
    with opened(workspace) as docgraph, check_progress(quiet=json) as progress:
        in_force = _limited(docgraph.rules.get() if given is None else given, wanted)
        report = docgraph.check(in_force, owner_fields=owner_field, progress=progress)
        if wanted:
            report = report.only(wanted)
        if owner is not None:
            report = report.of_owner(owner)
        if assigned is not None:
            report = report.of_assignee(assigned)
        if day:
            report = report.due_by(day)
        if sarif is not None or code_quality is not None:
            write_findings(report, Locator(docgraph).located(report.findings), sarif=sarif, code_quality=code_quality)
    if json:
        write_json(report)
    else:
        show_blocks(report_blocks(report, limit=limit, by_effect=by_effect, ignored=ignored), markdown=markdown)
    if not report.complete:
        raise typer.Exit(STOPPED)
    if fails(report, fail_on):
        raise typer.Exit(1)


def fails(report: CheckReport, fail_on: FailOn) -> bool:
    """Whether a finding is as severe as that, or worse."""
    return any(report.count(severity) for severity in FAILING[fail_on])


def write_findings(
    report: CheckReport, found: Sequence[Located], *, sarif: str | None, code_quality: str | None
) -> None:
    """Write the files that were asked for. Raises UserError."""
    if sarif is not None:
        write_file(sarif, [as_sarif(report, found, version=docgraph_package.__version__)], instead="docgraph.sarif")
    if code_quality is not None:
        write_file(code_quality, [as_code_quality(found)], instead="gl-code-quality-report.json")


def rules_in(name: str) -> dict[str, Rule]:
    """The rules in a TOML file. Raises UserError."""
    data = read_file(name, max_bytes=MAX_RULES_BYTES, hint="name a TOML file with rules")
    return read_rules(data, name=Path(name).name)


def _wanted(given: Sequence[str]) -> frozenset[str]:
    """The checks named by ``--only``; none = all. Raises NotFoundError for one that does not exist."""
    names = [name.strip() for part in given for name in part.split(",") if name.strip()]
    known = plugins.available("checks")
    for name in names:
        if name not in known:
            raise NotFoundError(f"there is no check {name[:60]!r}", hint=f"there are: {', '.join(known)}")
    return frozenset(names)


def _limited(rules: Mapping[str, Rule], wanted: frozenset[str]) -> dict[str, Rule]:
    """The rules with every other check switched off; one that was asked for by name is on whatever they say."""
    if not wanted:
        return dict(rules)
    names = (*plugins.available("checks"), *(name for name in rules if name not in plugins.available("checks")))
    return {name: rules.get(name, Rule()).model_copy(update={"on": name in wanted}) for name in names}
