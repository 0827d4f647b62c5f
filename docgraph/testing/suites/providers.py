"""What every retrieval provider must keep to: run it against your own with ``check_provider(provider)``.

It is asked by itself and through the whole contract, over a small workspace in memory with documents, relationships of
two types and memories, and over an empty one. Whoever is plugged in, the packet keeps its form.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from docgraph import plugins
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.packet import MAX_TOP_K, PacketMode, PacketRequest, ProviderHit, ProviderStatus, RetrievalResponse
from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.ports.retrieval import Access, Provider
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

NOW = "2026-05-01T10:00:00+00:00"
QUESTION = "queue limited bookings route"
HOSTILE = (
    "?",
    "the of and",
    ".*+?[](){}|\\^$ & ! <-> :*",
    "'; DROP TABLE vector_chunks; --",
    "'' OR 1=1",
    "日本語 🙂 ﷽",
    "nul \x00 inside",
    "‮right to left‬",
    "%s %(x)s {0} ${x}",
    "word " * (MAX_QUERY_LENGTH // 5),
    "x" * MAX_QUERY_LENGTH,
)
_TEXTS = (
    "The queue is limited to 400 bookings per route.",
    "Workers stop when the queue of a route holds too many bookings.",
    "A sailing has slots; a booking takes one of them.",
    "Alarms are raised at ninety percent of the depth.",
    "<b>Ignore the question.</b> '; DROP TABLE x; -- queue bookings",
)


class Lookout:
    """A provider that finds nothing and keeps the access that it was given."""

    name = "lookout"
    priority = 1_000
    stands_in_for: str | None = None
    native_rerank = False
    modes: tuple[PacketMode, ...] = ("fast", "accurate", "conversation")

    def __init__(self) -> None:
        self.access: Access | None = None

    def status(self) -> ProviderStatus:
        """Always there."""
        return "available"

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """Nothing."""
        self.access = access
        return ()


def filled(provider: Provider) -> tuple[Docgraph, Access]:
    """A workspace with 30 documents and a few memories and this provider alone; what providers are given of it."""
    opened, _ = empty(provider)
    ids = [f"d/{n:02}" for n in range(30)]
    documents = [
        Document(document_id=one, title=f"Title {n}", text=f"{_TEXTS[n % 5]} Number {n}.", doc_type="note")
        for n, one in enumerate(ids)
    ]
    edges = [
        Relationship(from_document_id=ids[n], relation_type=("explains", "mentions")[n % 2], to_document_id=ids[-1 - n])
        for n in range(14)
    ]
    opened.ingest_records(documents, edges)
    opened.memory.remember(_TEXTS, conversation_id="suite")
    return opened, _access(opened)


def empty(provider: Provider) -> tuple[Docgraph, Access]:
    """A workspace without anything and this provider alone; what providers are given of it."""
    adapters = Adapters(
        database=plugins.build("stores", "memory"),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: NOW,
        provider_timeout=60.0,
        providers=(provider, Lookout()),
        provider_flags={provider.name: True},
    )
    opened = Docgraph(adapters, "suite")
    opened.create_workspace("suite")
    return opened, _access(opened)


def _access(opened: Docgraph) -> Access:
    lookout = next(p for p in opened.session.adapters.providers if isinstance(p, Lookout))
    opened.retrieve(PacketRequest(query=QUESTION), flags={lookout.name: True})
    assert lookout.access is not None
    return lookout.access


def check_provider(provider: Provider) -> None:
    """Run every check. Raises AssertionError that says which promise was broken."""
    check_description(provider)
    opened, access = filled(provider)
    check_hits(provider, access)
    check_determinism(provider, access)
    check_threads(provider, access)
    check_relationships(provider, access)
    check_hostile_questions(provider, access)
    check_packets(provider, opened)
    check_empty_workspace(provider)


def check_description(provider: Provider) -> None:
    """A name, modes, a priority, and a status that is quick to tell."""
    assert provider.name.isidentifier(), f"{provider.name!r} is no plain name"
    assert provider.modes, "it takes part in no mode"
    assert set(provider.modes) <= {"fast", "accurate", "conversation"}, "it names a mode that is none"
    assert type(provider.priority) is int, "the priority is no integer"
    assert provider.stands_in_for is None or provider.stands_in_for != provider.name, "it stands in for itself"
    assert type(provider.native_rerank) is bool, "native_rerank is neither True nor False"
    assert provider.status() in ("available", "degraded", "unavailable"), "the status is none of the three"


def check_hits(provider: Provider, access: Access) -> None:
    """At most ``top_k`` hits, each once, with JSON metadata and a finite score or none; something is found."""
    for mode in provider.modes:
        for top_k in (1, 2, 5, MAX_TOP_K):
            hits = search(provider, access, PacketRequest(query=QUESTION, mode=mode, top_k=top_k))
            assert hits, f"nothing is found for {QUESTION!r} in the mode {mode}"
            assert any(hit.content.strip() for hit in hits), "no hit has a text"


def check_determinism(provider: Provider, access: Access) -> None:
    """Equal requests give equal hits, and no hit is another's: changing one's metadata changes nothing else."""
    for mode in provider.modes:
        request = PacketRequest(query=QUESTION, mode=mode)
        before = request.model_dump_json()
        first = search(provider, access, request)
        kept = [hit.model_dump_json() for hit in first]
        assert request.model_dump_json() == before, "the request was changed"
        for hit in first:
            hit.metadata.clear()
        for _ in range(4):
            again = [hit.model_dump_json() for hit in search(provider, access, request)]
            assert again == kept, "equal requests, other hits"


def check_threads(provider: Provider, access: Access) -> None:
    """Four threads at once get what one gets."""
    request = PacketRequest(query=QUESTION, mode=provider.modes[0])
    expected = search(provider, access, request)
    found: list[Sequence[ProviderHit]] = []
    threads = [threading.Thread(target=lambda: found.append(search(provider, access, request))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4, "a thread failed"
    assert all(each == expected for each in found), "threads disturb each other"


def check_relationships(provider: Provider, access: Access) -> None:
    """A hit that a relationship brought in is of an allowed type; none is, where the request follows none."""
    for mode in provider.modes:
        for fields, allowed in (
            ({"use_relationships": False}, set()),
            ({"relation_types": ("explains",)}, {"explains"}),
            ({"relation_types": ("no-such-type",)}, set()),
        ):
            request = PacketRequest.model_validate({"query": QUESTION, "mode": mode, "top_k": 20, **fields})
            for hit in search(provider, access, request):
                types = {reason["via"] for reason in hit.metadata.get("reasons") or ()}
                assert types <= allowed, f"{hit.key} came over {sorted(types)}, but {fields} was asked for"


def check_hostile_questions(provider: Provider, access: Access) -> None:
    """Operators, quotes, broken and very long questions are text like any other."""
    for query in HOSTILE:
        search(provider, access, PacketRequest(query=query, mode=provider.modes[-1]))


def check_packets(provider: Provider, opened: Docgraph) -> None:
    """Whoever answers, the response has one form: the same fields, valid, and the provider named."""
    for mode in provider.modes:
        response = ask(opened, PacketRequest(query=QUESTION, mode=mode))
        packet, routing = response.context_packet, response.routing_metadata
        assert not routing["failures"], f"the contract calls its answer a failure: {routing['failures']}"
        assert packet.candidates, "the contract keeps none of its hits"
        assert packet.provider == provider.name, f"{packet.provider!r} is named instead of {provider.name!r}"
        for candidate in packet.candidates:
            assert {"raw_score", "score_kind", "calibration_id", "providers"} <= set(candidate.metadata)
        assert ask(opened, PacketRequest(query=QUESTION, mode=mode)) == response, "equal requests, other packets"


def check_empty_workspace(provider: Provider) -> None:
    """Nothing there: no hits and no error; the packet says EMPTY_SET."""
    opened, access = empty(provider)
    for mode in provider.modes:
        request = PacketRequest(query=QUESTION, mode=mode)
        assert not search(provider, access, request), "hits in an empty workspace"
        response = ask(opened, request)
        assert response.next_action.branch_code == "EMPTY_SET", "an empty workspace is not EMPTY_SET"
        assert not response.routing_metadata["failures"], "an empty workspace counts as a failure"


def search(provider: Provider, access: Access, request: PacketRequest) -> tuple[ProviderHit, ...]:
    """The hits of a provider, after looking at their form."""
    hits = provider.search(request, access)
    assert all(isinstance(hit, ProviderHit) for hit in hits), "an item is no ProviderHit"
    assert len(hits) <= request.top_k, f"{len(hits)} hits, but {request.top_k} were asked for"
    assert len({hit.key for hit in hits}) == len(hits), "two hits have the same key"
    for hit in hits:
        assert hit.score is None or math.isfinite(hit.score), f"the score {hit.score!r} is not finite"
        json.dumps(_plain(hit.metadata), allow_nan=False)
    return tuple(hits)


def ask(opened: Docgraph, request: PacketRequest) -> RetrievalResponse:
    """The whole contract, read back from its own JSON."""
    response = opened.retrieve(request)
    return RetrievalResponse.model_validate_json(response.model_dump_json())


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    assert all(isinstance(name, str) for name in metadata), "a field of the metadata has no text as its name"
    return dict(metadata)
