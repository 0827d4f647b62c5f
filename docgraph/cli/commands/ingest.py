"""The command ``ingest``: a folder or file into a workspace, with progress and a report that adds up."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, heading, line, one_line, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.report import IngestReport

SHOWN_REJECTIONS = SHOWN_MOVES = 20
NOTHING_READ, STOPPED = 1, 130


def ingest(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)],
    workspace: WorkspaceOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything, write nothing.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose source is gone.")] = False,
    doc_type: Annotated[str | None, typer.Option("--doc-type", metavar="TYPE", help="Type of all documents.")] = None,
    json: JsonOption = False,
) -> None:
    """Import documents and their relationships; unchanged documents are skipped, changed ones replaced whole."""
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        report = docgraph.ingest(path, prune=prune, dry_run=dry_run, doc_type=doc_type, progress=progress)
    if json:
        write_json(report)
    else:
        show_report(report)
    if report.stopped:
        raise typer.Exit(STOPPED)
    if nothing_read(report):
        raise typer.Exit(NOTHING_READ)


def nothing_read(report: IngestReport) -> bool:
    """Whether all that came in was rejected."""
    return 0 < report.n_in == report.n_rejected


def show_report(report: IngestReport) -> None:
    """The sum first, then what came in, the relationships by type, and each rejection with its reason."""
    line((_sum(report), "bold"))
    line(_contents(report))
    for old, new in list(report.moved.items())[:SHOWN_MOVES]:
        line(f"moved: {one_line(old)} → {one_line(new)}")
    if len(report.moved) > SHOWN_MOVES:
        line((f"… and {len(report.moved) - SHOWN_MOVES:,} more; --json lists all", "dim"))
    if report.relationships:
        heading("Relationships", f"found by {', '.join(f'{name} {n:,}' for name, n in report.provenance.items())}")
        table(("type", "edges"), sorted(report.relationships.items()), right=("edges",))
    rejected = [outcome for outcome in report.outcomes if outcome.outcome == "rejected"]
    if report.n_rejected:
        heading("Rejected", f"{min(len(rejected), SHOWN_REJECTIONS):,} of {report.n_rejected:,}; --json lists more")
        table(("source", "reason"), [(o.source, o.reason) for o in rejected[:SHOWN_REJECTIONS]], wrap=True)
    if nothing_read(report) and not report.stopped:
        line("")
        line("Nothing was imported: not one of them could be read.")
    elif report.dry_run:
        line("")
        line("Dry run: nothing was written.")
    if report.stopped:
        line("")
        line("Stopped early: what is counted as stored is kept; the same command goes on from here.")


def _sum(report: IngestReport) -> str:
    parts = " + ".join(f"{n:,} {name}" for name, n in report.counts.items())
    rate = f", {report.n_in / report.seconds:,.0f}/s" if report.seconds > 0.05 else ""
    return f"{report.workspace}: {report.n_in:,} in = {parts}  ({report.seconds:.1f} s{rate})"


def _contents(report: IngestReport) -> str:
    changes = [outcome.change for outcome in report.outcomes]
    dangling = f", {report.n_dangling:,} dangling" if report.n_dangling else ""
    pruned = f"; {count(len(report.pruned), 'document')} pruned" if report.pruned else ""
    updated = f", {report.n_updated:,} updated (relationships, metadata or place)" if report.n_updated else ""
    return (
        f"{changes.count('added'):,} added, {changes.count('replaced'):,} replaced{updated}; "
        f"{count(report.n_chunks, 'chunk')}, {count(report.n_relationships, 'relationship')}{dangling}{pruned}"
    )
