"""Judgments: people say which documents help to answer which question, and comparisons are measured by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.judgment import Judgment, JudgmentsImported, NotJudged
from docgraph.domain.request import parse_request
from docgraph.errors import NotFoundError, RequestError
from docgraph.orchestration.document_ids import candidates, several_words, stored_id
from docgraph.orchestration.documents import Documents
from docgraph.orchestration.session import Namespace, Session
from docgraph.ports import Snapshot

UNSIGNED = "a judgment needs a name"


class Judgments(Namespace):
    """Judgments of one workspace; they change no plan, no score and no revision: retrieval never sees them."""

    def judge(self, query: str, document_id: str, relevant: bool | None, *, by: str) -> Judgment | None:
        """Say whether a document helps to answer a question; None takes the judgment back.

        A new judgment takes the place of the one that is there. Raises UserError for an empty question, for a document
        that the workspace does not hold (but what was said about it can be taken back), and when nobody says who.
        """
        asked, who = _question(query), self.session.signed(by, UNSIGNED)
        if relevant is not None or all(each.document_id != document_id for each in self.list(asked)):
            with self.session.reading() as snapshot:
                document_id = stored_id(snapshot, document_id)
        if relevant is None:
            self.session.store().withdraw_judgment(asked, document_id)
            return None
        if not Documents(self.session).by_id([document_id]):
            raise NotFoundError(
                f"no document has the id {document_id[:80]!r}, so it cannot be judged",
                hint="list them: docgraph documents",
            )
        made = Judgment(query=asked, document_id=document_id, relevant=relevant, by=who, at=self.session.now())
        self.session.store().judge([made])
        return made

    def list(self, query: str | None = None) -> tuple[Judgment, ...]:
        """What was said about all questions, or about one, by query, then by document_id.

        Judgments of documents that are not stored are among them; they count for nothing.
        """
        return self.session.store().judgments(None if query is None else _question(query))

    def import_relevant(self, relevant: Mapping[str, Sequence[str]], *, by: str) -> JudgmentsImported:
        """Judge documents relevant that a file names: question → document ids. What somebody said already stands.

        Ids are looked up whatever their case. Documents that the workspace does not hold, ids that mean several, and
        questions that cannot be asked, are not judged but listed.
        Raises UserError when nobody says who.
        """
        who, now = self.session.signed(by, UNSIGNED), self.session.now()
        wanted = [(query, document_id) for query, ids in relevant.items() for document_id in dict.fromkeys(ids)]
        with self.session.reading() as snapshot:
            meant = candidates(snapshot, (document_id for _, document_id in wanted))
        made: list[Judgment] = []
        refused: list[NotJudged] = []
        for query, document_id in wanted:
            try:
                asked = _question(query)
            except RequestError as error:
                refused.append(NotJudged(query=query, document_id=document_id, reason=error.message))
                continue
            if len(ids := meant[document_id]) != 1:
                why = several_words(document_id, ids) if ids else "no document has this id"
                refused.append(NotJudged(query=asked, document_id=document_id, reason=why))
                continue
            made.append(Judgment(query=asked, document_id=ids[0], relevant=True, by=who, at=now))
        n_new = self.session.store().judge(made, replace=False) if made else 0
        n_given = len({(each.query, each.document_id) for each in made})
        return JudgmentsImported(n_new=n_new, n_there=n_given - n_new, not_judged=tuple(refused))


def judgments_that_count(session: Session, workspace: str, query: str) -> tuple[Judgment, ...]:
    """Of one question in a workspace of the database, whatever its embedder; none where it is not there."""
    if not query:
        return ()
    try:
        store = session.store_of(workspace)
        if not (given := store.judgments(query)):
            return ()
        with store.reading() as snapshot:
            return counting(given, snapshot)
    except NotFoundError:
        return ()


def relevant_documents(judgments: Sequence[Judgment], snapshot: Snapshot) -> dict[str, frozenset[str]]:
    """Query → the stored documents that are judged relevant to it; queries without one are absent."""
    found: dict[str, set[str]] = {}
    for judgment in counting(judgments, snapshot):
        if judgment.relevant:
            found.setdefault(judgment.query, set()).add(judgment.document_id)
    return {query: frozenset(ids) for query, ids in found.items()}


def counting(judgments: Sequence[Judgment], snapshot: Snapshot) -> tuple[Judgment, ...]:
    """Those of documents that are stored, in their order."""
    stored = snapshot.documents_by_id(sorted({each.document_id for each in judgments})) if judgments else {}
    return tuple(each for each in judgments if each.document_id in stored)


def _question(query: str) -> str:
    """The text of a question as a request keeps it. Raises RequestError."""
    return parse_request({"query": query}).query
