"""The command ``evaluate``: a query set in several configurations, as a gate for a repository of documents."""

from __future__ import annotations

import json as json_of_python
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from docgraph.boundary import query_sets
from docgraph.boundary.trec import MAX_TREC_BYTES
from docgraph.boundary.trec import write_qrels as qrels_lines
from docgraph.cli.commands.compare import stamp
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.files import is_run, rankings_of, read_file, write_file
from docgraph.cli.kept_evaluations import ByOption, NoteOption, SaveOption, check_save_options, kept_run, tell_kept
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.evaluation import show_evaluation, show_scoreboard
from docgraph.cli.text.limits import show_limits
from docgraph.cli.text.output import write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.evaluation import Evaluation, GateResult, KeptEvaluation
from docgraph.domain.query_set import QuerySet
from docgraph.errors import RequestError, UserError
from docgraph.orchestration.evaluating.evaluate import BOTH, matched_set
from docgraph.orchestration.evaluating.gating import gated, parse_gates
from docgraph.orchestration.evaluating.limits import MEASURE
from docgraph.views.report.of_sets import as_csv, as_junit, as_markdown, as_trec_run
from docgraph.views.report.sets_as_html import as_html

MAX_JSON = 500_000_000
_QRELS = ("qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv", "qrels.txt")
"""Where a folder keeps its judgments, the first that is there; BEIR's come first."""

_FILE: dict[str, Any] = {"metavar": "FILE", "rich_help_panel": "Files"}
_GATE: dict[str, Any] = {"rich_help_panel": "Gates"}
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
    list[str] | None, typer.Option("--measure", "-m", metavar="NAME@K", help="Repeatable; the first one decides.")
]
Fields = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="A field of every request, such as max_documents=8; repeatable."),
]


def evaluate(
    queries: Annotated[
        str,
        typer.Argument(
            metavar="QUERIES", help="A file of questions (.jsonl, .csv), a folder as BEIR has it, or a kept set."
        ),
    ],
    config: Configurations = None,
    measure: Measures = None,
    fields: Fields = None,
    qrels: Annotated[str | None, typer.Option("--qrels", help="Judgments as TREC or BEIR write them.", **_FILE)] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only questions of this kind.")] = None,
    half: Annotated[str | None, typer.Option("--half", metavar="HALF", help="Only tune or hold_out.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="Only the first N.")] = None,
    at_once: Annotated[int, typer.Option("--at-once", metavar="N", min=1, max=32, help="Questions at a time.")] = 2,
    keep: Annotated[
        str | None, typer.Option("--keep", help="Keep what is finished here, and go on from it.", **_FILE)
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under", metavar="[NAME:]MEASURE=MINIMUM", help="Exit with 1 below it; repeatable.", **_GATE
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="FILE", help="Exit with 1 when worse than this --json.", **_GATE)
    ] = None,
    junit: Annotated[str | None, typer.Option("--junit", help="Write the gates as JUnit XML.", **_FILE)] = None,
    csv: Annotated[str | None, typer.Option("--csv", help="Write a row a question and configuration.", **_FILE)] = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Write a report to read and print, as one page.", **_FILE)
    ] = None,
    runs: Annotated[
        str | None,
        typer.Option("--runs", metavar="FOLDER", help="Write a TREC run each configuration.", rich_help_panel="Files"),
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
    """Ask every question of a set in several configurations, and say what differs and how surely.

    Without --config it is off (relationships off) and on; the first one is what the others are compared with. Ctrl+C
    stops, and what is finished is told. Exit codes: 1 when a gate is missed, 130 when it was stopped.
    """
    if json and markdown:
        raise RequestError("--json and --markdown both go to the standard output", hint="ask for one of them")
    check_save_options(save=save, keep=keep, note=note, by=by)
    read = None if _is_kept(queries) else _query_set(queries, qrels)
    given, measures = configurations_of(config or BOTH), split(measure or ())
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
    results = gated(made, gates, earlier)
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
        for each in made.configurations:
            write_file(runs, [as_trec_run(made, each.name)], instead=f"{_file_name(each.name)}.trec")
    _tell(made, results, kept, json=json, markdown=markdown)
    if made.stopped:
        raise typer.Exit(STOPPED)
    if not all(each.passed for each in results):
        raise typer.Exit(1)


def scoreboard(
    queries: Annotated[
        str,
        typer.Argument(
            metavar="QUERIES", help="A file of questions (.jsonl, .csv), a folder as BEIR has it, or a kept set."
        ),
    ],
    measure: Annotated[
        str, typer.Option("--measure", "-m", metavar="NAME@K", help="What is lost without a relationship.")
    ] = "",
    fields: Fields = None,
    qrels: Annotated[str | None, typer.Option("--qrels", help="Judgments as TREC or BEIR write them.", **_FILE)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave none out: what would be lost is not said.")] = False,
    limits: Annotated[
        bool, typer.Option("--limits", help="Score the limits instead: every one at several values, and what to set.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="Relationships of a class.")] = 10,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Say what every relationship does over a query set: where it fires, what it brings, what is lost without it.

    Every question is planned again without each relationship that its answer can depend on; nothing is changed.
    With --limits every question is planned under several values of every limit instead. Ctrl+C stops, and what is
    finished is told (exit code 130).
    """
    if limits and quick:
        raise RequestError("--quick leaves no relationship out; --limits scores none", hint="ask for one of them")
    read = None if _is_kept(queries) else _query_set(queries, qrels)
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        asked, given = read or docgraph.query_sets.get(queries).query_set, fields_of(fields or ())
        if limits:
            found = docgraph.query_sets.limits(asked, measure=measure or MEASURE, request=given, progress=progress)
        else:
            made = docgraph.relationships.scoreboard(
                asked, measure=measure, request=given, leave_out=not quick, progress=progress
            )
    if json:
        write_json(found if limits else made)
    elif limits:
        show_limits(found)
    else:
        show_scoreboard(made, limit=limit)
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
    elif markdown:
        sys.stdout.buffer.write(as_markdown(evaluation, gates).encode("utf-8", "replace"))
        sys.stdout.flush()
    else:
        show_evaluation(evaluation, gates)
        if kept is not None:
            tell_kept(kept)


def _to_keep(there: QuerySet, is_kept: bool, *, name: str, save: str, part: object) -> QuerySet | None:
    """What is to be kept under the name ``save``; None: the set that has it stays as it is. Raises UserError."""
    if not is_kept:
        return there
    if save != name or part:
        raise UserError(
            f"{name[:60]!r} is a kept set: its evaluations are kept with it, and ask all of it",
            hint=f"give --save {name[:60]!r} and none of --kind, --half and --limit, or a file of questions",
        )
    return None


def _query_set(name: str, qrels: str | None) -> QuerySet:
    """The questions of a file or a folder. Raises UserError."""
    folder = Path(name)
    judged = None if qrels is None else read_file(qrels, max_bytes=MAX_TREC_BYTES, hint="name a file of qrels")
    if not _is_folder(folder):
        data = read_file(name, max_bytes=query_sets.MAX_BYTES, hint=query_sets.HINT)
        name = folder.resolve().parent.name if folder.stem == "queries" else folder.stem
        return query_sets.read_query_set(data, name=f"{name}{folder.suffix}", qrels=judged)
    data = read_file(str(folder / "queries.jsonl"), max_bytes=query_sets.MAX_BYTES, hint=query_sets.HINT)
    there = next((folder / each for each in _QRELS if (folder / each).is_file()), None)
    if judged is None and there is not None:
        judged = read_file(str(there), max_bytes=MAX_TREC_BYTES, hint="name a file of qrels")
    return query_sets.read_query_set(data, name=folder.resolve().name, qrels=judged)


def _is_kept(name: str) -> bool:
    """Whether a name can only be that of a kept set: nothing of it lies here, and no file of questions is called so."""
    try:
        return not Path(name).exists() and not name.lower().endswith((".jsonl", ".csv", ".json")) and "/" not in name
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have: reading it says so
        return False


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
            f"no question of {queries.name[:60]!r} is of the kind or half that was asked for",
            hint=f"kinds are: {kinds}; halves are: tune, hold_out",
        )
    return queries.model_copy(update={"queries": tuple(found)})


def configurations_of(given: Iterable[str]) -> dict[str, Any]:
    """Name → what ``Docgraph.evaluate`` takes. Raises UserError."""
    found: dict[str, Any] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator:
            name, value = (Path(text).stem, text) if is_run(text) else (text, text)
        if name in found:
            raise RequestError(f"two configurations are called {name[:60]!r}", hint="write NAME=… with another name")
        found[name] = _configuration(value)
    return found


def _configuration(value: str) -> Any:
    if value.startswith(("http://", "https://")):
        return value
    if is_run(value):
        return rankings_of(value)
    if value.lower().endswith(".json"):
        return _object(value, "a request")
    return value


def fields_of(given: Iterable[str]) -> dict[str, Any]:
    """Fields of a request as ``FIELD=VALUE``; a value is JSON, or text where it is none."""
    found: dict[str, Any] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator:
            raise RequestError(f"{text[:60]!r} is no field", hint="write FIELD=VALUE, such as max_documents=8")
        try:
            found[name.strip()] = json_of_python.loads(value)
        except ValueError:
            found[name.strip()] = value
    return found


def _earlier(name: str) -> Evaluation:
    """An evaluation that ``--json`` wrote. Raises UserError."""
    read = _object(name, "an evaluation")
    for beside in ("gates", "kept"):
        read.pop(beside, None)
    try:
        return Evaluation.model_validate(read)
    except ValueError:
        raise UserError(
            f"{name[:80]!r} is no evaluation", hint="give a file that docgraph evaluate --json wrote"
        ) from None


def _object(name: str, what: str) -> dict[str, Any]:
    data = read_file(name, max_bytes=MAX_JSON, hint=f"name a JSON file with {what}")
    try:
        value = json_of_python.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UserError(f"{name[:80]!r} is no JSON object", hint=f"name a JSON file with {what}")
    return value


def split(given: Iterable[str]) -> list[str]:
    """What is repeated, or divided by commas, one by one."""
    return [name.strip() for part in given for name in part.split(",") if name.strip()]


def _file_name(configuration: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in configuration)
