"""E7: embedders, rerankers and providers of somebody's own in the process, that raise, hang, lie and meddle."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from docgraph.domain.packet import PacketRequest, RetrievalResponse
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.orchestration.sources import Sources
from docgraph.plugins.stores.memory import MemoryDatabase
from docgraph.ports.retrieval import Reranked
from docgraph.testing.builders import HashingEmbedder
from tests.survive.meddling import FOUND, NAN, RIGHT, SCORED, SECRET, WRONG, Trick, raising
from tests.survive.operations import READING, WRITING
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import DOCUMENTS, EDGE, REQUEST, opened
from tests.unit.retrieval.parties import hit

ROW = Row(
    row="E7",
    what="embedders, rerankers, providers of one's own × what asks them: raise, lie, meddle, hang, flood",
    rule="an error of ours in a line, or the right result, or a packet of the others; nothing half written",
    n=700,
    short=35,
    case="an operation, or a mode, and what the party does",
)


class OwnEmbedder(HashingEmbedder):
    """Right until it is given a trick."""

    trick: Trick | None = None

    def embed(self, texts: Sequence[str]) -> Any:
        right = super().embed(texts)
        given = texts if isinstance(texts, list) else list(texts)
        return right if self.trick is None else self.trick(given, right)


class OwnReranker:
    """Longer texts first, until it is given a trick: (texts, right scores) → what it gives."""

    name, model_id = "own", "own/1"
    trick: Callable[[list[str], list[Reranked]], Any] | None = None

    def rerank(self, query: str, texts: Sequence[str]) -> Any:
        right = [Reranked(place, len(text) / 1_000) for place, text in enumerate(texts)]
        assert isinstance(texts, list)
        return right if self.trick is None else self.trick(texts, right)


@contextmanager
def own(*providers: Any, reranker: Any = None) -> Iterator[tuple[Docgraph, OwnEmbedder, dict[str, Any]]]:
    """A filled workspace in memory with parties of one's own."""
    plain, embedder = _plain(), OwnEmbedder(16)
    adapters = replace(
        plain,
        database=MemoryDatabase(),
        embedder=embedder,
        providers=(*plain.providers, *providers),
        reranker=reranker,
        now=lambda: "2026-05-01T10:00:00+00:00",
        sources=Sources(),
    )
    with Docgraph(adapters, "w") as dg:
        yield dg, embedder, _made(dg)


@cache
def _plain() -> Adapters:
    """Everything else, as the product has it."""
    return opened(MemoryDatabase()).session.adapters


OPERATIONS = (
    "plan",
    "run",
    "explain",
    "compare",
    "retrieve",
    "converse",
    "evaluate",
    "runs.compare_with",
    "runs.save",
    "relationships.impact",
    "relationships.compare_edits",
    "documents.measure_vector_search",
    "calibration.fit",
    "memory.recall",
    "memory.remember",
    "ingest_files",
    "ingest_records",
)
"""Those that ask the embedder."""


def _made(dg: Docgraph) -> dict[str, Any]:
    """A little of what operations work with."""
    dg.create_workspace("w")
    dg.ingest_records(DOCUMENTS, [EDGE])
    dg.relationships.set_type_role("explains", "adds_documents", by="me")
    dg.memory.remember("The queue holds 100.", conversation_id="c")
    dg.runs.save("queue a", name="first")
    return {"run": dg.run(REQUEST)}


def _state(dg: Docgraph) -> str:
    documents = [(each, dg.documents.chunks(each.document_id)) for each in dg.documents.list()]
    return repr((documents, dg.memory.list(), list(dg.relationships.list()), dg.runs.list(everywhere=True)))


def _said(result: Any) -> str:
    return re.sub(r"(seconds|ms|_time)=[\d.e-]+|gave nan", r"\1", repr(result))  # a message may say it


def _told(error: DocgraphError) -> None:
    assert "\n" not in error.message
    assert SECRET not in error.message + error.hint
    assert error.hint


def _embedders(tally: Tally) -> None:
    for trick, name in tally.some(itertools.product({**WRONG, **RIGHT}, OPERATIONS)):
        with tally.trying(f"an embedder gives {trick}: {name}"), own() as (dg, embedder, kept):
            operation, before, right = {**READING, **WRITING}[name], _state(dg), dg.run("queue b")
            n_texts = embedder.n_texts
            embedder.trick = {**WRONG, **RIGHT}[trick]
            try:
                result = operation(dg, kept)
            except DocgraphError as error:
                _told(error)
                assert trick in WRONG, error
                assert name not in ("retrieve", "converse"), error
                assert name in ("ingest_files", "ingest", "create_workspace") or _state(dg) == before
            else:
                assert not re.search(r"\bnan\b", _said(result))
                assert SECRET not in _said(result)
                if trick in RIGHT:
                    with own() as (other, _, theirs):
                        assert _said(operation(other, theirs)) == _said(result)
            assert embedder.n_texts > n_texts, "it was not asked"
            embedder.trick = None
            if name not in WRITING:
                assert dg.run("queue b").context == right.context


UNHARMED = ("clears what it was given", "turns what it was given", "another order")


def _rerankers(tally: Tally) -> None:
    operations = ("run", "compare", "plan and execute", "explain", "evaluate", "runs.save", "retrieve")
    ways = {**READING, **WRITING, "plan and execute": lambda dg, _: dg.execute(dg.plan("queue c"))}
    for trick, name in tally.some(itertools.product(SCORED, operations)):
        reranker = OwnReranker()
        with tally.trying(f"a reranker gives {trick}: {name}"), own(reranker=reranker) as (dg, _, kept):
            reranker.trick = SCORED[trick]
            dg.session.adapters.__dict__.pop("passage_reranker", None)  # what it remembers
            try:
                result = ways[name](dg, kept)
            except DocgraphError as error:
                _told(error)
                assert trick not in UNHARMED, error
                assert name != "retrieve", error
            else:
                assert not re.search(r"\bnan\b", _said(result))
                if trick in UNHARMED and name != "retrieve":
                    with own(reranker=OwnReranker()) as (other, _, theirs):
                        other.session.adapters.__dict__.pop("passage_reranker", None)
                        assert _said(ways[name](other, theirs)) == _said(result)
                elif name == "plan and execute":
                    raise AssertionError("a plan that names it was executed without its scores")


def _own_provider(search: Callable[..., Any], **fields: Any) -> Any:
    class Own:
        name, modes, priority = "own", ("fast", "accurate", "conversation"), 1
        stands_in_for, native_rerank = None, False

        def status(self) -> str:
            return "available"

        def search(self, request: PacketRequest, access: Any) -> Any:
            return search(request, access)

    for name, value in fields.items():
        setattr(Own, name, value)
    return Own()


def _searching(tally: Tally) -> None:
    with own() as (dg, _, _kept):
        alone = {mode: _keys(dg.retrieve(_asked(mode))) for mode in ("fast", "accurate", "conversation")}
    for (trick, search), mode in itertools.product(FOUND.items(), alone):
        with tally.trying(f"a provider {trick}: {mode}"), own(_own_provider(search)) as (dg, _, _kept):
            packet = dg.retrieve(_asked(mode))
            _checked(packet)
            assert mode == "fast" or set(alone[mode]) <= set(_keys(packet)), "fast is the first one alone"
    release = threading.Event()
    try:
        for mode in alone:
            hanging = _own_provider(lambda *_: release.wait())
            with tally.trying(f"a provider hangs: {mode}"), own(hanging) as (dg, _, _kept):
                packet = dg.retrieve(_asked(mode), timeout=0.5)
                _checked(packet)
                assert not release.is_set()
                assert mode == "fast" or _keys(packet) == alone[mode]
        with tally.trying("a hundred questions of a provider that hangs"), own(hanging) as (dg, _, _kept):
            for _ in range(100):
                _checked(dg.retrieve(_asked("fast"), timeout=0.0))
            n_out = sum(each.name == "docgraph-source" for each in threading.enumerate())
            assert n_out <= 4 * 64
            assert dg.run("queue a").plan.seed_documents
    finally:
        release.set()


def _attributes(tally: Tally) -> None:
    wrong: dict[str, dict[str, Any]] = {
        "a status that raises": {"status": raising(KeyError(SECRET))},
        "a status of its own": {"status": lambda self: "perhaps"},
        "no status": {"status": lambda self: None},
        "reranks as it likes": {"native_rerank": property(raising(KeyError(SECRET)))},
        "keeps as it likes": {"keeps_places": property(raising(KeyError(SECRET)))},
        "a priority that is none": {"priority": NAN},
        "a priority as text": {"priority": "first"},
        "modes as text": {"modes": "fast"},
        "modes that are none": {"modes": None},
        "stands in for itself": {"stands_in_for": "own"},
        "stands in for nobody known": {"stands_in_for": 7},
    }
    for trick, fields in wrong.items():
        for mode in ("fast", "accurate", "conversation") if tally.whole else ("accurate",):
            provider = _own_provider(lambda *_: [hit("mine")], **fields)
            with tally.trying(f"a provider has {trick}: {mode}"), own(provider) as (dg, _, _kept):
                _checked(dg.retrieve(_asked(mode)))
                assert SECRET not in repr(dg.health())


def _asked(mode: Any) -> PacketRequest:
    return PacketRequest(query="queue a", mode=mode)


def _keys(packet: RetrievalResponse) -> list[Any]:
    return [each.content for each in packet.context_packet.candidates]


def _checked(packet: RetrievalResponse) -> None:
    text = packet.model_dump_json()
    assert RetrievalResponse.model_validate_json(text) == packet
    assert SECRET not in text
    assert "NaN" not in text
    assert json.loads(text)["next_action"]


@pytest.mark.timeout(900)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_e7_what_a_party_of_one_s_own_does_is_nobody_else_s_loss(tally: Tally) -> None:
    _embedders(tally)
    _rerankers(tally)
    _searching(tally)
    _attributes(tally)
