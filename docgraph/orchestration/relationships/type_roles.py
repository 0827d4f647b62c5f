"""Roles of relation types in plans: set, undone, and tried on generated questions."""

from __future__ import annotations

import heapq
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from docgraph.boundary.signatures import checked_reason
from docgraph.domain.graph import StoredDocument
from docgraph.domain.own_questions import OwnQuestion, Trial, TypeResult
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.type_roles import (
    ONLY_MENTIONED,
    ROLE_WORDS,
    TypeChange,
    TypeDecision,
    TypeRole,
    declared_types,
    only_mentioned,
    switching_off,
)
from docgraph.errors import NotFoundError, UserError
from docgraph.evaluation.own_questions import Asked, order, result_of, sentences_of, softened, words_of
from docgraph.orchestration.caches import Known, ranked
from docgraph.orchestration.evaluating.proposing import pairs_of
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Progress, Snapshot

MAX_WHO = 200


def set_off_types(self: HasSession, types: Sequence[str]) -> None:
    """Switch off exactly these types: plans omit them unless a request names them. Other roles stay."""
    with self.session.reading() as snapshot:
        made = switching_off(snapshot.workspace.decided, types)
    who, now = self.session.named("", MAX_WHO), self.session.now()
    self.session.store().decide_types([each.model_copy(update={"who": who, "at": now}) for each in made])


def type_roles(self: HasSession) -> tuple[TypeDecision, ...]:
    """The role of every relation type in plans and who set it, by type: those in use, switched off, or set."""
    with self.session.reading() as snapshot:
        decided = snapshot.workspace.decided
        names = {*snapshot.relation_types(), *decided.off, *(each.relation_type for each in decided.decisions)}
    return tuple(decided.of(name) for name in sorted(names))


def set_type_role(
    self: HasSession, types: str | Sequence[str], role: TypeRole | None, *, by: str = "", reason: str = ""
) -> tuple[TypeChange, ...]:
    """Set the role of relation types in plans; returns the changes, dependent defaults included.

    ``adds_documents``, ``reasons_only`` (relationships are reasons, and add no document) or ``off``; ``None`` = the
    default, computed again. Raises UserError for an unknown role or type, changing nothing.
    """
    if role is not None and role not in ROLE_WORDS:
        raise UserError(f"there is no role {str(role)[:60]!r}", hint=f"one of: {', '.join(ROLE_WORDS)}")
    names = (types,) if isinstance(types, str) else tuple(types)
    known = {each.relation_type for each in type_roles(self)}
    if unknown := [name for name in names if name not in known]:
        raise UserError(
            f"the workspace has no relation type {unknown[0][:60]!r}",
            hint=f"its types are: {', '.join(sorted(known)) or 'none'}",
        )
    who, why, now = self.session.named(by, MAX_WHO), checked_reason(reason), self.session.now()
    if role is None:
        with self.session.reading() as snapshot:
            mentioned = only_mentioned(snapshot.type_origins(), default_on(self.session))
        return self.session.store().decide_types([_default_of(name, mentioned) for name in names])
    decided = [TypeDecision(relation_type=name, role=role, by="person", who=who, at=now, reason=why) for name in names]
    return self.session.store().decide_types(decided)


def default_on(session: Session) -> dict[str, bool]:
    """Name of each extractor → whether what it finds is a relationship that an author set, no mere mention."""
    return {extractor.name: extractor.default_on for extractor in session.adapters.extractors}


def type_history(self: HasSession, *, limit: int = 200) -> tuple[TypeChange, ...]:
    """Changes of roles of relation types, newest first."""
    return self.session.store().type_history(limit=max(0, limit))


def undo_type(self: HasSession, entry_id: int) -> tuple[TypeChange, ...]:
    """Undo an entry of ``type_history``; returns the new entries.

    Raises NotFoundError for an unknown entry, and UserError when the type was changed since: undo that entry first.
    """
    history = self.session.store().type_history(limit=1_000_000)
    entry = next((each for each in history if each.entry_id == entry_id), None)
    if entry is None:
        raise NotFoundError(
            f"no decision about relation types has the number {entry_id}",
            hint="list them: docgraph workspaces types history",
        )
    name = entry.after.relation_type
    newest = next(each for each in history if each.after.relation_type == name)
    if newest.entry_id != entry_id:
        raise UserError(
            f"{name} was decided about again since: entry {newest.entry_id}", hint=f"undo {newest.entry_id} first"
        )
    back = entry.before
    if entry.after.by == "default":  # else it would be decided so again at once
        who, now = self.session.named("", MAX_WHO), self.session.now()
        back = TypeDecision(relation_type=name, role=back.role, by="person", who=who, at=now, reason="default undone")
    return self.session.store().decide_types([back])


def _default_of(relation_type: str, mentioned: Collection[str]) -> TypeDecision:
    if relation_type in mentioned:
        return TypeDecision(relation_type=relation_type, role="off", reason=ONLY_MENTIONED)
    return TypeDecision(relation_type=relation_type)


N_QUESTIONS = 240
MAX_QUESTIONS = 2_000
TRIAL_SECONDS = 120.0
TRIAL_SEED = 1
MAX_TRIED = 12
"""The most frequent types, which are tried."""
_AT_ONCE = 32
_MORE = 2
"""Documents that are looked at for each question: not every text has a sentence that a question can be made of."""


def try_types(
    self: HasSession,
    *,
    n_questions: int = N_QUESTIONS,
    seed: int = TRIAL_SEED,
    seconds: float = TRIAL_SECONDS,
    progress: Progress | None = None,
) -> Trial:
    """Measure every relation type on generated questions: plans with its documents against plans without them.

    Half of the questions of a type are about one document, half about two related ones (``n_questions`` a type, fewer
    if there are fewer relationships); ``evaluation.own_questions`` generates them. Plans do not change; ``adopt_trial``
    changes them. The trial is stored, also when ``progress`` or ``seconds`` ended it early. Raises UserError for
    numbers out of range, and for a workspace without relationships.
    """
    if not 20 <= n_questions <= MAX_QUESTIONS:
        raise UserError(f"{n_questions} questions cannot be asked", hint=f"ask from 20 to {MAX_QUESTIONS:,}")
    if not 0 < seconds <= 86_400:
        raise UserError(f"a trial cannot take {seconds:g} seconds", hint="give it from 1 to 86400")
    session, started = self.session, time.monotonic()
    with session.reading() as snapshot:
        making = _Making(snapshot, n_questions // 2, seed)
        if not making.types:
            raise UserError(
                "there is nothing to try: the workspace has no relationships that lead to a stored document",
                hint="import documents that link to each other, or add relationships",
            )
        questions = making.questions()
        asking = _Asking(session, snapshot, making, deadline=started + seconds, progress=progress)
        stopped = asking.ask(questions)
        workspace = snapshot.workspace
    made = Trial(
        workspace=workspace.name,
        revision=workspace.revision,
        embedder_id=workspace.embedder.embedder_id,
        seed=seed,
        at=session.now(),
        seconds=round(time.monotonic() - started, 1),
        n_questions=len(questions),
        n_asked=asking.n_asked,
        stopped=stopped,
        results=tuple(making.result(name, asking.asked.get(name, [])) for name in making.types),
    )
    return session.store().keep_trial(made)


def trials(self: HasSession, *, limit: int = 20) -> tuple[Trial, ...]:
    """Stored trials, newest first."""
    return self.session.store().trials(limit=max(0, limit))


def adopt_trial(self: HasSession, trial_id: int) -> tuple[TypeChange, ...]:
    """Give every type the role that a trial clearly supports; returns the changes. Roles set by a person stay.

    Raises NotFoundError for an unknown trial, and UserError when relationships or documents have changed since.
    """
    store = self.session.store()
    trial = next((each for each in store.trials(limit=1_000_000) if each.trial_id == trial_id), None)
    if trial is None:
        raise NotFoundError(f"there is no trial {trial_id}", hint="make one: docgraph workspaces try NAME")
    with self.session.reading() as snapshot:
        workspace = snapshot.workspace
    if workspace.revision != trial.revision:
        raise UserError(
            f"trial {trial_id} was made on other data: revision {trial.revision[:8]}, now {workspace.revision[:8]}",
            hint="try again: docgraph workspaces try NAME",
        )
    now = self.session.now()
    decided = [
        TypeDecision(
            relation_type=each.relation_type,
            role=each.proposal,
            by="own_questions",
            at=now,
            reason=each.why,
            figures=each.figures.model_copy(update={"trial_id": trial_id}) if each.figures else None,
        )
        for each in trial.results
        if each.proposal is not None and workspace.decided.of(each.relation_type).by != "person"
    ]
    return store.decide_types(decided)


class _Making:
    """The questions of one trial, and the types that they are about."""

    def __init__(self, snapshot: Snapshot, n: int, seed: int) -> None:
        self._snapshot, self._n, self._seed = snapshot, n, seed
        origins = snapshot.type_origins()
        counts: dict[str, int] = {}
        for origin in origins:
            counts[origin.relation_type] = counts.get(origin.relation_type, 0) + origin.n
        self._declared = declared_types(origins)
        most = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_TRIED]
        self.types = tuple(sorted(most))
        self.decided = snapshot.workspace.decided
        self._sentences: dict[str, tuple[str, ...]] = {}

    @cached_property
    def adding(self) -> tuple[str, ...]:
        """Types that add documents as it is decided now, by name."""
        return tuple(n for n in sorted(self._snapshot.relation_types()) if self.decided.of(n).role == "adds_documents")

    def is_declared(self, name: str) -> bool:
        """Whether authors stated the type as data; one that only people stated counts as declared."""
        return self._declared.get(name, True)

    def from_types(self, name: str) -> tuple[str, ...]:
        """The types whose relationships say which documents belong together, where this type is tried.

        A declared relationship says it of itself. A link says that a text mentions another one, so links are tried on
        what is declared; only where nothing is, on themselves.
        """
        declared = tuple(n for n in self.types if self.is_declared(n) and self.decided.of(n).role != "off")
        return (name,) if self.is_declared(name) or not declared else declared

    def counts_for(self, question: OwnQuestion) -> tuple[str, ...]:
        """The types that a question says something of."""
        if question.kind == "document":
            return self.types
        return tuple(name for name in self.types if question.relation_type in self.from_types(name))

    def result(self, name: str, asked: Sequence[Asked]) -> TypeResult:
        """What the questions say of a type."""
        return result_of(
            self.decided.of(name), asked, is_declared=self.is_declared(name), from_types=self.from_types(name)
        )

    def questions(self) -> tuple[OwnQuestion, ...]:
        """Questions of all kinds and types in turns, so that a trial that is stopped has some of each."""
        pairs = {
            name: pairs_of(self._snapshot, name, _MORE * self._n, seed=self._seed)
            for name in {each for name in self.types for each in self.from_types(name)}
        }
        alone = self._documents()
        ends = {document_id for found in pairs.values() for pair in found for document_id in pair}
        documents = self._snapshot.documents_by_id(sorted({*alone, *ends}))
        wanted = {*alone, *(b for found in pairs.values() for _, b in found)}
        for document_id in sorted(wanted & documents.keys()):
            texts = [chunk.text for chunk in self._snapshot.chunks(document_id)]
            self._sentences[document_id] = sentences_of(texts, seed=self._seed, document_id=document_id)
        words = sorted({w for found in self._sentences.values() for s in found for w in words_of(s)})
        holding = self._snapshot.count_holding(words)
        about = [self._about(documents[i], holding) for i in alone if i in documents]
        series = [[each for each in about if each][: self._n]]
        for name in sorted(pairs):
            made = [self._related(name, documents, pair, holding) for pair in pairs[name]]
            series.append([each for each in made if each][: self._n])
        return tuple(each for turn in zip_longest(*series) for each in turn if each is not None)

    def _documents(self) -> list[str]:
        ids = (document.document_id for document in self._snapshot.documents())
        return heapq.nsmallest(_MORE * self._n, ids, key=lambda i: order(self._seed, i))

    def _about(self, document: StoredDocument, holding: Mapping[str, int]) -> OwnQuestion | None:
        said = self._said(document, holding)
        return OwnQuestion(kind="document", query=said, relevant=(document.document_id,)) if said else None

    def _related(
        self, name: str, documents: Mapping[str, StoredDocument], pair: tuple[str, str], holding: Mapping[str, int]
    ) -> OwnQuestion | None:
        if pair[0] not in documents or pair[1] not in documents:
            return None
        said = self._said(documents[pair[1]], holding)
        query = f"{documents[pair[0]].title}. {said}"
        return OwnQuestion(kind="related", query=query, relevant=pair, relation_type=name) if said else None

    def _said(self, document: StoredDocument, holding: Mapping[str, int]) -> str | None:
        sentences = self._sentences.get(document.document_id, ())
        return softened(sentences, document.title, holding, self._snapshot.workspace.n_documents)


@dataclass
class _Asking:
    """The questions asked, one ranking each, with every type's documents and without them."""

    session: Session
    snapshot: Snapshot
    making: _Making
    deadline: float
    progress: Progress | None
    n_asked: int = 0

    def __post_init__(self) -> None:
        self.asked: dict[str, list[Asked]] = {}

    def ask(self, questions: Sequence[OwnQuestion]) -> bool:
        """Ask them in their order; True when it was stopped before the last one."""
        for question, probe in self._probes(questions):
            if time.monotonic() > self.deadline or (self.progress is not None and self.progress.cancelled()):
                return True
            self._ask(question, probe)
            self.n_asked += 1
            if self.progress is not None:
                self.progress.update(self.n_asked, len(questions), "questions asked")
        return False

    def _probes(self, questions: Sequence[OwnQuestion]) -> Iterator[tuple[OwnQuestion, Probe]]:
        for start in range(0, len(questions), _AT_ONCE):
            part = questions[start : start + _AT_ONCE]
            vectors = self.session.vectors([each.query for each in part])
            for question, vector in zip(part, vectors, strict=True):
                yield question, Probe(vector, question.query)

    def _ask(self, question: OwnQuestion, probe: Probe) -> None:
        view, known = ranked(self.snapshot, Known()), dict[tuple[str, ...], float]()
        for name in self.making.counts_for(question):
            others = {each for each in self.making.adding if each != name}
            on, off = (
                self._recall(question, probe, view, tuple(sorted(types)), known) for types in ({*others, name}, others)
            )
            self.asked.setdefault(name, []).append(Asked(question, on=on, off=off))

    def _recall(
        self,
        question: OwnQuestion,
        probe: Probe,
        view: Snapshot,
        types: tuple[str, ...],
        known: dict[tuple[str, ...], float],
    ) -> float:
        if types not in known:
            planned = set(make_plan(RetrievalRequest(query=probe.text, relation_types=types), probe, view).document_ids)
            known[types] = len(planned.intersection(question.relevant)) / len(question.relevant)
        return known[types]
