"""What somebody may take of a process at once: it stops by itself, says why, and what is over comes back."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from docgraph.settings import Settings, read_settings
from docgraph.ui.frame import quotas as module
from docgraph.ui.frame.quotas import MEGABYTE, InUse, Limits, QuotaError, Quotas

MB = MEGABYTE
LIMITS = Limits.of(read_settings(max_upload_mb=100))


class Held(dict[str, int]):
    """Session → bytes that the framework holds."""


async def sent(quotas: Quotas, held: Held, *, session: str, person: str = "", n_bytes: int = 100 * MB) -> int:
    """One upload, kept by the framework: 204, or the status of the refusal."""
    try:
        async with quotas.upload(session, person, n_bytes, LIMITS):
            held[session] = held.get(session, 0) + n_bytes
    except QuotaError as refused:
        return refused.status
    return 204


def test_six_uploads_of_a_hundred_megabytes_stop_at_the_page_s_limit() -> None:
    held = Held()
    quotas = Quotas(lambda: held)
    statuses = [asyncio.run(sent(quotas, held, session="a")) for _ in range(6)]
    assert statuses == [204, 204, 204, 204, 413, 413]
    held.clear()
    assert asyncio.run(sent(quotas, held, session="a")) == 204, "what is gone makes room"


def test_several_pages_of_one_person_stop_together_and_another_person_goes_on() -> None:
    held = Held()
    quotas = Quotas(lambda: held)
    statuses = [asyncio.run(sent(quotas, held, session=f"a{n}", person="ann")) for n in range(10)]
    assert statuses == [204] * 8 + [413] * 2
    assert asyncio.run(sent(quotas, held, session="b", person="ben")) == 204
    assert quotas.in_use() == {"ann": InUse(n_bytes=800 * MB), "ben": InUse(n_bytes=100 * MB)}


def test_a_full_process_says_so_to_everybody() -> None:
    held = Held()
    quotas = Quotas(lambda: held)
    statuses = [asyncio.run(sent(quotas, held, session=f"s{n}", person=f"p{n}")) for n in range(18)]
    assert statuses == [204] * 16 + [429] * 2


def test_uploads_that_are_on_their_way_count_as_well() -> None:
    async def at_once() -> list[int]:
        held, let_go = Held(), asyncio.Event()
        quotas = Quotas(lambda: held)

        async def slow() -> int:
            try:
                async with quotas.upload("a", "ann", 150 * MB, LIMITS):
                    await let_go.wait()
            except QuotaError as refused:
                return refused.status
            return 204

        tasks = [asyncio.create_task(slow()) for _ in range(4)]
        await asyncio.sleep(0.01)
        assert quotas.in_use() == {"ann": InUse(n_bytes=300 * MB, n_uploads=2)}
        let_go.set()
        return sorted(await asyncio.gather(*tasks))

    assert asyncio.run(at_once()) == [204, 204, 413, 413]


def test_an_upload_waits_for_its_turn_and_is_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async def many() -> list[int]:
        quotas, let_go = Quotas(dict), asyncio.Event()

        async def one(person: str) -> int:
            try:
                async with quotas.upload("a", person, 1, LIMITS):
                    await let_go.wait()
            except QuotaError as refused:
                return refused.status
            return 204

        first = [asyncio.create_task(one("ann")) for _ in range(LIMITS.person_uploads)]
        await asyncio.sleep(0.01)
        monkeypatch.setattr(module, "TURN_SECONDS", 0.05)
        late, another = await asyncio.gather(one("ann"), asyncio.wait_for(_let(one("ben"), let_go), 5))
        monkeypatch.setattr(module, "TURN_SECONDS", 5)
        assert await asyncio.gather(*first) == [204] * LIMITS.person_uploads
        return [late, another, await one("ann")]

    assert asyncio.run(many()) == [429, 204, 204]


async def _let(upload: object, let_go: asyncio.Event) -> int:
    task = asyncio.ensure_future(upload)  # type: ignore[call-overload]
    await asyncio.sleep(0.2)
    let_go.set()
    return int(await task)


def test_open_pages_are_counted_by_person_by_address_and_in_all() -> None:
    quotas = Quotas(dict)
    limits = Limits.of(Settings(sockets_per_person=2, sockets_before_sign_in=1, sockets_in_all=4))
    with ExitStack() as opened:
        for _ in range(2):
            opened.enter_context(quotas.socket("ann", "192.0.2.1", limits))
        with pytest.raises(QuotaError, match="SOCKETS_PER_PERSON"), quotas.socket("ann", "192.0.2.2", limits):
            pass
        opened.enter_context(quotas.socket(None, "192.0.2.1", limits))
        with pytest.raises(QuotaError, match="SOCKETS_BEFORE_SIGN_IN"), quotas.socket(None, "192.0.2.1", limits):
            pass
        opened.enter_context(quotas.socket("", "192.0.2.1", limits))
        with pytest.raises(QuotaError, match="SOCKETS_IN_ALL") as refused, quotas.socket("ben", "192.0.2.3", limits):
            pass
        assert refused.value.status == 429
        assert quotas.in_use()["ann"] == InUse(n_sockets=2)
    assert quotas.in_use() == {}
    with quotas.socket("ann", "192.0.2.1", limits):
        assert quotas.in_use() == {"ann": InUse(n_sockets=1)}


def test_what_everybody_takes_is_told_with_who_asks_for_the_sign_in_and_pages_by_sign_in() -> None:
    held = Held(a=5 * MB)
    quotas = Quotas(lambda: held)
    with ExitStack() as opened:
        for name, sign_in_id in (("ann", "1"), ("ann", "1"), ("ann", "2"), ("ben", "3")):
            opened.enter_context(quotas.socket(name, "192.0.2.1", LIMITS, sign_in_id=sign_in_id))
        opened.enter_context(quotas.socket(None, "192.0.2.1", LIMITS))
        assert quotas.in_all() == InUse(n_bytes=5 * MB, n_sockets=5, n_unknown=1)
        assert quotas.pages() == {"1": 2, "2": 1, "3": 1}
    assert quotas.in_all() == InUse(n_bytes=5 * MB)
    assert quotas.pages() == {}


def test_an_upload_that_arrives_is_its_person_s() -> None:
    async def looked_at() -> tuple[dict[str, InUse], InUse]:
        quotas = Quotas(dict)
        async with quotas.upload("a", "ann", 7 * MB, LIMITS):
            return quotas.in_use(), quotas.in_all()

    arriving = InUse(n_bytes=7 * MB, n_uploads=1)
    assert asyncio.run(looked_at()) == ({"ann": arriving}, arriving)


def test_a_refusal_says_what_is_held_what_comes_and_which_setting() -> None:
    held = Held(a=390 * MB)
    with pytest.raises(QuotaError) as refused:
        asyncio.run(_enter(Quotas(lambda: held)))
    assert "390 MB of uploads, and this is 100.0 MB more: 400 MB" in refused.value.line
    assert "DOCGRAPH_UPLOADS_MB_PER_SESSION" in refused.value.line
    assert "Import or take away" in refused.value.line


async def _enter(quotas: Quotas) -> None:
    async with quotas.upload("a", "ann", 100 * MB, LIMITS):
        pass


def test_one_upload_of_the_size_that_is_allowed_fits_always() -> None:
    limits = Limits.of(read_settings(max_upload_mb=2000))
    assert limits.session_bytes == limits.person_bytes == limits.all_bytes == 2000 * 1024 * 1024
