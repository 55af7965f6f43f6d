"""Spans, as a collector gets them from a real server: what was done, nothing of what was said."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import anyio
import httpx2
import pytest
import structlog
from mcp.client.client import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from hindsight_memory.interfaces.tracing import exporting
from hindsight_memory.settings import traces_are_wanted
from hindsight_memory.testing.http_server import COMMAND, serving

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
SECRETS = ("花生过敏", "zhang.wei", "planner", "no such memory here")


class Collector(ThreadingHTTPServer):
    """Takes what exporters send, on a free port of loopback."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.bodies: list[bytes] = []
        self._thread = threading.Thread(target=self.serve_forever)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def requests(self) -> list[ExportTraceServiceRequest]:
        return [ExportTraceServiceRequest.FromString(body) for body in self.bodies]

    def spans(self) -> list[Span]:
        return [
            span
            for request in self.requests()
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def services(self) -> set[str]:
        return {
            attribute.value.string_value
            for request in self.requests()
            for resource in request.resource_spans
            for attribute in resource.resource.attributes
            if attribute.key == "service.name"
        }


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Collector)
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Nothing, on a terminal full of tests."""


def told(span: Span) -> dict[str, Any]:
    values = {each.key: each.value for each in span.attributes}
    return {
        key: value.int_value if value.HasField("int_value") else value.string_value
        for key, value in values.items()
    }


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Collector, str]]:
    """What a collector got from a server until its end, and what that logged."""
    folder = tmp_path_factory.mktemp("traced")
    with Collector() as collector:
        environment = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        }
        with serving(folder, os.environ | environment) as base:
            parent = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
            write = {"content": "安 花生过敏", "user_id": "zhang.wei"}
            httpx2.post(f"{base}/v1/memories", json=write, headers=parent, timeout=20)
            path = f"{base}/v1/memories/no such memory here?agent_id=planner"
            httpx2.get(path, timeout=20)
            httpx2.get(f"{base}/v1/memories?user_id=zhang.wei&limit=x", timeout=20)
            anyio.run(search, base)
        yield collector, (folder / "log").read_text("utf-8")


async def search(base: str) -> None:
    async with Client(f"{base}/mcp", mode="2026-07-28") as client:
        await client.call_tool("memory_search", {"query": "花生过敏"})


def named(served: tuple[Collector, str], name: str) -> Span:
    [span] = [each for each in served[0].spans() if each.name == name]
    return span


def test_a_request_goes_on_the_trace_of_its_caller(served: tuple[Collector, str]) -> None:
    request = named(served, "POST /v1/memories")
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, PARENT)
    assert request.kind == Span.SPAN_KIND_SERVER
    assert told(request) == {
        "http.request.method": "POST",
        "http.route": "/v1/memories",
        "http.response.status_code": 200,
    }


def test_an_operation_is_in_its_request_and_has_its_outcome(
    served: tuple[Collector, str],
) -> None:
    request, write = named(served, "POST /v1/memories"), named(served, "memory_write")
    assert (write.trace_id, write.parent_span_id) == (request.trace_id, request.span_id)
    assert told(write) == {"hindsight_memory.outcome": "stored"}


def test_who_is_refused_makes_no_error_of_the_server(served: tuple[Collector, str]) -> None:
    request = named(served, "GET /v1/memories/{memory_id}")
    assert told(request)["http.response.status_code"] == 404
    assert told(named(served, "memory_get")) == {"hindsight_memory.outcome": "not_found"}
    assert {span.status.code for span in served[0].spans()} == {Status.STATUS_CODE_UNSET}
    assert [event.name for span in served[0].spans() for event in span.events] == []


def test_over_mcp_the_protocols_own_span_is_between_them(served: tuple[Collector, str]) -> None:
    call, search_ = named(served, "tools/call memory_search"), named(served, "memory_search")
    by_id = {each.span_id: each.name for each in served[0].spans()}
    assert by_id[search_.parent_span_id] == "tools/call memory_search"
    assert by_id[call.parent_span_id] == "POST /mcp"
    assert told(search_) == {"hindsight_memory.outcome": "abstained"}


def test_no_span_tells_what_was_said_nor_who(served: tuple[Collector, str]) -> None:
    sent = b"".join(served[0].bodies)
    assert [secret for secret in SECRETS if secret.encode() in sent] == []
    assert b"memory_search" in sent


def test_the_service_is_named_and_the_log_knows_the_trace(served: tuple[Collector, str]) -> None:
    collector, log = served
    assert collector.services() == {"hindsight-memory"}
    lines = [json.loads(line) for line in log.splitlines()]
    [line] = [each for each in lines if each.get("method") == "POST" and "tool" not in each][:1]
    assert line["trace_id"] == TRACE


def test_the_usual_variables_are_obeyed(tmp_path: Path) -> None:
    with Collector() as collector:
        environment = {
            "OTEL_TRACES_EXPORTER": "otlp",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{collector.url}/elsewhere",
            "OTEL_SERVICE_NAME": "our-memory",
        }
        with serving(tmp_path, os.environ | environment) as base:
            httpx2.get(f"{base}/healthz", timeout=20)
        assert [each.name for each in collector.spans()] == ["GET /healthz"]
        assert collector.services() == {"our-memory"}


@pytest.mark.parametrize(
    ("environment", "is_asked"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, True),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://x"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
    ],
    ids=str,
)
def test_spans_are_sent_when_the_usual_variables_ask_for_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, is_asked: bool
) -> None:
    for name in [each for each in os.environ if each.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    for name, each in environment.items():
        monkeypatch.setenv(name, each)
    assert traces_are_wanted() is is_asked


def test_nothing_is_sent_unasked(tmp_path: Path) -> None:
    with Collector() as collector:
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_SDK_DISABLED": "true"}
        with serving(tmp_path, os.environ | environment) as base:
            httpx2.get(f"{base}/healthz", timeout=20)
        assert collector.bodies == []
    assert "trace_id" not in (tmp_path / "log").read_text("utf-8")


def test_the_stdio_server_sends_spans_too(tmp_path: Path) -> None:
    call = {"name": "memory_search", "arguments": {"query": "花生过敏"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    with Collector() as collector:
        environment = {
            **{name: each for name, each in os.environ.items() if "HINDSIGHT" not in name},
            "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{tmp_path / 'memory.db'}",
            "HINDSIGHT_MEMORY_EMBEDDER": "none",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        }
        done = subprocess.run(
            [COMMAND, "mcp"],
            input=json.dumps(request).encode(),
            env=environment,
            capture_output=True,
            timeout=60,
            check=True,
        )
        assert len(done.stdout.splitlines()) == 1
        assert {"tools/call memory_search", "memory_search"} <= {
            each.name for each in collector.spans()
        }


def test_a_collector_that_is_away_disturbs_nobody(tmp_path: Path) -> None:
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "1",
    }
    with serving(tmp_path, os.environ | environment) as base:
        assert httpx2.get(f"{base}/healthz", timeout=20).status_code == 200


def test_without_the_package_one_line_says_what_to_install_and_all_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with structlog.testing.capture_logs() as logged, exporting():
        pass
    [line] = logged
    assert (line["log_level"], line["install"]) == (
        "warning",
        "pip install 'hindsight-memory[otel]'",
    )
