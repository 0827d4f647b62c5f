"""Every setting: its name, its default and one sentence; read from ``DOCGRAPH_*`` variables once, in bootstrap."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

import platformdirs
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from docgraph.boundary.claims import parse_accounts
from docgraph.boundary.embedders import checked_embedders
from docgraph.boundary.hosts import checked_names, checked_networks
from docgraph.boundary.logs import LogFormat
from docgraph.boundary.retrievers import checked_retrievers, parse_retrievers
from docgraph.boundary.variables import checked_schema_prefix, written
from docgraph.domain.imports.fields import OWNER_FIELDS
from docgraph.domain.imports.profile import KEPT
from docgraph.domain.person import Role
from docgraph.domain.workspace import WorkspaceName
from docgraph.errors import SettingsError

PREFIX = "DOCGRAPH_"
Names = tuple[str, ...] | None
"""Names separated by commas; ``None`` means all there are, an empty tuple (written ``none``) means none."""

Hosts = tuple[str, ...]
"""Host names or addresses separated by commas."""

Accounts = Annotated[tuple[str, ...], AfterValidator(parse_accounts)]
"""People as an identity provider names them, separated by commas: verified e-mail addresses, or subject ids."""

Fields = tuple[str, ...]
"""Names of fields separated by commas."""

Seconds = Annotated[float, Field(gt=0, le=3600)]
"""How long to wait for somebody's answer."""

Minutes = Annotated[float, Field(ge=0, le=10_080)]
"""How long something may be idle."""

Threads = Annotated[int, Field(ge=1, le=64)]
"""Cores that a model uses."""

Megabytes = Annotated[int, Field(ge=1, le=1_000_000)]
"""What may be held in memory."""

Number = Annotated[int, Field(ge=1, le=100_000)]
"""How many there may be at once."""

DATABASE_SCHEMES = ("postgresql://", "postgres://", "postgresql+psycopg://")


SYSTEM_DATA_DIR = Path("/var/lib/docgraph")


def default_data_dir() -> Path:
    """The platform's folder for a user's application data; never inside a checkout.

    For root on Linux it is ``/var/lib/docgraph``: PostgreSQL refuses to run as root, and root's home is closed to the
    user that it runs as instead.
    """
    if sys.platform == "linux" and os.geteuid() == 0 and not os.environ.get("XDG_DATA_HOME"):
        return SYSTEM_DATA_DIR
    return Path(platformdirs.user_data_dir("docgraph", appauthor=False))


_OWN = (PREFIX + "TEST_", PREFIX + "DEBUG", PREFIX + "CHROMIUM")
"""Beginnings of variables that are no settings."""


_AT = ("embedder", "summarizer", "reranker", "rewriter", "oidc_metadata", "public")
"""What stands before ``_url`` in the names of settings."""


class Settings(BaseModel):
    """All settings of one process, frozen: those that are given, else those of the environment, else the defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=True)

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**written(PREFIX, Settings.model_fields), **given})

    store: str = Field(default="postgres", description="Store plug-in; `memory` keeps everything in this process.")
    database_url: SecretStr | None = Field(
        default=None, description="PostgreSQL server with pgvector; none means the embedded server."
    )
    read_database_url: SecretStr | None = Field(
        default=None, description="Server or role for reading only (a replica); none means `database_url`."
    )
    data_dir: Path = Field(
        default_factory=default_data_dir, description="Folder of the embedded server and of what docgraph keeps."
    )
    table: str | None = Field(default=None, description="Table of chunks on that server, read where it lies.")
    table_collection: str | None = Field(default=None, description="Collection of LangChain's that is read of it.")
    table_document_field: str | None = Field(
        default=None, description="Metadata field that tells its documents apart; `none`: every chunk is one."
    )
    table_title_field: str | None = Field(default=None, description="Metadata field that holds a document's title.")
    table_relations: Names = Field(
        default=None,
        description="Metadata fields that name other documents: `links=links_to,depends_on`; `none` for no one.",
    )
    workspace: WorkspaceName = Field(default="default", description="Workspace used when none is named.")
    statement_timeout: float = Field(
        default=30.0, gt=0, le=3600, description="Seconds after which the database stops a reading statement."
    )
    pool_size: int = Field(default=5, ge=1, le=200, description="Database connections kept open by one process.")
    prepared_statements: Literal["auto", "off"] = Field(
        default="auto", description="`off` for a pooler that hands out sessions and is not noticed; else noticed."
    )
    schema_prefix: Annotated[str, AfterValidator(checked_schema_prefix)] | None = Field(
        default=None, description="What stands before the names of docgraph's schemas, 20 characters at most: `app_`."
    )
    resident_mb: int = Field(
        default=256, ge=0, le=65_536, description="Megabytes of the in-process vector cache of codes; 0 = none."
    )
    server_idle_minutes: Minutes = Field(
        default=30.0,
        description="Minutes after which an embedded server that no program uses ends by itself; 0 = never.",
    )

    embedder: str = Field(default="wordllama", description="Embedder plug-in for new workspaces.")
    embedders: Annotated[str, AfterValidator(checked_embedders)] | None = Field(
        default=None,
        description="Further embedders that workspaces may have, with commas: `onnx=/models/minilm`, or `onnx`.",
    )
    embedder_model: str | None = Field(
        default=None, description="Model name or local model folder; none means the plug-in's own default."
    )
    embedder_url: str | None = Field(default=None, description="Base URL of an embedding server.")
    embedder_api_key: SecretStr | None = Field(default=None, description="Key for the embedding server.")
    embedder_dimension: int | None = Field(
        default=None, ge=1, le=16_000, description="Width of the vectors, where the embedder can choose it."
    )
    embedder_timeout: Seconds | None = Field(default=None, description="Seconds to wait for the embedding server.")
    embedder_sha256: str | None = Field(
        default=None, pattern="^[0-9a-fA-F]{64}$", description="SHA-256 that the embedder's model file has to have."
    )

    embedder_threads: Threads | None = Field(default=None, description="Cores of a local embedder; none means 1.")

    summarizer: str = Field(default="extractive", description="Summarizer plug-in for documents without a summary.")
    summarizer_model: str | None = Field(default=None, description="Language model that writes summaries.")
    summarizer_url: str | None = Field(default=None, description="Base URL of the language-model server.")
    summarizer_api_key: SecretStr | None = Field(default=None, description="Key for the language-model server.")
    summarizer_protocol: Literal["openai", "ollama"] | None = Field(
        default=None, description="What the language-model server speaks; none means `openai`."
    )
    summarizer_timeout: Seconds | None = Field(default=None, description="Seconds to wait for that language model.")
    owner_fields: Fields = Field(
        default=OWNER_FIELDS,
        description="Metadata fields that say whose a document is; the first that a document has counts.",
    )
    kept_imports: int = Field(
        default=KEPT, ge=2, le=1000, description="Imports of a workspace that are kept to be compared, the newest."
    )
    extractors: Names = Field(
        default=None, description="Relationship extractors, separated by commas; none set means all, `none` no one."
    )

    providers: Names = Field(
        default=None,
        description="Retrieval providers, separated by commas; none set means the built-in ones, `none` no one.",
    )
    provider_timeout: float = Field(
        default=10.0,
        gt=0,
        le=3600,
        description="Seconds that each provider, the reranker and the rewriter have for an answer.",
    )
    reranker: str = Field(
        default="lexical", description="Reranker plug-in that orders what several providers found; `none` for no one."
    )
    reranker_model: str | None = Field(
        default=None, description="Model of the reranker: its name at the service, or a local model folder."
    )
    reranker_url: str | None = Field(default=None, description="Base URL of a reranking service.")
    reranker_api_key: SecretStr | None = Field(default=None, description="Key for the reranking service.")
    reranker_timeout: Seconds | None = Field(default=None, description="Seconds to wait for the reranking service.")
    reranker_threads: Threads | None = Field(default=None, description="Cores of a local reranker; none means 1.")
    rewriter: str = Field(
        default="none", description="Rewriter plug-in that a conversation's follow-ups are given to; `none` for no one."
    )
    rewriter_model: str | None = Field(default=None, description="Language model that rewrites follow-ups.")
    rewriter_url: str | None = Field(default=None, description="Base URL of the rewriter's language-model server.")
    rewriter_api_key: SecretStr | None = Field(default=None, description="Key for the rewriter's server.")
    rewriter_protocol: Literal["openai", "ollama"] | None = Field(
        default=None, description="What the rewriter's server speaks; none means `openai`."
    )
    rewriter_timeout: Seconds | None = Field(default=None, description="Seconds to wait for the rewriter's server.")

    retrievers: Annotated[SecretStr, AfterValidator(checked_retrievers)] | None = Field(
        default=None,
        description="Retrievers of your own beside docgraph, `name=URL` with commas: `ours=http://127.0.0.1:9000/search`.",
    )

    retriever_timeout: Seconds = Field(
        default=10.0, description="Seconds that each of those retrievers has for an answer as a whole."
    )

    chunk_tokens: int = Field(
        default=256,
        ge=32,
        le=4_000,
        description="Size of a chunk that import aims at, in tokens; a quarter more at most.",
    )

    host: str = Field(default="127.0.0.1", min_length=1, description="Address that the dashboard listens on.")
    allowed_hosts: Hosts = Field(
        default=(),
        description="Further names under which the dashboard answers, separated by commas: `docs.example:8443`.",
    )
    trusted_proxies: Hosts = Field(
        default=(),
        description="Proxies whose forwarding headers are believed: addresses or networks, separated by commas.",
    )
    import_from_path: bool = Field(
        default=False,
        description="Let the dashboard import from any path of this machine, for visitors who sit at it.",
    )
    port: int = Field(
        default=8501, ge=1, le=65_535, description="Port of the dashboard; the next free one is taken when it is busy."
    )
    max_upload_mb: int = Field(default=200, ge=1, le=2000, description="Largest upload in the dashboard, megabytes.")
    uploads_mb_per_session: Megabytes = Field(default=400, description="Megabytes of uploads that an open page holds.")
    uploads_mb_per_person: Megabytes = Field(default=800, description="The same of all pages of a signed-in person.")
    uploads_mb_in_all: Megabytes = Field(default=1600, description="The same of everybody, in one process.")
    uploads_per_person: Number = Field(default=12, description="Uploads of a signed-in person that arrive at once.")
    uploads_in_all: Number = Field(default=48, description="Uploads of everybody that arrive at once.")
    sockets_per_person: Number = Field(default=50, description="Open pages of a signed-in person, in one process.")
    sockets_in_all: Number = Field(default=2000, description="Open pages of everybody, in one process.")
    sockets_before_sign_in: Number = Field(default=20, description="Open pages of one address that ask to sign in.")
    metrics_token: SecretStr | None = Field(
        default=None, min_length=16, description="Bearer token for `/_stcore/metrics`, 16 characters or more."
    )

    oidc_metadata_url: str | None = Field(
        default=None,
        description="Where the identity provider describes itself (`https://…/.well-known/openid-configuration`); "
        "none means no sign-in.",
    )
    oidc_client_id: str | None = Field(default=None, description="What the identity provider calls this dashboard.")
    oidc_client_secret: SecretStr | None = Field(default=None, description="The dashboard's secret at the provider.")
    cookie_secret: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="Signs the cookie of a sign-in, 32 characters or more; none means a new one with each start.",
    )
    public_url: str | None = Field(
        default=None, description="Address under which browsers reach the dashboard: `https://docs.example`."
    )
    admins: Accounts = Field(default=(), description="Admins: verified e-mail addresses or `sub:…`, with commas.")
    curators: Accounts = Field(default=(), description="Curators: verified e-mail addresses or `sub:…`, with commas.")
    role_claim: str | None = Field(
        default=None, description="Claim of the provider that holds `viewer`, `curator` or `admin`, one or a list."
    )
    default_role: Role | Literal["none"] = Field(
        default="viewer", description="Role of everybody else who is signed in; `none` turns them away."
    )
    sign_in_hours: float = Field(default=12.0, gt=0, le=720, description="Hours after which one signs in anew.")
    log_format: LogFormat = Field(default="text", description="Form of the log's lines: `text` or `json`.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="From which level on the log is written."
    )
    otlp_endpoint: str | None = Field(
        default=None,
        description="Where spans go, OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`; none means nowhere.",
    )
    trace_content: bool = Field(default=False, description="Whether spans hold questions and texts of documents.")
    audit_file: Path | None = Field(default=None, description="File of a JSON line for every write; none: the log.")

    @property
    def store_plugin(self) -> str:
        """The store plug-in that is meant: a table that is named is read by the one for tables."""
        return "table" if self.table is not None and self.store == "postgres" else self.store

    @property
    def answered_names(self) -> tuple[str, ...]:
        """Further names under which the dashboard answers: the allowed ones, and the one in ``public_url``."""
        public = (urlsplit(self.public_url).netloc,) if self.public_url else ()
        return tuple(dict.fromkeys((*self.allowed_hosts, *public)))

    @field_validator("extractors", "providers", "table_relations", mode="before")
    @classmethod
    def _split_names(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        names = [name.strip() for name in value.split(",") if name.strip()]
        return () if names == ["none"] else tuple(dict.fromkeys(names))

    @field_validator("admins", "curators", "owner_fields", mode="before")
    @classmethod
    def _split_accounts(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: Any) -> Any:
        return checked_names(value)

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _split_proxies(cls, value: Any) -> Any:
        return checked_networks(value)

    @field_validator("database_url", "read_database_url")
    @classmethod
    def _is_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(DATABASE_SCHEMES):
            raise ValueError("a database URL looks like postgresql://user:password@host:5432/name")
        return value

    @field_validator("otlp_endpoint", *(f"{name}_url" for name in _AT))
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("a server's URL starts with http:// or https://")
        return value

    @field_validator("data_dir")
    @classmethod
    def _expand_home(cls, value: Path) -> Path:
        return value.expanduser().absolute()


def read_settings(**overrides: Any) -> Settings:
    """Settings from the environment, with ``overrides`` on top (those that are ``None`` are left to the environment).

    Raises SettingsError that names the setting and its value (secrets and URLs are not repeated).
    """
    return _checked({name: value for name, value in overrides.items() if value is not None})


def changed(settings: Settings, **overrides: Any) -> Settings:
    """A checked copy with those of ``overrides`` that are not ``None``. Raises SettingsError."""
    stated = {name: getattr(settings, name) for name in Settings.model_fields}
    return _checked({**stated, **{name: value for name, value in overrides.items() if value is not None}})


def _checked(given: dict[str, Any]) -> Settings:
    try:
        return Settings(**given)
    except ValidationError as error:
        raise _settings_error(error, given) from None


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """What must never be written anywhere: every secret, and the password inside a database's URL."""
    found = [each.get_secret_value() for each in dict(settings).values() if isinstance(each, SecretStr)]
    passwords = [urlsplit(each).password or "" for each in found if each.startswith(DATABASE_SCHEMES)]
    if settings.retrievers is not None:
        urls = parse_retrievers(settings.retrievers.get_secret_value()).values()
        passwords += [urlsplit(each).password or "" for each in urls]
    return tuple(each for each in (*found, *passwords, *map(unquote, passwords)) if each)


def unknown_variables(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """``DOCGRAPH_*`` variables that no setting reads, sorted: most often a typing mistake."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    return tuple(sorted(n for n in environ if n.startswith(PREFIX) and n not in known and not n.startswith(_OWN)))


def _settings_error(error: ValidationError, given: Mapping[str, Any]) -> SettingsError:
    first = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    if first["type"] == "extra_forbidden":
        return SettingsError(f"there is no setting {name!r}", hint=f"settings are: {', '.join(Settings.model_fields)}")
    field = Settings.model_fields[name]
    where = name if name in given else PREFIX + name.upper()
    secret = "secret" in str(field.annotation).lower() or name.endswith("_url")
    value = given.get(name, os.environ.get(PREFIX + name.upper(), ""))
    shown = "" if secret else f" = {repr(value)[:80]}"
    reason = first["msg"].removeprefix("Value error, ")
    return SettingsError(f"{where}{shown} is not possible: {reason}", hint=field.description or "")
