"""First questions for a workspace: made of real relationships, without a language model, and asked both ways."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice, zip_longest

from docgraph.domain.graph import StoredDocument
from docgraph.domain.own_questions import Proposed, ProposedQuestion
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError
from docgraph.evaluation.own_questions import order, phrases, sentences_of, words_of
from docgraph.orchestration.caches import Known, ranked
from docgraph.orchestration.session import HasSession, Session
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Progress, Snapshot

N_PROPOSED, MAX_PROPOSED, SEED = 5, 50, 1
TRIED = 5
"""Questions that are made and asked for each one that is proposed."""
_MORE = 2
MAX_TITLE = 120
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
_Pair = tuple[str, str, str]
"""(A, relation type, B)."""


def propose(self: HasSession, n: int = N_PROPOSED, *, progress: Progress | None = None) -> Proposed:
    """At most ``n`` (1 to 50) questions, generated from real relationships without a language model; none is saved.

    For a relationship A → B of a type that adds documents to plans: the title of A, and the subject of a sentence of B,
    in words that other documents use as well. Questions whose B is found through relationships only come first, so they
    are not a fair sample: compute no figures from them. Equal data give equal questions. ``why_none`` = why there are
    none. Raises RequestError for another number.
    """
    if not 1 <= n <= MAX_PROPOSED:
        raise RequestError(f"{n} questions cannot be proposed", hint=f"ask for 1 to {MAX_PROPOSED}")
    session = self.session
    with session.reading() as snapshot:
        there = snapshot.relation_types()
        if not there:
            return Proposed(why_none="no_relationships")
        adding = sorted(name for name in there if snapshot.workspace.decided.of(name).role == "adds_documents")
        if not adding:
            return Proposed(why_none="no_adding_type")
        pairs = _in_turns(snapshot, adding, _MORE * TRIED * n)
        if not pairs:
            return Proposed(why_none="no_relationships")
        made = tuple(islice(_made(snapshot, pairs), TRIED * n))
        asked = _asked(session, snapshot, made, n, progress)
    order = sorted(range(len(asked)), key=lambda i: (not asked[i].brings, not asked[i].n_added, i))
    return Proposed(
        questions=tuple(asked[i] for i in order[:n]), n_made=len(asked), why_none="" if asked else "no_words"
    )


def _in_turns(snapshot: Snapshot, types: Sequence[str], n: int) -> list[_Pair]:
    """Relationships of all types in turns, each A once and each B once."""
    series = [[(a, name, b) for a, b in pairs_of(snapshot, name, n, seed=SEED)] for name in types]
    found: list[_Pair] = []
    starts, ends = set[str](), set[str]()
    for pair in (each for turn in zip_longest(*series) for each in turn if each is not None):
        if pair[0] not in starts and pair[2] not in ends:
            starts.add(pair[0])
            ends.add(pair[2])
            found.append(pair)
    return found[:n]


def _made(snapshot: Snapshot, pairs: Sequence[_Pair]) -> Iterator[ProposedQuestion]:
    """Questions of all relationships in turns: one of each, then another one."""
    documents = snapshot.documents_by_id(sorted({end for a, _, b in pairs for end in (a, b)}))
    sentences = {b: _sentences(snapshot, b) for _, _, b in pairs if b in documents}
    holding = snapshot.count_holding(sorted({w for found in sentences.values() for s in found for w in words_of(s)}))
    series = [
        tuple(_questions(documents[a], name, documents[b], sentences[b], holding, snapshot))
        for a, name, b in pairs
        if a in documents and b in documents and documents[a].title and documents[b].title
    ]
    return (each for turn in zip_longest(*series) for each in turn if each is not None)


def _sentences(snapshot: Snapshot, document_id: str) -> tuple[str, ...]:
    texts = [chunk.text for chunk in snapshot.chunks(document_id)]
    return sentences_of(texts, seed=SEED, document_id=document_id) or sentences_of(
        [" ".join(texts)], seed=SEED, document_id=document_id
    )


def _questions(
    a: StoredDocument,
    name: str,
    b: StoredDocument,
    sentences: Sequence[str],
    holding: Mapping[str, int],
    snapshot: Snapshot,
) -> Iterator[ProposedQuestion]:
    n, named = snapshot.workspace.n_documents, f"{a.title} {b.title}"
    said = [(sentence, phrases(sentence, named, holding, n)) for sentence in sentences]
    if not any(words for _, words in said):
        said = [(sentence, phrases(sentence, named, holding, n, led=False)) for sentence in sentences]
    for sentence, words in said:
        if words:
            yield ProposedQuestion(
                query=f"{_shown(a.title)}: what about {' and '.join(words)}?",
                from_document_id=a.document_id,
                from_title=a.title,
                relation_type=name,
                to_document_id=b.document_id,
                to_title=b.title,
                sentence=sentence,
                words=words,
                brings=False,
                n_added=0,
                n_left=0,
            )


def _shown(title: str) -> str:
    """A title as it stands in a question: on one line, without what is said aside at its end, and not endless."""
    line = " ".join(title.split())
    return (_ASIDE.sub("", line) or line)[:MAX_TITLE].rstrip(" .:?!,;")


def _asked(
    session: Session, snapshot: Snapshot, made: Sequence[ProposedQuestion], n: int, progress: Progress | None
) -> list[ProposedQuestion]:
    """Asked both ways, one ranking each; ends early once ``n`` of them have a B that only relationships bring."""
    found: list[ProposedQuestion] = []
    vectors = session.vectors([each.query for each in made])
    for each, vector in zip(made, vectors, strict=True):
        view, probe = ranked(snapshot, Known()), Probe(vector, each.query)
        plans = (
            set(make_plan(RetrievalRequest(query=each.query, use_relationships=on), probe, view).document_ids)
            for on in (False, True)
        )
        without, with_them = plans
        added, left = with_them - without, without - with_them
        brings = each.to_document_id in added
        found.append(each.model_copy(update={"brings": brings, "n_added": len(added), "n_left": len(left)}))
        if progress is not None:
            progress.update(len(found), len(made), "questions asked both ways")
            if progress.cancelled():
                break
        if sum(one.brings for one in found) >= n:
            break
    return found


def pairs_of(snapshot: Snapshot, name: str, n: int, *, seed: int) -> list[tuple[str, str]]:
    """(A, B) of one relationship of this type for each of at most ``n`` documents, ordered by ``seed``."""
    edges = snapshot.relationships(relation_type=name, dangling=False)
    ends = (e.key for e in edges if e.from_document_id != e.to_document_id)
    firsts = groupby(ends, key=lambda key: key[0])
    chosen = ((a, min((key[2] for key in keys), key=lambda b: order(seed, name, a, b))) for a, keys in firsts)
    return heapq.nsmallest(n, chosen, key=lambda pair: order(seed, name, pair[0]))
