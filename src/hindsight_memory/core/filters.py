"""What a Filter means, and who may see what.

``matches`` and ``is_visible`` are the specification: each store translates them to its own query
language, and the conformance suite checks that translation against these functions.
"""

from hindsight_memory.core.history import held, was_current
from hindsight_memory.core.model import Memory, Scope, Visibility
from hindsight_memory.core.policy import Status
from hindsight_memory.core.retrieval import Filter


def is_visible(scope: Scope, memory: Memory) -> bool:
    return (
        memory.tenant == scope.tenant
        and scope.user_id in {None, memory.user_id}
        and (
            scope.agent_id is None
            or memory.visibility is Visibility.USER
            or memory.agent_id == scope.agent_id
        )
    )


def matches(where: Filter, memory: Memory) -> bool:
    """Conditions on what the memory is, then on the state it is in."""
    return (
        (not where.memory_types or memory.memory_type in where.memory_types)
        and (not where.statuses or memory.status in where.statuses)
        and (not where.layers or memory.layer in where.layers)
        and has_tags(where, memory)
        and (where.since is None or memory.happened_at >= where.since)
        and (where.until is None or memory.happened_at < where.until)
        and where.session_id in {None, memory.session_id}
        and (where.project is None or memory.project in {"", where.project})
        and memory.tier in where.tiers
        and (where.superseded or was_current(where, memory))
        and held(where, memory)
        and (where.known_at is None or memory.created_at <= where.known_at)
        and memory.is_forgotten == where.forgotten
        and (
            where.tentative_of is None
            or memory.status is not Status.TENTATIVE
            or memory.agent_id == where.tentative_of
        )
    )


def has_tags(where: Filter, memory: Memory) -> bool:
    if not where.tags:
        return True
    if where.tag_match == "all":
        return where.tags <= memory.tags
    return not where.tags.isdisjoint(memory.tags)
