"""One sign-in and its person: facts, an end behind a confirmation, and quotas in use beside those of the process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, people, resources
from docgraph.ui.frame.quotas import InUse, Limits, quotas
from docgraph.ui.frame.state import session
from docgraph.views.words.counts import plural, size
from docgraph.views.words.moments import browser, minute

AGAIN = "within seconds, in every process. Your identity provider decides who may sign in again's to say."


def person_panel(chosen: SignIn, theirs: Sequence[SignIn]) -> None:
    """The chosen sign-in with its end, and what its person takes with an end to all of theirs."""
    n_pages = quotas().pages().get(chosen.sign_in_id, 0)
    here = " · this browser" if people.is_here(chosen) else ""
    st.html(f'<h2 class="dg-h2 dg-personname">{escape.html(chosen.name)}</h2>')
    facts = {
        "Role": chosen.role,
        "Browser": f"{browser(chosen)}{here}",
        "Signed in": minute(chosen.created),
        "Last seen": minute(chosen.last_seen),
        "Valid until": minute(chosen.expires),
        "Open pages": f"{n_pages:,} in this process",
        "Id": chosen.short_id,
    }
    cells = "".join(f"<dt>{name}</dt><dd>{escape.html(value)}</dd>" for name, value in facts.items())
    st.html(f'<dl class="dg-facts">{cells}</dl>')
    with st.container(horizontal=True, gap="small"):
        if people.is_here(chosen):
            st.button("Sign out here", on_click=st.logout, key="docgraph.library.people_out")
        else:
            with st.popover("End this sign-in", key=f"docgraph.library.people_end.{chosen.short_id}"):
                st.html(f'<p class="dg-note dg-confirm">Its pages close {AGAIN}</p>')
                st.button("End it", key="docgraph.library.people_end_now", on_click=_end, args=((chosen,),))
        with st.popover("Sign out everywhere", key=f"docgraph.library.people_all.{chosen.short_id}"):
            what = f"{plural(len(theirs), 'sign-in')} of {escape.html(chosen.name)}"
            st.html(f'<p class="dg-note dg-confirm"><b>{what}</b> will end, and all their pages close {AGAIN}</p>')
            label = f"End {plural(len(theirs), 'sign-in')}"
            st.button(label, key="docgraph.library.people_all_now", on_click=_end, args=(tuple(theirs),))
    _in_use(quotas().in_use().get(chosen.name, InUse()), Limits.of(resources.settings()), theirs)


def _in_use(taken: InUse, limits: Limits, theirs: Sequence[SignIn]) -> None:
    """What the person takes of this process, all their sign-ins together."""
    behind = f'<span class="dg-note">of {escape.html(theirs[0].name)}, {plural(len(theirs), "sign-in")}</span>'
    st.html(f'<h2 class="dg-h2">In use{behind}</h2>')
    meters = (
        ("Open pages", f"{taken.n_sockets:,}", f"{limits.person_sockets:,}", taken.n_sockets / limits.person_sockets),
        ("Stored uploads", _size(taken.n_bytes), _size(limits.person_bytes), taken.n_bytes / limits.person_bytes),
        (
            "Uploads in progress",
            f"{taken.n_uploads:,}",
            f"{limits.person_uploads:,}",
            taken.n_uploads / limits.person_uploads,
        ),
    )
    rows = "".join(
        f'<tr><th scope="row">{what}</th><td>{_bar(share)}</td><td>{used} <small>of {allowed}</small></td></tr>'
        for what, used, allowed, share in meters
    )
    st.html(f'<table class="dg-types dg-meters"><tbody>{rows}</tbody></table>')


def process_meters() -> str:
    """HTML of what everybody takes of this process, each with what there is."""
    limits, taken = Limits.of(resources.settings()), quotas().in_all()
    meters = (
        _meter("open pages", taken.n_sockets, limits.all_sockets),
        _meter("of stored uploads", taken.n_bytes, limits.all_bytes, words=_size),
        _meter("uploads in progress", taken.n_uploads, limits.all_uploads),
    )
    cells = "".join(
        f"<li><span><b>{used}</b> of {allowed}</span>{_bar(share)}<small>{what}</small></li>"
        for what, used, allowed, share in meters
    )
    return f'<ul class="dg-process">{cells}</ul>'


def _end(sign_ins: Sequence[SignIn]) -> None:
    try:
        ended = people.end(sign_ins)
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    if any(people.is_here(each) for each in sign_ins):
        st.logout()
        return
    whose = f"Ended {plural(len(ended), 'sign-in')} of {ended[0].name}." if ended else "It had already ended."
    session().notices.append(whose)


def _number(n: int) -> str:
    return f"{n:,}"


def _meter(what: str, used: int, allowed: int, *, words: Callable[[int], str] = _number) -> tuple[str, str, str, float]:
    """What, how much is in use and allowed as words, and the share."""
    return what, words(used), words(allowed), used / allowed


def _bar(share: float) -> str:
    """A bar on its track; the words beside it say the same."""
    return f'<i class="dg-meter" style="--share:{100 * min(share, 1):.1f}%"></i>'


def _size(n_bytes: int) -> str:
    """``25 MB``, ``1.6 GB``."""
    return f"{n_bytes / 1e9:,.4g} GB" if n_bytes >= 999_500_000 else size(n_bytes).replace(".0 ", " ")
