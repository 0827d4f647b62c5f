"""The page about comparison says what the code does: causes, baselines, measures, sentences, the example measure."""

from __future__ import annotations

import re
from typing import Any, get_args

from docgraph import plugins
from docgraph.domain.baselines import BASELINES
from docgraph.domain.comparison import Cause, RelevantDocument, Removal
from docgraph.testing.suites.measures import check_measure
from tests import ROOT
from tests.unit.comparison.hand_made import chunks, documents, sentence

PAGE = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
NEVER_GIVEN = {"max_documents", "missing_document"}
"""Names of limits that a departure words otherwise: places are seeds' or related documents', a missing one is gone."""


GAINED = [RelevantDocument(document_id=f"kept{n}", title="T", in_a=n < 2, in_b=True) for n in range(3)]


def first_cells(heading: str) -> list[str]:
    """Names in the first column of the first table after a heading."""
    table = re.search(r"\|---.*?\n((?:\|.*\n)+)", PAGE.split(f"## {heading}\n", 1)[1])
    assert table is not None
    return [line.split("|")[1].strip().strip("`") for line in table.group(1).splitlines()]


SHOWN = tuple(
    name for name in plugins.available("measures") if plugins.build("measures", name).kind != "judged_in_sets"
)
"""The measures that stand beside a comparison; the others are those of query sets."""


def all_causes() -> set[str]:
    return {name for part in get_args(Cause) for name in get_args(part)}


def test_every_cause_stands_in_the_table() -> None:
    assert set(first_cells("Why something left")) == all_causes() - NEVER_GIVEN


def test_every_cause_has_words_of_its_own() -> None:
    words = {cause: Removal.model_validate({"cause": cause, "value": 3}).short for cause in all_causes()}
    assert not {cause for cause, text in words.items() if text == cause or "_" in text}


def test_every_baseline_and_every_measure_stands_in_its_table() -> None:
    assert first_cells("Baselines")[:-1] == list(BASELINES)
    assert sorted(first_cells("Measures")) == list(SHOWN)


def test_the_sources_are_those_of_the_measures() -> None:
    page = " ".join(PAGE.split())
    for name in SHOWN:
        source = plugins.build("measures", name).source
        assert source.split(";")[0].split(", equation")[0] in page, name


def test_the_sentences_are_ones_that_the_verdict_makes() -> None:
    made = {
        sentence(documents(kept=4, added=2, left=2), chunks(kept=8, added=2, left=2), relevant=GAINED),
        sentence(
            documents(kept=3, added=3),
            chunks(kept=6, added=4, left=4),
            tokens=611,
            alone=False,
            label_a="Plain vector search",
        ),
        sentence(documents(kept=3), chunks(kept=5)),
        sentence(documents(added=2), chunks(added=5), tokens=300),
        sentence([], []),
    }
    assert set(re.findall(r"^- \*(.+)\*$", PAGE, flags=re.MULTILINE)) == made


def test_the_example_measure_keeps_the_promises() -> None:
    [code] = [block for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if "def build" in block]
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    check_measure(namespace["build"]())
