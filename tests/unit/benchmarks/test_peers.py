"""Equal work in the benchmarks: what hand-written code and brute force decide, and the protocol with a peer."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks import growth
from benchmarks.corpus import make_corpus
from benchmarks.handwritten import Numbers, chosen, picked
from benchmarks.peers import child, compare, sides
from benchmarks.peers.environments import PEERS, REQUIREMENTS
from tests import ROOT

RANKED = ["a", "b", "c", "d", "e", "f", "g"]


def test_by_hand_neighbours_stand_behind_the_first_seed_that_reaches_them() -> None:
    edges = [("a", "via", "x", {}), ("a", "via", "b", {}), ("b", "via", "y", {}), ("c", "via", "z", {})]
    assert chosen(RANKED, ["z", "y", "x"], edges, Numbers()) == ("a", "b", "c", "d", "x", "y")


def test_by_hand_places_that_no_relationship_fills_are_the_next_seeds() -> None:
    assert chosen(RANKED, [], [], Numbers()) == ("a", "b", "c", "d", "e", "f")
    assert chosen(RANKED, ["e"], [("a", "via", "e", {})], Numbers()) == ("a", "b", "c", "d", "f", "e")


def test_by_hand_each_document_has_its_best_chunk_first() -> None:
    rows = [(d, "", "", 1, n, f"{d}#{n}", "text", 0.1 * i) for i, (d, n) in enumerate([("a", 0), ("a", 1), ("b", 0)])]
    assert [c[2] for c in picked(rows, ("a", "b"), Numbers(chunks=2))] == ["a#0", "b#0"]
    assert [c[2] for c in picked(rows, ("a", "b"), Numbers(chunks=2, one_each=False))] == ["a#0", "a#1"]


def test_brute_force_starts_from_the_best_chunks_and_follows_one_hop() -> None:
    given = compare.as_given(make_corpus(40), 3)
    plan, chunks = sides.brute_force(given, 0)
    scores = (given.chunk_vectors @ given.questions[0]).max(axis=1)
    seeds = {given.documents[int(i)]["id"] for i in np.argsort(-scores)[: child.SEEDS]}
    links = {link for each in given.documents if each["id"] in seeds for link in each["links"]}
    assert plan == seeds | links
    assert len(chunks) == child.CHUNKS
    assert {chunk.partition("#")[0] for chunk in chunks} <= plan


@pytest.mark.parametrize("signal", ["summary", "chunk"])
def test_brute_force_keeps_to_the_part_and_follows_links_where_it_is_asked_to(signal: str) -> None:
    given = compare.as_given(make_corpus(60), 1)
    parts = {each["id"]: each["part"] for each in given.documents}
    alone, _ = sides.brute_force(given, 0, child.WAYS[f"{signal}, no relationships"])
    linked, _ = sides.brute_force(given, 0, child.WAYS[signal])
    of_part, _ = sides.brute_force(given, 0, child.WAYS[f"{signal}, a tenth by a field"])
    assert len(alone) == child.SEEDS
    assert alone < linked
    assert {parts[each] for each in of_part} == {child.PART}
    assert len(of_part) >= child.SEEDS


def test_answers_are_held_against_brute_force() -> None:
    given = compare.as_given(make_corpus(40), 2)
    truth = [sides.brute_force(given, number) for number in (0, 1)]
    right = [(number, sorted(truth[number][0]), sorted(truth[number][1])) for number in (0, 1)]
    assert compare.checked(right, given) == {"equal_plans": 1.0, "chunk_recall": 1.0}
    wrong = [right[0], (1, right[1][1][:1], right[1][2][:5])]
    assert compare.checked(wrong, given) == {"equal_plans": 0.5, "chunk_recall": 0.75}


class Fixed:
    """A peer that always finds the same, or nothing at all."""

    def __init__(self, url: str, dimension: int) -> None:
        self.loaded = 0

    def load(self, given: child.Given) -> None:
        self.loaded += len(given.documents)

    def finish(self) -> None:
        assert self.loaded == 40

    def ask(self, vector: np.ndarray, way: child.Way) -> tuple[Sequence[str], Sequence[str]]:
        if vector[0] > 1:
            raise ValueError("too long\nand more")
        return ["doc-1"], ["doc-1#0"]


def test_a_peer_is_asked_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = compare.as_given(make_corpus(40), 2)
    given.questions[1, 0] = 2.0
    child.write(given, tmp_path)
    asked = [
        {"do": "load", "folder": str(tmp_path), "url": "", "timed": 15},
        {"do": "ask", "questions": [0, 0], "way": "chunk"},
        {"do": "ask", "questions": [1], "way": "chunk"},
        {"do": "stop"},
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(line) + "\n" for line in asked)))
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    child.serve(Fixed)
    loaded, found, failed = map(json.loads, out.getvalue().splitlines())
    assert loaded["documents"] == 15
    assert found["plans"] == [["doc-1"], ["doc-1"]]
    assert len(found["wall"]) == len(found["cpu"]) == 2
    assert failed == {"error": "ValueError: too long"}


def test_a_peer_that_loads_too_long_is_ended_and_says_so() -> None:
    silent = sides.Child(Path(sys.executable), "silent", ["-c", "import sys; sys.stdin.read()"])
    with pytest.raises(sides.PeerError, match="not loaded everything after 0 seconds"):
        silent.load(Path(), "", timed=1, patience=0.05)
    silent.close()


def test_every_peer_is_pinned_and_none_is_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    for peer in PEERS:
        lines = (REQUIREMENTS / f"{peer}.txt").read_text(encoding="utf-8").splitlines()
        assert all("==" in line for line in lines), peer
        assert (ROOT / "benchmarks" / "peers" / f"{peer}_peer.py").is_file()
    assert not [each for each in needed if each.startswith(("langchain", "llama-index"))]


def test_real_sentences_come_first_and_go_on_by_chance() -> None:
    sentences = [f"This is sentence number {i} of the text." for i in range(20)]
    texts = growth.chunk_texts(sentences, np.random.default_rng(1))
    found = [next(texts) for _ in range(5)]
    assert found[0] == " ".join(sentences[: growth.SENTENCES])
    assert all(part in sentences for part in growth._SENTENCE.split(found[4]))


def test_growth_is_told_by_the_servers_cpu_and_by_the_clock_where_there_is_none() -> None:
    steps = [
        {"ways": {"a": {"server_cpu_ms": n, "p50_ms": 1}, "b": {"server_cpu_ms": None, "p50_ms": n}}} for n in (2, 6)
    ]
    assert growth.growth(steps) == {"a": [1.0, 3.0], "b": [1.0, 3.0]}
