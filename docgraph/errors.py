"""The tree of errors that docgraph raises; every one says what was wrong and carries a hint that says what to do next.

DocgraphError                     exit code
├── UserError                     1   the input can be corrected by the person who gave it
│   ├── RequestError              the retrieval request is not valid (empty query, limit out of range …)
│   ├── PlanError                 a plan is not valid here (forged, foreign ids, other embedder or corpus)
│   ├── ComparisonError           two runs that cannot be compared (other corpus, other embedder)
│   ├── NotFoundError             an unknown workspace, document, relationship or saved run
│   ├── ConflictError             it exists already, or somebody else changed it meanwhile
│   ├── ForbiddenError            the role of the person who is signed in does not reach
│   ├── IngestionError            a source cannot be read at all (one bad file is a rejection, not an error)
│   └── EmbeddingMismatchError    vectors of another embedder, another width, or not finite
│       └── EmbedderChangedError  the workspace was embedded anew meanwhile
├── EnvironmentProblem            3   the machine or the set-up is at fault
│   ├── StoreError                the database cannot be reached or refused the work
│   ├── EmbedderError             the embedder cannot be loaded or did not answer
│   ├── PluginError               an unknown or broken plug-in, or a missing optional package
│   └── SettingsError             a setting has an impossible value
└── PlanViolationError            70  a broken law: a bug in docgraph or in a plug-in, never "no result"
"""

from __future__ import annotations

LONGEST = 1_000
"""Characters of a message, and of a hint; values in them can be as long as whatever was given."""

BEFORE, BEHIND = 400, 200
"""Characters that are kept of a longer one: what was wrong stands before the value, what is possible behind it."""


class DocgraphError(Exception):
    """Base of all errors of docgraph: a message (what was wrong, with the value) and a hint (what to do next)."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = _told(message)
        self.hint = _told(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


def _told(text: str) -> str:
    """``text`` as it can be told: it is text (half of a surrogate pair becomes an escape), and of a bounded length."""
    if type(text) is not str:  # of a plug-in that raises something else: whoever tells of it looks at it with care
        return text
    whole = text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
    if len(whole) <= LONGEST:
        return whole
    return f"{whole[:BEFORE]} … ({len(whole):,} characters) … {whole[-BEHIND:]}"


class UserError(DocgraphError):
    """The input can be corrected by the person who gave it."""


class RequestError(UserError):
    """The retrieval request is not valid."""


class PlanError(UserError):
    """A plan is not valid here: forged, foreign ids, made with another embedder or on another corpus."""


class ComparisonError(UserError):
    """Two runs that cannot be compared: made on other corpora or with other embedders."""


class NotFoundError(UserError):
    """An unknown workspace, document, relationship or saved run."""


class ConflictError(UserError):
    """The thing exists already, or somebody else changed it meanwhile."""


class ForbiddenError(UserError):
    """The role of the person who is signed in does not reach for this; nothing was changed."""


class IngestionError(UserError):
    """A source cannot be read at all; a single bad file is a rejection in the report instead."""


class EmbeddingMismatchError(UserError):
    """Vectors of another embedder, of another width, or with values that are not finite."""


class EmbedderChangedError(EmbeddingMismatchError):
    """The workspace was embedded anew while somebody worked with its old embedder."""


class EnvironmentProblem(DocgraphError):
    """The machine or the set-up is at fault, not the input."""

    exit_code = 3


class StoreError(EnvironmentProblem):
    """The database cannot be reached or refused the work; the transaction was rolled back."""


class EmbedderError(EnvironmentProblem):
    """The embedder cannot be loaded or did not answer."""


class PluginError(EnvironmentProblem):
    """An unknown or broken plug-in, or one whose optional package is not installed."""


class SettingsError(EnvironmentProblem):
    """A setting has an impossible value."""


class PlanViolationError(DocgraphError):
    """Execution met something that the plan forbids: a bug, never shown as "no result"."""

    exit_code = 70
