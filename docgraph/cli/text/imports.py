"""What ``ingest`` prints: the sum, what was read differently, relationships by type, and what was not read by cause."""

from __future__ import annotations

from docgraph.cli.text.output import count, heading, line, one_line, table
from docgraph.domain.imports.record import Reading
from docgraph.domain.report import IngestReport
from docgraph.views.words.type_roles import change_sentences

SHOWN_MOVES = 20
TRIED_FROM = 200
"""Documents from which on an import offers to try its relation types."""
SHOWN_PLACES = 3
SHOWN_ADJUSTED = 20


def nothing_read(report: IngestReport) -> bool:
    """Whether all that came in was rejected."""
    return 0 < report.n_in == report.n_rejected


def show_report(report: IngestReport) -> None:
    """The sum first, then what came in, the lines of a profile, relationships by type, and rejections by cause."""
    if report.notice:
        line((one_line(report.notice), "bold"))
    line((_sum(report), "bold"))
    line(_contents(report))
    for written in report.dialects:
        line(one_line(written.sentence))
    for old, new in list(report.moved.items())[:SHOWN_MOVES]:
        line(f"moved: {one_line(old)} → {one_line(new)}")
    if len(report.moved) > SHOWN_MOVES:
        line((f"… and {len(report.moved) - SHOWN_MOVES:,} more; --json lists all", "dim"))
    if report.reading is not None:
        _show_reading(report.reading)
    if report.relationships:
        heading("Relationships", f"found by {', '.join(f'{name} {n:,}' for name, n in report.provenance.items())}")
        table(("type", "relationships"), sorted(report.relationships.items()), right=("relationships",))
    for sentence in change_sentences(report.decided):
        line(one_line(sentence))
    if not report.dry_run and report.n_stored > TRIED_FROM and report.relationships:
        line((f"Do these types help? docgraph workspaces try {report.workspace}", "dim"))
    if not report.dry_run and report.n_stored and report.relationships:
        line((f"Do relationships help here? docgraph query-sets propose --workspace {report.workspace}", "dim"))
    if report.n_rejected:
        heading("Rejected", f"{report.n_rejected:,} by cause, rarest first; --json lists each")
        width = max((len(f"{each.n:,}") for each in report.causes), default=0)
        for each in report.causes:
            line(f"{each.n:>{width},}  {one_line(each.cause)}")
            line((_places(each.places, each.n), "dim"), indent=width + 2)
    _show_left_out(report)
    if nothing_read(report) and not report.stopped:
        line("")
        line("Nothing was imported: no source could be read.")
    elif report.dry_run:
        line("")
        line("Dry run: nothing was written.")
    if report.stopped:
        line("")
        line("Stopped early: stored documents are kept; the same command resumes.")


def _show_left_out(report: IngestReport) -> None:
    """What patterns leave out, and what was read otherwise than it is written."""
    if report.excluded:
        heading("Left out", f"{report.n_excluded:,} files and folders, by pattern")
        for pattern in report.excluded[:SHOWN_ADJUSTED]:
            line(f"{pattern.n:,}  {one_line(pattern.cause)}  {_places(pattern.places, pattern.n)}")
    if report.adjusted:
        heading("Read with changes", f"{report.n_adjusted:,}; --json lists each")
        for place in report.adjusted[:SHOWN_ADJUSTED]:
            line(one_line(f"{place.place}: {place.reason}"))
        if report.n_adjusted > SHOWN_ADJUSTED:
            line((f"… and {report.n_adjusted - SHOWN_ADJUSTED:,} more", "dim"))


def _show_reading(reading: Reading) -> None:
    heading("Read by the profile" if reading.lines else "Names of documents")
    for each in reading.lines:
        line(each.sentence)
    for what, told in (("declared targets", reading.declared), ("links", reading.links)):
        if told:
            parts = ", ".join(
                f"{n:,} {cause}" for cause, n in sorted(told.items(), key=lambda pair: (-pair[1], pair[0]))
            )
            line(f"{sum(told.values()):,} {what}: {parts}")


def _places(places: tuple[str, ...], n: int) -> str:
    more = f" … and {n - SHOWN_PLACES:,} more" if n > SHOWN_PLACES else ""
    return " · ".join(one_line(place) for place in places[:SHOWN_PLACES]) + more


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
