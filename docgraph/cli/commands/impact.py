"""The command ``impact``: what edits of relationships would change in the answers to the saved questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from pydantic import ValidationError

from docgraph.cli.session import JsonOption, WorkspaceOption, opened
from docgraph.cli.text.output import count, heading, line, one_line, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.edit import Action, Edit
from docgraph.domain.impact import Gains, ImpactReport, QuestionImpact
from docgraph.domain.overrides import parse_edge
from docgraph.errors import RequestError
from docgraph.views.words.counts import UNKNOWN

EDGE, EDGE_AND_NEW = "EDGE", "EDGE=NEW"
Repeated = list[str] | None
MAX_NAMED = 5
"""Documents of a question that are named in the table of gains; the JSON names more."""


def impact(
    remove: Annotated[
        Repeated, typer.Option("--remove", metavar=EDGE, help="Remove FROM|TYPE|TO; repeatable, like all of these.")
    ] = None,
    retype: Annotated[
        Repeated, typer.Option("--retype", metavar=EDGE_AND_NEW, help="Change the type of FROM|TYPE|TO to NEW.")
    ] = None,
    flip: Annotated[
        Repeated, typer.Option("--flip", metavar=EDGE, help="Reverse FROM|TYPE|TO; EDGE=NEW names the inverse type.")
    ] = None,
    retarget: Annotated[
        Repeated,
        typer.Option("--retarget", metavar="EDGE=ID", help="Change the target of FROM|TYPE|TO to the document ID."),
    ] = None,
    add: Annotated[Repeated, typer.Option("--add", metavar=EDGE, help="Add FROM|TYPE|TO.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=20_000, help="Saved questions to run, newest first.")
    ] = 1_000,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Preview what an edit would change in saved answers. Nothing is written."""
    edits = (
        *_edits("remove", remove),
        *_edits("retype", retype),
        *_edits("flip", flip),
        *_edits("retarget", retarget),
        *_edits("add", add),
    )
    if not edits:
        raise RequestError("no edit given", hint="for example: docgraph impact --remove 'adr-3|explains|ms5'")
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        report = docgraph.relationships.impact(edits, limit=limit, progress=progress)
    if json:
        write_json(report)
    else:
        show_impact(report)


def show_impact(report: ImpactReport) -> None:
    """Write how many questions change, a table of them, and for each one what it gains and loses."""
    edits = count(len(report.edits), "edit")
    line((report.sentence, "bold"), f" with {edits} in {report.workspace}; {_plans(report.n_changed_plans)}")
    for said in _remarks(report):
        line((said, "dim"))
    if report.questions:
        line("")
        rows = [
            (q.run_id or UNKNOWN, q.gained.n_documents, q.lost.n_documents, q.gained.n_chunks, q.lost.n_chunks, q.name)
            for q in report.questions
        ]
        numbers = ("docs +", "docs −", "chunks +", "chunks −")
        table(("run", *numbers, "question"), rows, right=numbers)
        _more(len(report.questions), report.n_changed)
    for question in report.questions:
        heading(one_line(question.name), question.run_id)
        line(question.sentence, indent=2)
        if question.gained.n_relevant is not None:
            line((_judged(question), "bold" if question.lost.n_relevant else "dim"), indent=2)
        for sign, gains in (("+", question.gained), ("−", question.lost)):
            if gains.n_documents:
                line(f"{sign} {_named(gains)}", indent=2)
    if report.left_out:
        heading("Left out")
        table(
            ("run", "question", "why"),
            [(row.run_id or UNKNOWN, row.name, row.reason) for row in report.left_out],
            wrap=True,
        )
        _more(len(report.left_out), report.n_left_out)


def _edits(action: Action, given: Repeated) -> Sequence[Edit]:
    return [_READ[action](action, text) for text in given or ()]


def _plain(action: Action, text: str) -> Edit:
    return Edit(action=action, key=parse_edge(text))


def _with_type(action: Action, text: str) -> Edit:
    edge, new = _split(action, text)
    return _checked(action, edge, text, relation_type=new)


def _with_target(action: Action, text: str) -> Edit:
    edge, new = _split(action, text)
    return _checked(action, edge, text, to_document_id=new)


def _flipped(action: Action, text: str) -> Edit:
    """Turned round, with or without a new type; an id with ``=`` in it and no new type gets a last ``=``."""
    if "=" not in text.rpartition("|")[2]:
        return _plain(action, text)
    return _plain(action, text[:-1]) if text.endswith("=") else _with_type(action, text)


_READ: dict[Action, Callable[[Action, str], Edit]] = {
    "remove": _plain,
    "retype": _with_type,
    "flip": _flipped,
    "retarget": _with_target,
    "add": _plain,
}


def _split(action: Action, text: str) -> tuple[str, str]:
    """The edge and what follows its last ``=``; in the new name ``=`` is written ``%3D`` and ``%`` ``%25``."""
    edge, found, new = text.rpartition("=")
    if not found or not new:
        raise RequestError(
            f"--{action} {text[:120]!r} does not say what to change it to", hint="write it as FROM|TYPE|TO=NEW"
        )
    return edge, new.replace("%3D", "=").replace("%25", "%")


def _checked(action: Action, edge: str, text: str, **new: str) -> Edit:
    key = parse_edge(edge)
    try:
        return Edit.model_validate({"action": action, "key": key, **new})
    except ValidationError as error:
        reason = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise RequestError(f"--{action} {text[:120]!r}: {reason}", hint="write it as FROM|TYPE|TO=NEW") from error


def _plans(n: int) -> str:
    return f"{count(n, 'plan')} {'changes' if n == 1 else 'change'}"


def _remarks(report: ImpactReport) -> list[str]:
    """What the first line leaves open."""
    said = []
    if not report.n_saved_runs + report.n_in_sets:
        said.append("No saved questions yet: docgraph run … --save NAME")
    if not report.complete:
        said.append(f"Stopped; {count(report.n_not_asked, 'saved question')} not checked.")
    elif report.n_not_asked:
        said.append(f"{count(report.n_not_asked, 'more saved question')} not checked: raise --limit.")
    if report.n_left_out:
        said.append(f"{count(report.n_left_out, 'saved question')} left out: no plan on today's data.")
    return said


def _named(gains: Gains) -> str:
    """``Dead letters [adr-007] (judged relevant), Retry policy [adr-004] and 3 more``."""
    relevant = {d.document_id for d in gains.relevant}
    shown = [
        f"{one_line(d.title)[:80]} [{d.document_id}]{' (judged relevant)' if d.document_id in relevant else ''}"
        for d in gains.documents[:MAX_NAMED]
    ]
    more = gains.n_documents - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _judged(question: QuestionImpact) -> str:
    """``gains 2 judged relevant, loses 1``."""
    return f"gains {question.gained.n_relevant or 0:,} judged relevant, loses {question.lost.n_relevant or 0:,}"


def _more(shown: int, n: int) -> None:
    if shown < n:
        line((f"{shown:,} of {n:,} listed", "dim"))
