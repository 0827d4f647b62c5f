"""A profile goes out as TOML and comes back the same; what cannot be meant is refused with its value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.domain.imports.look import Look, Proposal
from docgraph.domain.imports.profile import ImportProfile, Series
from docgraph.errors import UserError

WHOLE = ImportProfile(
    one_per="folder",
    page="index",
    sidecars=("kep.yaml", "{name}.meta.json"),
    skip=("_layouts/",),
    base=("https://git.example/a/b/tree/*/docs/", "https://docs.example/"),
    outside=("https://git.example/a/b/",),
    root=("/docs/",),
    citations=True,
    numbers=(Series(word="KEP", field="kep-number", addresses=("https://kep.example/{n}",)), Series()),
    empty=("n/a", "tbd"),
    boilerplate=("../LICENSE.md", "/template.md"),
    stub_values={"status": ("Moved",), "redirect to": ("*",)},
    stub_below=300,
)
WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), max_size=4).map(tuple)


def test_a_whole_profile_comes_back_the_same() -> None:
    assert read_profile(write_profile(WHOLE).encode()) == WHOLE
    assert read_profile(write_profile(ImportProfile()).encode()) == ImportProfile()


@given(
    empty=WORDS,
    boilerplate=WORDS,
    values=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200), WORDS, max_size=3
    ),
)
def test_any_words_come_back_the_same(
    empty: tuple[str, ...], boilerplate: tuple[str, ...], values: dict[str, tuple[str, ...]]
) -> None:
    profile = ImportProfile(empty=empty, boilerplate=boilerplate, stub_values=values)
    assert read_profile(write_profile(profile).encode()) == profile


def test_a_look_tells_its_findings_in_comments_that_no_name_can_break() -> None:
    proposal = Proposal(id="root", title="Root", sentence='27 links\n[words]\nempty = ["x"]', n=27, unit="links")
    text = write_profile(ImportProfile(root=("/a/",)), Look(name="a\nversion = 2", proposals=(proposal,)))
    assert "# Root: 27 links" in text
    assert read_profile(text.encode()) == ImportProfile(root=("/a/",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [", "is not TOML"),
        ("[doc]\na = 1", "'doc', which no profile has"),
        ("[links]\nbases = []", "'bases', which is not a key of it"),
        ("links = 3", "is no table"),
        ("version = 2", "version"),
        ("[documents]\none_per = 'page'", "documents.one_per"),
        ("[stubs]\nbelow = -1", "stubs.below"),
        ("[words]\nempty = ['" + "x" * 300 + "']", "words.empty"),
        ("[words]\nempty = 'x'", "words.empty"),
        ("[links]\nbase = ['ftp://x/']", "links.base"),
        ("[links]\nbase = ['https://*/x/']", "links.base"),
        ("[links]\nbase = ['https://x.example/(a+)+$']", "links.base"),
        ("[links]\nroot = ['keps']", "links.root"),
        ("[links]\nroot = ['/../']", "links.root"),
        ("[documents]\nsidecars = ['../../etc/passwd']", "documents.sidecars"),
        ("[documents]\nsidecars = ['*.exe']", "documents.sidecars"),
        ("[documents]\nskip = ['/etc/']", "documents.skip"),
        ("[[numbers]]\naddresses = ['https://x.example/']", "numbers.addresses"),
        ("[[numbers]]\nword = '(a+)+'", "numbers"),
        ("a." * 40 + "b = 1", "dotted parts"),
        ("x = " + "[" * 60 + "]" * 60, "nested"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_place_and_value(text: str, said: str) -> None:
    with pytest.raises(UserError, match=r"mine\.toml") as error:
        read_profile(text.encode(), name="mine.toml")
    assert said in error.value.message
    assert error.value.hint


def test_what_is_too_large_or_no_utf8_is_refused() -> None:
    with pytest.raises(UserError, match="bytes, more than"):
        read_profile(b"#" * 300_000)
    with pytest.raises(UserError, match="not UTF-8"):
        read_profile(b"\xff\xfe")
    with pytest.raises(UserError):
        read_profile(("[words]\nempty = [" + "'x'," * 600 + "]").encode())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("version = 1\n[links]\nroot = [\n '/a/',\n 'keps',\n]", 5),
        ("# 'x'\n[documents]\none_per = 'x'", 3),
        ("[words]\nempty = ['page']\n\n[documents]\npage = 3", 5),
        ("\n[links]\nbases = []", 3),
        ("\n[link]\nbase = []", 2),
        ("\nversion = 2", 2),
        ("[[numbers]]\nword = 'A'\n[[numbers]]\nword = '1'", 4),
        ("[stubs]\nbelow = -1", 2),
    ],
)
def test_an_error_names_the_line_that_it_is_about(text: str, line: int) -> None:
    with pytest.raises(UserError) as error:
        read_profile(text.encode(), name="mine.toml")
    assert error.value.message.startswith(f"line {line}: ")


def test_a_root_may_lead_into_the_folder_from_one_level_above_it() -> None:
    profile = ImportProfile(root=("../docs/", "/docs/"))
    assert read_profile(write_profile(profile).encode()) == profile
    for wrong in ("../../docs/", "..", "../", "..docs/"):
        with pytest.raises(UserError, match=r"links\.root"):
            read_profile(write_profile(ImportProfile(root=(wrong,))).encode())
