"""The commands under ``query-sets``: kept sets of questions, their evaluations, and judgments of passages as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from docgraph.boundary.judgments import passages
from docgraph.boundary.judgments.trec import FORMS, SUFFIXES, written
from docgraph.boundary.variables import account
from docgraph.cli.commands.evaluate import Configurations, Fields, Measures
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.files import STANDARD, read_file, write_file
from docgraph.cli.kept_evaluations import ByOption, NoteOption, kept_run, tell_kept
from docgraph.cli.query_files import configurations_of, fields_of, is_kept, query_set_of, split
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.blocks import show_blocks
from docgraph.cli.text.output import count, heading, line, one_line, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.errors import RequestError
from docgraph.orchestration.evaluating.evaluate import BOTH
from docgraph.orchestration.evaluating.proposing import N_PROPOSED
from docgraph.views.query_sets.first_questions import effect_of, first_set, how_made, made_of
from docgraph.views.report.of_passages import as_csv, as_jsonl
from docgraph.views.report.of_sets import as_csv as evaluation_as_csv
from docgraph.views.report.of_sets import evaluation_blocks, unread_blocks
from docgraph.views.words.counts import UNKNOWN

application = typer.Typer(
    help="Propose questions; list, show, run, export and remove sets. "
    "Their evaluations: run, runs, result, pin, unpin, remove-run; "
    "judgments of passages: export-judgments, import-judgments.",
    no_args_is_help=False,
)
SHOWN = 20
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of a stored query set.", show_default=False)]
IdArgument = Annotated[
    str,
    typer.Argument(metavar="ID", help="Evaluation id; its first characters are enough.", show_default=False),
]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Kept query sets, their evaluations, and judgments of passages as files."""
    if context.invoked_subcommand is None:
        list_sets(workspace, json=json)


@application.command("list")
def list_sets(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List stored query sets by name."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.list()
    if json:
        write_json({"query_sets": [each.model_dump(mode="json") for each in found]})
        return
    if found:
        rows = [(each.name, str(each.n), str(each.n_judged), str(each.n_runs), each.at, each.by) for each in found]
        table(("name", "questions", "judged", "runs", "kept", "by"), rows, right=("questions", "judged", "runs"))
        line("")
    line(count(len(found), "query set"))


@application.command("propose")
def propose(
    n: Annotated[int, typer.Option("-n", "--limit", metavar="N", min=1, help="Number of questions.")] = N_PROPOSED,
    save: Annotated[str | None, typer.Option("--save", metavar="NAME", help="Store them as a query set.")] = None,
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Propose first questions. They are made from relationships without a language model."""
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        found = docgraph.query_sets.propose(n, progress=progress)
        if save is not None and found.questions:
            who = account() if by is None else by
            docgraph.query_sets.keep(first_set(found), name=save, note=how_made(found), by=who)
    if json:
        write_json(found)
        return
    for each in found.questions:
        line((one_line(each.query), "bold"), whole=True)
        line((one_line(f"{made_of(each)}; {effect_of(each)}"), "dim"), indent=2, whole=True)
    line(one_line(how_made(found)), whole=True)
    if save is not None and found.questions:
        line(f"Kept: docgraph query-sets run {one_line(repr(save))} runs them both ways.", whole=True)


@application.command("show")
def show_set(name: NameArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show the questions of a set. With the number of relevant documents for each."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.get(name)
    if json:
        write_json(found)
        return
    rows = [(q.query_id, q.kind, q.half, str(len(q.relevant)), q.query) for q in found.query_set.queries]
    table(("id", "kind", "half", "relevant", "question"), rows, right=("relevant",))


@application.command("export")
def export_set(
    queries: Annotated[
        str, typer.Argument(metavar="QUERIES", help="A stored query set, or a file of questions.", show_default=False)
    ],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Output file; - = standard output.")],
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help=f"{', '.join(FORMS)}; jsonl is complete.")
    ] = "jsonl",
    qrels: Annotated[
        str | None, typer.Option("--qrels", metavar="FILE", help="Judgments in TREC or BEIR format.")
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Export questions and judgments. For Quepid, OpenSearch's Search Relevance Workbench, ragas or TREC read them.

    docgraph evaluate reads every format. Grades 0, 1 and 2 become the ratings 0, 2 and 3.
    """
    if is_kept(queries):
        with opened(workspace) as docgraph:
            asked = docgraph.query_sets.get(queries).query_set
    else:
        asked = query_set_of(queries, qrels)
    pieces = (each.encode("utf-8", "replace") for each in written(asked, form))
    if file == STANDARD:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.flush()
        return
    instead = next((f"judgments.{SUFFIXES[each]}" for each in FORMS if each == form), "judgments")
    path = write_file(file, pieces, instead=instead)
    line(f"{count(len(asked.queries), 'question')}, {asked.n_judged:,} judged, in {path}", whole=True)
    show_blocks(unread_blocks(asked.rejected, asked.adjusted))


@application.command("remove")
def remove_set(name: NameArgument, workspace: WorkspaceOption = None) -> None:
    """Remove a set with its evaluations; judgments are kept."""
    with opened(workspace) as docgraph:
        docgraph.query_sets.remove(name)
    line(f"removed {name}")


@application.command("run")
def run_set(
    name: NameArgument,
    config: Configurations = None,
    measure: Measures = None,
    fields: Fields = None,
    go_on: Annotated[str | None, typer.Option("--go-on", metavar="ID", help="Resume this evaluation.")] = None,
    at_once: Annotated[
        int, typer.Option("--at-once", metavar="N", min=1, max=32, help="Questions run in parallel.")
    ] = 2,
    note: NoteOption = "",
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Evaluate a stored set and store the results. docgraph evaluate NAME stores none.

    Configurations and measures as in docgraph evaluate. --go-on resumes a stopped evaluation with its
    configurations; runs, URLs and ranking files must be given again with --config. Ctrl+C stops; finished results
    are kept (exit code 130).
    """
    if go_on is not None and (measure or fields or note or by is not None):
        raise RequestError(
            "an evaluation resumes with its original measures, requests, note and author",
            hint="remove --measure, --set, --note and --by, or start a new one",
        )
    given, unread = configurations_of(config or BOTH)
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        if go_on is None:
            kept = kept_run(
                docgraph,
                name,
                queries=None,
                configurations=given,
                measures=split(measure or ()) or None,
                request=fields_of(fields or ()),
                workers=at_once,
                note=note,
                by=by,
                progress=progress,
            )
        else:
            kept = docgraph.query_sets.run(name, given, workers=at_once, progress=progress, go_on=go_on)
        result = None if json else docgraph.query_sets.result(kept.evaluation_id)
    if result is None:
        write_json(kept, beside={"unread": [each.model_dump(mode="json") for each in unread]} if unread else None)
    else:
        show_blocks(evaluation_blocks(result.model_copy(update={"unread": (*result.unread, *unread)})))
        tell_kept(kept)
    if not kept.whole:
        raise typer.Exit(STOPPED)


@application.command("runs")
def list_evaluations(name: NameArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the evaluations of a set, newest first."""
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.runs(name)
    if json:
        write_json({"evaluations": [each.model_dump(mode="json") for each in found]})
        return
    if found:
        rows = [
            (e.evaluation_id, "pinned" if e.pinned else "", e.at, f"{e.n:,} of {e.n_asked:,}", e.by, e.note)
            for e in found
        ]
        table(("evaluation", "pin", "begun", "questions", "by", "note"), rows, right=("questions",))
        line("")
    line(count(len(found), "evaluation"))


@application.command("result")
def show_result(
    evaluation_id: IdArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown for a pull request.")] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write one row per question and configuration.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Show a stored evaluation. --json works with evaluate --against."""
    if json and markdown:
        raise RequestError("--json and --markdown both write to standard output", hint="choose one of them")
    with opened(workspace) as docgraph:
        found = docgraph.query_sets.result(evaluation_id)
    if csv is not None:
        write_file(csv, [evaluation_as_csv(found)], instead="evaluation.csv")
    if json:
        write_json(found)
    else:
        show_blocks(evaluation_blocks(found), markdown=markdown)


@application.command("pin")
def pin(evaluation_id: IdArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Pin an evaluation as a baseline."""
    with opened(workspace) as docgraph:
        _tell(docgraph.query_sets.pin(evaluation_id), "pinned", json=json)


@application.command("unpin")
def unpin(evaluation_id: IdArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Unpin an evaluation."""
    with opened(workspace) as docgraph:
        _tell(docgraph.query_sets.pin(evaluation_id, False), "no longer pinned", json=json)


@application.command("remove-run")
def remove_run(evaluation_id: IdArgument, workspace: WorkspaceOption = None) -> None:
    """Remove an evaluation with its results."""
    with opened(workspace) as docgraph:
        docgraph.query_sets.remove_run(evaluation_id)
    line(f"removed the evaluation {one_line(evaluation_id)[:64]}")


@application.command("export-judgments")
def export_judgments(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Output file: .jsonl or .csv.", show_default=False)],
    name: Annotated[str | None, typer.Option("--of", metavar="NAME", help="Only questions of this set.")] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Export passage judgments. One per line: question, document, passage, grade, judge, time, note."""
    with opened(workspace) as docgraph:
        found = docgraph.judgments.passages()
        if name is not None:
            asked = {each.query for each in docgraph.query_sets.get(name).query_set.queries}
            found = tuple(each for each in found if each.query in asked)
    is_csv = Path(file).suffix.lower() == ".csv"
    path = write_file(file, as_csv(found) if is_csv else as_jsonl(found), instead="judgments.jsonl")
    line(f"{count(len(found), 'judgment')} of passages in {path}")


@application.command("import-judgments")
def import_judgments(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A .jsonl or .csv file; - reads JSON lines from standard input.", show_default=False
        ),
    ],
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Import passage judgments from a file. A judge's newer judgment of the same text wins.

    A line needs the question under "query", the passage under "chunk_id" and the "grade" (0, 1, 2, empty: can't
    judge). Without "by" it is said by --by; without "text_hash" it is about the text that the passage has now.
    Invalid lines are listed; the others are imported.
    """
    data = read_file(file, max_bytes=passages.MAX_BYTES, hint=passages.HINT)
    records, rejected = passages.read_passages(data, name=file)
    with opened(workspace) as docgraph:
        who = account() if by is None else by
        made = docgraph.judgments.import_passages((record for _, record in records), by=who)
    if json:
        write_json({**made.model_dump(mode="json"), "rejected": [each.model_dump(mode="json") for each in rejected]})
        return
    line((f"{made.n_new:,} new, {made.n_newer:,} newer than stored ones, {made.n_there:,} already stored", "bold"))
    if made.not_judged:
        heading("Not judged", f"{min(len(made.not_judged), SHOWN):,} of {len(made.not_judged):,}; --json lists all")
        rows = [(each.document_id[:80] or UNKNOWN, each.reason, each.query[:80]) for each in made.not_judged[:SHOWN]]
        table(("document", "reason", "question"), rows, wrap=True)
    if rejected:
        heading("Rejected", f"{min(len(rejected), SHOWN):,} of {len(rejected):,}; --json lists all")
        table(("line", "reason"), [(each.place, each.reason) for each in rejected[:SHOWN]], wrap=True)


def _tell(kept: KeptEvaluation, done: str, *, json: bool) -> None:
    if json:
        write_json(kept)
    else:
        line(f"{kept.evaluation_id} of “{one_line(kept.query_set)}” is {done}")
