"""The places of the Workspace page, one after the other in one open page, as somebody goes through them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import expect

from tests.e2e.conftest import Screen

FOLDS = ("changes", "workspaces", "limits")
"""What is folded on the place Health."""


def gone_through(screen: Screen) -> Iterator[str]:
    """Begin at the documents, then go on; the name of each place that is shown."""
    page = screen.page
    yield "documents"
    page.get_by_role("button", name="Add documents").click()
    expect(page.get_by_role("button", name="Choose a folder")).to_be_visible()
    screen.settle()
    yield "import"
    for place in ("People", "Health"):
        page.get_by_role("radio", name=place, exact=True).click()
        expect(page).to_have_url(re.compile(f"tab={place.lower()}"))
        screen.settle()
        yield place.lower()
    yield from unfolded(screen)


def unfolded(screen: Screen) -> Iterator[str]:
    """Unfold one part of Health after the other; its name."""
    for name in FOLDS:
        fold = screen.page.locator(f'[class*="st-key-docgraph-library-fold-{name}-"]')
        fold.locator("summary").first.click()
        fold.locator('[data-testid="stExpanderDetails"] [data-testid="stElementContainer"]').first.wait_for()
        screen.settle()
        yield name
