"""What a look proposes, with its counts and examples; nothing of it is known beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.domain.imports import numbering
from docgraph.domain.imports.look import PARTS
from docgraph.domain.imports.profile import ImportProfile, Series
from docgraph.ingestion.preview import preview_source
from docgraph.ingestion.profiling.addresses import Mention, learn_numbered, numbered_address
from tests.unit.ingestion.profiling.folders import EXTRACTORS, LOADERS, TEXT, looked, plans, write


def test_a_folder_of_folders_with_sidecars_is_understood(tmp_path: Path) -> None:
    look = looked(plans(tmp_path / "plans"))
    assert look.profile == ImportProfile(
        one_per="folder",
        page="README",
        sidecars=("plan.yaml",),
        base=("https://git.example/team/plans/blob/*/plans/",),
        outside=("https://git.example/team/plans/",),
        root=("/plans/",),
        citations=True,
        numbers=(Series(word="PLAN", field="plan-number"),),
        empty=("n/a", "none"),
    )
    said = {each.id: each for each in look.proposals}
    assert said["sidecars"].n == 12
    assert "12 plan.yaml lie beside a document and name 20 targets" in said["sidecars"].sentence
    assert said["base"].n == 13
    assert "12 links and 1 declared targets" in said["base"].sentence
    assert said["empty"].n == 12
    assert "n/a (11), none (1)" in said["empty"].sentence
    assert said["numbers"].n == 12
    assert said["root"].examples[0].source.startswith("area/")
    assert (look.n_files, look.n_documents, look.n_looked) == (25, 12, 12)


def test_the_profile_of_some_proposals_has_their_parts_and_no_others(tmp_path: Path) -> None:
    look = looked(plans(tmp_path / "plans"))
    assert look.profile_of([]) == ImportProfile()
    assert look.profile_of(PARTS) == look.profile
    assert look.profile_of(["root"]) == ImportProfile(root=("/plans/",))


def test_a_plain_folder_gives_the_empty_profile(tmp_path: Path) -> None:
    look = looked(write(tmp_path, {"a.md": f"# A\n\n{TEXT}[b](b.md)", "b.md": f"# B\n\n{TEXT}"}))
    assert look.profile == ImportProfile()
    assert look.profile.is_empty
    assert look.proposals == ()


def test_what_will_not_be_read_is_told_by_cause_the_rarest_first(tmp_path: Path) -> None:
    files = {f"d{n}/README.md": TEXT for n in range(5)} | {f"d{n}/build.yaml": "steps: 1" for n in range(5)}
    write(
        tmp_path, {**files, "x.png": "x", "a.cfg": "x", "b.cfg": "x", "bad.md": f"---\ntitle: A\nno field\n---\n{TEXT}"}
    )
    told = [(each.n, each.cause) for each in looked(tmp_path).unread]
    assert [n for n, _ in told] == [1, 1, 2, 5]
    assert (5, "no loader reads .yaml, 5 of them build.yaml beside README.md") in told
    assert any("line 3 of the header is left out, it is not 'key: value': 'no field'" in cause for _, cause in told)


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("eip-20", ("eip", 20)),
        ("0004-dns", ("", 4)),
        ("ADR-0012-queue", ("adr", 12)),
        ("2024-05-06-post", None),
        ("20190731-review", None),
        ("readme", None),
        ("v2x", None),
    ],
)
def test_numbers_are_read_from_names_and_dates_are_none(stem: str, expected: tuple[str, int] | None) -> None:
    assert numbering.number_in(stem) == expected


def test_a_series_without_a_word_in_its_names_learns_it_from_the_texts(tmp_path: Path) -> None:
    files = {f"{n:04}-d.md": f"# Decision\n\nThis is ADR-{n}. {TEXT}" for n in range(1, 8)}
    assert looked(write(tmp_path, files)).profile.numbers == (Series(word="ADR"),)


def test_an_address_is_of_a_series_only_where_documents_use_it_for_themselves() -> None:
    own = {f"d{n}": n for n in range(1, 30)}
    issues = [Mention("d3", f"https://git.example/other/issues/{n}") for n in range(1, 20)]
    assert learn_numbered(issues, own, ()).found == {}, "small numbers are everybody's"
    mine = [Mention(f"d{n}", f"https://plan.example/{n}") for n in range(1, 6)]
    assert list(learn_numbered(mine, own, ()).found) == ["https://plan.example/{n}"]
    assert numbered_address("https://a.example/pep-0008/?x#y") == ("https://a.example/pep-{n}", 8)


def test_a_licence_that_all_link_in_the_same_words_is_boilerplate_and_a_much_linked_page_is_not(tmp_path: Path) -> None:
    waived = "Waived via [CC0](../LICENSE.md)."
    files = {f"p{n}.md": f"# P{n}\n\n{TEXT}\n\n{'* [hub](hub.md)' * (n % 2)}\n\n{waived}\n" for n in range(10)}
    look = looked(write(tmp_path / "docs", {**files, "hub.md": f"# Hub\n\n{TEXT}"}))
    assert look.profile.boilerplate == ("../LICENSE.md",)


def test_stubs_and_templates_are_found(tmp_path: Path) -> None:
    files = {f"p{n}.md": f"# P{n}\n\n{TEXT}" for n in range(20)}
    files |= {"old.md": f"---\nstatus: Moved\n---\n{TEXT}", "r.md": f"---\nredirect_to: /p1\n---\n{TEXT}"}
    files |= {"tiny.md": "# Tiny", "_layouts/default.html": "<html>{{ content }}</html>"}
    profile = looked(write(tmp_path, files)).profile
    assert profile.stub_values == {"redirect_to": ("*",), "status": ("Moved",)}
    assert profile.stub_below == 300
    assert profile.skip == ("_layouts/",)


def test_records_are_not_looked_into(tmp_path: Path) -> None:
    write(tmp_path, {"docs.jsonl": '{"id": "a", "title": "A", "text": "x"}\n', "other/README.md": TEXT})
    assert looked(tmp_path).profile.is_empty


def test_a_look_that_is_cancelled_proposes_nothing(tmp_path: Path) -> None:
    class Stopped:
        def update(self, done: int, total: int, message: str) -> None:
            assert done <= total

        def cancelled(self) -> bool:
            return True

    look = preview_source(plans(tmp_path), LOADERS, EXTRACTORS, Stopped())
    assert look.profile.is_empty
    assert look.proposals == ()


HOSTILE = {
    "alias": "a: &a [x, x, x, x, x, x, x, x]\n"
    + "\n".join(f"b{n}: &b{n} [*a, *a, *a, *a, *a, *a]" for n in range(200)),
    "deep": "[" * 5_000,
    "dashes": "- " * 5_000,
    "text": "not a mapping",
    "binary": "\x01\x02\x03",
    "huge": "a: " + "x" * 300_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_sidecar_costs_one_line_and_no_text(kind: str, tmp_path: Path) -> None:
    plans(tmp_path)
    (tmp_path / "area/100-plan-100/plan.yaml").write_text(HOSTILE[kind], encoding="utf-8")
    look = looked(tmp_path)
    assert look.profile.sidecars == ("plan.yaml",)
    assert sum(each.n for each in look.unread if "plan.yaml" in str(each.places)) == 1


def test_brackets_without_end_and_names_with_controls_are_passed_in_no_time(tmp_path: Path) -> None:
    write(
        tmp_path, {"a.md": "[" * 100_000, "b.md": "[[a](" * 50_000, "c.md": "<!--" * 50_000, "d.html": "<a " * 90_000}
    )
    (tmp_path / "e\x1b[31m.md").write_text(TEXT)
    look = looked(tmp_path)
    assert look.seconds < 10
    assert "\x1b" not in look.model_dump_json()
