"""Rules from TOML: what can be said, and an error in words for everything else."""

from __future__ import annotations

import pytest

from docgraph.domain.finding import Rule
from docgraph.errors import UserError
from docgraph.rules import MAX_BYTES, read_rules

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
        (b"[checks.hub]\nmax_fan_out = 3", "'max_fan_out' is no key of a rule"),
        (b"[checks.hub]\nparameters = 3", "parameters: Input should be a valid dictionary"),
        (b"x = " + b"[" * 5_000, "r.toml is not TOML"),
        (b"#" * (MAX_BYTES + 1), "bytes, more than"),
    ],
)
def test_anything_else_is_an_error_that_says_where_and_what_to_write(text: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words) as refused:
        read_rules(text, name="r.toml")
    assert refused.value.hint
    assert len(refused.value.message) < 400
