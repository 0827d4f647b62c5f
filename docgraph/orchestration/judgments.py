"""Judgments: people say what helps to answer which question, and comparisons and query sets are measured by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from docgraph.boundary.records import as_record
from docgraph.boundary.text import clean
from docgraph.domain.graph import StoredChunk
from docgraph.domain.judgment import (
    MAX_NOTE,
    Judgment,
    JudgmentsImported,
    NotJudged,
    PassageJudgment,
    PassageKey,
    grades_said,
    marked_passages,
    of_documents,
    passage_hash,
    passage_key,
)
from docgraph.domain.passages.evidence import with_marked
from docgraph.domain.query_set import RELEVANT, JudgedQuery, QuerySet
from docgraph.domain.request import parse_request
from docgraph.errors import DocgraphError, NotFoundError, RequestError, UserError
from docgraph.orchestration.document_ids import candidates, several_words, stored_id
from docgraph.orchestration.documents import Documents
from docgraph.orchestration.session import Namespace, Session
from docgraph.ports import Snapshot

UNSIGNED = "a judgment needs a name"
GivenPassage = PassageJudgment | Mapping[str, Any]


class Judgments(Namespace):
    """Relevance judgments of one workspace; retrieval never reads them: no plan, score or revision changes."""

    def judge(self, query: str, document_id: str, relevant: bool | None, *, by: str) -> Judgment | None:
        """Judge whether a document helps to answer a question; None withdraws the judgment.

        A new judgment replaces the existing one. Raises UserError for an empty question, for a document that is not
        stored (its judgments can still be withdrawn), and without a name.
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
        """Document judgments of all questions, or of one, by query, then by document_id.

        Includes judgments of documents that are not stored; they have no effect.
        """
        return self.session.store().judgments(None if query is None else _question(query))

    def of_documents(self, query: str | None = None) -> tuple[Judgment, ...]:
        """Effective document judgments, as comparisons and query sets use them, by query, then by document_id.

        The highest of the document's judgment and its passages' grades (the median of several judges); a document helps
        when that is 1 or 2. Includes judgments of documents that are not stored.
        """
        return of_documents(*self.session.store().said(None if query is None else _question(query)))

    def judge_passage(
        self, query: str, chunk_id: str, grade: int | None, *, by: str, note: str = ""
    ) -> PassageJudgment:
        """Grade a passage for a question: 0 not relevant, 1 partly, 2 relevant, None: can't judge.

        One grade for each judge and text; a newer one replaces the older. It is stored with the passage's text, so it
        survives re-chunking. Raises UserError for an empty question, another grade, and without a name; NotFoundError
        for a passage that is not stored.
        """
        asked, who = _question(query), self.session.signed(by, UNSIGNED)
        if grade is not None and (isinstance(grade, bool) or grade not in range(RELEVANT + 1)):
            raise RequestError(
                f"{str(grade)[:40]} is not a grade", hint="give 0, 1 or 2, or None for a passage nobody can judge"
            )
        text = clean(note).strip()
        if len(text) > MAX_NOTE:
            raise UserError(f"the note has {len(text):,} characters; at most {MAX_NOTE:,} are kept", hint="shorten it")
        found = self._passage(chunk_id)
        if found is None:
            raise NotFoundError(
                f"no passage has the id {chunk_id[:80]!r}, so it cannot be judged",
                hint="an id is DOCUMENT#NUMBER, as docgraph show DOCUMENT lists them",
            )
        made = PassageJudgment(
            query=asked,
            document_id=found.document_id,
            chunk_id=found.chunk_id,
            text_hash=passage_hash(found.text),
            grade=grade,
            by=who,
            at=self.session.now(),
            note=text,
        )
        self.session.store().judge_passages([made])
        return made

    def withdraw_passage(self, query: str, chunk_id: str, *, by: str) -> bool:
        """Withdraw one judge's grade of a passage; returns whether there was one.

        The passage is the text that has this id now; for a removed one, the id it had when it was judged. Raises
        UserError for an empty question, and without a name.
        """
        asked, who = _question(query), self.session.signed(by, UNSIGNED)
        found = self._passage(chunk_id)
        here = None if found is None else (found.document_id, passage_hash(found.text))
        store = self.session.store()
        meant = (
            [here]  # also where nothing was said of it: whoever may not withdraw is told so
            if here is not None
            else [
                (each.document_id, each.text_hash)
                for each in store.passages(asked)
                if each.by == who and each.chunk_id == chunk_id
            ]
        )
        gone = [store.withdraw_passage(asked, name, text_hash=text_hash, by=who) for name, text_hash in meant]
        return any(gone)

    def passages(self, query: str | None = None) -> tuple[PassageJudgment, ...]:
        """Passage judgments of all questions, or of one, by query, document_id, text_hash, then by judge.

        Includes judgments of texts and documents that are not stored.
        """
        return self.session.store().passages(None if query is None else _question(query))

    def import_passages(self, judgments: Iterable[GivenPassage], *, by: str = "") -> JudgmentsImported:
        """Import passage judgments; of two by one judge about one text the newer one is kept.

        A mapping has ``query``, ``chunk_id`` and ``grade`` (0, 1, 2, ``None``: can't judge), and may have ``by`` (else
        ``by``), ``at`` (ISO 8601; else now, never later), ``note``, ``document_id`` and ``text_hash`` (else that of the
        text that has this id now). Ids ignore case. Rows without a stored document or passage, invalid rows, and rows
        signed by another person than the signed-in one are listed, not imported.
        """
        return _import_passages(self.session, judgments, by=by)

    def _passage(self, chunk_id: str) -> StoredChunk | None:
        """The stored passage of this id, in capitals or not."""
        with self.session.reading() as snapshot:
            ids = candidates(snapshot, [chunk_id.rpartition("#")[0]])
            documents = next(iter(ids.values()))
            if len(documents) != 1:
                return None
            wanted = chunk_id.strip().casefold()
            return next((c for c in snapshot.chunks(documents[0]) if c.chunk_id.casefold() == wanted), None)

    def import_relevant(self, relevant: Mapping[str, Sequence[str]], *, by: str) -> JudgmentsImported:
        """Judge the documents of question → document ids as relevant. Existing judgments stay.

        Ids ignore case. Unknown documents, ambiguous ids and invalid questions are listed, not judged. Raises UserError
        without a name.
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


def with_judgments(session: Session, asked: QuerySet) -> QuerySet:
    """The set with its grades raised by what people said of documents and passages for these questions.

    A document's grade is the highest of what the set says, what people said of the document, and of its judged
    passages' grades (``domain.judgment.grades_said``); passages with grade 2 are evidence. Documents that are not
    stored are not added, nor are passages of theirs.
    """
    known = raised(asked, grades_that_count(session))
    try:
        passages = session.store().passages()
        marked = marked_passages(passages)
        if not marked:
            return known
        with session.reading() as snapshot:
            stored = snapshot.documents_by_id(sorted({i for found in marked.values() for i in found}))
    except NotFoundError:
        return known
    queries = tuple(
        query.model_copy(update={"evidence": with_marked(query.evidence, marked[kept], stored)})
        if (kept := question_as_kept(query.query)) in marked
        else query
        for query in known.queries
    )
    return known.model_copy(update={"queries": queries})


def raised(asked: QuerySet, said: Mapping[str, Mapping[str, int]]) -> QuerySet:
    """The set with its grades raised by ``grades_that_count``."""
    if not said:
        return asked
    queries = tuple(_raised(query, said.get(question_as_kept(query.query), {})) for query in asked.queries)
    return asked.model_copy(update={"queries": queries})


def _raised(query: JudgedQuery, said: Mapping[str, int]) -> JudgedQuery:
    if not said:
        return query
    grades = {**query.grades, **{i: max(grade, query.grades.get(i, 0)) for i, grade in said.items()}}
    unknown = tuple(each for each in query.cannot_judge if each not in grades)
    return query.model_copy(update={"grades": grades, "cannot_judge": unknown})


def grades_that_count(session: Session) -> dict[str, dict[str, int]]:
    """Query → stored document → grade, by what people said; none where the workspace is not there."""
    try:
        store = session.store()
        said = grades_said(*store.said())
        if not said:
            return {}
        with store.reading() as snapshot:
            stored = snapshot.documents_by_id(sorted({i for grades in said.values() for i in grades}))
    except NotFoundError:
        return {}
    return {query: {i: grade for i, grade in grades.items() if i in stored} for query, grades in said.items()}


def question_as_kept(query: str) -> str:
    """The text under which judgments of a question are kept; one that cannot be asked stays what it is."""
    try:
        return _question(query)
    except DocgraphError:
        return query


def judgments_that_count(session: Session, workspace: str, query: str) -> tuple[Judgment, ...]:
    """What counts for documents of one question in a workspace of the database, whatever its embedder.

    None where the workspace is not there.
    """
    if not query:
        return ()
    try:
        store = session.store_of(workspace)
        if not (given := of_documents(*store.said(query))):
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


def _import_passages(session: Session, given: Iterable[GivenPassage], *, by: str) -> JudgmentsImported:
    """Keep those that can be taken; of two by one judge about one text the newer one stands."""
    records = [each.model_dump() if isinstance(each, PassageJudgment) else dict(each) for each in given]
    there = {passage_key(each): each for each in session.store().passages()}
    wanted: dict[PassageKey, PassageJudgment] = {}
    refused: list[NotJudged] = []
    for record, made in zip(records, _made(session, records, by=by), strict=True):
        if isinstance(made, str):
            query, document_id = str(record.get("query", ""))[:200], _document(record)[:200]
            refused.append(NotJudged(query=query, document_id=document_id, reason=made))
        elif (before := wanted.get(passage_key(made))) is None or _moment(made.at) >= _moment(before.at):
            wanted[passage_key(made)] = made
    new = {key for key in wanted if key not in there}
    newer = {key for key in wanted.keys() - new if _moment(wanted[key].at) > _moment_kept(there[key])}
    if kept := [each for key, each in wanted.items() if key in new or key in newer]:
        session.store().judge_passages(kept)
    n_there = len(wanted) - len(new) - len(newer)
    return JudgmentsImported(n_new=len(new), n_newer=len(newer), n_there=n_there, not_judged=tuple(refused))


def _made(session: Session, records: Iterable[Mapping[str, Any]], *, by: str) -> list[PassageJudgment | str]:
    """What each record says of a stored document, or why it cannot be taken."""
    records, found = list(records), list[PassageJudgment | str]()
    with session.reading() as snapshot:
        meant = candidates(snapshot, (_document(each) for each in records))

        @cache
        def hashes(document_id: str) -> dict[str, str]:
            return {each.chunk_id.casefold(): passage_hash(each.text) for each in snapshot.chunks(document_id)}

        for record in records:
            ids = meant[_document(record)]
            if len(ids) != 1:
                found.append(several_words(_document(record), ids) if ids else "no document has this id")
                continue
            chunk_id = f"{ids[0]}#{str(record.get('chunk_id', '')).rpartition('#')[2]}"
            text_hash = record.get("text_hash") or hashes(ids[0]).get(chunk_id.casefold())
            if text_hash is None:
                found.append(f"no passage has the id {chunk_id[:80]!r}")
                continue
            known = {"document_id": ids[0], "chunk_id": chunk_id, "text_hash": text_hash}
            try:
                found.append(_judgment(session, {**record, **known}, by=by))
            except (UserError, ValueError) as error:
                found.append(error.message if isinstance(error, UserError) else str(error))
    return found


def _judgment(session: Session, record: Mapping[str, Any], *, by: str) -> PassageJudgment:
    """One of somebody who may say so. Raises UserError, and ValueError."""
    said_by = str(record.get("by") or by)
    who = session.signed(said_by, UNSIGNED)
    if session.person is not None and record.get("by") not in (None, "", who):
        raise ValueError(f"it is said by {said_by[:60]!r}, and what {who[:60]!r} brings is said by them alone")
    if isinstance(record.get("grade"), bool):
        raise ValueError(f"{record['grade']} is not a grade: give 0, 1, 2 or nothing")
    now = session.now()
    at = min(_moment(str(record.get("at") or now)), _moment(now)).isoformat()
    query = parse_request({"query": record.get("query")}).query
    said = {"query": query, "by": who, "at": at, "note": clean(str(record.get("note") or "")).strip()}
    return as_record({**record, **said}, PassageJudgment)


def _document(record: Mapping[str, Any]) -> str:
    """The document that a record is about: it says so, or its passage's id does."""
    return str(record.get("document_id") or str(record.get("chunk_id", "")).rpartition("#")[0])


def _moment(text: str) -> datetime:
    """When something was said; a moment without a zone is UTC. Raises ValueError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not an ISO 8601 time") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _moment_kept(judgment: PassageJudgment) -> datetime:
    """When something that is kept was said; of a program that gave no moment, before all others."""
    try:
        return _moment(judgment.at)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
