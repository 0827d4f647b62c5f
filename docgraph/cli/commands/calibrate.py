"""The command ``calibrate``: from questions with known answers to confidences that mean something."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.boundary.json_lines import line_place, records
from docgraph.cli.files import read_file
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, one_line, table, write_json
from docgraph.domain.calibration import CalibrationReport, LabelledQuestion, ReliabilityBin, ThresholdRates
from docgraph.domain.packet import Calibration
from docgraph.domain.report import Rejected
from docgraph.errors import RequestError, UserError
from docgraph.orchestration.calibration import CANDIDATES, labelled

MAX_BYTES = 50_000_000
BAR = 20
HINT = 'write {"query": "…", "relevant": ["document id"]} on each line'

FileArgument = Annotated[
    str | None,
    typer.Argument(metavar="QUESTIONS.jsonl", help="Questions with the ids of their documents; - for standard input."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Fit and report; store nothing.")]
Reset = Annotated[bool, typer.Option("--reset", help="Delete this workspace's calibration and use the default one.")]
CandidatesOption = Annotated[
    int, typer.Option("--candidates", metavar="N", min=1, max=1_000, help="Chunks labelled per question.")
]


def calibrate(
    questions: FileArgument = None,
    workspace: WorkspaceOption = None,
    dry_run: DryRun = False,
    reset: Reset = False,
    candidates: CandidatesOption = CANDIDATES,
    json: JsonOption = False,
) -> None:
    """Fit confidences on questions with known answers. Without a file, show the current calibration."""
    if reset and (questions is not None or dry_run):
        raise RequestError("--reset cannot be combined with a file", hint="run --reset first, then calibrate")
    asked = None if questions is None else read_questions(questions)
    with opened(workspace) as docgraph:
        if asked is not None:
            report = docgraph.calibration.fit(asked, dry_run=dry_run, candidates=candidates)
            write_json(report) if json else show_report(report)
            return
        n_removed = docgraph.calibration.reset() if reset else None
        used = docgraph.calibration.list()
    if json:
        said = {} if n_removed is None else {"removed": n_removed}
        write_json({**said, "calibrations": [each.model_dump(mode="json") for each in used]})
        return
    if n_removed is not None:
        line(f"{count(n_removed, 'calibration')} deleted")
    _show_used(used)


def read_questions(name: str) -> list[LabelledQuestion]:
    """The questions of a file, one JSON object per line; fields besides query and relevant are ignored.

    Raises UserError that names the line.
    """
    data = read_file(name, max_bytes=MAX_BYTES, hint=HINT)
    found: list[LabelledQuestion] = []
    try:
        for number, record in records(data, max_bytes=MAX_BYTES):
            if isinstance(record, Rejected):
                raise UserError(f"{name[:200]!r}: {record.reason}", hint=HINT)
            found.append(labelled(record, f"{name[:200]!r}, {line_place(number)}"))
    except ValueError as error:
        raise UserError(f"{name[:200]!r} cannot be read: {error}", hint=HINT) from None
    return found


def show_report(report: CalibrationReport) -> None:
    """What was fitted on what, errors before and after, the reliability diagram, and what the threshold does."""
    fitted = report.calibration
    line(
        (fitted.calibration_id, "bold"),
        f"  {'stored for' if report.stored else 'not stored; workspace'} {report.workspace}",
    )
    if report.why_not:
        line((f"not stored  {report.why_not}", "yellow"))
    cases = f"{count(fitted.n_pairs, 'case')} ({fitted.n_relevant:,} with an answer)"
    line(f"fitted      {cases} of {count(report.n_questions, 'question')}, {report.candidates} chunks each")
    if report.n_left_out:
        line((f"left out    {count(report.n_left_out, 'question')}: none of their documents is stored", "yellow"))
    line(f"constants   {_formula(fitted)}")
    shipped = "" if report.error_shipped is None else f", {report.error_shipped:.3f} as shipped"
    line(f"error       {report.error_before:.3f} before{shipped}, {report.error_after:.3f} after (cross-validated)")
    _show_rates(report.rates)
    if report.replaced and report.replaced != fitted.calibration_id:
        line((f"replaced    {one_line(report.replaced)}", "dim"))
    line("")
    table(
        ("confidence", "pairs", "said", "relevant", ""),
        [_bin_row(each) for each in report.reliability_after],
        right=("pairs", "said", "relevant"),
    )
    line((f"{BAR * ' '}█ relevant, │ predicted; in a good calibration both agree", "dim"))


def _formula(each: Calibration) -> str:
    words = f" {each.words:+g} · share of words" if each.words else ""
    return f"sigmoid({each.slope:g} · {each.score_kind}{words} {each.intercept:+g})"


def _bin_row(one: ReliabilityBin) -> tuple[str, int, str, str, str]:
    if one.confidence is None or one.relevant is None:
        return (f"{one.lower:.1f}–{one.upper:.1f}", 0, "--", "--", "")
    bar = list("█" * round(one.relevant * BAR) + " " * (BAR - round(one.relevant * BAR)))
    bar[min(BAR - 1, round(one.confidence * BAR))] = "│"
    return (
        f"{one.lower:.1f}–{one.upper:.1f}",
        one.n_pairs,
        f"{one.confidence:.2f}",
        f"{one.relevant:.2f}",
        "".join(bar),
    )


def _show_rates(rates: ThresholdRates) -> None:
    said = []
    if rates.answerable_met is not None:
        said.append(f"{rates.answerable_met:.0%} of {count(rates.n_answerable, 'answerable question')} reach it")
    if rates.unanswerable_below is not None:
        said.append(f"{rates.unanswerable_below:.0%} of {count(rates.n_unanswerable, 'other')} stay below")
    line(f"threshold   {rates.threshold:g}: {', '.join(said)}")


def _show_used(used: tuple[Calibration, ...]) -> None:
    if not used:
        line("no calibration for this embedder: confidence is the score, clipped to 0…1")
    for each in used:
        line((each.calibration_id, "bold"), f"  {one_line(each.source)}")
        line(f"constants   {_formula(each)}")
        line(f"fitted      {count(each.n_pairs, 'case')} ({each.n_relevant:,} with an answer)")
