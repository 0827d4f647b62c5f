"""Files of an import read once more as an import reads them, also as if some of them had another text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from docgraph.boundary.imports.excluding import given_rules
from docgraph.boundary.text import encoding_of
from docgraph.domain.graph import Document, Relationship, StoredDocument
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.naming import NUMBERED_AS
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import IngestionError
from docgraph.ingestion.differences import text_hash
from docgraph.ingestion.groups import resting
from docgraph.ingestion.ledger import Ledger
from docgraph.ingestion.linking import Linker, titles_of
from docgraph.ingestion.names import shown, suffix_of
from docgraph.ingestion.preview import preview_scan
from docgraph.ingestion.profiling.applying import Applied
from docgraph.ingestion.profiling.sidecars import SIDECAR
from docgraph.ingestion.scanning import RECORD_SUFFIXES, Scan, Source, scan_path
from docgraph.ingestion.staging import Staging, take_again, take_files
from docgraph.ports import Loader, RelationExtractor

Edges = dict[EdgeKey, Relationship]


class Rereading:
    """The documents of a folder as an import would take them; nothing is written, neither to the store nor to files.

    ``profile`` = that of the import. Raises IngestionError for a folder that cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        stored: Sequence[StoredDocument],
        *,
        loaders: Sequence[Loader],
        extractors: Sequence[RelationExtractor],
        dimension: int,
        profile: ImportProfile | Literal["auto"] | None = None,
        exclude: Sequence[str] = (),
        gitignore: bool = True,
        each: Callable[[int, int, str], bool] = lambda *_: False,
    ) -> None:
        if not folder.is_dir():
            raise IngestionError(f"{shown(str(folder))!r} is not a folder", hint="name the folder that was imported")
        self._texts: dict[str, bytes] = {}
        self._loaders = tuple(loaders)
        patterns = (*(profile.exclude if isinstance(profile, ImportProfile) else ()), *exclude)
        found = scan_path(folder, exclude=given_rules(patterns), gitignore=gitignore)
        self._sources = {source.name: source for source in found.sources}
        overlaid = Scan([Source(s.name, partial(self.data, s.name)) for s in found.sources], [], found.complete)
        self._staging = Staging(Ledger(), dimension, ingestion_id=folder.resolve().name)
        if profile == "auto":
            profile = preview_scan(overlaid, self._staging.ingestion_id, self._loaders, extractors, None).profile
        applied = self._staging.applied = None if profile is None else Applied(profile)
        with resting(self._loaders):
            take_files(overlaid, self._staging, self._loaders, each=each)
        incoming = [document for document, _ in self._staging.documents.values()]
        reading = None if applied is None else applied.reading(stored, incoming)
        self._linker = Linker(extractors, titles_of(stored, incoming, reading, projects=self._staging.projects))

    def document(self, document_id: str) -> Document | None:
        """A document as the files are."""
        found = self._staging.documents.get(document_id)
        return None if found is None else found[0]

    def is_record(self, document_id: str) -> bool:
        """Whether the document is a line of a file of records, whose relationships come beside it."""
        found = self.document(document_id)
        return found is not None and (suffix_of(found.source) in RECORD_SUFFIXES or not self._staging.extract)

    def is_as_imported(self, stored: StoredDocument, there_text: str) -> bool:
        """Whether title, text and metadata are those that were stored; ``there_text`` = the stored hash of the text."""
        found = self.document(stored.document_id)
        return found is not None and text_hash(found) == there_text and found.metadata == stored.metadata

    def files_of(self, document_id: str) -> tuple[str, ...]:
        """The file of the document and the sidecars beside it."""
        found = self.document(document_id)
        beside = None if found is None else found.metadata.get(SIDECAR)
        names = () if found is None else (found.source, *(beside if isinstance(beside, list) else [beside]))
        return tuple(name for name in names if isinstance(name, str) and name in self._sources)

    def is_link(self, name: str) -> bool:
        """Whether a file is a symbolic link: a patch would change the link."""
        return self._sources[name].is_link

    def data(self, name: str) -> bytes:
        """The bytes of a file, or those that are laid over it. Raises OSError and ValueError."""
        laid = self._texts.get(name)
        return self._sources[name].read() if laid is None else laid

    def encoding(self, name: str) -> str:
        """The encoding that its bytes are read in. Raises ValueError for none."""
        return encoding_of(self.data(name))

    def lay(self, texts: Mapping[str, bytes]) -> None:
        """Take these bytes for the files that they name, and every other file as it is."""
        self._texts = dict(texts)

    @property
    def laid(self) -> Mapping[str, bytes]:
        """File → the bytes that are laid over it."""
        return dict(self._texts)

    def _called(self, document: Document) -> Document:
        """The document with what people call it by its number, which the whole folder says."""
        before = self._staging.documents[document.document_id][0].metadata
        told = {NUMBERED_AS: before[NUMBERED_AS]} if NUMBERED_AS in before else {}
        return document.model_copy(update={"metadata": {**document.metadata, **told}})

    def again(self, document_id: str) -> tuple[Document, Edges] | None:
        """The document and its relationships with what is laid over the files; None when it is no document then."""
        name = self._staging.documents[document_id][0].source
        staging = self._staging.beside()
        with resting(self._loaders):
            take_again(Source(name, partial(self.data, name)), staging, self._loaders)
        found = staging.documents.get(document_id)
        if found is None or len(staging.documents) != 1:
            return None
        found = self._called(found[0]), found[1]
        given = self._staging.edges_of(document_id)
        try:
            edges = self._linker.link(found[0], given, extract=self._staging.extract)
        except ValueError:
            return None
        return found[0], {edge.key: edge for edge in edges}
