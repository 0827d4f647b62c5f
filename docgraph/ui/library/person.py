"""One sign-in and its person: facts, quotas in use, and an end behind a confirmation; and the process as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from docgraph.domain.person import SignIn
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, people, resources
from docgraph.ui.frame.quotas import InUse, Limits, quotas
from docgraph.ui.frame.state import session
from docgraph.views.words.counts import plural, size
from docgraph.views.words.people import browser, counted, minute

Meter = tuple[str, int, int, str]
"""What, how much is in use, how much is allowed, and the words for it."""
WITHIN_SECONDS = "Its pages close within seconds, in every process. Whoever may sign in at your identity provider can "
WITHIN_SECONDS += "do so again."


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
        "Counts until": minute(chosen.expires),
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
                st.html(f'<p class="dg-note">{WITHIN_SECONDS}</p>')
                st.button("End it", key="docgraph.library.people_end_now", on_click=_end, args=((chosen,),))
        with st.popover("Sign out everywhere", key=f"docgraph.library.people_all.{chosen.short_id}"):
            what = f"{plural(len(theirs), 'sign-in')} of {escape.html(chosen.name)} will end."
            st.html(f'<p class="dg-note"><b>{what}</b> {WITHIN_SECONDS}</p>')
            label = f"End {plural(len(theirs), 'sign-in')}"
            st.button(label, key="docgraph.library.people_all_now", on_click=_end, args=(tuple(theirs),))
    limits, taken = Limits.of(resources.settings()), quotas().in_use().get(chosen.name, InUse())
    st.html(f'<h3 class="dg-h3">In use by this person, {plural(len(theirs), "sign-in")}</h3>')
    _meters(
        (
            ("Open pages", taken.n_sockets, limits.person_sockets, ""),
            ("Uploads held", taken.n_bytes, limits.person_bytes, "bytes"),
            ("Uploads arriving", taken.n_uploads, limits.person_uploads, ""),
        )
    )


def in_this_process() -> None:
    """What everybody takes together, of what there is."""
    limits, taken = Limits.of(resources.settings()), quotas().in_all()
    layout.section("This process", "quotas in use by everybody")
    _meters(
        (
            ("Open pages", taken.n_sockets, limits.all_sockets, ""),
            ("Uploads held", taken.n_bytes, limits.all_bytes, "bytes"),
            ("Uploads arriving", taken.n_uploads, limits.all_uploads, ""),
        )
    )
    asking = plural(taken.n_unknown, "open page asks", "open pages ask")
    st.html(f'<p class="dg-note">{asking} for the sign-in; {limits.unknown_sockets:,} of one address may.</p>')


def _end(sign_ins: Sequence[SignIn]) -> None:
    try:
        ended = people.end(sign_ins)
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    if any(people.is_here(each) for each in sign_ins):
        st.logout()
        return
    session().notices.append(f"Ended {counted(ended)}." if ended else "It had ended already.")


def _meters(meters: Iterable[Meter]) -> None:
    rows = "".join(_row(*meter) for meter in meters)
    st.html(f'<table class="dg-types dg-meters"><tbody>{rows}</tbody></table>')


def _row(what: str, n: int, most: int, unit: str) -> str:
    """A bar beside its words, which say the same."""
    used, allowed = (size(n), size(most)) if unit else (f"{n:,}", f"{most:,}")
    width = 100 * min(n / most, 1) if most else 0
    return (
        f'<tr><th scope="row">{what}</th><td><i style="width:{width:.1f}%"></i></td>'
        f"<td>{used} <small>of {allowed}</small></td></tr>"
    )
