"""Metrics for Prometheus. Needs the extra ``metrics``."""

import threading
from collections.abc import Iterator
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from hindsight_memory.interfaces.measuring import Standing

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"})
"""Others count as one: who invents names makes no new series."""

ANY_OTHER = "*"
"""Operations that have no budget of their own, and did not ask yet."""

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""A search takes 10 to 50 ms, an answer of a language model seconds."""


class PrometheusMetrics:
    """See Metrics. Has a registry of its own, so that two apps in one process count apart."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "hindsight_memory_http_requests",
            "Requests answered over HTTP.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "hindsight_memory_http_request_duration_seconds",
            "From a request to the end of its answer; of an event stream, to its beginning.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._operations = Counter(
            "hindsight_memory_operations",
            "Operations over HTTP by what came of them, or the code of their error.",
            ("operation", "outcome"),
            registry=self._registry,
        )
        self._standing = _Standing()
        self._lock = threading.Lock()
        self._registry.register(self._standing)
        ProcessCollector(registry=self._registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """See Metrics.request."""
        method = method if method in METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def operation(self, name: str, outcome: str) -> None:
        """See Metrics.operation."""
        self._operations.labels(name, outcome).inc()

    def page(self, accept: str, standing: Standing | None) -> tuple[bytes, str]:
        """See Metrics.page."""
        encoder, media_type = choose_encoder(accept)
        with self._lock:
            self._standing.now = standing
            return encoder(self._registry), media_type


class _Standing(Collector):
    """What is not counted as it happens, but looked up when somebody asks."""

    def __init__(self) -> None:
        self.now: Standing | None = None

    def collect(self) -> Iterator[Metric]:
        now = self.now
        build = {"version": version("hindsight-memory")}
        yield InfoMetricFamily("hindsight_memory_build", "What runs here.", value=build)
        is_up = float(now is not None)
        yield GaugeMetricFamily("hindsight_memory_store_up", "1 when the store answers.", is_up)
        if now is None:
            return
        yield GaugeMetricFamily(
            "hindsight_memory_behind_tasks", "Tasks that wait behind calls.", now.behind
        )
        yield GaugeMetricFamily(
            "hindsight_memory_unembedded", "Memories that wait for their vectors.", now.unembedded
        )
        jobs = GaugeMetricFamily(
            "hindsight_memory_jobs", "Jobs in the store.", labels=("kind", "state")
        )
        for (kind, state), count in now.jobs.items():
            jobs.add_metric((kind, state.value), count)
        yield jobs
        tokens = CounterMetricFamily(
            "hindsight_memory_model_tokens",
            "Tokens that the language model took and gave.",
            labels=("operation",),
        )
        left = GaugeMetricFamily(
            "hindsight_memory_model_tokens_left",
            "Tokens left today (UTC) of a budget.",
            labels=("operation",),
        )
        for operation, spent in now.tokens.items():
            if operation != ANY_OTHER:
                tokens.add_metric((operation,), spent.since_start)
            if spent.left is not None:
                left.add_metric((operation,), spent.left)
        yield from (tokens, left)
