"""Judging passages: what there is to judge of a query set, blind; how far it is; how far two judges agree."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier


class Passage(Frozen):
    """One passage to judge for one question: nothing says who read it, at which place or with which score.

    ``query`` = the text that judgments are kept under, ``text_hash`` = of the passage (``judgment.passage_hash``).
    """

    query_id: Identifier
    query: str
    document_id: Identifier
    chunk_id: Identifier
    text_hash: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What a judgment of it is kept under: query, document_id, text_hash."""
        return self.query, self.document_id, self.text_hash


class PooledQuestion(Frozen):
    """What kept evaluations read for one question.

    ``passages`` = the union over all of them, each once, by id, so that their order says nothing. ``read`` = the
    documents that each configuration of the newest evaluation read, best first, in the order of its configurations;
    ``None`` for one without an answer. Only which passages decide is worked out from it, and it is shown to nobody.
    """

    query_id: Identifier
    query: str
    passages: tuple[Passage, ...]
    read: tuple[tuple[Identifier, ...] | None, ...] = Field(default=(), repr=False)


class Pool(Frozen):
    """What there is to judge of a query set: the passages that its kept evaluations read, question by question.

    ``evaluations`` = the ids of those that were pooled, the newest first; ``configurations`` = how many ways to answer
    that is. ``measure`` = the first one of the newest: it decides what a question counts as; empty for none.
    ``n_without_passages`` = documents of retrievers that name no passage: a document is not judged by a passage that
    nobody read, so they are left out, each once a question. ``n_gone`` = passages, each once a question, that the
    workspace does not hold any more: left out as well.
    """

    query_set: str
    evaluations: tuple[str, ...] = ()
    configurations: int = Field(default=0, ge=0)
    measure: str = ""
    questions: tuple[PooledQuestion, ...] = ()
    n_without_passages: int = Field(default=0, ge=0)
    n_gone: int = Field(default=0, ge=0)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All of them, question by question."""
        return tuple(each for question in self.questions for each in question.passages)


class Coverage(Frozen):
    """How far one judge is: ``judged`` of ``shown`` passages, *can't judge* among them; questions judged to the end.

    ``left`` = ``shown`` − ``judged``; ``deciding`` of these decide what ``deciding_questions`` count as.
    """

    shown: int = Field(ge=0)
    judged: int = Field(ge=0)
    cannot_judge: int = Field(ge=0)
    questions: int = Field(ge=0)
    questions_done: int = Field(ge=0)
    deciding: int = Field(ge=0)
    deciding_questions: int = Field(ge=0)

    @property
    def left(self) -> int:
        """Passages that this judge has not judged."""
        return self.shown - self.judged


class Pile(Frozen):
    """What is left to one judge, in the order in which it is shown: passages that decide most first."""

    query_set: str
    by: str
    seed: int
    passages: tuple[Passage, ...]
    coverage: Coverage


class JudgedTwice(Frozen):
    """A passage that two judges graded, and how."""

    passage: Passage
    a: int = Field(ge=0, le=2)
    b: int = Field(ge=0, le=2)


class Agreement(Frozen):
    """How far judge ``a`` and judge ``b`` agree on the ``n`` passages that both graded; *can't judge* is not a grade.

    ``table[i][j]`` = passages to which A gave the grade i and B the grade j. ``kappa`` = Cohen's, unweighted: every
    difference counts the same. ``alpha`` = Krippendorff's with the ordinal distance: two grades apart count for more.
    Both are 1 when all are equal, and ``None`` where they are not known: no passage, or a single grade in all of them.
    """

    a: str
    b: str
    n: int = Field(ge=0)
    equal: int = Field(ge=0)
    table: tuple[tuple[int, ...], ...]
    kappa: float | None = None
    alpha: float | None = None
    differing: tuple[JudgedTwice, ...] = ()

    def apart(self, steps: int) -> int:
        """Passages whose two grades are so many steps apart."""
        return sum(n for i, row in enumerate(self.table) for j, n in enumerate(row) if abs(i - j) == steps)
