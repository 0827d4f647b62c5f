"""The door of ingestion: a path, uploaded files or records go in, a report that accounts for each of them comes out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal

from docgraph.boundary.imports.excluding import Rules, given_rules
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.report import IngestReport
from docgraph.errors import IngestionError
from docgraph.ingestion import importing
from docgraph.ingestion.archives import scan_uploads
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.ingestion.groups import resting
from docgraph.ingestion.importing import ImportRun, Parts
from docgraph.ingestion.ledger import Ledger
from docgraph.ingestion.names import shown
from docgraph.ingestion.preview import preview_scan, reporting, scan_root
from docgraph.ingestion.profiling.applying import Applied
from docgraph.ingestion.profiling.dialects import Pages
from docgraph.ingestion.scanning import Scan
from docgraph.ingestion.staging import Staging, take_files, take_records
from docgraph.ports import Dialect, Embedder, Loader, Progress, RelationExtractor, Store, Summarizer, Tokenizer

UPLOAD, RECORDS = "upload", "records"


class _Silent:
    """A Progress that nobody looks at."""

    def update(self, done: int, total: int, message: str) -> None:
        """Nothing."""

    def cancelled(self) -> bool:
        """Never."""
        return False


class Ingestion:
    """Imports into one store. Unchanged documents are skipped before anything is embedded; every batch is atomic.

    Running an import again finishes what an earlier one began, and changes nothing that is finished.
    """

    def __init__(
        self,
        *,
        store: Store,
        embedder: Embedder,
        tokenizer: Tokenizer,
        summarizer: Summarizer,
        loaders: Sequence[Loader],
        extractors: Sequence[RelationExtractor],
        dialects: Sequence[Dialect] = (),
        workspace: str = "default",
        chunking: ChunkingOptions | None = None,
        now: Callable[[], str] = lambda: "",
    ) -> None:
        self._loaders = tuple(loaders)
        self._dialects = tuple(dialects)
        self._parts = Parts(
            store=store,
            embedder=embedder,
            tokenizer=tokenizer,
            summarizer=summarizer,
            extractors=tuple(extractors),
            chunking=chunking or ChunkingOptions(),
            workspace=workspace,
            now=now,
        )

    def ingest_path(
        self,
        path: str | PathLike[str],
        *,
        prune: bool = False,
        dry_run: bool = False,
        doc_type: str | None = None,
        ingestion_id: str | None = None,
        profile: ImportProfile | Literal["auto"] | None = None,
        exclude: Sequence[str] = (),
        gitignore: bool = True,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import a folder, a file or an archive (zip, tar, tar.gz).

        ``docs.jsonl`` at a folder's root stands for the whole folder, ``relations.jsonl`` beside it gives edges.
        ``ingestion_id`` (default: the folder's or file's name) marks the documents; ``prune`` removes those of the
        same mark that are gone from the folder. A document of the same mark that is gone, and whose title and text
        exactly one new file of the folder has, was moved: what people decided goes with it.
        ``doc_type`` is for documents that name none. ``profile`` says how names and metadata are read beyond the files
        as they are; ``auto`` = as a preview of the folder proposes.
        ``exclude`` = patterns of files that are left out, as in a ``.gitignore``, beside those of the profile; the
        folder's own ``.gitignore`` files count too unless ``gitignore`` is false.
        Raises IngestionError when the path itself cannot be read or holds no file at all, and for a prune that would
        remove everything.
        """
        started = time.perf_counter()
        if not os.fspath(path):  # Path("") is the working folder: most often a variable that is not set
            raise IngestionError("no path is given: it is empty", hint="name a folder or a file; . is this folder")
        root = Path(path)
        rules = _rules(exclude, profile)
        scan = scan_root(root, report=reporting(progress), exclude=rules, gitignore=gitignore)
        if prune and not root.is_dir():
            raise IngestionError(
                f"{root.name!r} is a file: only a folder can be used with prune", hint="name its folder"
            )
        name = ingestion_id if ingestion_id is not None else root.resolve().name
        return self._import_files(
            scan,
            name,
            doc_type=doc_type or "",
            dry_run=dry_run,
            prune=prune,
            whole=root.is_dir(),
            profile=profile,
            progress=progress,
            started=started,
        )

    def ingest_files(
        self,
        files: Iterable[tuple[str, bytes]],
        *,
        dry_run: bool = False,
        doc_type: str | None = None,
        ingestion_id: str = UPLOAD,
        profile: ImportProfile | Literal["auto"] | None = None,
        exclude: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import uploads given as (relative name, bytes); archives are opened within limits."""
        started = time.perf_counter()
        scan = scan_uploads(files, report=reporting(progress)).without(_rules(exclude, profile))
        return self._import_files(
            scan,
            ingestion_id,
            doc_type=doc_type or "",
            dry_run=dry_run,
            prune=False,
            profile=profile,
            progress=progress,
            started=started,
        )

    def ingest_records(
        self,
        documents: Iterable[Document],
        relationships: Iterable[Relationship] = (),
        *,
        dry_run: bool = False,
        ingestion_id: str = RECORDS,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Import domain records as they are: nothing is extracted from their texts.

        Missing chunks, summaries and vectors are made; given vectors are checked and kept. ``relationships`` are read
        first and held; ``documents`` may be a generator: as it is read, what came before is written.
        """
        started = time.perf_counter()
        staging = self._staging(ingestion_id, "")
        steps = take_records(documents, relationships, staging, at_once=importing.BATCH_DOCUMENTS)
        progress = progress or _Silent()
        return ImportRun(
            self._parts, staging, progress, dry_run=dry_run, prune=False, started=started, steps=steps
        ).run()

    def _import_files(
        self,
        scan: Scan,
        ingestion_id: str,
        *,
        doc_type: str,
        dry_run: bool,
        prune: bool,
        progress: Progress | None,
        started: float,
        whole: bool = False,
        profile: ImportProfile | Literal["auto"] | None = None,
    ) -> IngestReport:
        progress = progress or _Silent()
        staging = self._staging(ingestion_id, doc_type)
        staging.ledger.excluded = scan.excluded.told
        if profile == "auto":
            profile = preview_scan(scan, ingestion_id, self._loaders, self._parts.extractors, progress).profile
        staging.applied = None if profile is None else Applied(profile)

        def each(done: int, total: int, name: str) -> bool:
            if done % 16 == 0:
                progress.update(done, total, f"reading {name}")
            return progress.cancelled()

        with resting(self._loaders):
            staging.ledger.stopped = not take_files(scan, staging, self._loaders, each=each)
        if staging.ledger.stopped:
            staging.documents.clear()
        elif staging.is_empty:
            raise _nothing_in(ingestion_id, sum(scan.excluded.counts.values()))
        return self._run(staging, dry_run=dry_run, prune=prune, whole=whole, progress=progress, started=started)

    def _staging(self, ingestion_id: str, doc_type: str) -> Staging:
        dimension = self._parts.embedder.info.dimension
        pages = Pages(self._dialects)
        return Staging(Ledger(), dimension, ingestion_id=ingestion_id, doc_type=doc_type, pages=pages)

    def _run(
        self,
        staging: Staging,
        *,
        dry_run: bool,
        prune: bool,
        progress: Progress,
        started: float,
        whole: bool = False,
    ) -> IngestReport:
        prune = prune and not staging.ledger.stopped
        run = ImportRun(self._parts, staging, progress, dry_run=dry_run, prune=prune, started=started, whole=whole)
        return run.run()


def _rules(exclude: Sequence[str], profile: ImportProfile | Literal["auto"] | None) -> tuple[Rules, ...]:
    """What is left out by patterns: those that are given, and those of the profile. Raises RequestError."""
    return given_rules((*(profile.exclude if isinstance(profile, ImportProfile) else ()), *exclude))


def _nothing_in(name: str, n_excluded: int) -> IngestionError:
    left_out = f"; {n_excluded:,} files and folders are left out by .gitignore and patterns" if n_excluded else ""
    return IngestionError(
        f"there is nothing to import in {shown(name)!r}: no document, and no file that was rejected{left_out}",
        hint="name a folder or a file with documents (Markdown, reStructuredText, HTML, PDF, text, JSON Lines); "
        "hidden files and folders such as node_modules and venv are skipped",
    )
