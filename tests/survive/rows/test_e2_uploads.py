"""E2: uploads of every size and shape, whole, cut off, lying, by whom they may and may not, and what is left."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from tests.survive.guarded import HOST, METRICS, ORIGIN, PATIENCE, Answer, Guarded, xsrf_token
from tests.survive.open_pages import OpenPage, opened
from tests.survive.tally import Row, Tally

ROW = Row(
    row="E2",
    what="uploads × sizes, counts, chunked, lying, cut off × of whose page, before sign-in, after leaving; floods",
    rule="taken within the quotas or refused in one line; what was left, cut off or refused leaves nothing behind",
    n=40,
    short=40,
    case="a way to send a file, and into whose page",
)
MB = 1_000_000
LARGEST = 1024 * 1024
BOUNDARY = "docgraph-boundary"
CAME_BACK = 60 * MB
"""So much more memory than before may a process have after a flood: what the allocator keeps."""


def _body(n_bytes: int, *, n_files: int = 1, name: str = "a.md") -> bytes:
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    return (part + b"x" * n_bytes + b"\r\n") * n_files + f"--{BOUNDARY}--\r\n".encode()


def _headers(cookie: str, *, xsrf: str = "", **more: str) -> dict[str, str]:
    token = xsrf or xsrf_token()
    cookies = f"_streamlit_xsrf={token}" + (f"; {cookie}" if cookie else "")
    content = f"multipart/form-data; boundary={BOUNDARY}"
    return {"Cookie": cookies, "X-Xsrftoken": token, "Origin": ORIGIN, "Content-Type": content, **more}


def _path(session: str, file: str = "file") -> str:
    return f"/_stcore/upload_file/{session}/{file}"


def _put(
    house: Guarded, session: str, cookie: str, body: bytes | Iterator[bytes], *, file: str = "f", **more: str
) -> Answer:
    return house.ask("PUT", _path(session, file), body=body, **_headers(cookie, **more))


def _held(house: Guarded) -> int:
    """Bytes of uploads that the process says it holds."""
    text = house.ask("GET", "/_stcore/metrics", Authorization=f"Bearer {METRICS}").body.decode()
    return sum(int(n) for n in re.findall(r"cache_memory_bytes\{[^}]*Uploaded[^}]*\} (\d+)", text))


def _until(holds: Callable[[], bool]) -> None:
    """Wait for what has to come."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


def _raw(house: Guarded, session: str, cookie: str, *lines: str, body: bytes = b"", reads: bool = True) -> int | None:
    """A request written by hand, then hung up on; its status, where there is one."""
    to = urlsplit(house.url)
    named = [f"{name}: {value}" for name, value in _headers(cookie).items()]
    head = "\r\n".join([f"PUT {_path(session, 'raw')} HTTP/1.1", f"Host: {HOST}", *named, *lines, "", ""])
    with socket.create_connection((to.hostname, to.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + body)
        if not reads:
            return None
        with connection.makefile("rb") as answer:
            line = answer.readline().split()
            return int(line[1]) if len(line) > 1 else None


def _shapes(tally: Tally, house: Guarded, page: OpenPage, cookie: str) -> None:
    """One upload after the other, each of another shape."""
    chunked = "Transfer-Encoding: chunked"
    whole = _body(100)
    sized = f"Content-Length: {len(whole)}"

    def pieces(body: bytes) -> Iterator[bytes]:
        yield from (body[at : at + 65_536] for at in range(0, len(body), 65_536))

    ways: dict[str, tuple[Callable[[], int | None], tuple[int | None, ...]]] = {
        "small": (lambda: _put(house, page.session, cookie, _body(1)).status, (204,)),
        "empty": (lambda: _put(house, page.session, cookie, _body(0)).status, (204,)),
        "the largest, less its frame": (lambda: _put(house, page.session, cookie, _body(LARGEST - 500)).status, (204,)),
        "one byte too large": (lambda: _put(house, page.session, cookie, _body(LARGEST + 1)).status, (413,)),
        "far too large": (lambda: _put(house, page.session, cookie, _body(20 * MB)).status, (413,)),
        "chunked": (lambda: _put(house, page.session, cookie, pieces(_body(1_000))).status, (204,)),
        "chunked, too large": (lambda: _put(house, page.session, cookie, pieces(_body(3 * MB))).status, (413, 400)),
        "two files": (lambda: _put(house, page.session, cookie, _body(9, n_files=2)).status, (204, 400)),
        "no file": (lambda: _put(house, page.session, cookie, f"--{BOUNDARY}--\r\n".encode()).status, (400,)),
        "no form": (lambda: _put(house, page.session, cookie, b"x" * 1_000).status, (400,)),
        "2,000 files": (lambda: _put(house, page.session, cookie, _body(1, n_files=2_000)).status, (400,)),
        "a hostile name": (
            lambda: _put(house, page.session, cookie, _body(1, name="../../etc/pass\x00wd")).status,
            (204, 400),
        ),
        "a name of 100 kB": (
            lambda: _put(house, page.session, cookie, _body(1, name="x" * 100_000)).status,
            (204, 400),
        ),
        "another page's token": (
            lambda: _put(house, page.session, cookie, whole, **{"X-Xsrftoken": xsrf_token()}).status,
            (403,),
        ),
        "a session that is none": (lambda: _put(house, "nobody", cookie, whole).status, (400,)),
        "a session of dots": (lambda: _put(house, "..", cookie, whole).status, (400, 401, 404, 405)),
        "of a length below zero": (lambda: _raw(house, page.session, cookie, "Content-Length: -1"), (400, None)),
        "of a length that is none": (lambda: _raw(house, page.session, cookie, "Content-Length: x"), (400, None)),
        "of two lengths": (
            lambda: _raw(house, page.session, cookie, sized, "Content-Length: 1", body=whole),
            (400, None),
        ),
        "of a length and chunked": (
            lambda: _raw(house, page.session, cookie, sized, chunked, body=b"0\r\n\r\n"),
            (400, None),
        ),
        "of a length of 10^30": (
            lambda: _raw(house, page.session, cookie, "Content-Length: 1" + "0" * 30),
            (413, 400, None),
        ),
        "chunked, of a chunk that lies": (
            lambda: _raw(house, page.session, cookie, chunked, body=b"fffffffffffffffff\r\nx\r\n"),
            (400, None),
        ),
        "shorter than it says, hung up": (
            lambda: _raw(house, page.session, cookie, "Content-Length: 900000", body=whole[:60], reads=False),
            (None,),
        ),
        "chunked, never ended, hung up": (
            lambda: _raw(house, page.session, cookie, chunked, body=b"a\r\n0123456789\r\n", reads=False),
            (None,),
        ),
        "nothing after the head, hung up": (
            lambda: _raw(house, page.session, cookie, "Content-Length: 900000", reads=False),
            (None,),
        ),
    }
    for name, (way, statuses) in ways.items():
        with tally.trying(name):
            status = way()
            assert status in statuses, status
            assert house.ask("DELETE", _path(page.session, "f"), **_headers(cookie)).status == 204
            _until(lambda: _held(house) == 0)
            assert _put(house, page.session, cookie, _body(LARGEST - 500)).status == 204, "it left something behind"
            assert house.ask("DELETE", _path(page.session, "f"), **_headers(cookie)).status == 204


def _whose(tally: Tally, house: Guarded) -> None:
    """Who may send into which page, and what becomes of pages that were left."""
    ann, ben = house.signed("ann"), house.signed("ben")
    second = house.signed("ann")
    with opened(house, ann.cookie) as mine, opened(house, ben.cookie) as theirs, opened(house) as nobodys:
        for each in (mine, theirs, nobodys):
            each.show()
        cases = {
            "into one's own": (mine.session, ann.cookie, 204),
            "into somebody else's": (theirs.session, ann.cookie, 403),
            "by another sign-in of the same person": (mine.session, second.cookie, 403),
            "into a page of nobody": (nobodys.session, "", 401),
            "into one's own without the cookie": (mine.session, "", 401),
            "into one's own with half of it": (mine.session, ann.cookie.partition("; ")[0], 401),
        }
        for name, (session, cookie, status) in cases.items():
            with tally.trying(name):
                assert _put(house, session, cookie, _body(9)).status == status
        for method in ("DELETE", "PUT"):
            with tally.trying(f"{method} of somebody else's"):
                assert house.ask(method, _path(mine.session), body=_body(9), **_headers(ben.cookie)).status == 403
        with tally.trying("after the sign-in has ended"):
            house.end(ann)
            _until(lambda: _put(house, mine.session, ann.cookie, _body(9)).status == 401)
    with tally.trying("after leaving, and what it held goes"):
        ann = house.signed("ann")
        with opened(house, ann.cookie) as page:
            page.show()
            assert _put(house, page.session, ann.cookie, _body(900_000)).status == 204
            assert _held(house) >= 900_000
            session = page.session
        _until(lambda: _held(house) == 0)
        assert _put(house, session, ann.cookie, _body(9)).status == 400


def _full(tally: Tally, house: Guarded) -> None:
    """Every quota met, then free again."""
    with tally.trying("a page, a person and the process are full by themselves, and free again"):
        people = [house.signed(who) for who in ("ann", "ben", "vi", "eve")]
        with ExitStack() as stack:
            pages = [(each, stack.enter_context(opened(house, each.cookie))) for each in people for _ in range(2)]
            taken, statuses = 0, []
            for each, page in pages:
                page.show()
                for n in range(3):
                    answer = _put(house, page.session, each.cookie, _body(900_000), file=f"f{n}")
                    statuses.append(answer.status)
                    taken += answer.status == 204
                    assert answer.status == 204 or b"DOCGRAPH_UPLOADS_MB_" in answer.body
                    assert answer.body.count(b"\n") <= 1
            assert statuses[:6] == [204, 204, 413, 204, 413, 413], statuses
            assert taken == 6, statuses
            assert 429 in statuses
            assert _held(house) <= 6 * MB
        _until(lambda: _held(house) == 0)
    with tally.trying("pages before a sign-in are bounded, and counted down"):
        with ExitStack() as stack:
            refused = 0
            for _ in range(25):
                try:
                    stack.enter_context(opened(house))
                except InvalidStatus as full:
                    refused += full.response.status_code == 429
            assert refused == 5
        _until(lambda: _opens(house))


def _opens(house: Guarded) -> bool:
    try:
        with opened(house):
            return True
    except InvalidStatus:
        return False


def _flood(tally: Tally, house: Guarded) -> None:
    """Many at once, by nobody and by somebody, too large, cut off; then the memory and the quotas are as before."""
    ann = house.signed("ann")
    n = 200 if tally.whole else 30
    with opened(house, ann.cookie) as page:
        page.show()
        before = house.memory()
        ways: tuple[Callable[[int], object], ...] = (
            lambda _: _put(house, page.session, "", _body(4 * MB)).status,
            lambda _: _put(house, page.session, ann.cookie, _body(4 * MB)).status,
            lambda k: _put(house, page.session, ann.cookie, _body(900_000), file=f"f{k}").status,
            lambda _: _raw(house, page.session, ann.cookie, "Content-Length: 900000", body=b"x" * 300_000, reads=False),
            lambda _: _raw(house, page.session, "", "Transfer-Encoding: chunked", body=b"a\r\n", reads=False),
        )
        with tally.trying(f"{n} uploads at once"), ThreadPoolExecutor(16) as pool:
            found = list(pool.map(lambda k: ways[k % len(ways)](k), range(n)))
            assert set(found[0::5]) == {401}
            assert set(found[1::5]) == {413}
            assert set(found[2::5]) <= {204, 413, 429}
            assert found[2::5].count(204) >= 1
            assert _held(house) <= 2 * MB + LARGEST
    with tally.trying("what a flood leaves"):
        _until(lambda: _held(house) == 0)
        grown = house.memory() - before
        tally.more["flood_megabytes"] = round(grown / MB, 1)
        assert grown < CAME_BACK, f"{grown:,} bytes"
        with opened(house, ann.cookie) as page:
            page.show()
            assert [_put(house, page.session, ann.cookie, _body(900_000), file=f"g{k}").status for k in range(3)] == [
                204,
                204,
                413,
            ]
        _until(lambda: _held(house) == 0)


@pytest.mark.timeout(900)
def test_e2_uploads_stay_within_their_quotas_and_leave_nothing(tally: Tally, guarded: Guarded) -> None:
    cookie = guarded.signed("ann").cookie
    with opened(guarded, cookie) as page:
        page.show()
        _shapes(tally, guarded, page, cookie)
    _whose(tally, guarded)
    _full(tally, guarded)
    _flood(tally, guarded)
    with tally.trying("the log"):
        assert "Traceback" not in guarded.said(), guarded.said()[-3_000:]
        assert "marker-" not in guarded.said()
