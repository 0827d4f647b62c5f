"""The command ``runs save-questions``: every question of a file asked on today's data and kept as a saved run."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.boundary.variables import account
from docgraph.cli.commands.ingest import STOPPED
from docgraph.cli.files import read_file
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import heading, line, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.orchestration.questions import HINT, MAX_BYTES, QuestionsSaved, first, read_questions
from docgraph.orchestration.questions import save_questions as save
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.judgments import ended_words

SHOWN = 20


def save_questions(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="One question per line.", show_default=False)],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="Only the first N questions.")
    ] = None,
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Run the questions of a file and save the runs.

    Each line is an object with the question under "query" and, optionally, the ids of relevant documents under
    "relevant"; these are judged relevant. Existing runs and judgments stay unchanged. Ctrl+C stops; finished runs
    are kept.
    """
    questions = first(read_questions(read_file(file, max_bytes=MAX_BYTES, hint=HINT)), limit)
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        saved = save(docgraph, questions, by=account() if by is None else by, progress=progress)
    if json:
        write_json(saved)
    else:
        _show(saved)
    if saved.stopped:
        raise typer.Exit(STOPPED)


def _show(saved: QuestionsSaved) -> None:
    line((f"{saved.workspace}: {ended_words(saved)}", "bold"), (f"  ({saved.seconds:.1f} s)", "dim"))
    if saved.not_judged:
        heading("Not judged", f"{min(len(saved.not_judged), SHOWN):,} of {len(saved.not_judged):,}; --json lists all")
        rows = [(each.document_id[:80] or UNKNOWN, each.reason, each.query[:80]) for each in saved.not_judged[:SHOWN]]
        table(("document", "reason", "question"), rows, wrap=True)
    if saved.rejected:
        heading("Rejected", f"{min(len(saved.rejected), SHOWN):,} of {len(saved.rejected):,}; --json lists all")
        table(("line", "reason"), [(each.place, each.reason) for each in saved.rejected[:SHOWN]], wrap=True)
