"""From one store to another, of whatever kinds: what an import of a whole export does, and a look
whether it is all there.
"""

from dataclasses import dataclass, field

from hindsight_memory.core import records
from hindsight_memory.core.jobs import UNFINISHED
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Progress
from hindsight_memory.engine import exporting, transfer
from hindsight_memory.engine.exporting import silent
from hindsight_memory.engine.lines import Report
from hindsight_memory.engine.parts import OPERATOR, Parts

MOST_DIFFERENCES = 20


@dataclass(slots=True)
class Copied:
    """By tenant, what became of each line. differences: what is not in the target as it was in the
    source, one sentence each, the first of them. left: what was not copied, one sentence each.
    """

    reports: dict[str, Report] = field(default_factory=dict)
    memories: int = 0
    differences: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def copy(source: Parts, target: Parts, progress: Progress = silent) -> Copied:
    """Bring every memory of every tenant, with its history, and every rejection into ``target``.

    What is there already is passed over, so a copy that was stopped goes on. Vectors are not
    copied; ``transfer.embed_waiting`` makes them. Raises Unavailable.
    """
    copied = Copied()
    for tenant in tenants(source):
        caller = Caller(tenant=tenant, user_id=OPERATOR, agent_id=OPERATOR)
        rows = transfer.decoded(exporting.lines(source, tenant))
        copied.reports[tenant] = transfer.import_rows(target, caller, rows, progress=progress)
        copied.memories += _compare(source, target, tenant, copied.differences)
    copied.left += _left(source)
    return copied


def tenants(parts: Parts) -> list[str]:
    """All that ever wrote: each has an audit log."""
    return [head.tenant for head in parts.store.audit_heads()]


def _compare(source: Parts, target: Parts, tenant: str, differences: list[str]) -> int:
    """How many memories of the tenant there are; tells of those that are not the same in both."""
    count = 0
    for memory in exporting.memories(source, tenant):
        count += 1
        if len(differences) < MOST_DIFFERENCES:
            one, other = (_line(parts, tenant, memory.id) for parts in (source, target))
            if one != other:
                differences.append(f"memory {memory.id!r} of {tenant!r} is not the same in both")
    for rejected in exporting.rejected(source, tenant):
        found = target.store.rejections(tenant, rejected.user_id, [rejected.key])
        if rejected not in found and len(differences) < MOST_DIFFERENCES:
            what = f"the rejection of {rejected.memory_id!r} in {tenant!r}"
            differences.append(f"{what} is not in the target")
    return count


def _line(parts: Parts, tenant: str, memory_id: str) -> bytes | None:
    record = exporting.record_of(parts, tenant, memory_id)
    return None if record is None else records.line_of(record)


def _left(source: Parts) -> list[str]:
    counts = source.store.jobs.counts()
    waiting = sum(count for (_kind, state), count in counts.items() if state in UNFINISHED)
    if not waiting:
        return []
    return [f"{waiting} jobs wait in the source: `hindsight-memory worker --once` does them first"]
