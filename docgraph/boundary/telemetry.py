"""Spans for OpenTelemetry, named as OpenInference names retrieval; nothing is exported unless it is configured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from docgraph.boundary.logs import request_id
from docgraph.errors import PluginError, SettingsError
from docgraph.ports.progress import Attributes, Spans, no_spans

NAME = "docgraph"
KIND = "openinference.span.kind"
TEXTS = ("input.value", "output.value")
"""Attributes that hold what people wrote; so do those that end in ``.content``."""


def spans_of(endpoint: str | None, *, with_texts: bool) -> Spans:
    """Spans to ``endpoint`` (OTLP over HTTP); without one, to what the surrounding program has set up, if it has.

    Neither questions nor texts of documents leave in them unless ``with_texts``. Raises PluginError without the
    packages, SettingsError for an endpoint that is no URL.
    """
    if endpoint is not None:
        return _to(_exporting(endpoint), with_texts=with_texts)
    if "opentelemetry.sdk.trace" not in sys.modules:
        return no_spans
    from opentelemetry import trace

    return _to(trace.get_tracer(NAME), with_texts=with_texts)


def _to(tracer: Any, *, with_texts: bool) -> Spans:
    from opentelemetry.trace import StatusCode

    @contextmanager
    def span(name: str, attributes: Attributes) -> Iterator[Callable[[Attributes], None]]:
        with tracer.start_as_current_span(
            f"{NAME}.{name}", record_exception=False, set_status_on_exception=False
        ) as opened:

            def tell(more: Attributes) -> None:
                for key, value in more.items():
                    if with_texts or not (key in TEXTS or key.endswith(".content")):
                        opened.set_attribute(key, _encodable(value))

            tell({**attributes, **({"docgraph.request_id": request_id()} if request_id() else {})})
            try:
                yield tell
            except BaseException as error:  # its class alone: a message may quote what people wrote
                opened.set_status(StatusCode.ERROR, type(error).__name__)
                raise

    return span


def _encodable(value: Any) -> Any:
    """A text without halves of surrogate pairs: one of them would cost every span that is sent along with it."""
    return value.encode(errors="replace").decode() if isinstance(value, str) and not value.isascii() else value


def exporter(endpoint: str, *, timeout: float | None = None) -> Any:
    """What sends spans to ``endpoint``, ``timeout`` seconds for one export as a whole (None: as the exporter has it).

    Raises PluginError without the packages, SettingsError for an endpoint that is no URL.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        from docgraph.boundary.outbound.otlp import session  # with requests, which the exporter brings
    except ImportError:
        raise PluginError(
            "spans need the packages of OpenTelemetry", hint="install them: pip install 'docgraph[telemetry]'"
        ) from None
    try:
        return OTLPSpanExporter(endpoint=endpoint, session=session(endpoint), timeout=timeout)
    except ValueError as error:
        raise SettingsError(f"spans cannot be sent: {error}", hint="set DOCGRAPH_OTLP_ENDPOINT") from None


def _exporting(endpoint: str) -> Any:
    sending = exporter(endpoint)
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": NAME}))
    provider.add_span_processor(BatchSpanProcessor(sending))
    return provider.get_tracer(NAME)
