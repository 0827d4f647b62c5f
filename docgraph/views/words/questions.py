"""What became of questions that were asked and saved, in words."""

from __future__ import annotations

from docgraph.orchestration.questions import QuestionsSaved
from docgraph.views.words.counts import n_of_m, plural


def ended_words(saved: QuestionsSaved) -> str:
    """``12 of 32 questions are saved, 10 of them before; 25 judgments are new; stopped: what is finished stays``."""
    n = len(saved.kept)
    what = f"{n_of_m(n, saved.n)} questions" if n < saved.n else plural(n, "question")
    said = f"{what} {'is' if n == 1 else 'are'} saved"
    known = n - saved.n_new
    said += f", {known:,} of them before" if known else ""
    if saved.n_judgments:
        said += f"; {plural(saved.n_judgments, 'judgment')} {'is' if saved.n_judgments == 1 else 'are'} new"
    if saved.not_judged:
        said += f"; {len(saved.not_judged):,} could not be judged"
    return f"{said}; stopped: what is finished stays" if saved.stopped else said
