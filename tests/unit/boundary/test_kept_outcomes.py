"""Kept outcomes: gone on with after a stop or a kill; never mixed with another evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.boundary.kept_outcomes import KeptOutcomes
from docgraph.domain.evaluation import Answer, Outcome
from docgraph.errors import ConflictError, UserError

FIRST, SECOND = (
    Outcome(query_id=i, query="Wärum?\u2028", answers={"on": Answer(documents=("a",))}, values={"on": {"hit@1": None}})
    for i in "ab"
)


def kept(path: Path, *outcomes: Outcome) -> list[Outcome]:
    with KeptOutcomes(path) as file:
        there = file.begin("asked", "revision")
        for outcome in outcomes:
            file.add(outcome)
        return there


def test_what_is_finished_is_there_when_it_is_gone_on(tmp_path: Path) -> None:
    assert kept(tmp_path / "k", FIRST) == []
    assert kept(tmp_path / "k", SECOND) == [FIRST]
    assert kept(tmp_path / "k") == [FIRST, SECOND]


def test_a_line_that_a_kill_left_half_is_asked_again_and_written_whole(tmp_path: Path) -> None:
    kept(tmp_path / "k", FIRST, SECOND)
    whole = (tmp_path / "k").read_bytes()
    for cut in range(1, len(SECOND.model_dump_json())):
        (tmp_path / "k").write_bytes(whole[:-cut])
        assert kept(tmp_path / "k", SECOND) == [FIRST]
        assert (tmp_path / "k").read_bytes() == whole


def test_another_evaluation_or_other_data_are_refused_and_the_file_stays(tmp_path: Path) -> None:
    kept(tmp_path / "k", FIRST)
    before = (tmp_path / "k").read_bytes()
    for asked, revision in (("other", "revision"), ("asked", "other")):
        with pytest.raises(ConflictError), KeptOutcomes(tmp_path / "k") as file:
            file.begin(asked, revision)
    assert (tmp_path / "k").read_bytes() == before


@pytest.mark.parametrize("content", [b"x", b"a note\n", b"[]\n", b'{"format": "x"}\n', b"[" * 100_000 + b"\n"])
def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    with pytest.raises(UserError, match="cannot keep outcomes"):
        kept(tmp_path / "k")
    assert (tmp_path / "k").read_bytes() == content


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    kept(tmp_path / "k", FIRST)
    with (tmp_path / "k").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(UserError, match="line 3 is not an outcome"):
        kept(tmp_path / "k")


def test_a_place_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "folder"):
        with pytest.raises(UserError, match="cannot keep outcomes in"):
            kept(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_and_nothing_is_left_to_be_written_when_the_file_closes() -> None:
    with pytest.raises(UserError, match="No space left on device"), KeptOutcomes("/dev/full") as file:
        file.begin("asked", "r")
