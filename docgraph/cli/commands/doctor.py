"""The command ``doctor``: checks the set-up part by part and says what to do about each fault."""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

import docgraph as package
from docgraph.bootstrap import connect
from docgraph.boundary.installed import dashboard_folder, sample_folder
from docgraph.cli.exposure import Finding, exposure
from docgraph.cli.session import JsonOption, WorkspaceOption
from docgraph.cli.text.output import count, heading, line, one_line, table, write_json
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, EnvironmentProblem, RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Examination
from docgraph.settings import Settings, read_settings, unknown_variables
from docgraph.views.words.searching import search_advice, search_words
from docgraph.views.words.type_roles import role_sentence

LOW_DISK_BYTES = 1_000_000_000


def doctor(
    workspace: WorkspaceOption = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Read every workspace completely and compare counts, sums and texts with the records."
        ),
    ] = False,
    security: Annotated[
        bool,
        typer.Option("--security", help="Check the settings against SECURITY.md; opens no connection."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check the installation, with a fix for each problem.

    Checks database, extension, embedder, counts, free disk space and settings.
    """
    findings: list[Finding] = []
    health: dict[str, Any] = {}
    if security and verify:
        raise RequestError("--security and --verify cannot be combined", hint="use one at a time")
    for finding, more in _exposed(workspace) if security else _examine(workspace, verify=verify):
        findings.append(finding)
        health |= more
    ok = all(finding.ok for finding in findings)
    if json:
        stated = [finding.model_dump(mode="json") for finding in findings]
        write_json({"version": package.__version__, "ok": ok, "checks": stated, "health": _plain(health)})
    else:
        _show(findings, health)
    if not ok:
        raise typer.Exit(EnvironmentProblem.exit_code)


def _exposed(workspace: str | None) -> Iterator[tuple[Finding, dict[str, Any]]]:
    try:
        yield from ((finding, {}) for finding in exposure(read_settings(workspace=workspace)))
    except DocgraphError as error:
        yield _fault("settings", error), {}


def _examine(workspace: str | None, *, verify: bool) -> Iterator[tuple[Finding, dict[str, Any]]]:
    yield Finding(name="python", ok=True, detail=f"{platform.python_version()} on {platform.platform(terse=True)}"), {}
    settings = None
    try:
        settings = read_settings(workspace=workspace)
        yield _settings_finding(), {}
    except DocgraphError as error:
        yield _fault("settings", error), {}
    yield _checked("dashboard", lambda: str(dashboard_folder())), {}
    yield _checked("sample corpus", lambda: str(sample_folder())), {}
    if settings is not None:
        yield _disk(settings.data_dir), {}
        yield from _open(settings, verify=verify)


def _settings_finding() -> Finding:
    strangers = unknown_variables()
    if strangers:
        detail = f"unknown settings: {', '.join(strangers)}"
        return Finding(name="settings", ok=False, detail=detail, hint="check the spelling: docs/settings.md")
    return Finding(name="settings", ok=True, detail="all DOCGRAPH_ variables are known")


def _disk(folder: Path) -> Finding:
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free = shutil.disk_usage(there).free
    detail = f"{free / 1e9:,.1f} GB free for {folder}"
    return Finding(
        name="disk", ok=free >= LOW_DISK_BYTES, detail=detail, hint="free some space, or move DOCGRAPH_DATA_DIR"
    )


def _open(settings: Settings, *, verify: bool) -> Iterator[tuple[Finding, dict[str, Any]]]:
    started = time.perf_counter()
    try:
        with connect(settings=settings) as docgraph:
            health = docgraph.health()
            seconds = time.perf_counter() - started
            yield Finding(name="database", ok=True, detail=f"{_database(health)}, open in {seconds:.1f} s"), health
            if "prepared_statements" in health["database"]:
                yield Finding(name="sessions", ok=True, detail=_sessions(health["database"])), {}
            yield _checked("embedder", lambda: _embedder(docgraph.embedder.embedder_id)), {}
            yield _checked("workspace", lambda: _workspace(docgraph.workspace_name, health["workspaces"])), {}
            if "codes_in_memory" in health["database"]:
                yield Finding(name="codes", ok=True, detail=_codes(settings, docgraph.workspace_name, health)), {}
            yield _checked("relation types", lambda: _types(docgraph)), {}
            yield _checked("query sets", lambda: _query_sets(docgraph)), {}
            if verify:
                for finding in map(_verified, docgraph.backups.verify()):
                    yield finding, {}
    except DocgraphError as error:
        yield _fault("database", error), {}


def _verified(found: Examination) -> Finding:
    """A workspace beside its own rows; the last one is what belongs to none."""
    name = f"verify {found.workspace}" if found.workspace else "verify rest"
    if not found.ok:
        way = f"docgraph restore FILE --workspace {found.workspace} --replace, or drop it and import it again"
        rest = "restore a backup into a new DOCGRAPH_DATA_DIR, and keep a copy of this one"
        return Finding(name=name, ok=False, detail="; ".join(found.faults), hint=way if found.workspace else rest)
    if not found.workspace:
        return Finding(name=name, ok=True, detail="saved runs, history and judgments: all rows have keys")
    counted = (
        count(found.n_documents, "document"),
        count(found.n_relationships, "relationship"),
        count(found.n_chunks, "chunk"),
    )
    return Finding(name=name, ok=True, detail=f"{', '.join(counted)}; revision {found.revision[:12]}, as recorded")


def _database(health: dict[str, Any]) -> str:
    database = health["database"]
    return ", ".join(
        f"{key} {database[key]}" for key in ("kind", "server_version", "pgvector_version") if key in database
    )


def _sessions(database: dict[str, Any]) -> str:
    """Whether a pooler stands between, and whether statements are prepared."""
    whose = "a pooler's, possibly another one per transaction" if database["pooled"] else "the server's own"
    prepared = str(database["prepared_statements"])
    said = (
        "prepared statements are used"
        if prepared == "on"
        else f"no prepared statements ({prepared.removeprefix('off: ')})"
    )
    return f"{whose}; {said}"


def _embedder(embedder_id: str) -> str:
    return embedder_id


def _workspace(name: str, workspaces: list[dict[str, Any]]) -> str:
    found = [Workspace.model_validate(w) for w in workspaces if w["name"] == name]
    if not found:
        return f"{name} does not exist yet; the first import creates it ({count(len(workspaces), 'other')} there)"
    here = found[0]
    return (
        f"{name}: {count(here.n_documents, 'document')}, {count(here.n_relationships, 'relationship')}, "
        f"{count(here.n_chunks, 'chunk')}; {search_words(here)}. {search_advice(here)}"
    )


def _types(docgraph: Docgraph) -> str:
    """Types that add no document to plans by default, and who decided so."""
    if all(each.name != docgraph.workspace_name for each in docgraph.workspaces()):
        return "none yet"
    silent = [each for each in docgraph.relationships.type_roles() if each.role != "adds_documents"]
    return "; ".join(map(role_sentence, silent)) or "all add documents to plans"


def _codes(settings: Settings, name: str, health: dict[str, Any]) -> str:
    """Whether dashboard, MCP and Python hold the codes of the workspace; this command ends too soon to hold any."""
    found = next((Workspace.model_validate(w) for w in health["workspaces"] if w["name"] == name), None)
    if not settings.resident_mb:
        return "off: DOCGRAPH_RESIDENT_MB is 0, the database server scans the codes"
    most = f"{settings.resident_mb:,} MB at most (DOCGRAPH_RESIDENT_MB)"
    if found is None or found.vector_search != "quantized":
        return f"used for quantized search only, {most}"
    return f"loaded by long-running processes, content revision {found.content_revision[:12]}, {most}"


def _query_sets(docgraph: Docgraph) -> str:
    """The sets that the workspace keeps, their questions and evaluations."""
    sets = docgraph.query_sets.list()
    runs = sum(len(docgraph.query_sets.runs(each.name)) for each in sets)
    if not sets:
        return "none yet; docgraph evaluate FILE --save NAME stores one"
    n = count(sum(each.n for each in sets), "question")
    return f"{count(len(sets), 'set')} with {n}, {count(runs, 'evaluation')} kept"


def _checked(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name=name, ok=True, detail=look())
    except DocgraphError as error:
        return _fault(name, error)


def _fault(name: str, error: DocgraphError) -> Finding:
    return Finding(name=name, ok=False, detail=error.message, hint=error.hint)


def _show(findings: list[Finding], health: dict[str, Any]) -> None:
    line((f"docgraph {package.__version__}", "bold"))
    line("")
    for finding in findings:
        mark = ("ok  ", "dim") if finding.ok else ("!!  ", "bold red")
        line(mark, f"{finding.name:<13} ", one_line(finding.detail))
        if not finding.ok and finding.hint:
            line(f"    {'':<14}", (f"→ {one_line(finding.hint)}", "bold"))
    if database := health.get("database"):
        heading("Database")
        rows = [(key, str(value)) for key, value in sorted(database.items()) if key != "codes_in_memory"]
        table(("property", "value"), rows, wrap=True)


def _plain(value: Any) -> Any:
    """``value`` with everything that JSON has no word for (paths, dates) as text."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
