"""The commands ``ignore``, ``withdraw`` and ``triage``: what people say of findings before, or instead of, an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, TypeVar

import typer

from docgraph.boundary.signatures import checked_day
from docgraph.boundary.variables import account
from docgraph.cli.run_options import ByOption
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import line, one_line, write_json
from docgraph.domain.curation import Dismissal, TriageEntry
from docgraph.domain.finding import Decision, Finding
from docgraph.errors import NotFoundError, RequestError
from docgraph.orchestration.relationships.triage import TriageLog
from docgraph.views.relationships.findings.triage import entry_words, signed_words, today
from docgraph.views.relationships.findings.words import ignored_words
from docgraph.views.words.texts import excerpt

MIN_ID = 4
MAX_SENTENCE = 200
Named = TypeVar("Named")

IdsArgument = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="As shown by docgraph check; 4 characters are enough.", show_default=False),
]
DecisionsArgument = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="As shown by check --by-effect; a finding's id means its decision."),
]


def ignore(
    ids: IdsArgument,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason (required).")] = "",
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Ignore findings, with a reason. They reopen when the text they are based on changes.

    The id of a decision (check --by-effect) covers all its findings.
    """
    with opened(workspace) as docgraph:
        report = docgraph.check()
        there: dict[str, tuple[Finding, ...]] = {
            f.finding_id: (f,) for f in (*report.findings, *(each.finding for each in report.ignored))
        }
        there |= {each.decision_id: report.findings_of(each) for each in report.decisions}
        named = [_named(each, there, what="finding", hint="list them: docgraph check") for each in ids]
        wanted = {finding.finding_id: finding for findings in named for finding in findings}
        together = [each for each in report.decisions if wanted.keys() >= set(each.finding_ids)]
        who = account() if by is None else by
        made = docgraph.rules.dismiss(tuple(wanted.values()), by=who, reason=reason, decisions=together)
        name = docgraph.workspace_name
    if json:
        _write(made, name, "ignored")
        return
    for each in made:
        line((f"{each.subject_id}  ", "dim"), f"{ignored_words(each)}: {_sentence(each)}")


def withdraw(ids: IdsArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Reopen ignored findings and rejected suggestions.

    The id of a decision covers all findings ignored with it.
    """
    with opened(workspace) as docgraph:
        there: dict[str, tuple[Dismissal, ...]] = {}
        for each in docgraph.rules.dismissals():
            there[each.subject_id] = (each,)
            if each.decision_id:
                there[each.decision_id] = (*there.get(each.decision_id, ()), each)
        hint = "list them: docgraph check --ignored"
        named = [_named(each, there, what="ignored finding", hint=hint) for each in ids]
        gone = list({each.subject_id: each for found in named for each in found}.values())
        docgraph.rules.withdraw([each.subject_id for each in gone])
        name = docgraph.workspace_name
    if json:
        _write(gone, name, "withdrawn")
        return
    for each in gone:
        line((f"{each.subject_id}  ", "dim"), f"open again: {_sentence(each)}")


triage = typer.Typer(help="Assign decisions, with due dates and comments.", rich_markup_mode=None)


@triage.callback(invoke_without_command=True)
def list_(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List all that was said, newest first, whether the decision is still open or not."""
    if context.invoked_subcommand is not None:
        return
    with opened(workspace) as docgraph:
        found, name = docgraph.triage.list()[::-1], docgraph.workspace_name
    if json:
        _write_entries(found, name)
        return
    if not found:
        line(("No entries yet. Start with: docgraph triage assign ID --to NAME", "dim"))
    for each in found:
        _show_entry(each)


@triage.command()
def assign(
    ids: DecisionsArgument,
    to: Annotated[str, typer.Option("--to", metavar="NAME", help="Assignee; empty: nobody.")],
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Assign decisions to a person. docgraph check --assigned NAME lists them."""
    _say(ids, lambda log, decisions, who: log.assign(decisions, to, by=who), by=by, workspace=workspace, json=json)


@triage.command()
def due(
    day: Annotated[str, typer.Argument(metavar="DAY", help="2026-11-30, or today; empty removes the date.")],
    ids: DecisionsArgument,
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Set the due date of decisions. docgraph check --due today lists those due."""
    when = day_in(day)
    _say(ids, lambda log, decisions, who: log.due(decisions, when, by=who), by=by, workspace=workspace, json=json)


@triage.command()
def comment(
    ids: DecisionsArgument,
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="The comment.")],
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Comment on decisions."""
    _say(ids, lambda log, decisions, who: log.comment(decisions, text, by=who), by=by, workspace=workspace, json=json)


@triage.command("withdraw")
def take_back(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER...", min=1, help="As shown by docgraph triage.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Withdraw entries; the previous entry applies again."""
    with opened(workspace) as docgraph:
        there = {each.entry_id: each for each in docgraph.triage.list()}
        if missing := next((n for n in numbers if n not in there), None):
            raise NotFoundError(f"there is no entry number {missing}", hint="list them: docgraph triage")
        gone = [there[n] for n in dict.fromkeys(numbers)]
        docgraph.triage.withdraw([each.entry_id for each in gone])
        name = docgraph.workspace_name
    if json:
        _write_entries(gone, name)
        return
    for each in gone:
        _show_entry(each, lead="withdrawn: ")


def day_in(given: str) -> str:
    """A day as the core takes it, from ``2026-11-30`` or ``today``. Raises UserError."""
    return today() if given.strip().lower() == "today" else checked_day(given)


def _say(
    ids: Sequence[str],
    say: Callable[[TriageLog, Sequence[Decision], str], Iterable[TriageEntry]],
    *,
    by: str | None,
    workspace: str | None,
    json: bool,
) -> None:
    with opened(workspace) as docgraph:
        report = docgraph.check()
        there = {each.decision_id: each for each in report.decisions}
        there |= {finding: each for each in report.decisions for finding in each.finding_ids if finding not in there}
        hint = "list them: docgraph check --by-effect"
        named = [_named(each, there, what="open decision", hint=hint) for each in ids]
        decisions = list({each.decision_id: each for each in named}.values())
        made = tuple(say(docgraph.triage, decisions, account() if by is None else by))
        name = docgraph.workspace_name
    if json:
        _write_entries(made, name)
        return
    for each in made:
        _show_entry(each)


def _show_entry(entry: TriageEntry, *, lead: str = "") -> None:
    said = f"{lead}{excerpt(entry_words(entry), MAX_SENTENCE)}"
    line((f"{entry.entry_id}  ", "dim"), one_line(said), (f"  {one_line(signed_words(entry))}", "dim"))
    line((one_line(f"{entry.decision_id} · {excerpt(entry.label, MAX_SENTENCE)}"), "dim"), indent=4)


def _write_entries(entries: Iterable[TriageEntry], workspace: str) -> None:
    write_json({"workspace": workspace, "triage": [each.model_dump(mode="json") for each in entries]})


def _named(given: str, there: Mapping[str, Named], *, what: str, hint: str) -> Named:
    """The one whose id is or begins with what was given. Raises NotFoundError, and RequestError for too few letters."""
    if given in there:
        return there[given]
    found = [each for each in there if each.startswith(given)] if len(given) >= MIN_ID else []
    if len(found) > 1:
        raise RequestError(
            f"{given!r} matches {len(found):,} ids", hint=f"give more characters: {', '.join(found[:3])} …"
        )
    if not found:
        raise NotFoundError(f"no {what} has the id {given[:60]!r}", hint=hint)
    return there[found[0]]


def _sentence(dismissal: Dismissal) -> str:
    return one_line(excerpt(dismissal.sentence, MAX_SENTENCE))


def _write(dismissals: Iterable[Dismissal], workspace: str, name: str) -> None:
    write_json({"workspace": workspace, name: [each.model_dump(mode="json") for each in dismissals]})
