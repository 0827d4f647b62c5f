"""The commands under ``people``: who is signed in to the dashboard, and an end to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from docgraph.boundary.claims import SUBJECT
from docgraph.boundary.text import one_line as kept_line
from docgraph.cli.session import JsonOption, opened
from docgraph.cli.text.output import count, line, table, write_json
from docgraph.domain.person import MAX_BY
from docgraph.errors import NotFoundError, RequestError
from docgraph.views.words.moments import counted, minute

if TYPE_CHECKING:
    from docgraph.domain.person import SignIn

application = typer.Typer(help="List who is signed in to the dashboard; end sign-ins.", no_args_is_help=False)
SHORTEST = 4
"""Characters of an id that are enough, where they tell which one is meant."""
HERE = "command line"
"""Who ended a sign-in, where nobody says who they are."""


@application.callback(invoke_without_command=True)
def default(context: typer.Context, json: JsonOption = False) -> None:
    """List who is signed in to the dashboard; end sign-ins."""
    if context.invoked_subcommand is None:
        list_people(json=json)


@application.command("list")
def list_people(json: JsonOption = False) -> None:
    """List active sign-ins, newest first."""
    with opened() as docgraph:
        session = docgraph.session
        found = session.sign_ins.open_sign_ins(session.now())
    if json:
        write_json({"sign_ins": [_told(each) for each in found]})
        return
    if found:
        heads = ("id", "name", "role", "signed in", "last seen", "browser")
        rows = [(s.short_id, s.name, s.role, minute(s.created), minute(s.last_seen), s.browser) for s in found]
        table(heads, rows)
        line("")
    line((counted(found), "dim"))


@application.command()
def end(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Ids of sign-ins, as shown by people list.")
    ] = None,
    everyone: Annotated[
        str | None,
        typer.Option("--all", metavar="NAME", help="All sign-ins of a person: the name in the list, or sub:…."),
    ] = None,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Author, for the audit log.")] = "",
    json: JsonOption = False,
) -> None:
    """End sign-ins: their pages close within seconds. The identity provider decides who may sign in again."""
    if bool(ids) == (everyone is not None):
        raise RequestError("no sign-ins named", hint="give ids from docgraph people list, or --all NAME")
    who = kept_line(by, MAX_BY) or HERE
    with opened() as docgraph:
        session = docgraph.session
        there = session.sign_ins.open_sign_ins(session.now())
        chosen = _of(everyone, there) if everyone is not None else tuple(_one(each, there) for each in ids or ())
        ended = session.sign_ins.end_sign_ins(chosen, at=session.now(), by=who)
    if json:
        write_json({"ended": [_told(each) for each in ended]})
        return
    for each in ended:
        line((f"{each.short_id}  ", "dim"), f"{each.name}  {each.browser}")
    line((f"ended {count(len(ended), 'sign-in')}", "dim"))


def _told(sign_in: SignIn) -> dict[str, object]:
    """Without what the claims hash to, which says nothing to anybody."""
    return sign_in.model_dump(exclude={"claims"})


def _of(name: str, there: tuple[SignIn, ...]) -> tuple[SignIn, ...]:
    """Those of a name, in any case, or of a subject exactly. Raises NotFoundError."""
    if name.startswith(SUBJECT):
        found = tuple(each for each in there if each.subject == name.removeprefix(SUBJECT))
    else:
        found = tuple(each for each in there if each.name.casefold() == name.casefold())
    if not found:
        names = ", ".join(sorted({each.name for each in there})[:10]) or "nobody"
        raise NotFoundError(f"{name[:60]!r} is not signed in", hint=f"signed in: {names}")
    return found


def _one(beginning: str, there: tuple[SignIn, ...]) -> SignIn:
    """The one whose id begins so. Raises NotFoundError, RequestError."""
    found = [each for each in there if each.sign_in_id.startswith(beginning)] if len(beginning) >= SHORTEST else []
    if len(found) > 1:
        raise RequestError(f"{beginning[:60]!r} matches several ids", hint="give more characters of the id")
    if not found:
        raise NotFoundError(
            f"no active sign-in has the id {beginning[:60]!r}",
            hint=f"docgraph people list shows them; {SHORTEST} characters are enough",
        )
    return found[0]
