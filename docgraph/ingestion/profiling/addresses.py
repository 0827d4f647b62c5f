"""Web addresses and root paths that mean this folder, learnt from those whose ends are documents of it."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from docgraph.domain.imports.profile import ANY, NUMBER
from docgraph.ingestion.profiling.paths import PAGES, PathIndex, above, bare, normal, without_suffix

_WEB = re.compile(r"https?://", re.IGNORECASE)
_KINDS = ("tree", "blob", "raw", "edit", "blame", "src")
_DISTINCT = 8
_FEW, _SHARE = 2, 0.4
_OWN_FEW, _OWN_SHARE = 3, 0.5
_SPARSE, _FITTING, _FITTING_SHARE = 0.3, 5, 0.8
_DEEPEST = 12
MAX_LEARNT_FROM = 200_000
"""Web addresses of a folder that are looked at for what they have in common."""
MAX_CANDIDATES, MAX_BASES = 100, 12
_HOST = 300
_LAST_NUMBER = re.compile(r"(\D*?)0*(\d{1,6})(\D*)")


@dataclass(frozen=True)
class Mention:
    """One address or path that a document names."""

    source: str
    text: str


@dataclass
class Learnt:
    """Beginnings (``base``, ``root`` or addresses by number), each with those that it explains."""

    found: dict[str, list[Mention]] = field(default_factory=dict)

    @property
    def mentions(self) -> list[Mention]:
        """All that are explained."""
        return [each for mentions in self.found.values() for each in mentions]


def is_web(text: str) -> bool:
    """Whether a name is a web address."""
    return bool(_WEB.match(text))


def after_base(address: str, base: str) -> str | None:
    """What of ``address`` stands behind ``base`` (in which ``*`` is one part); None where it begins otherwise.

    The scheme and the case of the host do not count.
    """
    wanted = _base_parts(base)
    if not wanted or wanted[0] not in address[:_HOST].casefold():
        return None
    given = _parts(bare(address))
    if len(given) < len(wanted):
        return None
    if wanted[0].casefold() != given[0].casefold():
        return None
    if any(w not in (ANY, g) for w, g in zip(wanted[1:], given[1:], strict=False)):
        return None
    return "/".join(given[len(wanted) :])


def learn_bases(mentions: Iterable[Mention], places: PathIndex) -> Learnt:
    """Web addresses that are the top of this folder: what stands behind them are mostly documents of it."""
    fits: dict[str, list[Mention]] = defaultdict(list)
    hosts: dict[str, list[Mention]] = defaultdict(list)
    for each in islice((each for each in mentions if is_web(each.text)), MAX_LEARNT_FROM):
        parts = _parts(bare(each.text))
        hosts[parts[0]].append(each)
        start = _start_of_tail(parts, places)
        if start is not None:
            fits["/".join(_open(parts, start))].append(each)
    learnt = Learnt()
    for base, found in sorted(fits.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:MAX_CANDIDATES]:
        address = f"https://{base}/"
        if len(learnt.found) == MAX_BASES:
            break
        if _is_fork(base, learnt):
            continue
        total = sum(after_base(each.text, address) is not None for each in hosts[base.split("/", 1)[0]])
        if (len(found) >= _FEW or _same_place(base, learnt)) and len(found) >= _SHARE * total:
            learnt.found[address] = found
    return learnt


def outside_of(bases: Iterable[str]) -> tuple[str, ...]:
    """What forge addresses are a part of: the repository's own address."""
    found = []
    for base in bases:
        parts = _parts(base)
        if any(part in _KINDS for part in parts[3:5]):
            found.append(f"https://{'/'.join(parts[:3])}/")
    return tuple(dict.fromkeys(found))


def learn_roots(mentions: Iterable[Mention], places: PathIndex) -> Learnt:
    """Beginnings of paths such as ``/keps/`` or ``../keps/`` that are the top of this folder."""
    fits: dict[str, list[Mention]] = defaultdict(list)
    totals: Counter[str] = Counter()
    given = list(mentions)
    learnt = _learn_from_above(given, places)
    for each in given:
        path = bare(each.text)
        clean = normal("", path) if path.startswith("/") and not path.startswith("//") else None
        if clean is None or places.document(clean) or places.holds(clean):
            continue
        parts = clean.split("/")
        for n in range(1, min(4, len(parts))):
            totals["/".join(parts[:n])] += 1
        for n in range(1, min(4, len(parts))):
            rest = "/".join(parts[n:])
            if places.document(rest):
                fits["/".join(parts[:n])].append(each)
                break
    for root, found in sorted(fits.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        inner = any(f"/{root}/".startswith(known) for known in learnt.found)
        if not inner and len(found) >= _FEW and len(found) >= _SHARE * totals[root]:
            learnt.found[f"/{root}/"] = found
    return learnt


def _learn_from_above(mentions: Iterable[Mention], places: PathIndex) -> Learnt:
    """``../keps/``: links that leave the folder by one level and come back into it by its own name."""
    fits: dict[str, list[Mention]] = defaultdict(list)
    totals: Counter[str] = Counter()
    for each in mentions:
        path = bare(each.text)
        outer = above(posixpath.dirname(each.source), path) if path.startswith("..") else None
        if outer is None or outer.count("/") < 2 or outer.startswith("../../"):
            continue
        name, rest = outer.split("/", 2)[1:]
        totals[name] += 1
        if places.document(rest):
            fits[name].append(each)
    learnt = Learnt()
    for name, found in sorted(fits.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        if len(found) >= _FEW and len(found) >= _SHARE * totals[name]:
            learnt.found[f"../{name}/"] = found
    return learnt


def learn_numbered(mentions: Iterable[Mention], own: Mapping[str, int], bases: Sequence[str]) -> Learnt:
    """Addresses with a number that documents use for themselves: ``https://kep.example/{n}``.

    ``own`` = document → its number. An address counts where most documents that use it name their own number, or where
    its numbers are those of documents far more often than numbers at large.
    """
    there = frozenset(own.values())
    users: dict[str, set[str]] = defaultdict(set)
    selves: dict[str, set[str]] = defaultdict(set)
    all_of: dict[str, list[Mention]] = defaultdict(list)
    numbers_of: dict[str, set[int]] = defaultdict(set)
    for each in islice((each for each in mentions if is_web(each.text)), MAX_LEARNT_FROM):
        if any(after_base(each.text, base) is not None for base in bases):
            continue
        if named := numbered_address(each.text):
            address, number = named
            all_of[address].append(each)
            numbers_of[address].add(number)
            if each.source in own:
                users[address].add(each.source)
                if own[each.source] == number:
                    selves[address].add(each.source)
    learnt = Learnt()
    for address, found in sorted(all_of.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        numbers = numbers_of[address]
        own_ones = len(selves[address])
        is_own = own_ones >= _OWN_FEW and own_ones >= _OWN_SHARE * len(users[address])
        fits = len(numbers) >= _FITTING and len(numbers & there) >= _FITTING_SHARE * len(numbers)
        if is_own or (fits and sum(n <= max(numbers) for n in there) <= _SPARSE * max(numbers)):
            learnt.found[address] = found
    return learnt


def numbered_address(address: str) -> tuple[str, int] | None:
    """(the address with ``{n}`` in place of the number its last part has, the number)."""
    parts = _parts(bare(address).rstrip("/"))
    found = _LAST_NUMBER.fullmatch(parts[-1]) if len(parts) > 1 else None
    if found is None:
        return None
    return f"https://{'/'.join([*parts[:-1], f'{found[1]}{NUMBER}{found[3]}'])}", int(found[2])


@lru_cache(maxsize=2_000)
def _base_parts(base: str) -> tuple[str, ...]:
    parts = _parts(base)
    return tuple(parts[:-1] if parts and not parts[-1] else parts)


def _parts(address: str) -> list[str]:
    rest = _WEB.sub("", address, count=1)
    parts = rest.split("/")
    return [parts[0].casefold().removeprefix("www."), *(part for part in parts[1:-1] if part), *parts[1:][-1:]]


def _start_of_tail(parts: Sequence[str], places: PathIndex) -> int | None:
    """From where on the parts are the path of a document, the longest path first."""
    for start in range(1, min(len(parts), _DEEPEST)):
        tail = [part for part in parts[start:] if part]
        path = normal("", "/".join(tail)) if tail else None
        if path and _is_distinct(tail) and places.document(path):
            return start
    return None


def _is_distinct(tail: Sequence[str]) -> bool:
    """Whether a path is no accident: more than one part, or a name that is long or numbered."""
    stem = without_suffix(tail[-1]).casefold()
    if len(tail) > 1:
        return True
    return stem not in PAGES and (len(stem) >= _DISTINCT or any(c.isdigit() for c in stem))


def _open(parts: Sequence[str], start: int) -> list[str]:
    """The parts before a path, with ``*`` for the branch that a forge's address names."""
    head = list(parts[:start])
    place = next((i for i, part in enumerate(head) if i >= 3 and part in _KINDS), None)
    if place is not None and place + 1 < len(head):
        head[place + 1] = ANY
    elif head and head[0].startswith("raw.") and len(head) > 3:
        head[3] = ANY
    return head


def _is_fork(base: str, learnt: Learnt) -> bool:
    """Whether a base is somebody else's copy of a repository that is more often named."""
    parts = base.split("/")
    others = [_parts(other.rstrip("/")) for other in learnt.found]
    return any(
        parts[0] == other[0] and parts[2:3] == other[2:3] and parts[1:2] != other[1:2]
        for other in others
        if len(other) > 3 and len(parts) > 3
    )


def _same_place(base: str, learnt: Learnt) -> bool:
    """Whether a base is one that was learnt, in another view of the same repository."""
    mine = [ANY if part in _KINDS else part for part in base.split("/")]
    return any(
        mine == [ANY if part in _KINDS else part for part in _parts(other.rstrip("/"))] for other in learnt.found
    )
