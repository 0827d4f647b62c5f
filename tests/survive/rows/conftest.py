"""Counts the cases of each row, and starts the servers that rows break."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import database_beside
from tests.integration.conftest import password_server
from tests.survive.tally import Tally

if TYPE_CHECKING:
    from tests.survive.guarded import Guarded

__all__ = ["password_server"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.integration)


@pytest.fixture(scope="session")
def guarded(embedded_database_url: str) -> Iterator[Guarded]:
    """A dashboard that people sign in to, with small quotas, for all rows of this process."""
    from tests.survive.guarded import SMALL, guarded_dashboard

    with database_beside(embedded_database_url) as url, guarded_dashboard(url, **SMALL) as house:
        yield house


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """The count of the module's row."""
    return Tally(request.module.ROW)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A row that counted a failure fails, whatever its test came to; its line goes to whoever runs the tests."""
    tally = getattr(item, "funcargs", {}).get("tally")
    if not isinstance(tally, Tally):
        return (yield)
    try:
        result = yield
    except pytest.skip.Exception as skipped:
        tally.skipped = tally.skipped or str(skipped)
        raise
    except Exception as error:
        tally.failures.append(f"{type(error).__name__}: {error}")
        raise AssertionError("\n".join(tally.failures)) from error
    finally:
        item.user_properties.append(("survive", tally.line()))
        item.user_properties.append(("survive failures", (tally.row.row, tally.failures)))
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.passed, "nothing was tried"
    return result
