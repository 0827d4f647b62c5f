"""What a look says that a proposal adds is what an import stores with it and not without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.domain.imports.look import Look, ProposalId
from docgraph.domain.imports.profile import ImportProfile
from docgraph.ingestion.preview import preview_source
from docgraph.ingestion.rereading import Rereading
from tests.unit.ingestion.importer import new_store
from tests.unit.ingestion.profiling.folders import EXTRACTORS, LOADERS, TEXT, importer, looked, plans, write


def stored(path: Path, profile: ImportProfile) -> int:
    """Relationships of an import that lead to another document of the folder."""
    store = new_store()
    importer(store).ingest_path(path, profile=profile)
    with store.reading() as snapshot:
        ids = {document.document_id for document in snapshot.documents()}
        edges = list(snapshot.relationships())
    return sum(edge.to_document_id in ids and edge.to_document_id != edge.from_document_id for edge in edges)


def without(look: Look, proposal: ProposalId) -> ImportProfile:
    return look.profile_of([each.id for each in look.proposals if each.id != proposal])


def agrees(path: Path) -> Look:
    look = looked(path)
    whole = stored(path, look.profile)
    assert look.n_added == whole - stored(path, ImportProfile())
    for each in look.proposals:
        if each.adds is not None:
            assert (each.id, each.adds) == (each.id, whole - stored(path, without(look, each.id)))
    return look


def test_every_proposal_says_what_an_import_stores_more_by_it(tmp_path: Path) -> None:
    look = agrees(plans(tmp_path / "plans"))
    said = {each.id: each.adds for each in look.proposals}
    assert said["sidecars"] > 0
    assert said["base"] > 0
    assert said["empty"] == 0


def test_files_that_name_each_other_by_number_and_title_count_as_they_lie_and_by_numbers(tmp_path: Path) -> None:
    files = {
        f"{n:04}-d.md": f"---\ntitle: Choice {n}\nrequires: {n % 9 + 1}\nrelated: [Choice {(n + 3) % 9 + 1}, 77]\n---\n"
        f"# Choice {n}\n\nAs ADR-{(n + 4) % 9 + 1} says, DEC-{(n + 5) % 9 + 1} holds. {TEXT}"
        for n in range(1, 10)
    }
    agrees(write(tmp_path / "decisions", files))


def test_a_boilerplate_target_that_is_a_document_is_counted_as_what_it_takes_away(tmp_path: Path) -> None:
    files = {f"p{n}.md": f"# P{n}\n\n{TEXT}\n\nUnder [the licence](license.md).\n" for n in range(9)}
    look = agrees(write(tmp_path, {**files, "license.md": f"# Licence\n\n{TEXT}"}))
    assert {each.id: each.adds for each in look.proposals}["boilerplate"] == -9


def test_what_is_not_looked_at_by_extractors_says_no_numbers(tmp_path: Path) -> None:
    look = preview_source(plans(tmp_path), LOADERS, [], None)
    assert look.n_added is None
    assert {each.adds for each in look.proposals} <= {None}


def test_a_look_that_is_stopped_while_it_counts_proposes_nothing(tmp_path: Path) -> None:
    class Late:
        asked = 0

        def update(self, done: int, total: int, message: str) -> None:
            assert total >= 0

        def cancelled(self) -> bool:
            self.asked += 1
            return self.asked > 25

    look = preview_source(plans(tmp_path), LOADERS, EXTRACTORS, Late())
    assert (look.profile.is_empty, look.proposals, look.n_added) == (True, (), None)


@pytest.mark.parametrize("inner", ["", "deep/"])
def test_links_that_leave_the_folder_and_come_back_by_its_name_are_read(tmp_path: Path, inner: str) -> None:
    up = "../../" if inner else "../"
    files = {f"{inner}eip-{n}.md": f"# E{n}\n\n{TEXT}[next]({up}EIPS/{inner}eip-{n % 6 + 1}.md)" for n in range(1, 7)}
    look = agrees(write(tmp_path / "EIPS", files))
    assert look.profile.root == ("../EIPS/",)
    assert look.n_added == 6


def test_links_from_the_root_of_the_site_to_the_folder_one_level_below_are_read(tmp_path: Path) -> None:
    files = {f"run-{n}.md": f"# R{n}\n\n{TEXT}[next](/commands/run-{n % 6 + 1})" for n in range(1, 7)}
    look = agrees(write(tmp_path / "commands", files))
    assert look.profile.root == ("/commands/",)
    assert look.n_added == 6


def test_a_document_with_two_sidecars_has_the_fields_of_both_and_what_the_first_says_counts(tmp_path: Path) -> None:
    files = {}
    for n in range(1, 7):
        files[f"d{n}/README.md"] = f"# D{n}\n\n{TEXT}"
        files[f"d{n}/plan.yaml"] = f"title: Plan {n}\nstatus: accepted\n"
        files[f"d{n}/README.meta.json"] = f'{{"status": "draft", "requires": "/d{n % 6 + 1}"}}'
    path = write(tmp_path, files)
    look = agrees(path)
    assert set(look.profile.sidecars) == {"plan.yaml", "README.meta.json"}
    [sidecars] = [each for each in look.proposals if each.id == "sidecars"]
    assert "(6 documents have more than one)" in sidecars.sentence
    assert sidecars.adds == 6

    read = Rereading(path, [], loaders=LOADERS, extractors=EXTRACTORS, dimension=16, profile=look.profile)
    document = read.document("d1")
    assert document is not None
    first = look.profile.sidecars[0]
    assert document.metadata["status"] == ("accepted" if first == "plan.yaml" else "draft")
    assert set(read.files_of("d1")) == {"d1/README.md", "d1/plan.yaml", "d1/README.meta.json"}
