"""Addresses as nobody should send them: every name that a page reads, with values that it never wrote."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from urllib.parse import quote_plus

from docgraph.views.words import address
from tests.survive.hostile import PAYLOADS

Value = str | bytes
Query = dict[str, list[Value]]

OWN = (
    *("show", "document", "find", "type", "dangling", "check", "finding", "edge", "entry", "suggestion", "who", "text"),
    *("everywhere", "edits", "view", "order", "changes", "ask", "source", "reviewed", "loose", "turn"),
)
"""What pages read beside what ``views.words.address`` names."""
NAMES = tuple(
    dict.fromkeys(
        (
            *(v for n, v in sorted(vars(address).items()) if n.isupper() and isinstance(v, str) and v.isidentifier()),
            *OWN,
        )
    )
)
SENSIBLE: dict[str, Sequence[str]] = {
    address.QUERY: ("queue a", "queue b"),
    address.STAGE: ("MS3", "MS4"),
    address.MODE: ("fast", "accurate"),
    address.PRESENT: ("1",),
    address.STEP: ("1", "2", "3"),
    address.BASELINE: ("MS3", "?docs=5&mode=fast"),
    address.BASE: ("?docs=5&mode=fast",),
    address.TAB: (
        *("Evidence", "Context", "Plan JSON", "Trace"),
        *("review", "all", "types", "edges", "vocabulary", "suggestions", "history", "exchange"),
    ),
    "show": ("Documents", "Relationships", "Import", "Workspaces", "Health", "Limits"),
}
NUMBERS = ("-1", "0", "1e9", "9" * 30, "9" * 5_000, "NaN", "-Infinity", "٣", "²", "0x10", "1_000", " 7 ", "", "3.5")
PIECES = ("a;b", "?docs=\x00", "%00", "%ff", "\x00", "\ud7ff", "?query=x&query=y", "a|b|c", "a\tb\tc", "?of=%3Fof%3D")
LONG = 100_000


def random_bytes(rng: random.Random, others: Sequence[str]) -> Query:
    """Bytes that are mostly no text."""
    return _some(rng, lambda: rng.randbytes(rng.randrange(1, 60)))


def long_ones(rng: random.Random, others: Sequence[str]) -> Query:
    """One value of 100 kB (as it is sent), among sensible ones."""
    piece = rng.choice(("a", "a ", "<b>", "\x00", "%", "é", "&", "9", *PIECES))
    return _sensible(rng) | {rng.choice(NAMES): [piece * (LONG // len(quote_plus(piece)))]}


def arrays(rng: random.Random, others: Sequence[str]) -> Query:
    """Names many times over, and as other frameworks write arrays."""
    many: Query = {rng.choice(NAMES): [str(n) for n in range(rng.choice((2, 50, 300, 2_000)))] for _ in range(3)}
    name = rng.choice(NAMES)
    return _sensible(rng) | many | {f"{name}[]": ["1", "2"], f"{name}[0][x]": ["1"], "": [""], "__proto__": ["1"]}


def payloads(rng: random.Random, others: Sequence[str]) -> Query:
    """Text that wants to be more than text."""
    return _sensible(rng) | _some(rng, lambda: rng.choice(tuple(PAYLOADS.values())))


def foreign_ids(rng: random.Random, others: Sequence[str]) -> Query:
    """Ids that are there, in another corpus."""
    return _sensible(rng) | _some(rng, lambda: rng.choice(others))


def values(rng: random.Random, others: Sequence[str]) -> Query:
    """Numbers that are none, and bits of the notation of addresses itself."""
    return _sensible(rng) | _some(rng, lambda: rng.choice((*NUMBERS, *PIECES)))


KINDS: tuple[Callable[[random.Random, Sequence[str]], Query], ...] = (
    random_bytes,
    long_ones,
    arrays,
    payloads,
    foreign_ids,
    values,
)


def _some(rng: random.Random, value: Callable[[], Value]) -> Query:
    return {name: [value() for _ in range(rng.choice((1, 1, 2)))] for name in rng.sample(NAMES, rng.randrange(1, 6))}


def _sensible(rng: random.Random) -> Query:
    """What leads on to where the other values are read."""
    asked: Query = {address.QUERY: ["queue a"]} if rng.random() < 0.7 else {}
    for name in rng.sample(tuple(SENSIBLE), rng.randrange(3)):
        asked[name] = [rng.choice(SENSIBLE[name])]
    return asked
