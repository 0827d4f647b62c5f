"""Configurations of an evaluation: requests, retrievers of your own, rankings from files, each a way to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from docgraph.assembly.context import assemble, read_passages
from docgraph.boundary.judgments.trec import Rankings
from docgraph.boundary.records import as_records, as_request
from docgraph.boundary.retrievers import Found, Retriever, as_retriever, found
from docgraph.curation.overlay import EditedSnapshot
from docgraph.domain.baselines import LITERAL, MS3, PLAIN, TODAY, baseline_request
from docgraph.domain.context import RetrievedContext
from docgraph.domain.edit import Edit
from docgraph.domain.evaluation import Answer, Configuration
from docgraph.domain.frozen import fingerprint
from docgraph.domain.judgment import passage_hash
from docgraph.domain.passages.evidence import ReadPassage, evidence_rank
from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import RequestError
from docgraph.execution.executor import execute_plan
from docgraph.orchestration.document_ids import candidates, with_stored_ends
from docgraph.orchestration.plans import asked_on, described
from docgraph.orchestration.session import Session
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Snapshot


@dataclass(frozen=True)
class Meaning:
    """The document that an id means; ``by_chunk``: it is that of one of its chunks."""

    document_id: str
    by_chunk: bool = False


def meanings(identifiers: Iterable[str], snapshot: Snapshot) -> dict[str, Meaning | None]:
    """Each id once, in its order: by id, whatever its case, else as a chunk's ``document#number``, else by title.

    ``None`` = it names nothing, or several documents.
    """
    given = list(dict.fromkeys(identifiers))
    meant = candidates(snapshot, given)
    rest = [each for each in given if len(meant[each]) != 1]
    starts = {each: each.rpartition("#")[0] for each in rest}
    of_chunks = candidates(snapshot, (start for start in starts.values() if start))
    found: dict[str, Meaning | None] = {}
    for identifier in given:
        ids, chunks = meant[identifier], of_chunks.get(starts.get(identifier, ""), ())
        if len(ids) == 1:
            found[identifier] = Meaning(ids[0])
        elif len(chunks) == 1:
            found[identifier] = Meaning(chunks[0], by_chunk=True)
        else:
            titled = _titled(snapshot, identifier)
            found[identifier] = Meaning(titled[0]) if len(titled) == 1 else None
    return found


def _titled(snapshot: Snapshot, title: str) -> tuple[str, ...]:
    """The documents that have exactly this title."""
    return tuple(each.document_id for each in snapshot.documents(text=title) if each.title == title)


NAMED: Mapping[str, tuple[str, str]] = {
    "off": (MS3, "Without relationships"),
    "on": (TODAY, "With relationships"),
    "vectors": (PLAIN, "Plain vector search"),
    "literal": (LITERAL, "Literal"),
}
"""Name → (baseline, label): the configurations that everybody has."""

GivenConfiguration = Configuration | RetrievalRequest | Mapping[str, Any] | Retriever | str | Any
"""A name of ``NAMED`` or of the settings' ``retrievers``; fields of a request, ``edits`` among them; a retriever; or
rankings by the questions' ids."""

_HINT = "name off, on, vectors or literal, or give a mapping NAME → fields of a request, a retriever or rankings"


class Asker(Protocol):
    """Answers one question after the other, in any thread."""

    @property
    def configuration(self) -> Configuration:
        """What it is, as results name it."""
        ...

    def answer(self, query: JudgedQuery, probe: Callable[[], Probe], snapshot: Snapshot) -> Answer:
        """What is read for the question. Raises whatever went wrong."""
        ...


@dataclass(frozen=True)
class ByRequest:
    """Planned, executed and assembled under one request, on the data as they are or as edits would make them."""

    configuration: Configuration
    session: Session
    budgets: tuple[int, ...] = ()
    """Token budgets of which it is asked whether the evidence stands in their text."""

    def request(self, query: str) -> RetrievalRequest:
        """The request for one question. Raises RequestError."""
        return baseline_request(as_request({**self.configuration.fields, "query": query}), self.configuration.baseline)

    def answer(self, query: JudgedQuery, probe: Callable[[], Probe], snapshot: Snapshot) -> Answer:
        """See ``Asker``: documents in plan order, those of which a chunk is read."""
        asked, seen = asked_on(snapshot, self.request(query.query), self.session.adapters), snapshot
        if self.configuration.edits:
            seen = EditedSnapshot(snapshot, with_stored_ends(snapshot, self.configuration.edits))
        plan = make_plan(asked, probe(), seen)
        found = execute_plan(plan, probe().vector, seen, reranker=self.session.adapters.passage_reranker)
        context = described(found, plan, seen)
        text = assemble(context, self.session.adapters.counting, token_budget=asked.token_budget)
        chunks = [chunk for document in context.documents for chunk in document.chunks]
        return Answer(
            documents=context.read_document_ids,
            chunks=tuple(chunk.chunk_id for chunk in chunks),
            tokens=text.total_tokens,
            plan_id=plan.plan_id,
            **self._evidence(query, context),
        )

    def _evidence(self, query: JudgedQuery, context: RetrievedContext) -> dict[str, Any]:
        """What an answer says of the question's evidence; nothing where none is known."""
        if not query.evidence:
            return {}
        rank = evidence_rank(query.evidence, read_passages(context), query.relevant)
        within = {
            str(budget): rank is not None
            and evidence_rank(
                query.evidence,
                read_passages(context, self.session.adapters.counting, token_budget=budget),
                query.relevant,
            )
            is not None
            for budget in self.budgets
        }
        return {"has_evidence": rank is not None, "evidence_rank": rank, "within_tokens": within}


@dataclass(frozen=True)
class ByRetriever:
    """Answers of somebody's own retriever; its ids are looked up among documents and chunks."""

    configuration: Configuration
    retriever: Retriever

    def answer(self, query: JudgedQuery, probe: Callable[[], Probe], snapshot: Snapshot) -> Answer:
        """See ``Asker``: documents by their best result."""
        del probe
        return _matched(found(self.retriever(query.query)), snapshot, query)


@dataclass(frozen=True)
class ByFile:
    """Rankings that somebody made before, by the questions' ids."""

    configuration: Configuration
    rankings: Rankings = field(repr=False)

    def answer(self, query: JudgedQuery, probe: Callable[[], Probe], snapshot: Snapshot) -> Answer:
        """See ``Asker``. Raises RequestError for a question that the file does not have."""
        del probe
        ranking = self.rankings.get(query.query_id)
        if ranking is None:
            raise RequestError(f"the rankings do not have the question {query.query_id[:60]!r}")
        return _matched([(document_id, float(-place)) for place, document_id in enumerate(ranking)], snapshot, query)


def _matched(results: Sequence[Found], snapshot: Snapshot, query: JudgedQuery) -> Answer:
    """Results as documents, each once, by its best result; evidence is looked for in those that are chunks."""
    found = meanings([identifier for identifier, _ in results], snapshot)
    chunks = [(each.document_id, given) for given, each in found.items() if each is not None and each.by_chunk]
    known: dict[str, Any] = {}
    if query.evidence and chunks:
        rank = evidence_rank(query.evidence, _passages(chunks, snapshot), query.relevant)
        known = {"has_evidence": rank is not None, "evidence_rank": rank}
    return Answer(
        **known,
        documents=tuple(dict.fromkeys(each.document_id for each in found.values() if each is not None)),
        chunks=tuple(given for given, each in found.items() if each is not None and each.by_chunk),
        unknown=tuple(given[:200] for given, each in found.items() if each is None),
    )


def _passages(chunks: Sequence[tuple[str, str]], snapshot: Snapshot) -> list[ReadPassage]:
    """The texts of (document_id, chunk's id as a retriever spells it), in their order; without those that are gone."""
    read: dict[str, dict[str, str]] = {}
    passages = []
    for document_id, given in chunks:
        if document_id not in read:
            read[document_id] = {each.chunk_id: each.text for each in snapshot.chunks(document_id)}
        chunk_id = f"{document_id}#{given.rpartition('#')[2]}"
        if (text := read[document_id].get(chunk_id)) is not None:
            passages.append(ReadPassage(document_id, chunk_id, text, passage_hash(text)))
    return passages


def askers(
    session: Session,
    configurations: Mapping[str, GivenConfiguration] | Iterable[str],
    shared: Mapping[str, Any],
    *,
    budgets: tuple[int, ...] = (),
) -> tuple[Asker, ...]:
    """The configurations in their order; ``shared`` = fields of every request that one does not say otherwise,
    ``budgets`` = token budgets of which it is measured whether the evidence stands in their text.

    Raises RequestError for none, for two of one name, and for what is none; UserError for bad fields or edits.
    """
    named = configurations if isinstance(configurations, Mapping) else {name: name for name in configurations}
    if isinstance(configurations, str) or not named:
        raise RequestError("an evaluation needs configurations", hint=_HINT)
    if not isinstance(configurations, Mapping) and len(named) != len(list(configurations)):
        raise RequestError("two configurations have one name", hint="give each a name of its own")
    made = tuple(_asker(session, str(name), given, shared) for name, given in named.items())
    for asker in made:
        if isinstance(asker, ByRequest):
            asker.request("?")  # bad fields are told before the work
    return tuple(replace(each, budgets=budgets) if isinstance(each, ByRequest) else each for each in made)


def _asker(session: Session, name: str, given: GivenConfiguration, shared: Mapping[str, Any]) -> Asker:
    if isinstance(given, str) and not given.startswith(("http://", "https://")):
        if given not in NAMED and (retriever := session.adapters.retrievers.get(given)) is not None:
            configured = Configuration(name=name, label=name, source="retriever", fields={"retriever": given})
            return ByRetriever(configured, retriever)
        if given not in NAMED:
            raise RequestError(f"there is no configuration {given[:60]!r}", hint=_HINT)
        baseline, label = NAMED[given]
        label = label if name == given else name
        return ByRequest(Configuration(name=name, label=label, baseline=baseline, fields={**shared}), session)
    if isinstance(given, Configuration) and given.source == "request":
        return ByRequest(given.model_copy(update={"name": name}), session)
    if isinstance(given, RetrievalRequest):
        given = given.model_dump(mode="json", exclude={"query"}, exclude_defaults=True)
    if isinstance(given, Mapping):
        if given and all(isinstance(value, list | tuple) and key not in _FIELDS for key, value in given.items()):
            return _by_file(name, given)
        fields = {key: value for key, value in {**shared, **given}.items() if key not in ("query", "edits")}
        edits = tuple(as_records(given.get("edits", ()), Edit))
        return ByRequest(Configuration(name=name, label=name, baseline=TODAY, fields=fields, edits=edits), session)
    known = {"address": fingerprint(given)} if isinstance(given, str) else {}
    return ByRetriever(Configuration(name=name, label=name, source="retriever", fields=known), as_retriever(given))


def _by_file(name: str, rankings: Mapping[str, Sequence[str]]) -> ByFile:
    ordered = {str(query_id): tuple(map(str, ids)) for query_id, ids in rankings.items()}
    known = {"rankings": fingerprint({query_id: list(ids) for query_id, ids in ordered.items()})}
    return ByFile(Configuration(name=name, label=name, source="file", fields=known), ordered)


_FIELDS = frozenset((*RetrievalRequest.model_fields, "edits"))
