"""An import reads by its profile, says so line by line, and reads nothing otherwise without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.domain.imports.profile import ImportProfile, Series
from tests.unit.ingestion.importer import adds_up, reasons
from tests.unit.ingestion.profiling.folders import HOME, TEXT, imported, importer, looked, plans, write


def area(n: int) -> str:
    return f"area/{n}-plan-{n}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plans(tmp_path / "plans")


def test_sidecars_addresses_roots_numbers_and_renamed_slugs_lead_to_documents(folder: Path) -> None:
    report, edges = imported(folder, looked(folder).profile)
    declared = {key for key in edges if key[1] == "see_also"}
    assert declared == {(area(100), "see_also", area(n)) for n in (200, 300, 400, 500, 600)} | {
        (area(100), "see_also", "/plans/area/999-nothing")
    }
    assert report.reading is not None
    assert report.reading.declared == {
        "empty": 12,
        "not found": 1,
        "outside the folder": 1,
        "stored": 5,
        "web page": 1,
    }
    assert report.reading.missing == (f"{area(100)}/README.md: /plans/area/999-nothing",)
    assert (area(700), "links_to", area(300)) in edges
    assert (area(900), "mentions", area(1200)) in edges
    assert sum(key[1] == "links_to" for key in edges) == 14
    assert report.n_dangling == 1
    assert adds_up(report)
    lines = {line.proposal: line.n for line in report.reading.lines}
    assert lines == {
        "sidecars": 12,
        "folders": 12,
        "base": 13,
        "root": 4,
        "numbers": 1,
        "empty": 12,
        "citations": 1,
    }


def test_without_a_profile_nothing_of_it_is_read_and_the_report_says_what_lies_unread(folder: Path) -> None:
    report, edges = imported(folder, None)
    assert report.reading is None
    assert {key[1] for key in edges} <= {"links_to", "mentions"}  # numbers are known by their word in every import
    assert not [key for key in edges if key[0] == area(100)]
    assert any("12 of them plan.yaml beside README.md" in cause.cause for cause in report.causes)


def test_the_empty_profile_stores_what_no_profile_stores(folder: Path) -> None:
    plain, edges = imported(folder, None)
    empty, same = imported(folder, ImportProfile())
    assert {key for key in same if not key[2].startswith("https:")} <= set(edges)
    assert empty.counts == plain.counts
    assert empty.reading is not None
    assert empty.reading.lines == ()


def test_a_document_that_is_a_folder_has_its_name_its_title_and_its_fields(folder: Path) -> None:
    from tests.unit.ingestion.importer import new_store

    store = new_store()
    importer(store).ingest_path(folder, profile=looked(folder).profile)
    with store.reading() as snapshot:
        found = snapshot.documents_by_id([area(200)])[area(200)]
    assert found.title == "Plan of 200"
    assert found.metadata["plan-number"] == 200
    assert found.metadata["sidecar"] == f"{area(200)}/plan.yaml"
    assert found.source == f"{area(200)}/README.md"


def test_the_second_import_by_the_same_profile_skips_everything(folder: Path) -> None:
    stage, profile = importer(), looked(folder).profile
    first = stage.ingest_path(folder, profile=profile)
    again = stage.ingest_path(folder, profile=profile)
    assert (first.n_stored, again.n_skipped, again.n_stored, again.n_updated) == (12, 12, 0, 0)
    assert again.reading == first.reading


def test_auto_is_what_the_look_proposes(folder: Path) -> None:
    by_look = importer().ingest_path(folder, profile=looked(folder).profile)
    auto = importer().ingest_path(folder, profile="auto")
    assert auto.model_copy(update={"seconds": by_look.seconds}) == by_look


def test_a_name_that_leads_to_a_sidecar_leads_to_its_document_and_no_other_file_does(folder: Path) -> None:
    (folder / area(200) / "plan.yaml").write_text(
        "title: Plan of 200\nplan-number: 200\nsee-also:\n"
        "  - /plans/area/300-plan-300/plan.yaml\n"
        "  - ../400-plan-400/plan.yaml\n"
        f"  - {HOME}area/500-plan-500/plan.yaml\n"
        "  - /plans/area/600-plan-600/other.yaml\n",
        encoding="utf-8",
    )
    report, edges = imported(folder, looked(folder).profile)
    declared = {key[2] for key in edges if key[:2] == (area(200), "see_also")}
    assert declared == {area(300), area(400), area(500), "/plans/area/600-plan-600/other.yaml"}
    assert report.n_dangling == 2
    assert adds_up(report)


def test_a_bad_line_of_a_sidecar_costs_that_line_and_is_told_by_field_and_line(folder: Path) -> None:
    sidecar = folder / area(200) / "plan.yaml"
    sidecar.write_text("title: x: y\nno field\ncreated: 2025-30-01\nsee-also: [1]\n", encoding="utf-8")
    report, _ = imported(folder, looked(folder).profile)
    assert report.n_stored == 12
    assert "not 'key: value': 'no field'" in reasons(report)[f"{area(200)}/plan.yaml, line 2"]
    assert [each.place for each in report.adjusted] == [f"{area(200)}/plan.yaml, line 1"]
    assert "'title' in line 1" in report.adjusted[0].reason
    sidecar.write_text("{title: x: y", encoding="utf-8")
    report, _ = imported(folder, looked(folder).profile)
    assert "text is kept" in reasons(report)[f"{area(200)}/plan.yaml"]
    assert adds_up(report)


def test_a_broken_header_keeps_the_text_with_a_profile_and_without_one(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"---\ntitle: A\nno field\n---\n# A\n\n{TEXT}", "b.md": f"# B\n\n{TEXT}"})
    for profile in (ImportProfile(), None):
        report, _ = imported(tmp_path, profile)
        assert (report.n_stored, report.n_rejected) == (2, 1)
        assert "a.md, header, line 3" in reasons(report)
        assert adds_up(report)


def test_boilerplate_templates_stubs_and_files_outside_are_counted_and_no_relationship(tmp_path: Path) -> None:
    files = {
        "a.md": f"# A\n\n{TEXT}[CC0](../LICENSE.md) [out](../other/x.md) [b](b.md) [pic](x.png) [web](https://x.example)",
        "b.md": "---\nstatus: Moved\n---\nSee [a](a.md).",
        "x.png": "x",
        "_layouts/page.html": "<p>{{ content }}</p>",
    }
    profile = ImportProfile(
        boilerplate=("../LICENSE.md",), skip=("_layouts/",), stub_values={"status": ("Moved",)}, stub_below=5
    )
    report, edges = imported(write(tmp_path, files), profile)
    assert set(edges) == {("a", "links_to", "b"), ("b", "links_to", "a")}
    assert report.reading is not None
    assert report.reading.links == {
        "boilerplate": 1,
        "no document": 1,
        "outside the folder": 1,
        "stored": 2,
        "web page": 1,
    }
    assert {line.proposal: line.n for line in report.reading.lines} == {"boilerplate": 1, "stubs": 1, "templates": 1}
    assert report.n_in == 3, "a template is no source, a picture is one that is rejected"


def test_links_that_leave_the_folder_are_never_taken_for_files_of_the_same_name_in_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"# A\n\n{TEXT}[other](../b.md)", "b.md": f"# B\n\n{TEXT}"})
    report, edges = imported(tmp_path, ImportProfile())
    assert edges == {}
    assert report.reading is not None
    assert report.reading.links == {"outside the folder": 1}


def test_a_run_without_relationships_where_targets_are_named_says_so_first(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": f"# A\n\n{TEXT}[x](https://x.example/a) [y](https://x.example/b)", "b.md": f"# B\n{TEXT}"})
    report, _ = imported(tmp_path, None)
    assert report.notice == (
        "0 relationships of 2 documents, though their texts and metadata name 2 targets; "
        "analyse the folder first: --profile auto"
    )
    plain, _ = imported(write(tmp_path / "plain", {"c.md": f"# C\n\n{TEXT}"}), None)
    assert plain.notice == ""


def test_a_number_means_a_document_only_where_it_is_the_only_one(tmp_path: Path) -> None:
    files = {"x/1-a.md": TEXT, "y/1-b.md": TEXT, "y/2-c.md": f"---\nrequires: [1, 3]\n---\n{TEXT}", "y/3-d.md": TEXT}
    profile = ImportProfile(numbers=(Series(word="D"),))
    _, edges = imported(write(tmp_path, files), profile)
    assert ("y/2-c", "requires", "y/3-d") in edges
    assert not [key for key in edges if key[2] == "x/1-a"]


def test_the_profile_of_another_folder_finds_nothing_and_breaks_nothing(folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", {"a.md": f"# A\n\n{TEXT}[b](b.md)", "b.md": f"# B\n\n{TEXT}"})
    report, edges = imported(other, looked(folder).profile)
    assert set(edges) == {("a", "links_to", "b")}
    assert report.reading is not None
    assert report.reading.lines == ()


def test_a_link_out_of_the_folder_by_a_sidecar_is_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("title: Secret\n", encoding="utf-8")
    (folder / area(200) / "plan.yaml").unlink()
    (folder / area(200) / "plan.yaml").symlink_to(secret)
    profile = looked(folder).profile
    report, _ = imported(folder, profile)
    assert "leads out of the folder" in reasons(report)[f"{area(200)}/plan.yaml"]
    assert "Secret" not in report.model_dump_json()
