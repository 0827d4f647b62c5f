"""What an import left: who made it and when, what it counted, and the state of the workspace after it."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen, is_empty
from docgraph.domain.graph import Identifier
from docgraph.domain.imports.look import ProposalId
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.saved_run import DocumentEdit, RelationshipEdit


class ImportSummary(Frozen):
    """One import in a list. ``import_id`` counts from 1 in its workspace, ``at`` is ISO 8601 in UTC.

    ``source`` = name of the folder, file or upload (hostile text); ``profile`` = ``auto``, or the fingerprint of the
    import profile; empty without one. ``revision`` and ``content_revision`` are those after it. ``stopped`` = it was
    ended early, and what it had stored by then stays. ``comparable`` = the state after it is kept.
    """

    import_id: int = Field(default=0, ge=0)
    at: str
    by: str = ""
    source: str
    profile: str = ""
    revision: str = ""
    content_revision: str = ""
    n_in: int = 0
    n_stored: int = 0
    n_updated: int = 0
    n_skipped: int = 0
    n_rejected: int = 0
    n_pruned: int = 0
    n_moved: int = 0
    seconds: float = 0.0
    stopped: bool = False
    comparable: bool = True


class ImportedDocument(Frozen):
    """A document after an import; ``status`` = the first word of the status that its metadata gives, "" without one."""

    title: str
    content_hash: str
    status: str = ""


class AnsweredQuestion(Frozen):
    """A saved question after an import: the run it is saved as, its words, and the documents that its plan reads.

    ``documents`` is None where it had no plan on the data of then.
    """

    run_id: str
    query: str
    documents: tuple[Identifier, ...] | None = None


class ImportState(Frozen):
    """What a workspace held after an import, whole: documents by id, keys of relationships, the saved questions.

    ``moved`` = ids of documents whose files were renamed or moved, by this import or an earlier one → where they are.
    ``rejected`` = source of the newest import of each → id that the document of a rejected file would have → reason.
    """

    documents: dict[Identifier, ImportedDocument] = Field(default_factory=dict)
    relationships: tuple[EdgeKey, ...] = ()
    questions: tuple[AnsweredQuestion, ...] = ()
    moved: dict[Identifier, Identifier] = Field(default_factory=dict, exclude_if=is_empty)
    rejected: dict[str, dict[str, str]] = Field(default_factory=dict, exclude_if=is_empty)


class Withdrawn(Frozen):
    """A document that does not hold any more, or has moved, and how many relationships point at it now."""

    document_id: Identifier
    title: str
    status: str
    n_relationships: int = Field(ge=0)


class Redirected(Frozen):
    """A relationship that is another one since then: it points elsewhere, or the same two are related otherwise.

    Told where it is plain: a document had lost one relationship of a type (or one to a document) and gained one.
    """

    before: EdgeKey
    after: EdgeKey
    from_title: str = ""
    title_before: str = ""
    title_after: str = ""

    @property
    def retyped(self) -> bool:
        """Whether the type is another one; else the target is."""
        return self.before[1] != self.after[1]


class QuestionChange(Frozen):
    """A saved question whose plan reads other documents; None = it had, or has, no plan."""

    run_id: str
    query: str
    before: tuple[Identifier, ...] | None = None
    after: tuple[Identifier, ...] | None = None


class ImportDiff(Frozen):
    """What is different after one import from what was there after an earlier one.

    Whatever made it: imports between the two, and what people did by hand. What came and went between them is not in
    it. ``documents`` by id; ``relationships`` by key, those that came or went; ``redirected`` = those that are others
    now, which are not among them. ``withdrawn`` = documents whose status says since then that they do not hold,
    ``moved`` = those whose status says that their text is elsewhere; ``missing`` = relationships whose target is gone
    since then. ``n_questions`` saved questions are in both.
    """

    before: ImportSummary
    after: ImportSummary
    documents: tuple[DocumentEdit, ...] = ()
    relationships: tuple[RelationshipEdit, ...] = ()
    redirected: tuple[Redirected, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    moved: tuple[Withdrawn, ...] = ()
    missing: tuple[EdgeKey, ...] = ()
    questions: tuple[QuestionChange, ...] = ()
    n_questions: int = Field(default=0, ge=0)

    @property
    def same(self) -> bool:
        """Whether nothing is different."""
        changed = (self.documents, self.relationships, self.redirected, self.withdrawn, self.moved, self.missing)
        return not (any(changed) or self.questions)


class Read(Frozen):
    """One line of a profile and how often it was used."""

    proposal: ProposalId
    n: int

    @property
    def sentence(self) -> str:
        """The line in words."""
        one, many = _SENTENCES[self.proposal]
        return (one if self.n == 1 else many).format(n=f"{self.n:,}")


class Reading(Frozen):
    """What a profile changed: its ``lines``, and what became of names in metadata (``declared``) and ``links``.

    Both map an outcome (stored, itself, empty, web page, outside the folder, no document, boilerplate, no such page,
    unresolved template, not found) to how many names had it. ``missing`` are the first names that were not found, each
    behind its source. Without a profile only unresolved templates are told.
    """

    lines: tuple[Read, ...] = ()
    declared: dict[str, int] = Field(default_factory=dict)
    links: dict[str, int] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()


_SENTENCES = {
    "sidecars": (
        "{n} sidecar was read as front matter of the document beside it",
        "{n} sidecars were read as front matter of the documents beside them",
    ),
    "folders": ("{n} document is called by its folder", "{n} documents are called by their folder"),
    "base": ("{n} target is a web address of this folder", "{n} targets are web addresses of this folder"),
    "root": ("{n} target starts with a root prefix", "{n} targets start with a root prefix"),
    "numbers": ("{n} target was found by its number", "{n} targets were found by their number"),
    "empty": (
        "{n} target says nothing (n/a, none …): read as empty",
        "{n} targets say nothing (n/a, none …): read as empty",
    ),
    "boilerplate": (
        "{n} link goes to a boilerplate target: counted, no relationship",
        "{n} links go to boilerplate targets: counted, no relationship",
    ),
    "citations": (
        "{n} citation [[1]](address) was read as a link",
        "{n} citations [[1]](address) were read as links",
    ),
    "stubs": ("{n} document is marked as a stub", "{n} documents are marked as stubs"),
    "templates": ("{n} file is a template and was left out", "{n} files are templates and were left out"),
}
