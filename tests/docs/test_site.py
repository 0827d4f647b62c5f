"""The documentation site: every page is in its navigation, links lead to pages of the site, and it loads nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import docgraph
from tests import ROOT
from tools.site import sources

CONFIGURATION = (ROOT / "tools" / "site" / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    sources.main(folder)
    return folder


def test_every_page_is_in_the_navigation_once(site: Path) -> None:
    listed = re.findall(r": (\S+\.md)$", CONFIGURATION.split("\nnav:\n", 1)[1], flags=re.MULTILINE)
    assert sorted(listed) == sorted(path.relative_to(site).as_posix() for path in site.rglob("*.md"))


def test_no_link_of_the_site_leads_out_of_it(site: Path) -> None:
    """In a page the generator finds the broken ones; a path that leaves the folder would work here and nowhere else."""
    for path in site.rglob("*.md"):
        text = re.sub(
            r"^ *```.*?^ *```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target and not target.startswith("mailto:"):
                assert (path.parent / target).resolve().is_relative_to(site), f"{path.name} links to {target}"
                assert (path.parent / target).is_file(), f"{path.name} links to {target}"


def test_the_reference_has_every_public_name(site: Path) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (site / "api").glob("*.md"))
    named = re.findall(r"heading: docgraph\.(\w+)$", text, flags=re.MULTILINE)
    assert sorted(named) == [name for name in docgraph.__all__ if name != "__version__"]


def test_nothing_is_loaded_from_another_machine_and_no_address_is_invented() -> None:
    assert "\n  font: false\n" in CONFIGURATION
    assert not re.search(r"https?://|analytics|site_url|repo_url", CONFIGURATION)


def test_its_tools_are_named_by_version_and_hash() -> None:
    wanted = {
        line
        for line in (ROOT / "tools" / "site-tools.in").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    }
    text = (ROOT / "tools" / "site-tools.txt").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^([a-z0-9-]+)==\S+(?: ; .*)? \\\n    --hash=sha256:[0-9a-f]{64}", text)
    assert wanted <= {*listed}
    assert len(listed) == len(re.findall(r"(?m)^[a-z0-9-]+(?:\[[a-z,-]+\])?==", text))


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("Two ways:\n- one\n- two\n", "Two ways:\n\n- one\n- two\n"),
        ("- a command:\n\n  ```sh\n  make\n  ```\n", "- a command:\n\n    ```sh\n    make\n    ```\n"),
        ("1. one\n\n   more\n2. two\n", "1. one\n\n    more\n\n2. two\n"),
        ("- one\n  line\n- two\n", "- one\n    line\n- two\n"),
        ("| `a\\|b` | c |\n", "| `a|b` | c |\n"),
        ("[laws](laws.md#six-laws) and `[x](y.md)`\n", "[laws](laws.md#six-laws) and `[x](y.md)`\n"),
        ("[read me](../README.md#install)\n", "[read me](index.md#install)\n"),
        ("[code](../LICENSE) and [none](../NONE)\n", "code and [none](../NONE)\n"),
    ],
)
def test_markdown_of_forges_becomes_that_of_the_generator(tmp_path: Path, written: str, made: str) -> None:
    page, pages = tmp_path / "docs" / "page.md", {ROOT / "README.md": "index.md", ROOT / "docs" / "laws.md": "laws.md"}
    page.parent.mkdir()
    (tmp_path / "LICENSE").touch()
    page.write_text(written, encoding="utf-8")
    moved = {tmp_path / path.relative_to(ROOT): name for path, name in pages.items()}
    assert sources.page(page, "page.md", moved) == made
