"""The preview of an import: what was found, the switches, the profile as text, and what will be stored."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.domain.imports.look import Look, Proposal, Unread
from docgraph.domain.report import IngestReport
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout
from docgraph.ui.parts.background import draw_anew, follow, stop_button
from docgraph.ui.parts.ingestion.job import Chosen, LookJob, Written
from docgraph.ui.parts.ingestion.report import dialects_table
from docgraph.views.words.counts import plural

FILE = "docgraph.toml"
TEXT, EDITING = "docgraph.library.profile.text", "docgraph.library.profile.editing"
_HEIGHT = 380


def profile(look: Look, job: LookJob, chosen: Chosen) -> None:
    """The profile that is used, with buttons that edit and download it."""
    text = text_of(look, job, chosen)
    with st.container(border=True, key="dg-profile", gap="small"):
        if st.session_state.get(EDITING):
            _editor(job)
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            layout.section("Profile", f"{FILE}, edited" if job.written else FILE)
            if st.button("Edit", type="tertiary", key="docgraph.library.profile.edit"):
                st.session_state[EDITING], st.session_state[TEXT] = True, text
                st.rerun()
            st.download_button("Download", text, FILE, "application/toml", key="docgraph.library.look.download")
        shown = text.strip() if job.written else _without_comments(text)
        # No st.code: what colours it is a third of a second of scripts, in which the tab answers nothing.
        st.html(f'<pre tabindex="0" aria-label="The profile">{escape.html(shown)}</pre>')
        st.html(
            f'<p class="dg-note">The same file works with <code>docgraph ingest --profile {FILE}</code> and CI.</p>'
        )


def by_hand(job: LookJob) -> None:
    """Say that the edited text is used and not the switches, with a button that returns to them."""
    if job.written is None:
        return
    with st.container(key="dg-byhand", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="dg-note">The profile was edited. Its text is used, not the switches.</p>')
        if st.button("Use the switches", type="tertiary", key="docgraph.library.profile.back"):
            job.written = None
            st.rerun()


def text_of(look: Look, job: LookJob, chosen: Chosen) -> str:
    """The file: what was written by hand as it was written, else what the switches make."""
    if job.written is not None:
        return job.written.text
    return write_profile(chosen.profile, look if chosen.profile == look.profile else None)


def _editor(job: LookJob) -> None:
    layout.section("Profile", f"{FILE}, being edited")
    text = st.text_area("Profile as TOML", key=TEXT, height=_HEIGHT, label_visibility="collapsed")
    problem = None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        uses = st.button("Use this profile", type="primary", key="docgraph.library.profile.use")
        leaves = st.button("Cancel", type="tertiary", key="docgraph.library.profile.cancel")
        st.html(f'<span class="dg-note">{escape.html("Ctrl+Enter checks it.")}</span>')
    try:
        read = read_profile(text.encode(), name=FILE)
    except DocgraphError as error:
        problem, read = error, None
    if problem is not None:
        layout.error(problem)
    if leaves or (uses and read is not None):
        if uses and read is not None:
            job.written = Written(text, read)
        st.session_state[EDITING] = False
        st.rerun()


def _without_comments(text: str) -> str:
    """The settings of a profile alone: what the switches say stands beside it already."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return "\n".join(lines).strip()


POLL_SECONDS = 0.4
SHOWN_PLACES = 2
_RELATE = ("sidecars", "folders", "base", "root", "numbers", "citations")
"""Proposals that are about relationships, so that none more is worth saying."""
STEPS = ("1 Upload", "2 Preview", "3 Import", "4 First questions")


def following(job: LookJob) -> None:
    """The look while it runs: how far, and a button that stops it."""
    follow(job, lambda: _running(job), every=POLL_SECONDS, ended=draw_anew)


def _running(job: LookJob) -> None:
    far = job.how_far
    counted = f": {far.counted}" if far.total else ""
    st.progress(far.share, text=escape.label(f"Previewing {job.source.what}{counted}", limit=200))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        stop_button(job, key="docgraph.library.look.stop", label="Stop preview")
        st.html(f'<span class="dg-note dg-oneline">{escape.html(escape.shorten(far.message, 120))}</span>')


def steps(at: int) -> None:
    """Where the import stands, ``at`` from 1."""
    parts = []
    for number, step in enumerate(STEPS, start=1):
        mark = layout.glyph("check") if number < at else ""
        parts.append(f"<li{' aria-current=step' if number == at else ''}>{mark}{escape.html(step)}</li>")
    st.html(f'<ol class="dg-steps">{"".join(parts)}</ol>')


def head(look: Look, job: LookJob, chosen: Chosen) -> str | None:
    """The sentence of the look and its buttons; which was pressed: ``other``, ``again``, ``dry`` or ``import``."""
    with st.container(key="dg-lookhead", horizontal=True, vertical_alignment="center", gap="small"):
        n_taken = look.n_taken(chosen.proposals)
        links = "" if look.n_links is None else f", {plural(look.n_links, 'link')} between them"
        title = f"{plural(n_taken, 'document')}{links}{_found(look, chosen)}."
        seen = f": {plural(look.n_files, 'file')}, {look.n_bytes / 1e6:,.1f} MB, {look.seconds:.1f} s"
        st.html(
            f'<div class="dg-lookwords"><p class="dg-looktitle">{escape.html(title)}</p>'
            f'<p class="dg-note">Preview of {_source(look, job)}{seen}. '
            "Nothing is stored yet, and nothing left this machine.</p></div>"
        )
        other = st.button("Other files", key="docgraph.library.look.other")
        again = st.button("Preview again", key="docgraph.library.look.again")
        dry = st.button("Dry run", key="docgraph.library.look.dry", disabled=not n_taken)
        label = f"Import {plural(n_taken, 'document')}"
        take = st.button(label, type="primary", key="docgraph.library.look.import", disabled=not n_taken)
    pressed = {"other": other, "again": again, "dry": dry, "import": take}
    return next((name for name, is_pressed in pressed.items() if is_pressed), None)


def _source(look: Look, job: LookJob) -> str:
    """What was looked at, as HTML: a path as the look names it, and what was handed over by its own name."""
    return f"<code>{escape.html(escape.shorten(look.name if job.source.path else job.source.what, 60))}</code>"


def _found(look: Look, chosen: Chosen) -> str:
    """What the proposals that are on give, as the end of a sentence; nothing where they add no relationship."""
    if chosen.by_hand:
        return "; read with the edited profile"
    if look.n_added is None or len(chosen.proposals) < len(look.proposals):
        on = f"{len(chosen.proposals):,} of {plural(len(look.proposals), 'proposal')} used"
        return f"; {on}" if look.proposals else ""
    return f"; the proposals add {plural(look.n_added, 'relationship')}" if look.n_added else ""


def switches(look: Look, *, by_hand: bool = False) -> None:
    """Every proposal as a row: switch, title, sentence, an example, and all its places behind a button."""
    with st.container(border=True, key="dg-proposals", gap="small"):
        n_on = len(chosen_of(look).proposals)
        counted = any(each.adds is not None for each in look.proposals)
        note = "; + counts what it adds" if counted else ""
        on = "not used because the profile was edited" if by_hand else f"{n_on:,} of {len(look.proposals):,} used"
        layout.section("Found in this folder", f"{on}{note}")
        if look.dialects:
            st.html(dialects_table(look.dialects))
        if not look.proposals:
            layout.empty("No profile needed", "The files can be read without one.")
        for proposal in look.proposals:
            _row(proposal, is_off=by_hand)


def chosen_of(look: Look) -> Chosen:
    """What is switched on; everything at first."""
    on = tuple(each.id for each in look.proposals if st.session_state.get(_key(each.id), True))
    return Chosen(on, look.profile_of(on))


def _key(proposal_id: str) -> str:
    return f"docgraph.library.proposal.{proposal_id}"


def reset(look: Look) -> None:
    """All proposals on again, for a new look."""
    for proposal in look.proposals:
        st.session_state.pop(_key(proposal.id), None)


def _row(proposal: Proposal, *, is_off: bool) -> None:
    with st.container(key=f"dg-proposal-{proposal.id}", horizontal=True, vertical_alignment="top", gap="small"):
        st.session_state.setdefault(_key(proposal.id), True)
        st.toggle(proposal.title, key=_key(proposal.id), label_visibility="collapsed", disabled=is_off)
        example = next(iter(proposal.examples), None)
        place = ""
        if example is not None:
            text = f"{example.text}   {example.source}".strip()
            place = f"<code>{escape.html(escape.shorten(text, 160))}</code>"
        st.html(
            f'<div class="dg-proposal"><b>{escape.html(proposal.title)}</b>'
            f"<p>{escape.html(proposal.sentence)}</p>{place}</div>"
        )
        with st.container(key=f"dg-count-{proposal.id}", gap=None, horizontal_alignment="right"):
            n, unit = count_of(proposal)
            st.html(f'<p class="dg-count"><b>{escape.html(n)}</b>{escape.html(unit)}</p>')
            if proposal.examples:
                n_shown = len(proposal.examples)
                label = f"{n_shown:,} of {proposal.n:,}" if n_shown < proposal.n else f"All {n_shown:,}"
                with st.popover(label, type="tertiary"):
                    _places(proposal)


def count_of(proposal: Proposal) -> tuple[str, str]:
    """What stands at the end of a row: the relationships that it adds, else what it is about."""
    if proposal.adds or (proposal.adds is not None and proposal.id in _RELATE):
        unit = "relationship" if abs(proposal.adds) == 1 else "relationships"
        return f"{proposal.adds:+,}".replace("-", "−"), unit
    return f"{proposal.n:,}", proposal.unit.removesuffix("s") if proposal.n == 1 else proposal.unit


def _places(proposal: Proposal) -> None:
    cut = f", the first {len(proposal.examples):,}" if proposal.n > len(proposal.examples) else ""
    st.html(f'<p class="dg-note">{proposal.n:,} {escape.html(proposal.unit)}{cut}</p>')
    table = pd.DataFrame(
        {"Where": [each.source for each in proposal.examples], "What": [each.text for each in proposal.examples]}
    )
    st.dataframe(table, hide_index=True, height=min(38 + 36 * len(table), 320), alt=f"Places of {proposal.title}")


def stored(report: IngestReport) -> None:
    """What a dry run by this profile would store: relationships by type, and what became of names."""
    with st.container(border=True, key="dg-willstore", gap="small"):
        note = f"{report.n_relationships:,} relationships, {report.n_dangling:,} without a target"
        layout.section("What will be stored", note)
        types = sorted(report.relationships.items(), key=lambda pair: (-pair[1], pair[0]))
        most = max((n for _, n in types), default=1)
        rows = "".join(
            f'<tr><th scope="row">{escape.html(name)}</th><td><i style="width:{100 * n / most:.1f}%"></i></td>'
            f"<td>{n:,}</td></tr>"
            for name, n in types
        )
        st.html(f'<table class="dg-types"><tbody>{rows}</tbody></table>')
        reading = report.reading
        for what, told in (("declared targets", reading.declared), ("links", reading.links)) if reading else ():
            if told:
                parts = ", ".join(f"{n:,} {cause}" for cause, n in sorted(told.items(), key=lambda pair: -pair[1]))
                st.html(f'<p class="dg-note"><b>{sum(told.values()):,} {what}:</b> {escape.html(parts)}</p>')


def unread(causes: tuple[Unread, ...], n_files: int) -> None:
    """What is not read, by cause, the rarest first."""
    with st.container(border=True, key="dg-unread", gap="small"):
        n = sum(each.n for each in causes)
        layout.section("Files that will not be read", f"{n:,} of {n_files:,} files, rarest cause first" if n else "")
        if not causes:
            st.html('<p class="dg-note">Every file has a loader, and every header can be read.</p>')
            return
        st.html(causes_table(causes))


def causes_table(causes: tuple[Unread, ...]) -> str:
    """HTML of causes: how many, why, and the first places of each."""
    rows = []
    for each in causes:
        places = "".join(
            f"<code>{escape.html(escape.shorten(place, 120))}</code>" for place in each.places[:SHOWN_PLACES]
        )
        is_fault = "cannot be read" in each.cause or "left out" in each.cause
        sign = layout.glyph("finding", "fault") if is_fault else "<span></span>"
        rows.append(f"<li><b>{each.n:,}</b>{sign}<div>{escape.html(each.cause)}{places if is_fault else ''}</div></li>")
    return f'<ul class="dg-causes">{"".join(rows)}</ul>'
