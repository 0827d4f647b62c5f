"""The commands under ``workspaces``: list, create, drop, how vectors are searched, roles of relation types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from docgraph.cli.commands.embedding import embed
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, line, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.own_questions import Trial
from docgraph.domain.type_roles import ROLE_WORDS, TypeChange, TypeRole, signed
from docgraph.domain.workspace import WORKSPACE_PATTERN, SearchMode, workspace_name_of
from docgraph.errors import ConflictError, NotFoundError
from docgraph.orchestration.searching import SearchRecall
from docgraph.views.words.searching import search_advice, search_words
from docgraph.views.words.type_roles import change_sentences, proposal_sentence, result_words

application = typer.Typer(help="List workspaces; create, drop and set them up.", no_args_is_help=False)
types = typer.Typer(help="Set the roles of relationship types in plans.")
application.add_typer(types, name="types")
application.command()(embed)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The workspace's name.", show_default=False)]
ReasonOption = Annotated[str, typer.Option("--reason", help="Reason, stored in the history.")]
TypesArgument = Annotated[list[str], typer.Argument(metavar="TYPE…", help="Relationship types.", show_default=False)]


@application.callback(invoke_without_command=True)
def default(context: typer.Context, json: JsonOption = False) -> None:
    """List workspaces; create, drop and set them up."""
    if context.invoked_subcommand is None:
        list_workspaces(json=json)


@application.command("list")
def list_workspaces(json: JsonOption = False) -> None:
    """List all workspaces by name, with their counts."""
    with opened() as docgraph:
        found = docgraph.workspaces()
    if json:
        write_json({"workspaces": [workspace.model_dump(mode="json") for workspace in found]})
        return
    if not found:
        line("No workspaces yet: docgraph ingest PATH creates one.")
        return
    columns = ("workspace", "documents", "relationships", "chunks", "revision", "embedder")
    rows = [
        (w.name, w.n_documents, w.n_relationships, w.n_chunks, w.revision[:12], w.embedder.embedder_id) for w in found
    ]
    table(columns, rows, right=columns[1:4])


@application.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or any title.", show_default=False)],
    title: Annotated[str, typer.Option("--title", help="Display title.")] = "",
    json: JsonOption = False,
) -> None:
    """Create an empty workspace. A title is turned into a name: "My Bakery" → my-bakery."""
    with opened() as docgraph:
        if not re.fullmatch(WORKSPACE_PATTERN, name) and re.search(r"\w", name):
            title = title or name
            name = workspace_name_of(name, [each.name for each in docgraph.workspaces()])
        docgraph.create_workspace(name, title=title)
        made = docgraph.use_workspace(name).workspace
    if json:
        write_json(made)
    else:
        line(f"Created {made.name} for {made.embedder.embedder_id}.")


@application.command()
def drop(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: JsonOption = False,
) -> None:
    """Drop a workspace with everything in it."""
    with opened() as docgraph:
        there = {workspace.name: workspace for workspace in docgraph.workspaces()}
        if name not in there:
            raise NotFoundError(f"there is no workspace {name[:60]!r}", hint=f"there are: {', '.join(there) or 'none'}")
        doomed = there[name]
        if not yes and not typer.confirm(f"Drop {name} with its {doomed.n_documents:,} documents?", err=True):
            raise ConflictError(f"{name} was not dropped", hint="answer y, or give --yes")
        docgraph.drop_workspace(name)
    if json:
        write_json({"dropped": name, "n_documents": doomed.n_documents})
    else:
        line(f"Dropped {name} with its {doomed.n_documents:,} documents.")


@application.command()
def search(
    name: NameArgument,
    mode: Annotated[
        str | None,
        typer.Argument(
            metavar="[auto|exact|quantized|hnsw]", help="The search to use; without one, show the current one."
        ),
    ] = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure the time of an exact search.")] = False,
    recall: Annotated[bool, typer.Option("--recall", help="Measure recall against exact search.")] = False,
    questions: Annotated[int, typer.Option("--questions", help="Number of sample questions.", min=1, max=1_000)] = 50,
    json: JsonOption = False,
) -> None:
    """Show, set or check the vector search.

    exact reads all vectors; quantized and hnsw rescore a shortlist. auto measures exact search, then chooses exact
    or quantized and says why. Only this command switches a workspace.
    """
    with opened(name) as docgraph:
        documents = docgraph.documents
        here = docgraph.workspace if mode is None else documents.set_vector_search(cast("SearchMode", mode))
        cost = documents.measure_vector_search(n_questions=questions) if measure else None
        found = documents.search_recall(n_questions=questions) if recall else None
    if json:
        extra = {"measured": cost, "recall": found}
        write_json(
            here
            if cost is None and found is None
            else {"workspace": here.model_dump(mode="json")}
            | {key: value.model_dump(mode="json") for key, value in extra.items() if value is not None}
        )
        return
    line(f"{here.name}: {search_words(here)}.")
    line((search_advice(here), "dim"))
    if cost is not None:
        line(
            f"An exact search takes {cost.exact_ms:,.1f} ms with {here.n_chunks:,} chunks; "
            f"budget {cost.budget_ms:,.0f} ms."
        )
    if found is not None:
        _show_recall(found)


def _show_recall(found: SearchRecall) -> None:
    """How the search did beside an exact one."""
    line(f"{count(found.n_questions, 'question')} ({found.n_saved:,} from saved runs, others from titles):")
    rows = [(f"first {each.depth} documents", f"{each.share:.3f}") for each in found.recalls]
    rows += [
        ("seeds of the plan", f"{found.seeds:.3f}"),
        ("equal plans", f"{found.n_equal_plans} of {found.n_questions}"),
    ]
    rows += [("a ranking", f"{found.search_ms:,.1f} ms"), ("an exact one", f"{found.exact_ms:,.1f} ms")]
    table(("against exact search", "found"), rows, right=("found",))


@application.command("try")
def try_types(
    name: NameArgument,
    questions: Annotated[
        int, typer.Option("--questions", help="Generated questions per type.", min=20, max=2_000)
    ] = 240,
    seconds: Annotated[float, typer.Option("--seconds", help="Time limit; finished questions are kept.")] = 120.0,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for the questions.")] = 1,
    adopt: Annotated[bool, typer.Option("--adopt", help="Apply the roles that the trial clearly supports.")] = False,
    json: JsonOption = False,
) -> None:
    """Test each relationship type on generated questions. Shows whether it improves retrieval.

    Half of the questions are about one document, half about two related ones. Nothing is changed without --adopt.
    """
    with opened(name) as docgraph:
        with import_progress(quiet=json) as progress:
            trial = docgraph.relationships.try_types(
                n_questions=questions, seed=seed, seconds=seconds, progress=progress
            )
        changes = docgraph.relationships.adopt_trial(trial.trial_id) if adopt else ()
    if json:
        changed = [change.model_dump(mode="json") for change in changes]
        write_json({"trial": trial.model_dump(mode="json"), "changes": changed})
        return
    show_trial(trial, changes, adopted=adopt)


@types.callback(invoke_without_command=True)
def show_types(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the relation types of a workspace: relationships, role in plans, and who decided it."""
    if context.invoked_subcommand is None:
        _report(workspace, json=json)


@types.command()
def on(
    names: TypesArgument, workspace: WorkspaceOption = None, reason: ReasonOption = "", json: JsonOption = False
) -> None:
    """Let relationship types add documents to plans."""
    _switch(names, workspace, "adds_documents", reason, json=json)


@types.command("reasons-only")
def reasons_only(
    names: TypesArgument, workspace: WorkspaceOption = None, reason: ReasonOption = "", json: JsonOption = False
) -> None:
    """Use relationship types for reasons only. A request that names them overrides this."""
    _switch(names, workspace, "reasons_only", reason, json=json)


@types.command()
def off(
    names: TypesArgument, workspace: WorkspaceOption = None, reason: ReasonOption = "", json: JsonOption = False
) -> None:
    """Ignore relationship types in plans. A request that names them overrides this."""
    _switch(names, workspace, "off", reason, json=json)


@types.command("default")
def default_role(names: TypesArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Reset relationship types to their default role."""
    _switch(names, workspace, None, "", json=json)


@types.command("history")
def types_history(
    workspace: WorkspaceOption = None,
    limit: Annotated[int, typer.Option("--limit", help="Entries shown, newest first.", min=1)] = 50,
    json: JsonOption = False,
) -> None:
    """List changes of roles, newest first."""
    with opened(workspace) as docgraph:
        found = docgraph.relationships.type_history(limit=limit)
    if json:
        write_json({"changes": [change.model_dump(mode="json") for change in found]})
        return
    if not found:
        line("No changes of roles yet.")
        return
    table(("entry", "when", "type", "in plans", "decided"), [_change_row(change) for change in found])


@types.command("undo")
def undo_type(
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="Its number in the history.", show_default=False)],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Undo a change of a role."""
    with opened(workspace) as docgraph:
        docgraph.relationships.undo_type(entry)
    _report(workspace, json=json)


def _switch(names: list[str], workspace: str | None, role: TypeRole | None, reason: str, *, json: bool) -> None:
    with opened(workspace) as docgraph:
        docgraph.relationships.set_type_role(names, role, reason=reason)
    _report(workspace, json=json)


def _change_row(change: TypeChange) -> tuple[str, ...]:
    before, after = change.before, change.after
    roles = f"{ROLE_WORDS[before.role]} → {ROLE_WORDS[after.role]}"
    return (str(change.entry_id), after.at, after.relation_type, roles, after.words)


def _report(workspace: str | None, *, json: bool) -> None:
    with opened(workspace) as docgraph:
        here, counts = docgraph.workspace, docgraph.relationships.types()
        roles = docgraph.relationships.type_roles()
    found: list[dict[str, Any]] = [
        {
            "relation_type": each.relation_type,
            "n_relationships": counts.get(each.relation_type, 0),
            "on": each.role != "off",
            "role": each.role,
            "decided": each.model_dump(mode="json", exclude={"relation_type", "role"}),
        }
        for each in roles
    ]
    if json:
        write_json({"workspace": here.name, "types": found})
        return
    rows = [
        (each.relation_type, counts.get(each.relation_type, 0), ROLE_WORDS[each.role], each.words) for each in roles
    ]
    table(("type", "relationships", "in plans", "decided"), rows, right=("relationships",))


def show_trial(trial: Trial, changes: Sequence[TypeChange], *, adopted: bool) -> None:
    """The sum, a row a type, and the sentences that follow from it."""
    asked = f"{trial.n_asked:,} of {count(trial.n_questions, 'generated question')} asked in {trial.seconds:.1f} s"
    line((f"{trial.workspace}: {asked}{', stopped early' if trial.stopped else ''}; trial {trial.trial_id}.", "bold"))
    columns = ("type", "in plans", "questions", "better", "worse", "recall, points", "one document", "two related")
    rows = []
    for each in trial.results:
        n = each.figures
        parts = {kind.kind: f"{signed(kind.points)} ({kind.n})" for kind in each.kinds}
        rows.append(
            (
                each.relation_type,
                ROLE_WORDS[each.role],
                n.n if n else 0,
                n.better if n else 0,
                n.worse if n else 0,
                n.words if n else "--",
                parts.get("document", "--"),
                parts.get("related", "--"),
            )
        )
    table(columns, rows, right=columns[2:5])
    for each in trial.results:
        line(proposal_sentence(each) if each.changes else f"{each.relation_type}: {result_words(each)}")
    if adopted:
        for sentence in change_sentences(changes) or ("Nothing to adopt: all types have these roles already.",):
            line(sentence)
    elif trial.proposals:
        line((f"Adopt it: docgraph workspaces try {trial.workspace} --adopt", "dim"))
