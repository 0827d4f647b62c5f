"""Finds plug-ins by kind and name: a file of a plug-in folder is an option, and other packages add entry points.

A plug-in module has one function ``build(**options)`` that returns the object its Protocol in ``ports`` describes.
Its file name is its name, in whatever room of the folder it stands: a package without a ``build`` of its own is a room
of plug-ins, at any depth. Names that start with ``_`` are not plug-ins. Optional packages are imported inside
``build()``. Other packages register a module under the entry-point group ``docgraph.<kind>``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.abc import InspectLoader
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, overload

from docgraph.errors import PluginError

KINDS = (
    "checks",
    "dialects",
    "embedders",
    "extractors",
    "loaders",
    "measures",
    "providers",
    "rerankers",
    "rewriters",
    "stores",
    "summarizers",
    "tokenizers",
)


def available(kind: str) -> tuple[str, ...]:
    """Names of all plug-ins of a kind, sorted. Raises PluginError for an unknown kind."""
    return tuple(sorted({*_own(kind), *_foreign(kind)}))


def build(kind: str, name: str, **options: Any) -> Any:
    """The plug-in ``name`` of ``kind``, built with ``options``.

    Raises PluginError for an unknown name, an unknown option or a missing optional package.
    """
    module_name = _module_name(kind, name)
    try:
        return importlib.import_module(module_name).build(**options)
    except ImportError as error:
        raise PluginError(
            f"{kind} plug-in {name!r} needs the package {error.name!r}, which is not installed",
            hint=f"pip install 'docgraph[{name.replace('_', '-')}]'",
        ) from error
    except TypeError as error:
        raise PluginError(f"{kind} plug-in {name!r} refused its options: {error}", hint="see its docstring") from error


def offered(kind: str, name: str, what: str) -> Any:
    """What a plug-in's module has under a name beside ``build()``, None when there is nothing. Raises PluginError."""
    return getattr(importlib.import_module(_module_name(kind, name)), what, None)


def options(kind: str, name: str) -> frozenset[str]:
    """Names of the options that the plug-in's ``build()`` takes. Raises PluginError for an unknown name."""
    module_name = _module_name(kind, name)
    try:
        build_function = importlib.import_module(module_name).build
    except ImportError as error:
        raise PluginError(f"{kind} plug-in {name!r} cannot be imported: {error}", hint="install it again") from error
    return frozenset(inspect.signature(build_function).parameters)


def several(
    kind: str, names: Sequence[str], *, used: Callable[[Sequence[Any]], Sequence[Any]] = tuple
) -> Sequence[Any]:
    """The plug-ins ``names`` of a kind, in this order, without options, built when the first of them is wanted.

    ``used`` makes of what was built what is used.

    Raises PluginError for an unknown name at once, and for a missing optional package when they are built.
    """
    known = available(kind)
    for name in names:
        if name not in known:
            raise _unknown(kind, name, known)
    return _Several(kind, names, used)


def foreign_places(kind: str) -> tuple[str, ...]:
    """The folder (or file) with the code of each plug-in of a kind that another package provides."""
    places: dict[str, None] = {}
    for module in _foreign(kind).values():
        spec = find_spec(module.partition(":")[0].partition(".")[0])
        found = [*(spec.submodule_search_locations or ())] or [spec.origin] if spec else []
        places.update(dict.fromkeys(filter(None, found)))
    return tuple(places)


class _Several(Sequence[Any]):
    """A command that asks a question imports no loader, and one that imports documents no measure."""

    def __init__(self, kind: str, names: Sequence[str], used: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        self._kind, self._names, self._used = kind, tuple(names), used

    @cached_property
    def _built(self) -> Sequence[Any]:
        return self._used([build(self._kind, name) for name in self._names])

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._built[index]


def _module_name(kind: str, name: str) -> str:
    modules = {**_foreign(kind), **_own(kind)}
    if name not in modules:
        raise _unknown(kind, name, sorted(modules))
    return modules[name]


def _unknown(kind: str, name: str, known: Sequence[str]) -> PluginError:
    return PluginError(f"no {kind} plug-in is called {name!r}", hint=f"there are: {', '.join(known)}")


def _own(kind: str) -> dict[str, str]:
    if kind not in KINDS:
        raise PluginError(f"no plug-ins of kind {kind!r}", hint=f"kinds are: {', '.join(KINDS)}")
    own: dict[str, str] = {}
    for name, module in _within(f"{__name__}.{kind}"):
        if name in own:
            raise PluginError(f"two {kind} plug-ins are called {name!r}: {own[name]} and {module}", hint="rename one")
        own[name] = module
    return own


def _within(package: str) -> Iterator[tuple[str, str]]:
    """(name, module) of every plug-in that stands in a package or in a room of it."""
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = f"{package}.{found.name}"
        if found.name.startswith("_"):
            continue
        if found.ispkg and not _builds(module):
            yield from _within(module)
        else:
            yield found.name, module


@lru_cache(maxsize=64)
def _builds(package: str) -> bool:
    """Whether a package has a ``build`` itself. Its code is looked at and not run: a store would load its database."""
    code = next((each.get_code(package) for each in _loaders(package) if isinstance(each, InspectLoader)), None)
    return code is not None and "build" in code.co_names


def _loaders(package: str) -> Iterator[object]:
    """What loads a package, then what would by its path alone: pytest rewrites modules by a loader that has no code."""
    if (spec := find_spec(package)) is not None:
        yield spec.loader
    parent = importlib.import_module(package.rpartition(".")[0])
    if (found := PathFinder.find_spec(package, parent.__path__)) is not None:
        yield found.loader


def _foreign(kind: str) -> dict[str, str]:
    return {point.name: point.value for point in _entry_points(tuple(sys.path)).select(group=f"docgraph.{kind}")}


@lru_cache(maxsize=4)
def _entry_points(path: tuple[str, ...]) -> Any:
    """All entry points of the packages on ``path``, read once: it opens a file of every package."""
    return entry_points()
