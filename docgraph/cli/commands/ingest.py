"""The command ``ingest``: a folder or file into a workspace, with progress and a report that adds up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.boundary.installed import need_extra
from docgraph.boundary.limits import MAX_RULES_BYTES
from docgraph.cli.files import STANDARD, read_file, write_file
from docgraph.cli.session import JsonOption, WorkspaceOption, ended_kindly, opened
from docgraph.cli.text.imports import nothing_read, show_report
from docgraph.cli.text.output import count, heading, line, one_line, printable, table, write_json
from docgraph.cli.text.progress import import_progress
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.imports.record import ImportSummary
from docgraph.errors import DocgraphError, NotFoundError, RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.settings import read_settings
from docgraph.views.report.of_imports import as_feed, as_json, diff_sentence, listed, since_sentence
from docgraph.views.words.moments import clock, moment

NOTHING_READ, STOPPED = 1, 130
AUTO: Literal["auto"] = "auto"
PROFILE_FILE = "docgraph.toml"
SHOWN, SHOWN_CAUSES, FEED = 20, 3, 20

ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Leave files out, as in a .gitignore; repeatable."),
]
NoGitignoreOption = Annotated[
    bool, typer.Option("--no-gitignore", help="Read files that the folder's .gitignore files leave out.")
]

imports = typer.Typer(help="List the imports of a workspace, and what each changed.")


def ingest(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder or a file.", show_default=False)],
    workspace: WorkspaceOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything, write nothing.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose source no longer exists.")] = False,
    doc_type: Annotated[
        str | None, typer.Option("--doc-type", metavar="TYPE", help="Document type for all of them.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="auto|FILE", help="Use a proposed profile, or one from a TOML file."),
    ] = None,
    profile_out: Annotated[
        str | None,
        typer.Option("--profile-out", metavar="FILE", help="Write the proposed profile; - prints it and exits."),
    ] = None,
    exclude: ExcludeOption = None,
    no_gitignore: NoGitignoreOption = False,
    watch: Annotated[bool, typer.Option("--watch", help="Keep running and import every change, until Ctrl+C.")] = False,
    json: JsonOption = False,
) -> None:
    """Import a folder or a file with its relationships.

    Unchanged documents are skipped, changed ones replaced.
    """
    read = _profile(profile)
    left_out: dict[str, Any] = {"exclude": tuple(exclude or ()), "gitignore": not no_gitignore}
    if watch:
        _check_watch(path, dry_run=dry_run, profile_out=profile_out)
        again = Again(path, prune=prune, doc_type=doc_type, profile=read, left_out=left_out)
        with ended_kindly(), opened(workspace) as docgraph:
            again.watch(docgraph, json=json)
        return
    with opened(workspace) as docgraph, import_progress(quiet=json) as progress:
        if profile_out is not None:
            look = docgraph.documents.look(path, progress=progress, **left_out)
            read = read if isinstance(read, ImportProfile) else look.profile
            text = write_profile(read, look if read == look.profile else None)
            if profile_out == STANDARD:
                sys.stdout.buffer.write(printable(text).encode())
                sys.stdout.flush()
                return
            written = write_file(profile_out, [text.encode()], instead=PROFILE_FILE)
            if not json:
                line(f"Profile written to {written}.")
        ways: dict[str, Any] = {"prune": prune, "dry_run": dry_run, "doc_type": doc_type, "profile": read}
        report = docgraph.ingest(path, **ways, **left_out, progress=progress)
    if json:
        write_json(report)
    else:
        show_report(report)
    if report.stopped:
        raise typer.Exit(STOPPED)
    if nothing_read(report):
        raise typer.Exit(NOTHING_READ)


def _check_watch(path: str, *, dry_run: bool, profile_out: str | None) -> None:
    clash = "--dry-run" if dry_run else "--profile-out" if profile_out is not None else ""
    if clash:
        raise RequestError(f"--watch and {clash} cannot be combined", hint="use one of them")
    need_extra("watch", "--watch")
    if not Path(path).is_dir():
        raise RequestError(f"{path[:200]!r} is not a folder; only folders can be watched", hint="name its folder")


@dataclass(frozen=True)
class Again:
    """One folder that is imported again and again, always in the same way."""

    path: str
    prune: bool
    doc_type: str | None
    profile: ImportProfile | Literal["auto"] | None
    left_out: Mapping[str, Any]

    def watch(self, docgraph: Docgraph, *, json: bool) -> None:
        """Import it now, and after every change; ends by Ctrl+C alone. What cannot be imported is said."""
        from docgraph.cli.watching import watched  # with the package of the extra

        profiled = self.profile.exclude if isinstance(self.profile, ImportProfile) else ()
        left_out = {**self.left_out, "exclude": (*profiled, *self.left_out["exclude"])}
        with watched(Path(self.path), besides=read_settings().data_dir, say=_aside, **left_out) as changes:
            self._import(docgraph, json=json, first=True)
            _aside(f"Watching {one_line(self.path)}; Ctrl+C stops.")
            while True:
                changes.wait()
                try:
                    self._import(docgraph, json=json)
                except DocgraphError as problem:
                    _aside(f"error: {one_line(problem.message)} ({one_line(problem.hint)}); still watching")
                except OSError as problem:
                    _aside(f"error: {one_line(str(problem))}; still watching")

    def _import(self, docgraph: Docgraph, *, json: bool, first: bool = False) -> None:
        before = _newest(docgraph)
        report = docgraph.ingest(
            self.path, prune=self.prune, doc_type=self.doc_type, profile=self.profile, **self.left_out
        )
        newest = _newest(docgraph)
        known = newest is not None and before is not None and before.comparable and newest.comparable
        diff = docgraph.imports.diff(before.import_id) if before is not None and known else None
        if json:
            sides = {"import": newest, "diff": diff}
            write_json({name: side and side.model_dump(mode="json") for name, side in sides.items()}, indent=None)
        elif first:
            show_report(report)
        elif diff is not None and not diff.same:
            line(f"{clock(diff.after.at)}  {one_line(diff_sentence(diff))}", whole=True)
        elif report.n_rejected:
            line(f"{count(report.n_rejected, 'source')} rejected, nothing changed", whole=True)
        for each in report.causes[:SHOWN_CAUSES] if not (first or json) else ():
            line((f"  {each.n:,} × {one_line(each.cause)}", "dim"), whole=True)


def _newest(docgraph: Docgraph) -> ImportSummary | None:
    """The newest import; None before the first, which makes the workspace."""
    try:
        return next(iter(docgraph.imports.list()), None)
    except NotFoundError:
        return None


def _cell(name: str, value: Any) -> Any:
    if name == "at":
        return moment(value)
    return one_line(value)[: 12 if name == "revision" else None] if isinstance(value, str) else value


def _aside(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@imports.callback(invoke_without_command=True)
def list_imports(context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the imports of a workspace, newest first, and say what is different between two of them."""
    if context.invoked_subcommand is not None:
        return
    with opened(workspace) as docgraph:
        found = docgraph.imports.list()
    if json:
        write_json({"imports": [each.model_dump(mode="json") for each in found]})
    elif not found:
        line("No imports yet: docgraph ingest FOLDER makes the first.")
    else:
        columns = ("import", "at", "source", "in", "stored", "updated", "rejected", "gone", "revision")
        names = ("import_id", "at", "source", "n_in", "n_stored", "n_updated", "n_rejected", "n_pruned", "revision")
        rows = [tuple(_cell(name, getattr(each, name)) for name in names) for each in found]
        table(columns, rows, right=("import", *columns[3:8]))


@imports.command("diff")
def diff_imports(
    before: Annotated[int | None, typer.Argument(metavar="[BEFORE]", help="The older import.", min=1)] = None,
    after: Annotated[
        int | None, typer.Argument(metavar="[AFTER]", help="The newer import (default: the latest).", min=1)
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="Start at the import before this date, such as 2026-11-16."),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Compare the data after two imports, by default the last two."""
    if since is not None and before is not None:
        raise RequestError("--since and an import cannot be combined", hint="use one of them")
    with opened(workspace) as docgraph:
        if since is not None:
            found = docgraph.imports.since(since)
        else:
            last = [each.import_id for each in docgraph.imports.list()[:2]] or [1]
            found = docgraph.imports.diff(last[-1] if before is None else before, after)
    if json:
        sys.stdout.write(as_json(found))
        return
    line((one_line(since_sentence(found)), "bold"), whole=True)
    for title, said in listed(found).items():
        heading(title, f"{len(said):,}")
        for each in said[:SHOWN]:
            line(one_line(each), indent=2)
        if len(said) > SHOWN:
            line((f"… and {len(said) - SHOWN:,} more; --json lists all", "dim"), indent=2)


@imports.command("feed")
def feed_of_imports(
    output: Annotated[str, typer.Argument(metavar="[FILE]", help="Output file; - = standard output.")] = STANDARD,
    workspace: WorkspaceOption = None,
) -> None:
    """Write the changes of the imports as an Atom feed. Newest first."""
    with opened(workspace) as docgraph:
        every = docgraph.imports.list()
        data = as_feed(docgraph.workspace_name, every, docgraph.imports.newest_diffs(limit=FEED))
    if output == STANDARD:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        line(f"Wrote {write_file(output, [data], instead='imports.atom')}", whole=True)


def _profile(given: str | None) -> ImportProfile | Literal["auto"] | None:
    """What --profile says. Raises UserError for a file that is no profile."""
    if given is None or given == AUTO:
        return AUTO if given else None
    hint = "name a profile, or auto; --profile-out FILE writes one"
    return read_profile(read_file(given, max_bytes=MAX_RULES_BYTES, hint=hint), name=given[:200])
