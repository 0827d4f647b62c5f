"""The pictures of README.md and docs show the product as it is: the words beside each are those of the page today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests import ROOT
from tools.pictures.album import ALBUM, Picture
from tools.pictures.sample import served_sample
from tools.pictures.taking import PAUSE, seen_in, visited, words
from tools.pictures.words import differences

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

FOLDER = ROOT / "docs" / "images"
CHANGED = "the product says something else now: `make pictures` takes the pictures anew (look at them before a commit)"
TRIES = 20
"""Readings until a page that is still being drawn counts as another one."""


@pytest.fixture(scope="module")
def sample_url() -> Iterator[str]:
    with served_sample() as url:
        yield url


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with seen_in(browser, "light") as context:
        yield context


@pytest.mark.parametrize("picture", ALBUM, ids=lambda picture: picture.name)
def test_a_picture_says_what_the_product_says(context: BrowserContext, sample_url: str, picture: Picture) -> None:
    file = FOLDER / f"{picture.name}.txt"
    assert file.is_file(), f"{file.name} is missing: make pictures"
    kept = file.read_text(encoding="utf-8")
    with visited(context, sample_url, picture) as page:
        for _ in range(TRIES):
            found = differences(kept, words(page))
            if not found:
                return
            page.wait_for_timeout(PAUSE)
    pytest.fail(f"{CHANGED}\n\n{picture.name}.txt, and the page (+)\n" + "\n".join(found))
