"""What surrounds the dashboard's script on the server: assets, headers, warm-up, and the last net for errors."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import inspect
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from docgraph.boundary.hosts import own_hosts, parse_network
from docgraph.boundary.logs import log_to
from docgraph.errors import DocgraphError, SettingsError
from docgraph.settings import Settings, read_settings, secrets_of
from docgraph.ui.frame import launcher, signing
from docgraph.ui.frame.quotas import Limits, quotas
from docgraph.ui.shell import alive, downloads
from docgraph.ui.shell.edge import Edge, House, Recognises
from docgraph.ui.shell.known_hosts import KnownHosts, NamedProxies
from docgraph.ui.shell.leaving import Sweeper, close_ended
from docgraph.ui.shell.security_headers import SecurityHeaders

SHELL = Path(__file__).with_name("shell.py")
ASSETS_PATH = "/docgraph-assets"
HEAVY = ("pandas", "pyvis.network", "sqlalchemy.dialects.postgresql", "docgraph.bootstrap", "docgraph.ui.shell.shell")
UNKNOWN = DocgraphError("the dashboard met an unexpected error as it opened", hint="the lines below have the details")
_log = logging.getLogger(__name__)


def routes() -> list[BaseRoute]:
    """Health check, backups, and vis-network out of the folder that it has in pyvis: nothing copied or downloaded."""
    own: list[BaseRoute] = [alive.route(), downloads.route()]
    spec = importlib.util.find_spec("pyvis")
    if spec is None or spec.origin is None:
        return own
    library = Path(spec.origin).parent / "templates" / "lib" / "vis-9.1.2"
    return [*own, Mount(ASSETS_PATH, StaticFiles(directory=library))]


def middleware() -> list[Middleware]:
    """Outermost first: the request as the visitor made it, the headers of every answer, the names that get one.

    Innermost: who asks, where people sign in, and how much they may take.
    """
    settings = _settings()
    own = own_hosts("127.0.0.1")
    if settings:
        own = own_hosts(settings.host, settings.answered_names)
    proxies = [parse_network(text) for text in settings.trusted_proxies] if settings else []
    return [
        Middleware(NamedProxies, proxies=tuple(proxies)),
        Middleware(SecurityHeaders, own=own),
        Middleware(KnownHosts, own=own),
        Middleware(Edge, house=house()),
    ]


@cache
def house() -> House:
    """What the edge of this process knows. Without settings nobody is recognised, and nothing is taken."""
    settings = _settings()
    if settings is None:
        return House(Limits.of(Settings.model_construct()), quotas(), _Nobody)
    public = urlsplit(settings.public_url or "")
    return House(
        Limits.of(settings),
        quotas(),
        _sign_ins if signing.is_configured(settings) else None,
        origin=f"{public.scheme}://{public.netloc}",
        hours=settings.sign_in_hours,
        is_turned_away=partial(signing.is_turned_away, settings),
        metrics_token=settings.metrics_token.get_secret_value() if settings.metrics_token else "",
        owner_of=_owner_of,
    )


class _Nobody:
    """Recognises nobody (``edge.Recognises``)."""

    def person(self, *_: Any) -> None:
        """Nobody."""

    def begin(self, *_: Any, **__: Any) -> None:
        """Nobody is let in."""

    def sign_out(self, *_: Any, **__: Any) -> None:
        """Nobody was in."""

    def refused(self, *_: Any) -> None:
        """Nobody is told."""


def _sign_ins() -> Recognises:
    from docgraph.ui.frame import resources

    return resources.sign_ins()


def _owner_of(session: str) -> str:
    """The sign-in that an open page began with; empty for a page that is not open."""
    from streamlit.runtime import Runtime

    client = Runtime.instance().get_client(session) if Runtime.exists() else None
    headers = client.client_context.headers if client is not None and client.client_context is not None else ()
    return next((value for name, value in headers if name.lower() == signing.HEADER), "")


def sign_in() -> dict[str, Any] | None:
    """What the framework is told of the identity provider. Raises SettingsError, PluginError: never open by mistake."""
    settings = _settings()
    return signing.sign_in_secrets(settings) if settings else None


def _settings() -> Settings | None:
    try:
        return read_settings()
    except SettingsError:  # every page says what is wrong with them
        return None


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Warm up while the first browser connects; give the database back at the end."""
    del app
    with _own_log():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.to_thread.run_sync, _warm_up)
            tasks.start_soon(Sweeper(quotas().forget).run)
            if house().sign_ins is not None:
                tasks.start_soon(close_ended, house(), _look)
            try:
                yield {}
            finally:
                tasks.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):  # else it is cancelled with the tasks, before it has begun
                    await anyio.to_thread.run_sync(_close)


def on_script_error(problem: Exception) -> bool:
    """Show the written error state for what nobody caught, and log it; True keeps Streamlit's own display away."""
    from docgraph.ui.frame import layout, resources

    if not isinstance(problem, DocgraphError):
        _log.error("a page failed by an unexpected error", exc_info=problem)
        problem = DocgraphError(
            "this page met an unexpected error; the other pages still work",
            hint="reload the page; the server's log has the details",
        )
    layout.error(problem, retry=resources.reconnect, key="docgraph.retry.script")
    return True


def _own_log() -> AbstractContextManager[None]:
    """The log of this process as the settings want it, the framework's lines too; broken settings leave it alone."""
    settings = _settings()
    if settings is None:
        return nullcontext()
    return log_to(form=settings.log_format, level=settings.log_level, secrets=secrets_of(settings))


def _warm_up() -> None:
    try:
        for name in (*HEAVY, *_page_modules()):
            importlib.import_module(name)
        inspect.stack()  # Streamlit asks for it at the very first element: it resolves the path of every module, once
        _open_workspace()
        launcher.announce()
        gc.freeze()  # Streamlit collects after each run of a script, while nobody else can work: what stays is left out
    except Exception as problem:
        launcher.announce(problem if isinstance(problem, DocgraphError) else UNKNOWN)
        # Only a head start: whatever fails here fails again on a page, which says it in words and offers to try again.
        _log.warning("warming up failed: %s", problem)


def _page_modules() -> list[str]:
    """What the files of ``pages/`` import: the room of that name, where there is one."""
    from docgraph.ui.frame import navigation

    modules = [f"docgraph.ui.{page.name}" for page in navigation.pages()]
    return [f"{module}.page" for module in modules if importlib.util.find_spec(module) is not None]


def _look(ids: tuple[str, ...]) -> None:
    from docgraph.ui.frame import resources

    resources.sign_ins().look(ids)


def _open_workspace() -> None:
    """Connect, and open the workspace that is shown first when there is one; nothing but the database is asked."""
    from docgraph.ui.frame import resources

    resources.warm_up()


def _close() -> None:
    from docgraph.ui.frame import resources
    from docgraph.ui.parts.backups import clear_shelf

    clear_shelf()
    resources.close()
