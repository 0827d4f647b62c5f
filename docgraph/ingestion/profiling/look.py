"""Looks at a folder before anything is stored, and proposes how to read it, with counts and examples."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from docgraph.boundary.imports.markup.references import projects_in
from docgraph.domain.imports.look import Look, Proposal
from docgraph.domain.imports.profile import ImportProfile
from docgraph.ingestion.names import shown, suffix_of
from docgraph.ingestion.profiling import habits
from docgraph.ingestion.profiling.causes import unread_by_cause
from docgraph.ingestion.profiling.counting import Counting
from docgraph.ingestion.profiling.gathered import Gathered
from docgraph.ingestion.profiling.heads import TEXTS, read_head
from docgraph.ingestion.profiling.opened import Opened
from docgraph.ingestion.profiling.places import Places
from docgraph.ingestion.profiling.proposals import proposed
from docgraph.ingestion.profiling.sidecars import MAX_SIDECARS, described, is_worth_it, likely, read_fields
from docgraph.ingestion.scanning import RECORD_SUFFIXES, Scan, Source
from docgraph.ports import RelationExtractor

MAX_LOOKED = 20_000
MAX_LOOKED_BYTES = 500_000_000
Opening = Callable[[Collection[str]], Opened]
"""Of files that a loader may read, what is found in those of which a name does not say it."""
Tell = Callable[[int, int, str], bool]
"""(done, total, name) before each file; True stops the look."""


def look(
    scan: Scan,
    name: str,
    *,
    suffixes: Collection[str],
    related: Collection[str],
    extractors: Sequence[RelationExtractor] = (),
    opening: Opening = lambda names: Opened(),
    tell: Tell,
) -> Look:
    """Look at what a scan found. ``suffixes`` are those that a loader reads, ``related`` fields that name documents.

    By ``extractors`` it counts what each proposal adds; ``opening`` tells of files that hold many documents, or none.

    At most 20,000 texts are read, each up to 400 kB. Nothing in a file raises; what cannot be read is told as such.
    """
    started = time.perf_counter()
    names = [source.name for source in scan.sources]
    readable = [n for n in names if suffix_of(n) in suffixes and suffix_of(n) not in RECORD_SUFFIXES]
    known = opening(readable)
    refused = known.refused
    documents = described([each for each in readable if each not in refused])
    records = "docs.jsonl" in names
    gathered = Gathered() if records else _gather(scan.sources, documents, related, tell)
    tell(0, 0, "what names and addresses have in common")
    places = Places(documents, names)
    profile = ImportProfile()
    proposals: list[Proposal] = []
    gathered.name = name
    if not records and not gathered.stopped:
        profile, proposals = proposed(gathered, documents, places, related)
    counted = None
    if proposals and extractors:
        on = [each.id for each in proposals]
        counted = Counting(gathered, documents, places, profile, on, extractors).counts(tell)
        proposals = [
            each.model_copy(update={"adds": counted.by_proposal.get(each.id)}) for each in proposals if counted
        ]
        profile = profile if counted else ImportProfile()
    sidecars = {each.sidecar for pairs in gathered.sidecars.values() for each in pairs}
    return Look(
        name=shown(name),
        n_files=len(names) + len(scan.refused) + scan.beyond.total(),
        n_documents=sum(known.counted.get(each, 1) for each in {*readable} - {*refused, *sidecars}),
        n_looked=len(gathered.heads),
        n_bytes=gathered.n_bytes,
        seconds=round(time.perf_counter() - started, 3),
        n_added=None if counted is None else counted.added,
        profile=profile,
        proposals=tuple(proposals),
        unread=() if records else unread_by_cause(_unread(scan, readable, refused, sidecars, gathered), documents),
        languages=habits.languages(documents),
    )


def _gather(sources: Sequence[Source], documents: Sequence[str], related: Collection[str], tell: Tell) -> Gathered:
    gathered = Gathered()
    projects = projects_in((source.name, source.read) for source in sources)
    gathered.elsewhere = tuple(address for project in projects for address in project.addresses)
    by_name = {source.name: source for source in sources}
    texts = [name for name in documents if suffix_of(name) in TEXTS][:MAX_LOOKED]
    patterns = likely([source.name for source in sources], documents)
    total = len(texts) + sum(len(pairs) for _, pairs in patterns)
    for done, name in enumerate(texts):
        if tell(done, total, name):
            gathered.stopped = True
            return gathered
        if gathered.n_bytes > MAX_LOOKED_BYTES:
            break
        try:
            data = by_name[name].read()
        except (OSError, ValueError):
            continue  # the import says why
        gathered.n_bytes += len(data)
        gathered.heads[name] = head = read_head(name, data)
        if head.fault:
            fault = f"the header {head.fault[3:]}" if head.fault.startswith("it ") else head.fault
            gathered.faults.append((name, fault))
    done = len(texts)
    for pattern, pairs in patterns:
        read: dict[str, dict[str, Any]] = {}
        faults = []
        for each in pairs[:MAX_SIDECARS]:
            if tell(done, total, each.sidecar):
                gathered.stopped = True
                return gathered
            done += 1
            try:
                read[each.document], _ = read_fields(each.sidecar, by_name[each.sidecar].read)
            except (OSError, ValueError) as error:
                faults.append((each.sidecar, f"the sidecar {str(error).removeprefix('it ')}"))
        if is_worth_it(list(read.values()), related):
            gathered.sidecars[pattern] = pairs
            gathered.faults += faults
            gathered.fields.update({name: {**fields, **gathered.fields.get(name, {})} for name, fields in read.items()})
    return gathered


def _unread(
    scan: Scan, readable: Sequence[str], refused: Mapping[str, str], sidecars: Collection[str], gathered: Gathered
) -> Iterable[tuple[str, str]]:
    yield from scan.refusals
    yield from ((name, cause) for name, cause in refused.items() if name not in sidecars)
    there = {*readable, *sidecars}
    for source in scan.sources:
        suffix = suffix_of(source.name)
        if source.name not in there and suffix not in RECORD_SUFFIXES:
            yield source.name, f"no loader reads {suffix or 'files without a suffix'}"
    yield from gathered.faults
