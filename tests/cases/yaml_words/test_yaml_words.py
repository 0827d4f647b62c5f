"""Scalars keep what their author wrote: YAML 1.2's core schema, and numbers where they say all that stood there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docgraph.boundary.imports.front_matter import read_sidecar, split_front_matter
from tests.cases.importing import PROFILES, Profile, imported

HERE = Path(__file__).parent


def value(written: str, name: str = "x") -> Any:
    """What a field of a header holds, by either parser."""
    (quick,) = split_front_matter(f"---\n{name}: {written}\n---\nt").fields.values()
    careful = split_front_matter(f"---\n{name}: {written}\ncareful: &a [b]\n---\nt").fields[name]
    assert quick == careful
    assert type(quick) is type(careful)
    return quick


@pytest.mark.parametrize("profile", PROFILES)
def test_names_are_names_as_their_author_wrote_them(profile: Profile) -> None:
    with imported(HERE / "scalars/input", profile=profile) as case:
        assert case.titles == {"010": "yes", "b": "B"}
        assert case.edges == {("010", "related_to", "b")}
        (found,) = (each for each in case.dg.documents.list() if each.document_id == "010")
        said = {"version": "1.10", "status": "off", "country": "NO", "at": "12:30:45"}
        assert said.items() <= found.metadata.items()


LOST = (
    "yes No on OFF y n 010 0o17 0x1F 0b1 1_000 +5 1.10 2.0 1. .5 1e3 1E-3 12:30:45 1:30 190:20:30.15 2024-05-01 "
    "2024-05-01T10:00:00Z 2024-02-30 2026-13-45 .inf .NaN 123456789012345678901234567890 0.1234567890123456789 "
    "1.2.3 -0 00"
)


@pytest.mark.parametrize("written", LOST.split())
def test_what_a_number_a_date_or_a_word_would_lose_is_its_text(written: str) -> None:
    assert value(written) == written


@pytest.mark.parametrize("written", ["0", "7", "-12", "123456789012345678", "1.5", "-0.25", "true", "false", "null"])
def test_what_json_would_say_the_same_way_is_what_json_says(written: str) -> None:
    assert value(written) == json.loads(written)


@pytest.mark.parametrize("name", ["id", "title", "aliases", "Title", "name"])
@pytest.mark.parametrize("written", ["2024", "true", "1.5", "yes", "007", "2024-05-01"])
def test_names_are_texts_whatever_they_look_like(name: str, written: str) -> None:
    assert value(written, name) == written
    assert value(f"[{written}, x]", name) == [written, "x"]
    assert value("~", name) is None


@pytest.mark.parametrize("profile", PROFILES)
def test_ids_and_targets_that_look_like_numbers_find_each_other(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nid: 1.10\ntitle: true\ndepends_on: [007, 1.5, yes]\n---\nx")
    (tmp_path / "b.md").write_text("---\nid: 007\ntitle: 2024\n---\nx")
    (tmp_path / "c.md").write_text("---\nid: 1.5\ntitle: Open\nrelated: no\n---\nx")
    (tmp_path / "d.md").write_text("---\nid: yes\ntitle: 1e3\nrequires: off\n---\nx")
    with imported(tmp_path, profile=profile) as case:
        assert case.titles == {"1.10": "true", "007": "2024", "1.5": "Open", "yes": "1e3"}
        assert case.edges == {("1.10", "depends_on", each) for each in ("007", "1.5", "yes")}, "no and off name nobody"


def test_toml_keeps_what_a_number_would_lose() -> None:
    found = split_front_matter("+++\na = 1.10\nb = 1.5\nc = 7\nd = 2024-05-01\ne = true\n+++\nx").fields
    assert found == {"a": "1.10", "b": 1.5, "c": 7, "d": "2024-05-01", "e": True}


def test_sidecars_are_read_alike_as_yaml_and_as_json() -> None:
    assert read_sidecar("version: 1.10\non: off\n")[0] == {"version": "1.10", "on": "off"}
    assert read_sidecar('{"version": 1.10, "n": 3, "ok": true}')[0] == {"version": "1.10", "n": 3, "ok": True}


def test_files_of_yaml_are_read_alike(tmp_path: Path) -> None:
    (tmp_path / "REQ010.yml").write_text(
        "active: true\nlevel: 1.10\nnormative: true\nderived: false\nlinks: []\nreviewed: null\ntext: It holds.\n"
    )
    (tmp_path / "api.yaml").write_text(
        "openapi: 3.0.0\ninfo: {title: Yes, version: 1.10}\npaths:\n  /no:\n    get:\n      operationId: off\n"
        "      summary: on\n      responses: {'200': {description: ok}}\n"
    )
    with imported(tmp_path) as case:
        levels = {each.document_id: each.metadata.get("level") for each in case.dg.documents.list()}
        assert levels["REQ010"] == "1.10"
        assert not [each for each in case.titles.values() if each in ("True", "False", "true", "false")]
        assert "Yes" in " ".join(case.titles.values())


@pytest.mark.parametrize("profile", PROFILES)
def test_filters_go_on_comparing_numbers_and_dates(profile: Profile, tmp_path: Path) -> None:
    for name, fields in (
        ("a", "priority: 010\nversion: 1.10\ndate: 2024-05-01\nn: 2"),
        ("b", "priority: 9\nversion: 1.9\ndate: 2025-01-31\nn: 10"),
    ):
        (tmp_path / f"{name}.md").write_text(f"---\n{fields}\n---\n# {name}\nqueue")
    with imported(tmp_path, profile=profile) as case:

        def found(*where: str) -> set[str]:
            return set(case.dg.plan({"query": "queue", "where": list(where)}).seed_document_ids)

        assert found("priority>=10") == {"a"}
        assert found("priority=010") == {"a"}
        assert found("version=1.10") == {"a"}
        assert found("date>=2024-06") == {"b"}
        assert found("date<2024-06") == {"a"}
        assert found("n>3") == {"b"}
