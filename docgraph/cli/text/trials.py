"""What ``workspaces try`` prints: each type's figures, what is proposed, and what was adopted."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.cli.text.output import count, line, table
from docgraph.domain.own_questions import Trial
from docgraph.domain.type_roles import ROLE_WORDS, TypeChange, signed
from docgraph.views.words.type_roles import change_sentences, proposal_sentence, result_words


def show_trial(trial: Trial, changes: Sequence[TypeChange], *, adopted: bool) -> None:
    """The sum, a row a type, and the sentences that follow from it."""
    asked = f"{trial.n_asked:,} of {count(trial.n_questions, 'generated question')} asked in {trial.seconds:.1f} s"
    line((f"{trial.workspace}: {asked}{', stopped early' if trial.stopped else ''}; trial {trial.trial_id}.", "bold"))
    columns = ("type", "in plans", "questions", "better", "worse", "recall, points", "one document", "two related")
    rows = []
    for each in trial.results:
        n = each.figures
        parts = {kind.kind: f"{signed(kind.points)} ({kind.n})" for kind in each.kinds}
        rows.append(
            (
                each.relation_type,
                ROLE_WORDS[each.role],
                n.n if n else 0,
                n.better if n else 0,
                n.worse if n else 0,
                n.words if n else "--",
                parts.get("document", "--"),
                parts.get("related", "--"),
            )
        )
    table(columns, rows, right=columns[2:5])
    for each in trial.results:
        line(proposal_sentence(each) if each.changes else f"{each.relation_type}: {result_words(each)}")
    if adopted:
        for sentence in change_sentences(changes) or ("Nothing to adopt: all types have these roles already.",):
            line(sentence)
    elif trial.proposals:
        line((f"Adopt it: docgraph workspaces try {trial.workspace} --adopt", "dim"))
