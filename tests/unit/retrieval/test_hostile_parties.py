"""Whatever a party answers, of whatever kind: a valid packet, the others' candidates in it, and nothing leaked.

The kinds are generated: every field of a hit with every value that does not belong there, every way in which a list can
misbehave, and the same for rerankers, for what providers say of themselves and for what callers say of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from docgraph.domain.packet import PacketRequest, ProviderHit, RetrievalResponse
from docgraph.errors import RequestError, StoreError
from docgraph.ports.retrieval import Reranked
from docgraph.retrieval.answers import MAX_CHARACTERS, MAX_CONTENT
from tests.unit.retrieval.parties import FakeProvider, FakeReranker, asking, failing, hit

SECRET = "postgresql://me:sk-live-4711SECRETsecret4711@db/x"
FIELDS = ("key", "content", "source", "score", "score_kind", "channels", "metadata")


class Trap:
    """Raises with a secret in its text, whatever is done with it."""

    def _spring(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError(SECRET)

    __str__ = __repr__ = __iter__ = __len__ = __getitem__ = __bool__ = __float__ = __index__ = _spring
    __eq__ = __hash__ = __lt__ = __contains__ = _spring


class TrapText(str):
    """A text that raises when it is used as one."""

    strip = encode = isascii = __getitem__ = __len__ = __eq__ = __hash__ = Trap._spring


class TrapNumber(float):
    """A number that raises when it is used as one."""

    __float__ = __round__ = __mul__ = __lt__ = __gt__ = Trap._spring


def endless() -> dict[str, Any]:
    """A mapping that holds itself."""
    made: dict[str, Any] = {}
    made["again"] = made
    return made


VALUES: dict[str, Any] = {
    "None": None,
    "text": "nonsense",
    "Decimal": Decimal("0.5"),
    "huge integer": 10**400,
    "numpy float": np.float32(0.5),
    "numpy array": np.ones(3),
    "bytes": b"\xff\x00",
    "trap": Trap(),
    "trap text": TrapText(SECRET),
    "trap number": TrapNumber(0.5),
    "itself": endless(),
    "traps within": [Trap(), {"x": Trap(), 10**400: [10**5000]}],
    "class": ProviderHit,
}


def broken_hit(field: str, value: Any) -> ProviderHit:
    """A hit past its own validation, with ``value`` in one field."""
    good = {name: getattr(hit("bad"), name) for name in FIELDS}
    return ProviderHit.model_construct(**{**good, field: value})


class RaisesIn:
    """Lists that raise where they are read."""

    class Iter(list[Any]):
        __iter__ = Trap._spring

    class Length(list[Any]):
        __len__ = Trap._spring

    class GetItem(list[Any]):
        __getitem__ = Trap._spring

    class Everything(list[Any]):
        __iter__ = __len__ = __getitem__ = __bool__ = Trap._spring

    class Exits(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            raise SystemExit(SECRET)

    class Endless(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            while True:
                yield None

    class TupleIter(tuple[Any, ...]):
        __iter__ = Trap._spring


LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "raises in __iter__": RaisesIn.Iter,
    "raises in __len__": RaisesIn.Length,
    "raises in __getitem__": RaisesIn.GetItem,
    "raises in all": RaisesIn.Everything,
    "exits": RaisesIn.Exits,
    "never ends": RaisesIn.Endless,
    "tuple that raises": RaisesIn.TupleIter,
    "generator": lambda items: (each for each in items),
    "mapping": lambda items: dict(enumerate(items)),
    "trap": lambda _: Trap(),
}


class OwnHit(ProviderHit):
    """A hit whose fields are code."""

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            raise RuntimeError(SECRET)
        return super().__getattribute__(name)


ITEMS: dict[str, Callable[[], Any]] = {
    **{
        f"{field} = {name}": lambda f=field, v=value: broken_hit(f, v)
        for field in FIELDS
        for name, value in VALUES.items()
    },
    **{f"{field} is missing": lambda f=field: without(f) for field in FIELDS},
    "hit of its own class": lambda: OwnHit(**{name: getattr(hit("bad"), name) for name in FIELDS}),
    "trap as hit": Trap,
}


def without(field: str) -> ProviderHit:
    made = broken_hit("source", "")
    del made.__dict__[field]
    return made


RERANKED: dict[str, Callable[[], Any]] = {
    **{f"score = {name}": lambda v=value: [Reranked(0, v), Reranked(1, 0.5)] for name, value in VALUES.items()},
    **{f"index = {name}": lambda v=value: [Reranked(v, 0.9), Reranked(1, 0.5)] for name, value in VALUES.items()},
    **{f"list: {name}": lambda made=made: made([Reranked(1, 0.9), Reranked(0, 0.1)]) for name, made in LISTS.items()},
}


def parties(bad: FakeProvider, **options: Any) -> RetrievalResponse:
    """A question to ``bad`` and to one that finds two things."""
    good = FakeProvider(lambda _: [hit("good", 0.9), hit("better", 0.8)], name="good", priority=99)
    docgraph = asking(bad, good, **{k: v for k, v in options.items() if k == "reranker"})
    return docgraph.retrieve(
        PacketRequest(query="why?", top_k=10), **{k: v for k, v in options.items() if k != "reranker"}
    )


def check(response: RetrievalResponse) -> None:
    """Valid by its own models and as JSON, within bounds, with the other party's candidates and without any secret."""
    text = response.model_dump_json()
    assert RetrievalResponse.model_validate_json(text) == response
    json.dumps(json.loads(text), allow_nan=False)
    assert {"good/0", "better/0"} <= {candidate.id for candidate in response.context_packet.candidates}
    assert "retrieval" not in response.routing_metadata["failures"]
    assert len(text) < 10 * (MAX_CONTENT + MAX_CHARACTERS)
    said = response.model_copy(update={"context_packet": response.context_packet.model_copy(update={"candidates": ()})})
    assert "SECRET" not in said.model_dump_json()


@pytest.mark.parametrize("name", ITEMS)
def test_a_hit_with_anything_in_any_field_leaves_a_valid_packet(name: str) -> None:
    """27 of 77 such answers made ``retrieve`` raise: what a provider gave was read outside of its thread."""
    response = parties(FakeProvider(lambda _: [ITEMS[name](), hit("fine", 0.7)], name="bad"))
    check(response)
    assert "fine/0" in {candidate.id for candidate in response.context_packet.candidates}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_misbehaves_is_a_schema_error_of_its_own_party(name: str) -> None:
    response = parties(FakeProvider(lambda _: LISTS[name]([hit("fine", 0.7)]), name="bad"))
    check(response)
    if name not in ("raises in __len__", "raises in __getitem__"):  # nobody asks for its length, or by place
        assert response.routing_metadata["failures"] == {"bad": {"error_type": "SchemaError"}}


@pytest.mark.parametrize("name", RERANKED)
def test_a_reranker_with_anything_in_its_answer_leaves_a_valid_packet(name: str) -> None:
    response = parties(FakeProvider(lambda _: [], name="bad"), reranker=FakeReranker(lambda _: RERANKED[name]()))
    check(response)
    delivered = [candidate.metadata.get("rerank_score") for candidate in response.context_packet.candidates]
    assert response.context_packet.rerank_applied == any(score is not None for score in delivered)


@pytest.mark.parametrize("name", VALUES)
def test_a_provider_that_says_anything_of_itself_is_unavailable(name: str) -> None:
    class Odd(FakeProvider):
        """Its status is none."""

        def status(self) -> Any:
            return VALUES[name]

    response = parties(Odd(lambda _: [hit("x")], name="bad"))
    check(response)
    assert response.routing_metadata["statuses"]["bad"] == "unavailable"


@pytest.mark.parametrize("name", VALUES)
def test_a_caller_may_say_anything_of_a_provider(name: str) -> None:
    statuses: dict[str, Any] = {"bad": VALUES[name]}
    check(parties(FakeProvider(lambda _: [hit("x")], name="bad"), statuses=statuses))


@pytest.mark.parametrize("name", VALUES)
def test_flags_may_be_anything(name: str) -> None:
    flags: dict[str, Any] = {"bad": VALUES[name], "good": True}
    check(parties(FakeProvider(lambda _: [hit("x")], name="bad"), flags=flags))


def test_there_are_at_least_105_kinds_each_with_a_name_of_its_own() -> None:
    for_providers = [*ITEMS, *LISTS]
    for_others = [*RERANKED, *(f"status: {name}" for name in VALUES), *(f"given: {name}" for name in VALUES)]
    assert len(set(for_providers)) == len(for_providers) >= 77
    assert len(set(for_others)) == len(for_others) >= 28


def test_the_first_things_of_an_answer_count_and_no_others_are_looked_at() -> None:
    """Cut first: a provider cannot make retrieval read a million things to find five."""
    read: list[int] = []

    class Counted(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            for number in range(1_000_000):
                read.append(number)
                yield hit(f"d{number}")

    packet = asking(FakeProvider(lambda _: Counted())).retrieve(PacketRequest(query="x", top_k=3)).context_packet
    assert (len(packet.candidates), len(read)) == (3, 3)


def test_metadata_is_bounded_in_depth_in_number_and_in_characters() -> None:
    deep: Any = "bottom"
    for _ in range(1_000):
        deep = {"x": deep}
    wide = {f"k{n}": "y" * 9_000 for n in range(2_000)}
    many = [[0] * 1_000] * 1_000
    provider = FakeProvider(lambda _: [hit("a", metadata={"deep": deep, "wide": wide, "many": many})])
    response = asking(provider).retrieve("x")
    assert len(response.model_dump_json()) < 2 * MAX_CHARACTERS


@pytest.mark.parametrize("mode", ["now", "name", "modes"])
def test_where_retrieval_itself_fails_there_is_a_packet_all_the_same(mode: str) -> None:
    """The last guard: a fault that nobody thought of is a fallback, not an exception."""
    docgraph = asking(FakeProvider(lambda _: [hit("a")], **({} if mode == "now" else {mode: Trap()})))
    if mode == "now":
        docgraph.session.adapters = replace(docgraph.session.adapters, now=failing(RuntimeError(SECRET)))
    response = docgraph.retrieve("x")
    text = response.model_dump_json()
    assert RetrievalResponse.model_validate_json(text) == response
    assert response.next_action.action == "fallback"
    assert response.routing_metadata["error_type"] == "RuntimeError"
    assert "SECRET" not in text


@pytest.mark.parametrize(
    "error",
    [
        type("sk_live_4711SECRETsecret4711", (Exception,), {})("x"),
        type(SECRET, (Exception,), {})("x"),
        type("Foreign", (StoreError,), {})(SECRET, hint="SECRET"),
        StoreError(Trap(), hint=""),  # type: ignore[arg-type]
        type("Meta", (type,), {"__name__": property(failing(RuntimeError(SECRET)))})("Plain", (Exception,), {})("x"),
    ],
    ids=["key as name", "address as name", "class over ours", "message that is none", "name that raises"],
)
def test_nothing_of_a_foreign_exception_gets_out_but_a_plain_name(error: BaseException) -> None:
    response = parties(FakeProvider(failing(error), name="bad"))
    check(response)
    assert set(response.routing_metadata["failures"]["bad"]) == {"error_type"}


@pytest.mark.parametrize("timeout", [-1, float("nan"), float("inf"), "5", True, 10**400, object()])
def test_an_impossible_time_limit_is_a_mistake_in_the_request(timeout: Any) -> None:
    with pytest.raises(RequestError, match=r"^timeout:"):
        asking(FakeProvider(lambda _: [])).retrieve("x", timeout=timeout)
