"""A workspace embedded again in place: begun, resumed, abandoned, and the gain measured on generated questions."""

from __future__ import annotations

import heapq
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from docgraph.boundary.embedders import EmbedderChoice
from docgraph.domain.embedding import MAX_QUESTIONS, EmbeddingGain, EmbeddingReport, EmbeddingState, OwnAnswer, Share
from docgraph.domain.graph import StoredChunk, StoredDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import ConflictError, EmbeddingMismatchError, UserError
from docgraph.evaluation.own_questions import order, sentences_of, softened, words_of
from docgraph.ingestion.embedding.anew import embed_lacking
from docgraph.orchestration.pipeline import run
from docgraph.orchestration.session import Namespace, Session
from docgraph.ports import Embedder, Progress, Snapshot, Store

SEED = 1
_MORE = 2
"""Documents that are looked at for each question: not every text has a sentence that one can be made of."""


@dataclass(frozen=True)
class _Said:
    """A document with sentences of it, and the chunk that each stands in."""

    document: StoredDocument
    sentences: Mapping[str, StoredChunk]


def own_questions(snapshot: Snapshot, n: int) -> tuple[OwnAnswer, ...]:
    """At most ``n`` questions about one document each, not asked yet; equal texts and number, equal questions."""
    ids = heapq.nsmallest(_MORE * n, (d.document_id for d in snapshot.documents()), key=lambda i: order(SEED, i))
    documents = snapshot.documents_by_id(ids)
    said = [_said(documents[i], snapshot.chunks(i)) for i in ids if i in documents]
    words = sorted({word for each in said for sentence in each.sentences for word in words_of(sentence)})
    holding = snapshot.count_holding(words)
    n_documents = snapshot.workspace.n_documents
    made = (_question(each, holding, n_documents) for each in said)
    return tuple(each for each in made if each is not None)[:n]


def _said(document: StoredDocument, chunks: Sequence[StoredChunk]) -> _Said:
    texts = [chunk.text for chunk in chunks]
    plain = [(" ".join(chunk.text.split()), chunk) for chunk in chunks]
    places: dict[str, StoredChunk] = {}
    for sentence in sentences_of(texts, seed=SEED, document_id=document.document_id):
        if (holder := next((chunk for text, chunk in plain if sentence in text), None)) is not None:
            places[sentence] = holder
    return _Said(document, places)


def _question(said: _Said, holding: Mapping[str, int], n_documents: int) -> OwnAnswer | None:
    for sentence, chunk in said.sentences.items():
        if query := softened([sentence], said.document.title, holding, n_documents):
            return OwnAnswer(query=query[:1_000], document_id=said.document.document_id, chunk_id=chunk.chunk_id)
    return None


def answered(
    session: Session, questions: Sequence[OwnAnswer], progress: Progress | None
) -> tuple[OwnAnswer, ...] | None:
    """The questions with what the default request reads now; None = ``progress`` was cancelled on the way."""
    found = []
    for number, each in enumerate(_asked(session, questions), start=1):
        found.append(each)
        if progress is not None:
            progress.update(number, len(questions), "generated questions asked")
            if progress.cancelled():
                return None
    return tuple(found)


def _asked(session: Session, questions: Sequence[OwnAnswer]) -> Iterator[OwnAnswer]:
    for each in questions:
        made = run(session, RetrievalRequest(query=each.query), verify="later")
        chunks = {(document_id, chunk.chunk_id) for document_id, chunk in made.context.ranked_chunks}
        read = {"document": each.document_id in made.plan.document_ids}
        yield each.model_copy(update={**read, "passage": (each.document_id, each.chunk_id) in chunks})


def gain_of(before: Sequence[OwnAnswer], after: Sequence[OwnAnswer]) -> EmbeddingGain | None:
    """What both were asked, side by side; None where nothing was asked."""
    pairs = list(zip(before, after, strict=True))
    if not pairs:
        return None
    return EmbeddingGain(
        n=len(pairs),
        documents=_share([(a.document, b.document) for a, b in pairs]),
        passages=_share([(a.passage, b.passage) for a, b in pairs]),
    )


def _share(pairs: Sequence[tuple[bool, bool]]) -> Share:
    return Share(
        before=round(100 * sum(a for a, _ in pairs) / len(pairs), 1),
        after=round(100 * sum(b for _, b in pairs) / len(pairs), 1),
        better=sum(b and not a for a, b in pairs),
        worse=sum(a and not b for a, b in pairs),
    )


N_QUESTIONS = 100
"""Own questions by which a gain is measured, unless another number is asked for."""
MAX_NAME = 60


@dataclass(frozen=True)
class EmbeddingOffer:
    """An embedder by which a workspace can be embedded anew, as it is called; ``choice`` None = the configured one."""

    name: str
    choice: EmbedderChoice | None


class Embedding(Namespace):
    """Re-embedding of a workspace in place: texts stay, all vectors are made by another embedder, then switched."""

    def embed(
        self,
        embedder: str | None = None,
        *,
        model: str | None = None,
        sha256: str | None = None,
        url: str | None = None,
        dimension: int | None = None,
        questions: int = N_QUESTIONS,
        progress: Progress | None = None,
    ) -> EmbeddingReport:
        """Re-embed every text of the workspace: chunks, titles and summaries, memories.

        ``embedder`` = a plug-in, with the given options; None = the configured one. Searches use the old vectors until
        the last new one is stored; then all are switched in one transaction. After a stop by ``progress``, or a crash,
        the same call resumes. Ids, texts, chunks, relationships and judgments stay. Concurrent imports are embedded
        too, by the old embedder before the switch and by the new one after it. ``questions`` = number of generated
        questions that measure the gain (0 = none). Raises ConflictError while another process embeds it, while another
        embedding is unfinished, and when the workspace has these vectors already; NotFoundError, EmbedderError,
        PluginError, StoreError.
        """
        choice = EmbedderChoice(embedder, model, sha256, url, dimension) if embedder else None
        return self._embedded(choice, questions, progress)

    def embed_with(
        self, offer: EmbeddingOffer, *, questions: int = N_QUESTIONS, progress: Progress | None = None
    ) -> EmbeddingReport:
        """``embed`` with one of ``offers``."""
        return self._embedded(offer.choice, questions, progress)

    def state(self) -> EmbeddingState | None:
        """Progress of the embedding, or the result of the last one; None = the workspace has its original vectors."""
        return self.session.store_of(self.session.workspace).embedding()

    def abandon(self) -> bool:
        """Delete the vectors of an unfinished embedding; False = there are none.

        Raises ConflictError while a process embeds the workspace, and after the switch.
        """
        store = self.session.store_of(self.session.workspace)
        with store.embedding_turn(_worker(self.session)):
            return store.abandon_embedding()

    def offers(self) -> tuple[EmbeddingOffer, ...]:
        """Other embedders to choose from: those of the settings, those of installed packages, the configured one.

        None is built here: an unavailable one raises when it is chosen.
        """
        adapters = self.session.adapters
        here = _workspace(self.session.store_of(self.session.workspace)).embedder
        made = [EmbeddingOffer(each.name, each) for each in adapters.embedders.choices if not _may_be(each, here)]
        mine = adapters.embedder.info
        if mine != here and not any(_may_be(offer.choice, mine) for offer in made if offer.choice):
            made.append(EmbeddingOffer(mine.embedder_id, None))
        return tuple(made)

    def offer_of(self, state: EmbeddingState) -> EmbeddingOffer | None:
        """The offer by which an unfinished embedding goes on; None = these settings do not know its embedder."""
        adapters = self.session.adapters
        if state.embedder == adapters.embedder.info:
            return EmbeddingOffer(state.embedder.embedder_id, None)
        known = adapters.embedders.choices
        return next((EmbeddingOffer(each.name, each) for each in known if _may_be(each, state.embedder)), None)

    def _embedded(self, choice: EmbedderChoice | None, questions: int, progress: Progress | None) -> EmbeddingReport:
        if not 0 <= questions <= MAX_QUESTIONS:
            raise UserError(f"{questions} questions cannot be asked", hint=f"ask from 0 to {MAX_QUESTIONS:,}")
        session, adapters = self.session, self.session.adapters
        new = adapters.embedder if choice is None else adapters.embedders.built(choice)
        store = session.store_of(session.workspace)
        with store.embedding_turn(_worker(session)):
            report = _Anew(session, store, new, questions, progress).embed()
        return report if choice is None or not report.switched else _with_settings(session, report, choice)


class _Anew:
    """One call, inside its turn."""

    def __init__(
        self, session: Session, store: Store, new: Embedder, questions: int, progress: Progress | None
    ) -> None:
        self._session, self._store, self._new = session, store, new
        self._questions, self._progress = questions, progress
        self._started, self._n_embedded = time.monotonic(), 0

    def embed(self) -> EmbeddingReport:
        """From where it stands to the end, or to where it is stopped."""
        _refuse_the_same(_workspace(self._store), self._store.embedding(), self._new.info)
        state = self._store.begin_embedding(self._new.info, at=self._session.now(), by=_worker(self._session))
        while not state.switched:
            if not embed_lacking(self._store, self._new, goes_on=self._goes_on(state)) or not self._ask(state):
                return self._report()
            if self._store.switch_vectors():
                break
        self._session.forget()
        self._measure()
        self._store.finish_embedding()
        return self._report()

    def _goes_on(self, state: EmbeddingState) -> Callable[[int, str], bool]:
        begun = self._n_embedded
        self._told(state.n_done, state.n_total, "")

        def goes_on(n: int, title: str) -> bool:
            self._n_embedded += n
            return self._told(min(state.n_done + self._n_embedded - begun, state.n_total), state.n_total, title)

        return goes_on

    def _told(self, done: int, total: int, message: str) -> bool:
        if self._progress is None:
            return True
        self._progress.update(done, total, message)
        return not self._progress.cancelled()

    def _ask(self, state: EmbeddingState) -> bool:
        """What the old vectors read for generated questions, once; False = stopped on the way."""
        if state.asked or not self._questions:
            return True
        try:
            with self._session.reading() as snapshot:
                made = own_questions(snapshot, self._questions)
        except EmbeddingMismatchError:  # nobody has the old embedder any more: there is nothing to compare with
            return True
        asked = answered(self._session, made, self._progress)
        if asked is None:
            return False
        self._store.note_embedding(asked=asked)
        return True

    def _measure(self) -> None:
        """What the new ones read for the same questions; stopped, nothing is said of it."""
        state = self._store.embedding()
        if state is None or not state.asked:
            return
        session = _asking(self._session, self._new)
        after = answered(session, state.asked, self._progress)
        if after is not None and (gain := gain_of(state.asked, after)) is not None:
            self._store.note_embedding(gain=gain)

    def _report(self) -> EmbeddingReport:
        state = self._store.embedding()
        assert state is not None
        return EmbeddingReport(
            workspace=self._session.workspace,
            before=state.before.embedder_id,
            after=state.embedder.embedder_id,
            n_embedded=self._n_embedded,
            n_done=state.n_done,
            n_total=state.n_total,
            switched=state.switched,
            seconds=round(time.monotonic() - self._started, 1),
            gain=state.gain,
        )


def _with_settings(session: Session, report: EmbeddingReport, choice: EmbedderChoice) -> EmbeddingReport:
    """With what to set, where a new session of these settings could not ask the workspace."""
    try:
        _ = session.embedding
    except EmbeddingMismatchError:
        named = [each.words for each in session.adapters.embedders.named]
        return report.model_copy(update={"to_set": f"DOCGRAPH_EMBEDDERS={','.join([*named, choice.words])}"})
    return report


def _workspace(store: Store) -> Workspace:
    with store.reading() as snapshot:
        return snapshot.workspace


def _asking(session: Session, embedder: Embedder) -> Session:
    """A session that asks with the new embedder, whether or not the settings know it."""
    return Session(replace(session.adapters, embedder=embedder), session.workspace, person=session.person)


def _refuse_the_same(workspace: Workspace, there: EmbeddingState | None, embedder: EmbedderInfo) -> None:
    if workspace.embedder == embedder and (there is None or there.finished):
        raise ConflictError(
            f"workspace {workspace.name!r} holds vectors of {embedder.embedder_id} already",
            hint="name another embedder: --embedder onnx, or --model FOLDER",
        )


def _may_be(choice: EmbedderChoice, info: EmbedderInfo) -> bool:
    """Whether this is the choice of such vectors, as far as names tell: nothing is loaded to know it."""
    return choice.plugin == info.name and (choice.model is None or choice.name == info.model.partition("@")[0])


def _worker(session: Session) -> str:
    """Who works at it: the person where one is known, and the process in any case."""
    place = f"process {os.getpid()} on {socket.gethostname()[:MAX_NAME]}"
    return f"{session.person.name[:MAX_NAME]}, {place}" if session.person else place
