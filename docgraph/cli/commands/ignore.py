"""The commands ``ignore`` and ``withdraw``: findings that somebody puts aside with a reason, and takes up again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, TypeVar

import typer

from docgraph.cli.commands.edit import ByOption
from docgraph.cli.run_options import person_here
from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import line, one_line, write_json
from docgraph.domain.dismissal import Dismissal
from docgraph.domain.finding import Finding
from docgraph.errors import NotFoundError, RequestError
from docgraph.views.relationships.findings.ignored import ignored_words
from docgraph.views.words.texts import excerpt

MIN_ID = 4
MAX_SENTENCE = 200
Named = TypeVar("Named")

IdsArgument = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="As docgraph check shows them; 4 characters are enough.", show_default=False),
]


def ignore(
    ids: IdsArgument,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it has to be said.")] = "",
    by: ByOption = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Put findings aside with a reason; they come back when a text that they were judged by changes.

    The id of a decision (check --by-effect) stands for all its findings.
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
        who = person_here() if by is None else by
        made = docgraph.rules.dismiss(tuple(wanted.values()), by=who, reason=reason, decisions=together)
        name = docgraph.workspace_name
    if json:
        _write(made, name, "ignored")
        return
    for each in made:
        line((f"{each.subject_id}  ", "dim"), f"{ignored_words(each)}: {_sentence(each)}")


def withdraw(ids: IdsArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Take up again what was ignored or rejected: the findings and suggestions are open as before.

    The id of a decision stands for all findings that were ignored with it.
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


def _named(given: str, there: Mapping[str, Named], *, what: str, hint: str) -> Named:
    """The one whose id is or begins with what was given. Raises NotFoundError, and RequestError for too few letters."""
    if given in there:
        return there[given]
    found = [each for each in there if each.startswith(given)] if len(given) >= MIN_ID else []
    if len(found) > 1:
        raise RequestError(f"{given!r} begins {len(found):,} ids", hint=f"give more of it: {', '.join(found[:3])} …")
    if not found:
        raise NotFoundError(f"no {what} has the id {given[:60]!r}", hint=hint)
    return there[found[0]]


def _sentence(dismissal: Dismissal) -> str:
    return one_line(excerpt(dismissal.sentence, MAX_SENTENCE))


def _write(dismissals: Iterable[Dismissal], workspace: str, name: str) -> None:
    write_json({"workspace": workspace, name: [each.model_dump(mode="json") for each in dismissals]})
