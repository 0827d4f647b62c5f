"""What people decided as a patch of the authors' files; each change of a text is read again before it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from docgraph.boundary.imports.excluding import patterns_of
from docgraph.boundary.imports.profile_toml import profile_of
from docgraph.curation.patching.corrections import Wanted, wanted
from docgraph.domain.decisions import EDITED
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.imports.patch import SourcePatch
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import IngestionError
from docgraph.ingestion.rereading import Rereading
from docgraph.orchestration.relationships.correcting import Correcting
from docgraph.orchestration.session import HasSession
from docgraph.ports import Progress, Store

PAGE, EXAMPLES = 1_000, 2_000


def patch(
    self: HasSession,
    folder: str | PathLike[str],
    *,
    profile: ImportProfile | Mapping[str, Any] | str | PathLike[str] | None = None,
    owner_fields: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    progress: Progress | None = None,
) -> SourcePatch:
    """Decisions in force as a unified diff over the files of ``folder`` that state, or should state, them; read-only.

    ``folder`` = the imported one; ``profile``, ``exclude`` and ``gitignore`` = those of its import. Only front matter,
    header fields, sidecars and links are changed, in place; the patch applies with ``git apply`` in the folder. Every
    change is verified by reading the file as an import does, so that the next import finds nothing contested. Changes
    that no file can hold are in ``left``, with the reason. ``owner_fields`` = metadata fields with a document's owner,
    in order; None = those of the settings. Raises IngestionError for a folder that cannot be read, and when
    ``progress`` cancels.
    """
    store, adapters = self.session.store(), self.session.adapters
    asked, stored, examples = _asked(store)

    def tell(done: int, total: int, name: str) -> bool:
        if progress is None:
            return False
        if done % 16 == 0:
            progress.update(done, total, f"reading {name}")
        return progress.cancelled()

    files = Rereading(
        Path(folder),
        list(stored.values()),
        loaders=adapters.loaders,
        extractors=adapters.extractors,
        dimension=self.session.embedder.dimension,
        profile=profile_of(profile),
        exclude=patterns_of(exclude),
        gitignore=gitignore,
        each=tell,
    )
    if progress is not None and progress.cancelled():
        raise IngestionError("the patch was stopped: nothing was written", hint="run it again")
    texts = {i: hashes.text for i, hashes in store.import_hashes(sorted(_starts(asked))).items()}
    unwanted = frozenset(each.gone for each in asked if each.gone is not None and each.gone != each.made)
    work = Correcting(files, stored, texts, examples, unwanted)
    for number, each in enumerate(asked):
        if tell(number, len(asked), "what was changed"):
            raise IngestionError("the patch was stopped: nothing was written", hint="run it again")
        work.take(each)
    return SourcePatch(
        workspace=self.session.workspace,
        folder=Path(folder).resolve().name,
        files=tuple(work.patched(adapters.owner_fields if owner_fields is None else owner_fields)),
        left=tuple(sorted(work.left, key=lambda edit: edit.entry_id)),
        n_edits=len(asked),
        n_patched=work.n_patched,
        n_agreed=work.n_agreed,
    )


def _asked(store: Store) -> tuple[tuple[Wanted, ...], dict[str, StoredDocument], list[Relationship]]:
    """The corrections that are in force, the documents by id, and what an import brought of the types they make."""
    asked = wanted(_history(store))
    there, examples = set[EdgeKey](), list[Relationship]()
    with store.reading() as snapshot:
        stored = {document.document_id: document for document in snapshot.documents()} if asked else {}
        for relation_type in sorted({each.made[1] for each in asked if each.made}):
            edges = list(snapshot.relationships(relation_type=relation_type))
            there |= {edge.key for edge in edges}
            examples += [edge for edge in edges if EDITED not in edge.relationship_metadata][:EXAMPLES]
    return tuple(each for each in asked if each.made is None or each.made in there), stored, examples


def _starts(asked: Iterable[Wanted]) -> set[str]:
    return {key[0] for each in asked for key in (each.gone, each.made) if key is not None}


def _history(store: Store) -> Iterator[HistoryEntry]:
    before: int | None = None
    while page := store.history(limit=PAGE, before=before):
        yield from page
        before = page[-1].entry_id
