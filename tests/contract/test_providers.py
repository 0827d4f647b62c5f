"""Every retrieval provider keeps the promises of the shipped suite, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest

from docgraph import plugins
from docgraph.bootstrap import BUILT_IN_PROVIDERS
from docgraph.domain.packet import PacketRequest, ProviderHit
from docgraph.errors import DocgraphError
from docgraph.ports.retrieval import Access
from docgraph.testing.builders import HashingEmbedder
from docgraph.testing.suites.providers import check_provider, empty, filled

BUILT_IN = [name for name in BUILT_IN_PROVIDERS if name in plugins.available("providers")]


def built(name: str) -> Any:
    offered = {"embedder": HashingEmbedder()}
    try:
        accepted = plugins.options("providers", name)
        return plugins.build("providers", name, **{k: v for k, v in offered.items() if k in accepted})
    except DocgraphError as error:
        if name in BUILT_IN:
            raise
        pytest.skip(error.message)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_provider_keeps_every_promise(name: str) -> None:
    check_provider(built(name))


@pytest.mark.parametrize("name", plugins.available("providers"))
def test_a_provider_is_called_as_its_file(name: str) -> None:
    assert built(name).name == name


def test_providers_can_be_swapped_the_packet_keeps_its_form() -> None:
    forms = set()
    for name in BUILT_IN:
        provider = built(name)
        for opened, _ in (filled(provider), empty(provider)):
            response = opened.retrieve(PacketRequest(query="queue bookings", mode=provider.modes[-1]))
            fields = response.model_dump()
            forms.add((tuple(fields), tuple(fields["context_packet"]), tuple(sorted(fields["routing_metadata"]))))
            for candidate in fields["context_packet"]["candidates"]:
                assert set(candidate) == {"id", "content", "source", "confidence", "metadata"}
    assert len(forms) == 1


class Broken:
    """The provider ``semantic`` with its answer changed."""

    def __init__(self, change: Callable[[list[ProviderHit], PacketRequest], Any], **fields: Any) -> None:
        self._true, self._change = plugins.build("providers", "semantic"), change
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        return self._fields[name] if name in self._fields else getattr(self._true, name)

    def search(self, request: PacketRequest, access: Access) -> Sequence[Any]:
        found: Sequence[Any] = self._change(list(self._true.search(request, access)), request)
        return found


def _with(hit: ProviderHit, **changes: Any) -> ProviderHit:
    return hit.model_copy(update=changes)


NUMBERS = count()


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        (lambda hits, r: hits[:1] * 2 if r.top_k > 1 else hits, "same key"),
        (lambda hits, r: hits + [_with(hits[0], key=("more", "x"))] * bool(hits), "hits, but"),
        (lambda hits, _: [_with(hit, score=float("nan")) for hit in hits], "not finite"),
        (lambda hits, _: [_with(hit, metadata={1: "x"}) for hit in hits], "no text as its name"),
        (lambda hits, _: [hit.model_dump() for hit in hits], "no ProviderHit"),
        (lambda hits, _: [_with(hit, metadata={"n": next(NUMBERS)}) for hit in hits], "other hits"),
        (lambda hits, _: [_with(hit, metadata={"reasons": [{"via": "mentions"}]}) for hit in hits], "came over"),
        (lambda hits, _: [], "nothing is found"),
        (lambda hits, _: hits or [ProviderHit(key=("a", "b"), content="c")], "empty workspace"),
    ],
)
def test_a_provider_that_breaks_a_promise_is_told_which(change: Any, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_provider(Broken(change))


@pytest.mark.parametrize(
    ("fields", "promise"),
    [
        ({"name": "two words"}, "no plain name"),
        ({"modes": ()}, "no mode"),
        ({"modes": ("slow",)}, "none"),
        ({"priority": "first"}, "no integer"),
        ({"stands_in_for": "semantic"}, "itself"),
        ({"native_rerank": None}, "neither"),
    ],
)
def test_a_provider_describes_itself_properly(fields: dict[str, Any], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_provider(Broken(lambda hits, _: hits, **fields))
