"""Traces of what the service does, sent to a collector (OTLP over HTTP) where the settings name one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from typing import Any, Protocol

from tocsin.errors import MissingDependency
from tocsin.service.deliveries.senders import Message, Outcome, Sender


class Tracing(Protocol):
    """Where spans go."""

    def span(self, name: str, **attributes: str | int) -> AbstractContextManager[None]:
        """Something that takes its time; what is done inside it is a part of it."""

    def close(self) -> None:
        """Sends what was not sent yet."""


class NoTracing:
    """Nobody asks for traces."""

    def span(self, name: str, **attributes: str | int) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        pass


class Collected:
    """Traces go to a collector, some at a time, from a thread of its own."""

    def __init__(self, endpoint: str) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            raise MissingDependency("opentelemetry", "tracing") from None
        about = {"service.name": "tocsin", "service.version": version("tocsin")}
        self._provider = TracerProvider(resource=Resource.create(about))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
        self._tracer = self._provider.get_tracer("tocsin.service")

    @contextmanager
    def span(self, name: str, **attributes: str | int) -> Iterator[None]:
        with self._tracer.start_as_current_span(name, attributes=attributes):
            yield

    def close(self) -> None:
        self._provider.shutdown()


def tracing_to(endpoint: str | None) -> Tracing:
    """Where spans go, as the settings say."""
    return NoTracing() if endpoint is None else Collected(endpoint)


class TracedSender:
    """A sender whose attempts are spans."""

    def __init__(self, sender: Sender, tracing: Tracing) -> None:
        self._sender, self._tracing = sender, tracing

    async def send(self, target: Any, message: Message) -> Outcome:
        """Sends a message."""
        with self._tracing.span("deliver", target=str(target), message=message.id, request=message.request):
            return await self._sender.send(target, message)

    async def close(self) -> None:
        """Lets go of connections and threads."""
        await self._sender.close()


class TracedSenders(Mapping[Any, Sender]):
    """Senders whose attempts are spans."""

    def __init__(self, senders: Mapping[Any, Sender], tracing: Tracing) -> None:
        self._senders, self._tracing = senders, tracing

    def __getitem__(self, kind: Any) -> Sender:
        return TracedSender(self._senders[kind], self._tracing)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._senders)

    def __len__(self) -> int:
        return len(self._senders)


def traced(senders: Mapping[Any, Sender], tracing: Tracing) -> Mapping[Any, Sender]:
    """Senders whose attempts are spans, where anybody asks for them."""
    return senders if isinstance(tracing, NoTracing) else TracedSenders(senders, tracing)
