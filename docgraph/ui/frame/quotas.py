"""How much of this process somebody may take at once: bytes of uploads, uploads that arrive, open pages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache

from docgraph.settings import Settings

MEGABYTE = 1_000_000
TURN_SECONDS = 10.0
"""For so long an upload waits for one that is before it: a browser sends six at once, a proxy may pass on a hundred."""
TOO_LARGE, TOO_MANY = 413, 429


class QuotaError(Exception):
    """Somebody may not take more: the status of the answer, and the line that says why and what to do."""

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status, self.line = status, line


@dataclass(frozen=True)
class Limits:
    """The settings, in bytes and numbers; a page may always hold one upload of the size that is allowed."""

    session_bytes: int
    person_bytes: int
    all_bytes: int
    person_uploads: int
    all_uploads: int
    person_sockets: int
    all_sockets: int
    unknown_sockets: int
    one_upload: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """As they are set."""
        one = settings.max_upload_mb * 1024 * 1024
        session = max(settings.uploads_mb_per_session * MEGABYTE, one)
        person = max(settings.uploads_mb_per_person * MEGABYTE, session)
        return cls(
            session_bytes=session,
            person_bytes=person,
            all_bytes=max(settings.uploads_mb_in_all * MEGABYTE, person),
            person_uploads=settings.uploads_per_person,
            all_uploads=settings.uploads_in_all,
            person_sockets=settings.sockets_per_person,
            all_sockets=settings.sockets_in_all,
            unknown_sockets=settings.sockets_before_sign_in,
            one_upload=one,
        )


@dataclass(frozen=True)
class InUse:
    """What one person, or everybody, takes of this process: bytes of uploads, those that arrive now, open pages."""

    n_bytes: int = 0
    n_sockets: int = 0
    n_uploads: int = 0
    n_unknown: int = 0
    """Open pages that ask for the sign-in; of nobody by name."""


class Quotas:
    """Counts for one process; asked on the event loop, read from any thread.

    ``held`` = session → bytes of the uploads that the framework keeps of it now.
    """

    def __init__(self, held: Callable[[], Mapping[str, int]]) -> None:
        self._held = held
        self._owners: dict[str, str] = {}
        self._coming: Counter[tuple[str, str]] = Counter()
        self._uploads: Counter[str] = Counter()
        self._sockets: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._pages: Counter[str] = Counter()
        self._turn: asyncio.Condition | None = None

    def in_use(self) -> dict[str, InUse]:
        """Name → what they take; the empty name is everybody whose name is not known."""
        taken, sockets, uploads = self._by_person(self._sums()), self._sockets.copy(), self._uploads.copy()
        names = {*sockets, *taken, *uploads}
        return {name: InUse(taken.get(name, 0), sockets[name], uploads[name]) for name in sorted(names)}

    def in_all(self) -> InUse:
        """What everybody takes together, whoever asks for the sign-in too."""
        pages, unknown = self._sockets.copy().total(), self._unknown.copy().total()
        n_bytes = sum(self._sums().values())
        return InUse(n_bytes, pages + unknown, self._uploads.copy().total(), unknown)

    def pages(self) -> dict[str, int]:
        """Sign-in → its open pages."""
        return dict(self._pages.copy())

    @contextmanager
    def socket(self, person: str | None, address: str, limits: Limits, *, sign_in_id: str = "") -> Iterator[None]:
        """One open page while it lasts; None = who asks for the sign-in, counted by address. Raises QuotaError.

        ``sign_in_id`` = the sign-in that it belongs to, where there is one.
        """
        if self._sockets.total() + self._unknown.total() >= limits.all_sockets:
            raise QuotaError(TOO_MANY, _many_pages(limits.all_sockets, "at once", "SOCKETS_IN_ALL"))
        counted, key = (self._unknown, address) if person is None else (self._sockets, person)
        if person is None and counted[key] >= limits.unknown_sockets:
            line = _many_pages(limits.unknown_sockets, "to one address before a sign-in", "SOCKETS_BEFORE_SIGN_IN")
            raise QuotaError(TOO_MANY, line)
        if person and counted[key] >= limits.person_sockets:
            raise QuotaError(TOO_MANY, _many_pages(limits.person_sockets, "to one person", "SOCKETS_PER_PERSON"))
        counted[key] += 1
        if sign_in_id:
            self._pages[sign_in_id] += 1
        try:
            yield
        finally:
            _take_one(counted, key)
            if sign_in_id:
                _take_one(self._pages, sign_in_id)

    @asynccontextmanager
    async def upload(self, session: str, person: str, n_bytes: int, limits: Limits) -> AsyncIterator[None]:
        """One upload while it arrives: it has its turn, and room for its bytes. Raises QuotaError."""
        await self._wait_for_turn(person, limits)
        key = (session, person)
        try:
            self._check_bytes(session, person, n_bytes, limits)
            self._owners[session] = person
            self._coming[key] += n_bytes
            try:
                yield
            finally:
                self._coming[key] -= n_bytes
                if not self._coming[key]:
                    del self._coming[key]
        finally:
            _take_one(self._uploads, person)
            await self._tell()

    def forget(self, session: str) -> None:
        """A session is gone, with what it held."""
        self._owners.pop(session, None)

    def _check_bytes(self, session: str, person: str, n_bytes: int, limits: Limits) -> None:
        held = self._sums()
        here, theirs, everybody = held.get(session, 0), self._by_person(held).get(person, 0), sum(held.values())
        if here + n_bytes > limits.session_bytes:
            raise QuotaError(TOO_LARGE, _full("This page", here, n_bytes, limits.session_bytes, "PER_SESSION"))
        if person and theirs + n_bytes > limits.person_bytes:
            raise QuotaError(TOO_LARGE, _full("Your pages", theirs, n_bytes, limits.person_bytes, "PER_PERSON"))
        if everybody + n_bytes > limits.all_bytes:
            raise QuotaError(TOO_MANY, _full("The server", everybody, n_bytes, limits.all_bytes, "IN_ALL"))

    def _sums(self) -> Counter[str]:
        """Session → bytes, those that are still coming too."""
        held = Counter(self._held())
        for (session, _), n_bytes in list(self._coming.items()):
            held[session] += n_bytes
        return held

    def _by_person(self, held: Mapping[str, int]) -> dict[str, int]:
        taken: Counter[str] = Counter()
        for session, n_bytes in held.items():
            taken[self._owners.get(session, "")] += n_bytes
        return {name: n for name, n in taken.items() if n}

    async def _wait_for_turn(self, person: str, limits: Limits) -> None:
        if self._turn is None:
            self._turn = asyncio.Condition()

        def is_free() -> bool:
            mine = self._uploads[person] < limits.person_uploads or not person
            return mine and self._uploads.total() < limits.all_uploads

        try:
            async with asyncio.timeout(TURN_SECONDS), self._turn:
                await self._turn.wait_for(is_free)
                self._uploads[person] += 1
        except TimeoutError:
            line = "Too many uploads arrive at once: wait until some are there, and send this one again.\n"
            raise QuotaError(TOO_MANY, line) from None

    async def _tell(self) -> None:
        assert self._turn is not None
        async with self._turn:
            self._turn.notify_all()


def held_uploads() -> dict[str, int]:
    """Session → bytes of the uploads that the framework keeps of it."""
    from streamlit.runtime import Runtime

    if not Runtime.exists():
        return {}
    kept = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    return {session: sum(len(each.data) for each in list(files.values())) for session, files in list(kept.items())}


@cache
def quotas() -> Quotas:
    """Those of this process."""
    return Quotas(held_uploads)


def _take_one(counted: Counter[str], key: str) -> None:
    counted[key] -= 1
    if counted[key] <= 0:
        del counted[key]


def _full(who: str, held: int, more: int, limit: int, setting: str) -> str:
    return (
        f"{who} already hold{'s' if who != 'Your pages' else ''} {held / MEGABYTE:,.0f} MB of uploads, and this is "
        f"{more / MEGABYTE:,.1f} MB more: {limit / MEGABYTE:,.0f} MB are allowed (DOCGRAPH_UPLOADS_MB_{setting}). "
        "Import or take away what is there, then send it again.\n"
    )


def _many_pages(limit: int, whom: str, setting: str) -> str:
    return f"{limit:,} open pages are allowed {whom} (DOCGRAPH_{setting}): close one, or wait until others have.\n"
