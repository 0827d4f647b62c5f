"""Rules from TOML: what can be said, and an error in words for everything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.boundary.rules_toml import MAX_BYTES, read_rules, write_rules
from docgraph.domain.finding import SEVERITIES, Rule
from docgraph.errors import UserError

RULES = b"""
# what our decisions are checked for
[checks.orphan]
on = false

[checks.hub]
severity = "error"
parameters = { max_fan_out = 10 }

[checks.unknown_type.parameters]
vocabulary = ["supersedes", "explains"]
"""


def test_each_table_is_the_rule_of_a_check() -> None:
    assert read_rules(RULES) == {
        "orphan": Rule(on=False),
        "hub": Rule(severity="error", parameters={"max_fan_out": 10}),
        "unknown_type": Rule(parameters={"vocabulary": ["supersedes", "explains"]}),
    }


@pytest.mark.parametrize("text", [b"", b"# nothing", b"[checks]", b"\xef\xbb\xbf[checks.orphan]"])
def test_a_file_that_changes_nothing_is_fine(text: bytes) -> None:
    assert all(rule == Rule() for rule in read_rules(text).values())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[checks.orphan", "r.toml is not TOML: Expected"),
        (b"\xff\xfe", "r.toml is not UTF-8"),
        (b"[check.orphan]\non = false", "r.toml has 'check' beside the table 'checks'"),
        (b"checks = 3", "'checks' of r.toml is no table"),
        (b"[checks]\norphan = false", "'orphan' of r.toml is no table"),
        (b'[checks.orphan]\non = "no"', r"\[checks.orphan\] of r.toml: on: Input should be a valid boolean"),
        (b'[checks.orphan]\nseverity = "bad"', "severity: Input should be 'error', 'warning' or 'info'"),
        (b"[checks.hub]\nmax_fan_out = 3", "'max_fan_out' is not a key of a rule"),
        (b"[checks.hub]\nparameters = 3", "parameters: Input should be a valid dictionary"),
        (b"x = " + b"[" * 5_000, "r.toml cannot be read: line 1 is nested 5,000 levels deep"),
        (b"#" * (MAX_BYTES + 1), "bytes, more than"),
    ],
)
def test_anything_else_is_an_error_that_says_where_and_what_to_write(text: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words) as refused:
        read_rules(text, name="r.toml")
    assert refused.value.hint
    assert len(refused.value.message) < 400


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.one_of(st.booleans(), st.integers(0, 2**53), st.floats(0, allow_nan=False), texts)
parameters = st.dictionaries(
    texts, st.one_of(scalars, st.lists(texts, max_size=3), st.lists(st.lists(texts), max_size=2))
)
rules = st.builds(Rule, on=st.booleans(), severity=st.sampled_from([None, *SEVERITIES]), parameters=parameters)


@given(st.dictionaries(texts, rules, max_size=4))
def test_rules_that_are_written_are_read_back_as_they_were(given: dict[str, Rule]) -> None:
    assert read_rules(write_rules(given).encode()) == given
