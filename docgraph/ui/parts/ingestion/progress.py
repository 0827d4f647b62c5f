"""Shows an import while it runs (n of N, rate, stop) and its report when it has ended."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background.follow import STOP, STOP_AND_KEEP, draw_anew, follow, stop_button
from docgraph.ui.parts.background.work import HowFar
from docgraph.ui.parts.ingestion.job import ImportJob
from docgraph.ui.parts.ingestion.report import report

POLL_SECONDS = 0.4
_BEFORE = ("opening", "reading")
"""How messages begin while nothing is stored yet: archives are opened, then files are read."""


def follow_import(job: ImportJob, *, key: str, retry: Callable[[], None] | None = None) -> None:
    """The running import, polled without freezing the page, or what it ended with."""
    if job.running:
        follow(job, lambda: _running(job, key), every=POLL_SECONDS, ended=lambda: _finish(job))
    elif not job.told:  # it ended while this page was being drawn: what stands above is already old
        _finish(job)
    elif job.error is not None:
        layout.error(job.error, retry=retry, key=f"docgraph.{key}.retry")
    elif job.report is not None:
        report(job.report, what=job.what, key=key, workspace=job.workspace)


def _running(job: ImportJob, key: str) -> None:
    far = job.how_far
    st.progress(far.share, text=escape.label(progress_sentence(job.what, far, dry_run=job.dry_run), limit=200))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        stop_button(job, key=f"docgraph.{key}.stop", label=STOP if job.dry_run else STOP_AND_KEEP)
        st.html(f'<span class="dg-note dg-oneline">{escape.html(escape.shorten(far.message, 120))}</span>')


def _finish(job: ImportJob) -> None:
    """Take note of the end, once, and draw the whole page anew."""
    job.told = True
    if not job.dry_run and job.report is not None:
        resources.forget(job.workspace)
        resources.choose(job.workspace)
        session().notices.append(ended_sentence(job))
    draw_anew()


def progress_sentence(what: str, far: HowFar, *, dry_run: bool) -> str:
    """``Importing /docs: 12 of 60, 8.5 a second``; what is only read is counted by itself: ``… reading 12 of 60``."""
    verb = "Checking" if dry_run else "Importing"
    phase = next((each for each in _BEFORE if far.message.startswith(each)), "")
    if not far.total:
        return f"{verb} {what}: {phase or 'reading'}"
    if phase:
        return f"{verb} {what}: {phase} {far.counted}"
    rate = f", {far.rate:.1f} a second" if far.done else ""
    return f"{verb} {what}: {far.counted}{rate}"


def ended_sentence(job: ImportJob) -> str:
    """One sentence on an import that wrote something."""
    done = job.report
    if done is None:
        return f"The import of {job.what} failed."
    stopped = "stopped, finished work is saved: " if done.stopped else ""
    return (
        f"Import of {job.what} into {job.workspace}: {stopped}{done.n_in:,} in = "
        f"{' + '.join(f'{n:,} {name}' for name, n in done.counts.items())}, in {done.seconds:.1f} s."
    )
