"""The style sheets: every colour of a role is said once and means one thing, and no rule is about nothing."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from docgraph.views.lanes.palette import DARK, LIGHT
from docgraph.views.report.as_markdown import flowchart
from tests import ROOT

PACKAGE = ROOT / "docgraph"
SHEETS = sorted(PACKAGE.rglob("*.css"))
TOKENS = PACKAGE / "ui/frame/layout.css"
OTHER_PEOPLES = ("react-aria-", "vega-", "st")
"""Beginnings of classes that Streamlit, and the charts inside it, put on a page."""

ROLES = ("query", "seed", "added", "added-text", "cut", "cut-text", "kept", "finding", "relevant", "lost")
OWN_VALUES = {"report.css": {"kept"}}
"""In a report kept things are written in that colour, which asks for more contrast than a sign does."""


def _tokens(sheet: Path) -> dict[str, tuple[str, str]]:
    """Name → (light, dark), in capitals."""
    text = sheet.read_text(encoding="utf-8")
    found = re.findall(r"--dg-([\w-]+): light-dark\((#\w+), (#\w+)\)", text)
    return {name: (light.upper(), dark.upper()) for name, light, dark in found}


def _rules(sheet: Path) -> str:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"url\(\"data:[^\"]*\"\)", "", text)


def test_every_role_has_one_colour_in_light_and_one_in_dark() -> None:
    tokens = _tokens(TOKENS)
    assert set(ROLES) <= set(tokens)
    assert {tokens["finding"], tokens["lost"]} == {("#C92A2A", "#FF7B7B")}, (
        "both red: told apart by their signs, ⚠ and ▼"
    )
    others = [tokens[name] for name in ROLES if name != "lost"]
    assert len(set(others)) == len(others), "two roles share a colour"


def test_pictures_reports_and_lanes_take_the_colours_of_the_dashboard() -> None:
    tokens = _tokens(TOKENS)
    for field in fields(LIGHT):
        assert (LIGHT.of(field.name), DARK.of(field.name)) == tokens[field.name.replace("_", "-")], field.name
    for name, colours in _tokens(PACKAGE / "views/report/report.css").items():
        assert name in OWN_VALUES["report.css"] or colours == tokens[name], name
    lanes = (PACKAGE / "ui/parts/lanes/drawing.css").read_text(encoding="utf-8")
    for name, fallback in re.findall(r"var\(--dg-([\w-]+), (#\w+)\)", lanes):
        light = tokens[name][0]
        assert fallback.upper() in (light, f"#{light[1]}{light[3]}{light[5]}"), name
    chart = Path(flowchart.__code__.co_filename).read_text(encoding="utf-8")
    assert set(re.findall(r"#[0-9A-F]{6}", chart)) <= {tokens[name][0] for name in ROLES}


@pytest.mark.parametrize(
    "sheet", [s for s in SHEETS if "ui" in s.parts], ids=lambda sheet: str(sheet.relative_to(PACKAGE))
)
def test_a_style_sheet_of_the_dashboard_takes_the_colours_of_roles_from_the_tokens(sheet: Path) -> None:
    if sheet != TOKENS:
        said = re.sub(r"var\(--dg-[\w-]+, #\w+\)", "", _rules(sheet))
        assert not re.findall(r"#[0-9A-Fa-f]{6}\b", said), "name a token of ui/frame/layout.css"


@pytest.fixture(scope="module")
def sources() -> str:
    """Everything that could put a class on a page."""
    files = [p for kind in ("*.py", "*.js", "*.jinja") for p in sorted(PACKAGE.rglob(kind))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.relative_to(PACKAGE)))
def test_every_class_of_a_style_sheet_is_put_on_a_page(sheet: Path, sources: str) -> None:
    selectors = " ".join(re.findall(r"([^{}]*)\{", _rules(sheet)))
    classes = {name.removeprefix("st-key-") for name in re.findall(r"\.([a-zA-Z][\w-]*)", selectors)}
    unused = [c for c in sorted(classes) if not c.startswith(OTHER_PEOPLES) and not _made(c, sources)]
    assert unused == []


def _made(name: str, sources: str) -> bool:
    """Whether code says a class, a key it comes from (``a.b`` becomes ``a-b``), or a beginning and the word it adds."""
    if name in sources or name.replace("-", ".") in sources:
        return True
    for end in (at for at, letter in enumerate(name) if letter == "-"):
        begun = re.search(rf"{re.escape(name[:end])}(?:-?\{{|-[\"'`$])", sources)
        if begun and any(word in sources for word in _added(name[end + 1 :])):
            return True
    return False


def _added(rest: str) -> list[str]:
    """What code says between quotes to make an ending: all of it, or what stands before a written suffix."""
    parts = rest.split("-")
    said = ["-".join(parts[:n]) for n in range(1, len(parts) + 1)] + [" ".join(parts), f"-{rest}"]
    return [f'"{word}"' for word in said]


TIMED = [s for s in SHEETS if {"frame", "home", "plan", "parts"} & set(s.relative_to(PACKAGE).parts[1:2])]
"""The sheets of the pages that are timed (docs/benchmarks.md), and those that every page shares."""

HOLDERS = ("stApp", "stMain", "stMainBlockContainer", "stVerticalBlock")
WHOLE_PAGE = re.compile(rf"(?:^|[\s,])(?:\.(?:{'|'.join(HOLDERS)})|html|body|:root|\*)?:has\(")
NAMED = re.compile(r"[.#][a-zA-Z]")


def _selectors(sheet: Path) -> list[str]:
    """Every selector of a sheet, those of a list one by one."""
    blocks = re.findall(r"([^{};]*)\{", re.sub(r"@[\w-]+[^{};]*[{;]", "", _rules(sheet)))
    return [one.strip() for block in blocks for one in re.split(r",(?![^(]*\))", block) if one.strip()]


@pytest.mark.parametrize("sheet", TIMED, ids=lambda sheet: str(sheet.relative_to(PACKAGE)))
def test_no_rule_of_a_timed_page_looks_into_the_whole_page_or_at_every_element(sheet: Path) -> None:
    """A ``:has()`` on what holds the page is asked again for every element that comes or goes.

    A rule that matches a part of a class has to name a whole one beside it, or it is asked of every element.
    """
    selectors = _selectors(sheet)
    assert [one for one in selectors if WHOLE_PAGE.search(one)] == []
    ends = [re.split(r"[\s>+~](?![^(\[]*[)\]])", one)[-1] for one in selectors]
    assert [one for one, end in zip(selectors, ends, strict=True) if "[class" in end and not NAMED.search(end)] == []


def test_the_plan_page_matches_no_part_of_a_class_until_somebody_judges() -> None:
    """The framework changes classes in every run: what hangs on a part of one is then looked up under all of them."""
    drawn = ("ui/frame/layout.css", "ui/plan", "ui/parts/runs/saving.css", "ui/parts/judgments/style.css")
    sheets = [s for s in SHEETS if str(s.relative_to(PACKAGE)).startswith(drawn)]
    assert len(sheets) >= 6
    assert [str(s) for s in sheets if "[class" in _rules(s)] == []
