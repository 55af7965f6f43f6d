"""What is counted while a server runs, and who counts it; no label tells who or what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from hindsight_memory.core.asking import Spending
from hindsight_memory.core.jobs import JobState
from hindsight_memory.core.ports import Metering
from hindsight_memory.errors import HindsightError

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories

INSTALL = "metrics need a package: pip install 'hindsight-memory[metrics]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How much waits and what was spent, of all tenants together.

    behind: tasks that no call waits for. unembedded: memories without their vectors. jobs: by kind
    and state. tokens: of the language model, by operation.
    """

    behind: int
    unembedded: int
    jobs: Mapping[tuple[str, JobState], int]
    tokens: Mapping[str, Spending]


class Metrics(Protocol):
    """Safe to share between threads."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """One that was answered. route: as it was declared; "" where none fitted."""
        ...

    def operation(self, name: str, outcome: str) -> None:
        """One that ended. outcome: what the operation says of itself, or the code of its error."""
        ...

    def page(self, accept: str, standing: Standing | None) -> tuple[bytes, str]:
        """All of it for Prometheus, and its media type, by what the request accepts."""
        ...


def open_metrics() -> Metrics | None:
    """None where the package is not installed."""
    if find_spec("prometheus_client") is None:
        return None
    from hindsight_memory.interfaces.prometheus import PrometheusMetrics

    return PrometheusMetrics()


def standing(open_engine: "Callable[[], Memories]") -> Standing | None:
    """None where the store does not answer."""
    try:
        parts = open_engine().parts
        return Standing(
            behind=parts.behind.waiting(),
            unembedded=parts.store.unembedded_count(),
            jobs=parts.store.jobs.counts(),
            tokens=parts.model.spending() if isinstance(parts.model, Metering) else {},
        )
    except HindsightError:
        return None
