"""Every Protocol that a stage asks for and an adapter fulfils; one class and one ``build()`` make a plug-in."""

from docgraph.ports.backups import BacksUp, Backup, Examination, KeptWorkspace, ManagesServer, TableFile, Upgrade
from docgraph.ports.checks import MENTIONS, Check, Outcome, Reach, RelationshipGraph
from docgraph.ports.curation import CurationStore
from docgraph.ports.distribution import Distributes, Distribution, TableMove
from docgraph.ports.embedding import EmbeddingStore
from docgraph.ports.imports import ImportLog
from docgraph.ports.judgments import JudgmentStore
from docgraph.ports.measures import AnyMeasure, JudgedMeasure, Measure
from docgraph.ports.memory import CalibrationStore, MemoryStore
from docgraph.ports.progress import Progress
from docgraph.ports.query_sets import KeepsOutcomes, QuerySetArchive
from docgraph.ports.reader import MinimalSnapshot, Reader, TellsOfItself
from docgraph.ports.reading import (
    ALL,
    MAX_HOLDING,
    ChunkHit,
    ChunkScore,
    ChunkSearch,
    DocumentReader,
    DocumentSearch,
    FittingChunk,
    FittingChunks,
    Hop,
    Probe,
    RankedDocument,
    RankedHop,
    RelationshipReader,
    Snapshot,
    WordHit,
    filter_fields,
    fitting_among,
    origins_of,
    ranked_with_neighbours,
    types_followed,
)
from docgraph.ports.reading_only import ReadingOnly
from docgraph.ports.reads import Read, one_by_one, read
from docgraph.ports.runs import RunArchive
from docgraph.ports.texts import (
    CountsPlainly,
    Embed,
    Embedder,
    FolderLoader,
    Loader,
    NamedTarget,
    NameReading,
    RelationExtractor,
    Summarizer,
    Titles,
    Tokenizer,
)
from docgraph.ports.writing import Database, EdgeChange, GraphWriter, Store, WriteResult

__all__ = [
    "ALL",
    "MAX_HOLDING",
    "MENTIONS",
    "AnyMeasure",
    "BacksUp",
    "Backup",
    "CalibrationStore",
    "Check",
    "ChunkHit",
    "ChunkScore",
    "ChunkSearch",
    "CountsPlainly",
    "CurationStore",
    "Database",
    "Distributes",
    "Distribution",
    "DocumentReader",
    "DocumentSearch",
    "EdgeChange",
    "Embed",
    "Embedder",
    "EmbeddingStore",
    "Examination",
    "FittingChunk",
    "FittingChunks",
    "FolderLoader",
    "GraphWriter",
    "Hop",
    "ImportLog",
    "JudgedMeasure",
    "JudgmentStore",
    "KeepsOutcomes",
    "KeptWorkspace",
    "Loader",
    "ManagesServer",
    "Measure",
    "MemoryStore",
    "MinimalSnapshot",
    "NameReading",
    "NamedTarget",
    "Outcome",
    "Probe",
    "Progress",
    "QuerySetArchive",
    "RankedDocument",
    "RankedHop",
    "Reach",
    "Read",
    "Reader",
    "ReadingOnly",
    "RelationExtractor",
    "RelationshipGraph",
    "RelationshipReader",
    "RunArchive",
    "Snapshot",
    "Store",
    "Summarizer",
    "TableFile",
    "TableMove",
    "TellsOfItself",
    "Titles",
    "Tokenizer",
    "Upgrade",
    "WordHit",
    "WriteResult",
    "filter_fields",
    "fitting_among",
    "one_by_one",
    "origins_of",
    "ranked_with_neighbours",
    "read",
    "types_followed",
]
