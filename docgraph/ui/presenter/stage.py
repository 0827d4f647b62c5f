"""The presenter's stage: one of three steps as one drawing, and the buttons with their keys; a fragment of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from docgraph.ui.frame import escape, navigation
from docgraph.ui.frame.resources import workspaces
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.presenter.changes import PITCH, ROWS, room, step_three
from docgraph.ui.presenter.lanes import step_one, step_two, u
from docgraph.ui.presenter.start import leave, question_inputs, show
from docgraph.ui.presenter.story import Story, cards, memory
from docgraph.views.presenter.picture import RELATED_BOX, RIGHT, RIGHT_WIDTH
from docgraph.views.presenter.story import STEPS, costs, step_of
from docgraph.views.words import address

_KEYS = {
    "ArrowRight": "dgp-next",
    "PageDown": "dgp-next",
    " ": "dgp-next",
    "ArrowLeft": "dgp-back",
    "PageUp": "dgp-back",
    "ArrowDown": "dgp-down",
    "ArrowUp": "dgp-up",
    "Home": "dgp-home",
    "n": "dgp-sample",
    "w": "dgp-whatif",
    "Escape": "dgp-leave",
}
"""Key → button of the stage; presenters' clickers send PageDown and PageUp."""


@st.fragment
def stage(story: Story) -> None:
    """Draw the step that the address names. A key press runs this fragment alone: it asks the database nothing."""
    kept, step = memory(), step_of(st.query_params.get(address.STEP))
    arriving = kept.shown_step == step - 1
    kept.shown_step = step
    n_choices = _n_choices(story, step)
    kept.chosen = min(kept.chosen, max(len(story.picture.related) - 1, 0))
    html = {
        1: lambda: step_one(story),
        2: lambda: step_two(story, kept.chosen, arriving=arriving),
        3: lambda: step_three(story, kept.opened, n_rows=n_choices),
    }[step]()
    st.html(f'<div class="dgp-stage" data-step="{step}">{_top(story, step)}{html}</div>')
    _choices(story, step, n_choices)
    with st.container(key="dgp-bar"):
        _ways(story)
        _steps(step, n_choices)
    shortcuts(_KEYS | ({"Enter": "dgp-down"} if step == 3 else {}), key="dgp-keys")


def _top(story: Story, step: int) -> str:
    dashes = "".join(f"<i{' class=on' if n == step else ''}></i>" for n in range(1, STEPS + 1))
    frozen = '<span class="dgp-frozen">saved run</span>' if story.run_id else ""
    question = escape.html(story.run.request.query)
    return (
        f'<div class="dgp-top"><span class="dgp-question" title="{question}">{question}</span>{frozen}'
        f'<span class="dgp-where" role="status">{dashes}<b>{step} of {STEPS}</b></span></div>'
    )


def _n_choices(story: Story, step: int) -> int:
    if step == 2:
        return len(story.picture.related)
    return min(len(costs(story.comparison)), room(story)) if step == 3 else 0


# ---------------------------------------------------------------- what a key or a click does


def _go(by: int) -> None:
    """Some steps on from the one in the address: two quick key presses are two steps, whatever is drawn meanwhile."""
    step = step_of(st.query_params.get(address.STEP)) + by
    st.query_params[address.STEP] = str(min(max(step, 1), STEPS))
    memory().opened = None


def _choose(step: int, wanted: int) -> None:
    """Choose a related document (step 2), or open the text of a passage that left (step 3; again: close it)."""
    kept = memory()
    if step == 2:
        kept.chosen = wanted
    else:
        kept.opened = None if kept.opened == wanted else wanted


def _move(step: int, by: int, *, n: int) -> None:
    """Choose the next or the previous of ``n``; in step 3 nothing is open above the first one."""
    kept = memory()
    if step == 2:
        kept.chosen = min(max(kept.chosen + by, 0), n - 1)
    else:
        at = min((-1 if kept.opened is None else kept.opened) + by, n - 1)
        kept.opened = at if at >= 0 else None


def _choices(story: Story, step: int, n: int) -> None:
    """A button over every row that can be chosen."""
    if step == 2:
        tops = [(box.y, RELATED_BOX, RIGHT, RIGHT_WIDTH, f"Why {box.title}") for box in story.picture.related]
    elif step == 3:
        tops = [
            (ROWS + i * PITCH, PITCH, 768, 448, f"Read {cost.title}, {cost.heading}")
            for i, cost in enumerate(costs(story.comparison)[:n])
        ]
    else:
        return
    rules = "".join(
        f".st-key-dgp-pick-{i}{{top:{u(y)};left:{u(x)};width:{u(width)} !important;height:{u(height)}}}"
        for i, (y, height, x, width, _) in enumerate(tops)
    )
    st.html(f"<style>{rules}</style>")
    for i, (*_, label) in enumerate(tops):
        st.button(escape.label(label, limit=200), key=f"dgp-pick-{i}", on_click=_choose, args=(step, i))


def _ways(story: Story) -> None:
    """The ways on from here: small, for the mouse; each has a key as well, but for Compare (Esc leads there)."""
    page = "Compare" if navigation.page("compare") else "Plan"
    if st.button("Start", key="dgp-home", shortcut="Home", type="tertiary", help="The sample questions"):
        show([(address.WORKSPACE, story.workspace)])
    if st.button("Next sample", key="dgp-sample", shortcut="N", type="tertiary", help="The next sample question"):
        _next_sample(story)
    back = story.way_back if step_of(st.query_params.get(address.STEP)) == STEPS else None
    if back and st.button("Bring it back", key="dgp-whatif", shortcut="W", type="tertiary", help=back.then):
        show(back.inputs)
    if st.button(page, key="dgp-leave", shortcut="Esc", type="tertiary", help=f"To the {page} page"):
        leave("compare", story.inputs)


def _next_sample(story: Story) -> None:
    """The sample behind the one on the stage, the first one behind the last; without samples the start screen."""
    workspace = next((w for w in workspaces() if w.name == story.workspace), None)
    questions = [sample.query for sample in cards(workspace)] if workspace else []
    if not questions:
        show([(address.WORKSPACE, story.workspace)])
    asked = story.run.request.query
    following = questions[(questions.index(asked) + 1) % len(questions)] if asked in questions else questions[0]
    show(question_inputs(following, story.workspace))


def _steps(step: int, n_choices: int) -> None:
    kept = memory()
    if n_choices:
        first, last = (0 if step == 2 else -1), n_choices - 1
        at = kept.chosen if step == 2 else -1 if kept.opened is None else kept.opened
        _key("Previous", "dgp-up", "Up", partial(_move, step, -1, n=n_choices), off=at == first)
        _key("Next", "dgp-down", "Down", partial(_move, step, 1, n=n_choices), off=at == last)
    _key("Back", "dgp-back", "Left", partial(_go, -1), off=step == 1)
    _key("On", "dgp-next", "Right", partial(_go, 1), off=step == STEPS)


def _key(label: str, key: str, shortcut: str, act: Callable[[], None], *, off: bool) -> None:
    st.button(label, key=key, shortcut=shortcut, type="tertiary", on_click=act, disabled=off)
