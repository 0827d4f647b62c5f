"""The command ``evaluate``: a query set in several configurations, as a gate for a repository of documents."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from docgraph.boundary.judgments.trec import write_qrels as qrels_lines
from docgraph.cli.commands.compare import stamp
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.files import write_file, write_files
from docgraph.cli.kept_evaluations import ByOption, NoteOption, SaveOption, check_save_options, kept_run, tell_kept
from docgraph.cli.query_files import configurations_of, fields_of, is_kept, json_object, query_set_of, split
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.output import write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.evaluation import Evaluation, GateResult, KeptEvaluation
from docgraph.domain.query_set import QuerySet
from docgraph.errors import RequestError, UserError
from docgraph.orchestration.evaluating.evaluate import BOTH, matched_set
from docgraph.orchestration.evaluating.gating import gated, parse_gates
from docgraph.orchestration.evaluating.limits import MEASURE
from docgraph.views.report.of_scoreboards import limits_blocks, scoreboard_blocks
from docgraph.views.report.of_sets import as_csv, as_junit, as_trec_run, evaluation_blocks, unread_blocks
from docgraph.views.report.sets_as_html import as_html

_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": "Files"}
_GATE: dict[str, Any] = {"rich_help_panel": "Gates"}
_TOLD = {"rejected": "unread", "adjusted": "adjusted"}
Configurations = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="CONFIG",
        help="off, on, vectors, literal, NAME=request.json, NAME=URL, RUN.trec or NAME=RUN.trec; repeatable.",
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", metavar="NAME@K", help="Measure; repeatable, the first one decides."),
]
Fields = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="A field of every request, such as max_documents=8; repeatable."),
]


def evaluate(
    queries: Annotated[
        str,
        typer.Argument(
            metavar="QUERIES", help="A file of questions (.jsonl, .csv, .json), a folder as BEIR has it, or a kept set."
        ),
    ],
    config: Configurations = None,
    measure: Measures = None,
    fields: Fields = None,
    qrels: Annotated[str | None, typer.Option("--qrels", help="Judgments in TREC or BEIR format.", **_FILE)] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only questions of this kind.")] = None,
    half: Annotated[str | None, typer.Option("--half", metavar="HALF", help="Only tune or hold_out.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="Only the first N.")] = None,
    at_once: Annotated[
        int, typer.Option("--at-once", metavar="N", min=1, max=32, help="Questions run in parallel.")
    ] = 2,
    keep: Annotated[
        str | None, typer.Option("--keep", help="Store finished results here, and resume from them.", **_FILE)
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="[NAME:]MEASURE=MINIMUM", help="Exit with 1 below this value; repeatable.", **_GATE
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="FILE", help="Exit with 1 if worse than this --json.", **_GATE)
    ] = None,
    allow_unread: Annotated[
        bool, typer.Option("--allow-unread", help="Let gates pass even if lines of the files are not read.", **_GATE)
    ] = False,
    junit: Annotated[str | None, typer.Option("--junit", help="Write the gates as JUnit XML.", **_FILE)] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", help="Write one row per question and configuration.", **_FILE)
    ] = None,
    html: Annotated[str | None, typer.Option("--html", help="Write a report as one HTML page.", **_FILE)] = None,
    runs: Annotated[
        str | None,
        typer.Option("--runs", metavar="FOLDER", help="Write one TREC run per configuration.", rich_help_panel="Files"),
    ] = None,
    write_qrels: Annotated[
        str | None, typer.Option("--write-qrels", help="Write the judgments as TREC qrels.", **_FILE)
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown for a pull request.")] = False,
    save: SaveOption = None,
    note: NoteOption = "",
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Evaluate a query set under several configurations. Shows the differences and their significance.

    Without --config: off (relationships off) and on. The first configuration is the baseline. Ctrl+C stops;
    finished results are shown. Lines that cannot be read are listed. Exit codes: 1 when a gate is missed, or given
    while a line is not read, 130 when it was stopped.
    """
    if json and markdown:
        raise RequestError("--json and --markdown both write to standard output", hint="choose one of them")
    check_save_options(save=save, keep=keep, note=note, by=by)
    read = None if is_kept(queries) else query_set_of(queries, qrels)
    (given, unread), measures = configurations_of(config or BOTH), split(measure or ())
    gates = parse_gates(fail_under or (), tuple(given), measures)
    earlier = None if against is None else _earlier(against)
    kept: KeptEvaluation | None = None
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        there = _only(read or docgraph.query_sets.get(queries).query_set, kind=kind, half=half, limit=limit)
        qrels_of = matched_set(docgraph.session, there)[0] if write_qrels is not None else None
        ask: dict[str, Any] = {"measures": measures or None, "request": fields_of(fields or ()), "workers": at_once}
        if save is None:
            made = docgraph.evaluate(there, given, **ask, keep=keep, progress=progress)
        else:
            ask |= {"configurations": given, "note": note, "by": by, "progress": progress}
            to_keep = _to_keep(there, read is None, name=queries, save=save, part=kind or half or limit)
            kept = kept_run(docgraph, save, queries=to_keep, **ask)
            made = docgraph.query_sets.result(kept.evaluation_id)
    made = made.model_copy(update={"unread": (*there.rejected, *unread), "adjusted": there.adjusted})
    results = gated(made, gates, earlier, allow_unread=allow_unread)
    if junit is not None:
        write_file(junit, [as_junit(made, results)], instead="evaluation.xml")
    if html is not None:
        write_file(html, [as_html(made, results, made_at=stamp())], instead="evaluation.html")
    if csv is not None:
        write_file(csv, [as_csv(made)], instead="evaluation.csv")
    if write_qrels is not None and qrels_of is not None:
        write_file(
            write_qrels, (each.encode("utf-8", "replace") for each in qrels_lines(qrels_of)), instead="qrels.txt"
        )
    if runs is not None:
        write_files(runs, ((f"{each.name}.trec", as_trec_run(made, each.name)) for each in made.configurations))
    _tell(made, results, kept, json=json, markdown=markdown)
    if made.stopped:
        raise typer.Exit(STOPPED)
    if not all(each.passed for each in results):
        raise typer.Exit(1)


def scoreboard(
    queries: Annotated[
        str,
        typer.Argument(
            metavar="QUERIES", help="A file of questions (.jsonl, .csv, .json), a folder as BEIR has it, or a kept set."
        ),
    ],
    measure: Annotated[
        str, typer.Option("--measure", "-m", metavar="NAME@K", help="Measure for what is lost without a relationship.")
    ] = "",
    fields: Fields = None,
    qrels: Annotated[str | None, typer.Option("--qrels", help="Judgments in TREC or BEIR format.", **_FILE)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Skip the runs without each relationship.")] = False,
    limits: Annotated[
        bool, typer.Option("--limits", help="Compare values of each limit instead, with a suggestion.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, help="Relationships shown per class.")
    ] = 10,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Measure what each relationship contributes to a query set.

    Where it is used, what it adds, and the loss without it.

    Every question is planned again without each relationship its answer may depend on. Nothing is changed. With
    --limits, every question is planned with several values of each limit instead. Ctrl+C stops; finished results
    are shown (exit code 130).
    """
    if limits and quick:
        raise RequestError("--quick and --limits cannot be combined", hint="choose one of them")
    read = None if is_kept(queries) else query_set_of(queries, qrels)
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        asked, given = read or docgraph.query_sets.get(queries).query_set, fields_of(fields or ())
        if limits:
            found = docgraph.query_sets.limits(asked, measure=measure or MEASURE, request=given, progress=progress)
        else:
            made = docgraph.relationships.scoreboard(
                asked, measure=measure, request=given, leave_out=not quick, progress=progress
            )
    if json:
        beside = {name: [each.model_dump(mode="json") for each in getattr(asked, name)] for name in _TOLD}
        write_json(found if limits else made, beside={_TOLD[name]: value for name, value in beside.items()})
    elif limits:
        show_blocks(limits_blocks(found))
    else:
        show_blocks(scoreboard_blocks(made, limit=limit))
    if not json:
        show_blocks(unread_blocks(asked.rejected, asked.adjusted))
    if (found if limits else made).stopped:
        raise typer.Exit(STOPPED)


def _tell(
    evaluation: Evaluation,
    gates: tuple[GateResult, ...],
    kept: KeptEvaluation | None,
    *,
    json: bool,
    markdown: bool,
) -> None:
    if json:
        beside: dict[str, Any] = {"gates": [each.model_dump(mode="json") for each in gates]}
        beside |= {} if kept is None else {"kept": kept.evaluation_id}
        write_json(evaluation, beside=beside)
    else:
        show_blocks(evaluation_blocks(evaluation, gates), markdown=markdown)
        if kept is not None and not markdown:
            tell_kept(kept)


def _to_keep(there: QuerySet, is_kept: bool, *, name: str, save: str, part: object) -> QuerySet | None:
    """What is to be kept under the name ``save``; None: the set that has it stays as it is. Raises UserError."""
    if not is_kept:
        return there
    if save != name or part:
        raise UserError(
            f"{name[:60]!r} is a stored set: its evaluations are stored with it, over all its questions",
            hint=f"use --save {name[:60]!r} without --kind, --half and --limit, or a file of questions",
        )
    return None


def _only(queries: QuerySet, *, kind: str | None, half: str | None, limit: int | None) -> QuerySet:
    """The questions that were asked for. Raises UserError when there is none."""
    found = [
        each
        for each in queries.queries
        if (kind is None or each.kind == kind) and (half is None or each.half == half.replace("-", "_"))
    ][:limit]
    if not found:
        kinds = ", ".join(sorted({each.kind for each in queries.queries if each.kind})) or "none"
        raise UserError(
            f"no question of {queries.name[:60]!r} matches the kind or half",
            hint=f"kinds are: {kinds}; halves are: tune, hold_out",
        )
    return queries.model_copy(update={"queries": tuple(found)})


def _earlier(name: str) -> Evaluation:
    """An evaluation that ``--json`` wrote. Raises UserError."""
    read = json_object(name, "an evaluation")
    for beside in ("gates", "kept"):
        read.pop(beside, None)
    try:
        return Evaluation.model_validate(read)
    except ValueError:
        raise UserError(
            f"{name[:80]!r} is not an evaluation", hint="use a file written by docgraph evaluate --json"
        ) from None
