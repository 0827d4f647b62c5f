"""The adapters pass the conformance tests of LangChain, LlamaIndex and Haystack, each in an environment of its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import own_environment

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent / "adapters"
LIBRARIES = {
    "langchain": ("langchain-core>=1", "langchain-tests>=1"),
    "llamaindex": ("llama-index-core>=0.14",),
    "haystack": ("haystack-ai>=3",),
    "haystack 2": ("haystack-ai>=2.31,<3",),
}
PLUGINS = {"langchain": ("pytest_asyncio.plugin", "pytest_socket")}
STANDARD = {
    *("test_k_constructor_param", "test_invoke_with_k_kwarg"),
    *("test_invoke_returns_documents", "test_ainvoke_returns_documents", "test_no_overrides_DO_NOT_OVERRIDE"),
}
"""What LangChain asks of every retriever."""


def _tests_of(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")}


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_adapter_does_what_its_library_asks(library: str, new_database_url: str) -> None:
    file = HERE / f"{library.split()[0]}_conformance.py"
    passed = own_environment.conformance(
        file,
        LIBRARIES[library],
        plugins=PLUGINS.get(library, ()),
        DATABASE_URL_OF_THE_TEST=new_database_url,
    )
    passed = {name.partition("[")[0] for name in passed}
    assert passed == _tests_of(file) | (STANDARD if library == "langchain" else set())
