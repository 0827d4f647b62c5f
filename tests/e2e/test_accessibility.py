"""Every page in both themes: by axe-core's rules, by keyboard alone, and under the content security policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from docgraph.ui.frame import navigation
from tests.e2e.conftest import Screen
from tests.e2e.workspace_places import unfolded

BUSY = "query=What+is+the+first+thing+to+read+in+the+first+week+on+call%3F"
"""A question whose plan cuts documents."""
PATHS = (
    "/",
    "/plan",
    f"/plan?{BUSY}",
    "/compare",
    f"/compare?{BUSY}",
    "/conversation",
    "/runs",
    "/query_sets",
    "/relationships",
    "/relationships?tab=all",
    "/relationships?tab=all&view=Matrix",
    "/relationships?tab=types",
    "/relationships?tab=review&show=suggestions",
    "/relationships?tab=history",
    "/relationships?tab=all&panel=files",
    "/library?show=Documents",
    "/library?show=Import",
    "/library?show=Health",
    "/library?workspace=hostile",
    f"/plan?present=1&{BUSY}",
)
GRAVE = ("serious", "critical")
FURTHER = ("label-content-name-mismatch",)
"""Rules that axe-core asks only when it is told to: who says what stands on a button presses that button."""
THEMES: dict[str, tuple[str, ...]] = {"light": (), "dark": ("color-contrast", "link-in-text-block")}
"""Theme → the rules that are asked (none: all): from one theme to the other nothing but colours differs."""
REACHABLE = """() => {
  const inside = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && element.getClientRects().length > 0
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]'
  return [...document.querySelectorAll(kinds)].filter(each => inside(each) && !each.disabled
      && each.tabIndex < 0 && !each.closest('[aria-hidden=true], [inert]') && !each.closest(GROUPS))
    .map(each => each.outerHTML.slice(0, 200)) }"""
GROUPS = "'[role=radiogroup], [role=tablist], [role=listbox], [role=grid], [role=menu], [data-testid=stFileUploader],'"
GROUPS += " + ' [data-testid=stSelectbox], [data-testid=stMultiSelect]'"
"""Inside of these one moves by arrow keys, or the group has a field or button of its own that Tab reaches."""


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core."""
    package = pytest.importorskip("axe_playwright_python", reason="no axe-core: pip install axe-playwright-python")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def _unfold(screen: Screen) -> Iterator[str]:
    """Everything that Health has, at once."""
    yield " and ".join(unfolded(screen))


def _next_steps(screen: Screen) -> Iterator[str]:
    """The steps of the presenter after the first one."""
    for step in (2, 3):
        screen.press("ArrowRight")
        screen.page.locator(f'.dgp-stage[data-step="{step}"]').wait_for()
        screen.settle()
        yield f"step {step}"


FURTHER_STATES = {"/library?show=Health": _unfold, f"/plan?present=1&{BUSY}": _next_steps}
"""Path → what is shown in the page after what it opens with."""

LOOKS = 100
UNDISTURBED = """async options => {
  const app = document.querySelector('[data-testid="stApp"]')
  if (app.dataset.testScriptState !== 'notRunning' || document.querySelector('[data-stale="true"]')) return null
  let drawn = false
  const watch = new MutationObserver(() => { drawn = true })
  watch.observe(app, {attributes: true, attributeFilter: ['data-test-script-state']})
  const found = (await axe.run(options)).violations
  drawn ||= watch.takeRecords().length > 0
  watch.disconnect()
  return drawn ? null : found }"""
"""Null where the page was drawn anew meanwhile: what is about to be replaced is shown faded."""


PALE = """() => {
  const parsed = colour => {
    const inside = colour.match(/\\(([^)]+)\\)/)?.[1].replace('srgb', '').trim().split(/[ ,/]+/).map(Number)
    if (!inside) return [0, 0, 0, 0]
    const scale = colour.startsWith('color') ? 255 : 1
    return [...inside.slice(0, 3).map(each => each * scale), inside[3] ?? 1] }
  const over = (upper, lower) => [0, 1, 2].map(i => upper[i] * upper[3] + lower[i] * (1 - upper[3]))
  const light = ([r, g, b]) => [r, g, b].map(each => each / 255)
    .map(each => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4)
    .reduce((sum, each, i) => sum + each * [.2126, .7152, .0722][i], 0)
  const pale = new Set(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement, style = getComputedStyle(element)
    const range = document.createRange()
    range.selectNode(text)
    const {width, height} = range.getBoundingClientRect()
    if (!text.textContent.trim() || width < 2 || height < 2
      || element.closest('style, script, [disabled], [aria-hidden=true]')
      || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue
    let share = 1, below = [255, 255, 255], above = []
    for (let each = element; each; each = each.parentElement) {
      above.unshift(each)
      share *= getComputedStyle(each).opacity }
    for (const each of above) below = over(parsed(getComputedStyle(each).backgroundColor), below)
    const colour = parsed(style.color), seen = over([...colour.slice(0, 3), colour[3] * share], below)
    const [one, other] = [light(seen), light(below)], size = parseFloat(style.fontSize)
    const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05)
    const enough = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5
    if (ratio < enough) pale.add(`${ratio.toFixed(2)} of ${enough}: ${text.textContent.trim().slice(0, 60)}`) }
  return [...pale] }"""
"""Texts with less contrast than WCAG asks, each by the colours below it. Where anything lies over a whole page, as on
the presenter's stage, axe-core says of no text whether it can be read."""


def grave(screen: Screen, *, only: Sequence[str] = ()) -> list[str]:
    """What axe-core calls serious or critical, one line each, with what it says to do; by all rules or some.

    It looks again where something counted in the background let the page be drawn anew under its eyes.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {rule: {"enabled": True} for rule in FURTHER}}
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    found: list[dict[str, Any]] | None = None
    for _ in range(LOOKS):
        screen.settle()
        found = screen.page.evaluate(UNDISTURBED, options)
        if found is not None:
            break
    assert found is not None, "the page never stopped being drawn anew"
    return [
        f"{rule['impact']} {rule['id']} {node['target']} {node.get('failureSummary', '')}"
        for rule in found
        for node in rule["nodes"]
        if rule["impact"] in GRAVE
    ]


@pytest.mark.parametrize("path", PATHS)
def test_in_either_theme_a_page_has_no_serious_fault_keeps_to_the_policy_and_has_everything_in_reach(
    screen: Screen, axe: str, path: str
) -> None:
    """What the policy forbids is noticed whatever the page shows; the fixture looks once more at the end."""
    page = screen.open(path)
    page.evaluate(axe)
    _look(screen, path)
    for state in FURTHER_STATES.get(path, lambda _: ())(screen):
        _look(screen, f"{path}, {state}")


def _look(screen: Screen, shown: str) -> None:
    """At what is shown, in both themes."""
    page, faults = screen.page, []
    for theme, only in THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(
            "theme => getComputedStyle(document.querySelector('.stApp')).colorScheme === theme", arg=theme
        )
        pale = page.evaluate(PALE) if "present=1" in shown else []
        faults += [f"{theme}: {each}" for each in (*grave(screen, only=only), *pale, *screen.violations)]
    assert not faults, "\n".join((shown, *faults))
    assert page.evaluate(REACHABLE.replace("GROUPS", GROUPS)) == [], f"{shown}: not in the order of Tab"


def test_every_page_is_looked_at() -> None:
    assert {f"/{page.name}" for page in navigation.pages()[1:]} | {"/"} <= {urlsplit(path).path for path in PATHS}
