"""Folders of documents as people keep them, made up, and their imports with real loaders and extractors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.report import IngestReport
from docgraph.ingestion.pipeline import Ingestion
from docgraph.ingestion.preview import preview_source
from docgraph.ports import Store
from tests.unit.ingestion.importer import ingestion, new_store

LOADERS = [plugins.build("loaders", name) for name in ("markdown", "html", "text", "restructuredtext")]
EXTRACTORS = [
    plugins.build("extractors", name)
    for name in ("front_matter", "header_fields", "markdown_links", "wiki_links", "status_lines", "body_references")
]
HOME = "https://git.example/team/plans/blob/main/plans/"
TEXT = "Queues are bounded so that memory stays flat while producers are faster than consumers. " * 5


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def plans(root: Path) -> Path:
    """Twelve plans, each a folder with README.md and plan.yaml, that name each other in every usual way."""
    files = {}
    for n in range(100, 1300, 100):
        after = n % 1200 + 100
        body = f"# PLAN-{n}: Plan of {n}\n\n{TEXT}\n\nSee [the home]({HOME}area/{after}-plan-{after}).\n"
        files[f"area/{n}-plan-{n}/README.md"] = body
        files[f"area/{n}-plan-{n}/plan.yaml"] = f"title: Plan of {n}\nplan-number: {n}\nsee-also:\n  - n/a\n"
    files["area/100-plan-100/plan.yaml"] = (
        "title: Plan of 100\nplan-number: 100\nsee-also:\n"
        "  - /plans/area/200-plan-200\n"
        "  - /plans/area/300-plan-300/\n"
        "  - /plans/area/400-an-older-name\n"
        f"  - {HOME}area/500-plan-500\n"
        "  - https://git.example/team/plans/issues/77\n"
        "  - https://elsewhere.example/page\n"
        "  - none\n"
        "  - PLAN-600\n"
        "  - /plans/area/999-nothing\n"
    )
    files["area/700-plan-700/README.md"] += "\nBy [the root](/plans/area/300-plan-300), a [[1]](https://x.example/a).\n"
    files["area/900-plan-900/README.md"] += "\nBy [the root](/plans/area/400-plan-400).\n\nIt waits for PLAN-1200.\n"
    files["area/OWNERS"] = "nobody\n"
    return write(root, files)


def looked(path: Path) -> Look:
    return preview_source(path, LOADERS, EXTRACTORS, None)


def importer(store: Store | None = None) -> Ingestion:
    return ingestion(store, loaders=LOADERS, extractors=EXTRACTORS)


def imported(
    path: Path, profile: ImportProfile | None
) -> tuple[IngestReport, dict[tuple[str, str, str], Relationship]]:
    """The report, and every edge by its key."""
    store = new_store()
    report = importer(store).ingest_path(path, profile=profile)
    with store.reading() as snapshot:
        return report, {edge.key: edge for edge in snapshot.relationships()}
