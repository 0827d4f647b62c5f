"""F1: hostile text in every field of a corpus stands on every page as the text that it is, and does nothing."""

from __future__ import annotations

import csv
import io
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import docgraph
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.report.file import report
from tests.e2e.conftest import Screen, served_dashboard
from tests.survive.dashboards import browsing
from tests.survive.hostile import PAYLOADS, mark
from tests.survive.hostile_corpus import FIELDS, Views, fill, forms, said, squeezed, workspace
from tests.survive.tally import Row, Tally

ROW = Row(
    row="F1",
    what="hostile documents in a browser: 16 classes of payloads × 8 fields × 8 pages; their exports as CSV",
    rule="no dialog, no change of the page around it, no request outside; shown literally; no cell is a formula",
    n=1_040,
    short=17,
    case="a class of payloads in a field on a page",
)
BROWSERS = 3
SHORT, CELLS = ("handler", ("library", "plan")), ("handler", "formula")
"""What the short form looks at in a browser, and in exports."""
Walk = dict[tuple[str, str], tuple[list[str], list[str]]]
"""(class, page) → what came alive on it, and the texts of its addresses."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

ALIVE = """() => {
  const found = []
  const leads = value => { try { const to = new URL(value, location.href)
    return !['http:', 'https:', 'data:', 'blob:'].includes(to.protocol) || /^data:text/i.test(value)
      || to.protocol.startsWith('http') && to.host !== location.host } catch { return false } }
  for (const element of document.querySelectorAll('*')) for (const {name, value} of element.attributes) {
    const link = ['href', 'src', 'action', 'formaction', 'data', 'poster'].includes(name) && leads(value)
    if (/^on|^srcdoc$/i.test(name) || link || name === 'srcset' && /evil[.]example/.test(value))
      found.push(`${element.tagName} ${name}=${value}`) }
  for (const name of ['base', 'meta[http-equiv=refresh]', 'object', 'iframe[srcdoc]', 'input[onfocus]'])
    if (document.querySelector(name)) found.push(name)
  for (const sheet of document.querySelectorAll('style'))
    if (/evil[.]example/.test(sheet.textContent)) found.push('css')
  if (document.querySelectorAll('#root').length !== 1 || document.body.dataset.hit) found.push('the page around it')
  if (document.title.includes('hit') || getComputedStyle(document.body).display === 'none') found.push('its title')
  return found }"""
"""What came alive in a page, or changed it."""

TEXT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, node =>
    node.parentElement.closest('style, script') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
  const parts = []
  while (walker.nextNode()) parts.push(walker.currentNode.data)
  for (const input of document.querySelectorAll('input, textarea')) parts.push(input.value)
  return parts.join('') }"""
"""The text of a page as it stands in its elements and inputs."""


@pytest.fixture
def url(new_database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database that the dashboard opens, too."""
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", new_database_url)
    return new_database_url


def _looked(screen: Screen, paths: tuple[str, ...], waits: str) -> tuple[list[str], list[str]]:
    """What came alive under these addresses, and their texts."""
    alive: list[str] = []
    texts = []
    for path in paths:
        page = screen.open(path)
        if waits:
            page.locator(waits).first.wait_for()
        screen.settle()
        alive += [f"{path}: {each}" for each in page.evaluate(ALIVE)]
        texts.append(squeezed(page.evaluate(TEXT)))
        if not page.url.startswith(screen.url):
            alive.append(f"{path}: went to {page.url}")
        alive += [f"{path}: {each}" for each in (*screen.foreign, *screen.dialogs, *screen.errors, *screen.violations)]
        for heard in (screen.foreign, screen.dialogs, screen.errors, screen.violations):
            heard.clear()
    return alive, texts


WAITS = {"plan": '.dg[data-ready="1"]', "library": "[data-testid=stMainBlockContainer] .dg-h1"}
"""What a page draws last."""


def _literal(name: str, field: str, texts: list[str]) -> int:
    """How often a field stands in texts, each time literally."""
    n, allowed = 0, forms(name, field)
    for text in texts:
        pieces = text.split(mark(name, field))
        for piece in pieces[:-1]:
            n += 1
            assert piece.endswith(tuple(allowed)), f"{field} shown as {piece[-120:]!r}, not {sorted(allowed)[0]!r}"
    return n


def _no_formula(dg: Docgraph, name: str) -> None:
    there = dg.use_workspace(workspace(name))
    export = b"".join(there.relationships.export("csv")).decode()
    compared = report(there.compare(said(name, "question")), "csv", made_at="")
    for text in (export, compared.decode()):
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert any(mark(name, field) in cell for field in FIELDS for cell in cells)
        bad = [cell for cell in cells if cell.lstrip(" ").startswith(FORMULAS) and not _is_number(cell)]
        assert not bad, bad


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdigit()


@pytest.mark.timeout(7_200)
def test_f1_hostile_text_is_shown_as_text_and_does_nothing(tally: Tally, url: str) -> None:
    names = list(PAYLOADS) if tally.whole else [SHORT[0]]
    place = Path(tempfile.mkdtemp(prefix="docgraph-test-"))
    with docgraph.connect(url, workspace="w") as dg:
        views = {name: fill(dg, name) for name in dict.fromkeys([*names, *CELLS])}
        for name in views:
            with tally.trying(f"{name}: cells"):
                _no_formula(dg, name)
        with served_dashboard(place / "data", place) as address, ThreadPoolExecutor(BROWSERS) as pool:
            parts = [{name: views[name] for name in names[n::BROWSERS]} for n in range(min(BROWSERS, len(names)))]
            walks = [pool.submit(browsing, address, partial(_walk, tally.whole, part)) for part in parts]
            for walk in walks:
                _counted(tally, walk.result())


def _walk(whole: bool, views: dict[str, Views], screen: Screen) -> Walk:
    """What every page of these classes came to."""
    return {
        (name, page): _looked(screen, pages[page], WAITS.get(page, ""))
        for name, pages in views.items()
        for page in (pages if whole else SHORT[1])
    }


def _counted(tally: Tally, walk: Walk) -> None:
    """A case for each field of each page; in the whole form every field has to be shown somewhere."""
    shown = {(name, field): 0 for name, _ in walk for field in FIELDS}
    for (name, page), (alive, texts) in walk.items():
        for field in FIELDS:
            with tally.trying(f"{name}: {field} on {page}"):
                assert not alive, alive
                shown[name, field] += _literal(name, field, texts)
    if tally.whole:
        tally.failures += [f"{name}: {field} is shown on no page" for (name, field), n in shown.items() if not n]
