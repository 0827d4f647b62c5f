"""N1: whoever is asked over HTTP, and whatever comes back: in time, in bounds, one message, nothing of it repeated."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.hostile_service import HEAVY, LATE, REFUSED, SECRET, SHAPES, TAKEN, Trick, Wire, head, hostile
from tests.integration.test_hostile_services import COLLECTOR, MEMORY, outcome, peak
from tests.outbound_users import SECONDS, USERS, finite, right
from tests.survive.tally import Case, Row, Tally

ROW = Row(
    row="N1",
    what="servers that are asked over HTTP × 90 tricks (drips, floods, bombs, redirects, wrong JSON), answers mutated",
    rule="ends within its deadline + 1 s and 30 MB, in an answer or one message that names who; no word of the server",
    n=3_000,
    short=60,
    case="a service with a trick, or with an answer that was mutated",
)
TRICKS = {**LATE, **HEAVY, **REFUSED, **SHAPES, **TAKEN}
Change = Callable[[random.Random, bytearray], None]


def _flip(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(len(data))] = rng.randrange(256)


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


def _drop(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    del data[at : at + rng.randrange(1, 30)]


def _twice(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    data[at:at] = data[at : at + rng.randrange(1, 60)] * rng.choice((1, 2, 500))


def _put(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data))
    data[at:at] = rng.choice(PIECES)


CHANGES: tuple[Change, ...] = (_flip, _cut, _drop, _twice, _put)
PIECES = (
    b"\r\n",
    b"\x00",
    b"\xff\xfe",
    b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"[" * 300,
    b"1e999",
    b"NaN",
    b'","',
    b"9" * 400,
    SECRET.encode(),
)


def _mutated(case: Case) -> Trick:
    """A right answer with a few changes, sent in pieces, and then the end, a reset or nothing more."""
    rng = case.rng

    def trick(wire: Wire) -> None:
        said = bytearray(head(f"Content-Length: {len(wire.right)}") + wire.right)
        for _ in range(rng.randrange(1, 4)):
            if said:
                rng.choice(CHANGES)(rng, said)
        n_pieces = rng.choice((1, 1, 3, 20))
        for piece in range(n_pieces):
            wire.send(bytes(said[piece * len(said) // n_pieces : (piece + 1) * len(said) // n_pieces]))
        rng.choice((Wire.hang, Wire.reset, lambda wire: None))(wire)

    return trick


def test_n1_whatever_a_server_answers_ends_in_time_and_in_bounds(tally: Tally) -> None:
    named = [(user, name) for name in TRICKS for user in USERS]
    users = list(USERS)
    longest = 0.0
    with hostile() as server:
        server.right = right

        def tried(user: str, trick: Trick) -> None:
            nonlocal longest
            server.trick = trick
            peak()
            before = peak()
            found = outcome(USERS[user], server.url)
            grown = peak() - before
            longest = max(longest, found.seconds)
            assert found.seconds < SECONDS + 1, f"{found.seconds:.2f} seconds"
            assert grown < MEMORY, f"{grown:,} bytes"
            assert found.error is not None or finite(found.value) or user == COLLECTOR, found.value

        for user, name in tally.some(named)[:: 1 if tally.whole else 2]:
            with tally.trying(f"{user}: {name}"):
                tried(user, TRICKS[name])
        for case in tally.cases(tally.n - len(named) if tally.whole else tally.n // 2):
            with tally.trying(case):
                tried(users[case.rng.randrange(len(users))], _mutated(case))
    tally.more["longest_seconds"] = round(longest, 2)
