"""What a caller gave, as what the engine takes: defaults filled in, limits checked."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from hindsight_memory.core import hygiene, probes
from hindsight_memory.core.model import (
    Caller,
    Draft,
    Edit,
    Event,
    Json,
    Layer,
    Scope,
    Tier,
    Visibility,
)
from hindsight_memory.core.moments import Asked, Moment
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.retrieval import Filter, Query
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.agent_schemas import AdviseIn, ContextIn
from hindsight_memory.interfaces.schemas import EventIn, ListIn, SearchIn, UpdateIn, WriteIn

Member = TypeVar("Member", bound=StrEnum)
QUERY_CHARACTERS = 8_000


def scope(caller: Caller, user_id: str | None, agent_id: str | None) -> Scope:
    """What a call about one user's memories may see."""
    return Scope(
        caller.tenant,
        _named(user_id, "user_id", caller.user_id),
        _named(agent_id, "agent_id", caller.agent_id),
    )


def by_id(caller: Caller, agent_id: str | None, user_id: str | None = None) -> Scope:
    """What a call about one exact id may see: the memories of every user this caller acts for,
    or of the one that it names.
    """
    user = _named(user_id, "user_id", "") or None
    return Scope(caller.tenant, user, _named(agent_id, "agent_id", caller.agent_id))


def draft(caller: Caller, given: WriteIn) -> Draft:
    """Raises InvalidInput for what can be told to be wrong without looking at any memory."""
    content = hygiene.clean_content(given.content)
    source = Source(given.source or Source.AGENT_INFERENCE)
    if source is Source.USER_CONFIRMED and not caller.is_person:
        raise InvalidInput(
            "source 'user_confirmed' is a person's; an agent reports 'user_explicit'"
        )
    if given.valid_from and given.valid_to and given.valid_to < given.valid_from:
        raise InvalidInput("`valid_to` is before `valid_from`")
    return Draft(
        content=content.text,
        notes=content.notes,
        user_id=_named(given.user_id, "user_id", caller.user_id),
        agent_id=_named(given.agent_id, "agent_id", caller.agent_id),
        project=_named(given.project, "project", caller.project),
        session_id=_named(given.session_id, "session_id", _session(caller, given)),
        visibility=Visibility(given.visibility or Visibility.USER),
        layer=_member(Layer, given.layer),
        memory_type=_member(MemoryType, given.memory_type),
        scene=_named(given.scene, "scene", ""),
        source=source,
        confidence=given.confidence,
        importance=given.importance,
        tags=frozenset(hygiene.check_tags(given.tags or [])),
        metadata=_metadata(given.metadata or {}),
        related_ids=_links(given.related_ids or []),
        supersedes=given.supersedes,
        event=None if given.event is None else _event(given.event),
        valid_from=given.valid_from,
        valid_to=given.valid_to,
        idempotency_key=_named(given.idempotency_key, "idempotency_key", "") or None,
    )


def query(caller: Caller, given: SearchIn, *, now: datetime) -> Query:
    return Query(
        text=query_text(given.query),
        where=_search_filter(caller, given, now),
        top_k=given.top_k,
        token_budget=given.token_budget,
        profile=given.profile or "",
    )


def listing(caller: Caller, given: ListIn) -> Filter:
    included: set[str] = set(given.include or [])
    return Filter(
        memory_types=_one(MemoryType, given.memory_type),
        statuses=_one(Status, given.status),
        layers=_one(Layer, given.layer),
        tags=frozenset(hygiene.check_tags(given.tags or [])),
        tag_match=given.tag_match,
        since=given.since,
        until=given.until,
        session_id=given.session_id,
        project=_named(given.project, "project", caller.project) or None,
        tiers=frozenset(Tier) if "forgotten" in included else _tiers(included),
        superseded=bool(included & {"superseded", "forgotten"}),
        forgotten="forgotten" in included,
        as_of=given.as_of,
        known_at=given.known_at,
    )


def moment(caller: Caller, given: ContextIn | AdviseIn) -> Moment:
    """Without a project only what belongs to none: nobody asked for what is of another one."""
    return Moment(
        scope=scope(caller, given.user_id, given.agent_id),
        project=_named(given.project, "project", caller.project),
        session_id=_named(given.session_id, "session_id", caller.session_id),
        token_budget=given.token_budget,
    )


def asked(given: AdviseIn) -> Asked:
    tool = hygiene.check_identifier(given.tool, "tool")
    return Asked(tool=tool, arguments=given.arguments or {})


def edit(caller: Caller, given: UpdateIn) -> Edit:
    """Raises InvalidInput when nothing is to change."""
    wanted = Edit(
        memory_id=given.memory_id,
        content=None if given.content is None else hygiene.clean_content(given.content).text,
        confidence=given.confidence,
        importance=given.importance,
        tags=None if given.tags is None else frozenset(hygiene.check_tags(given.tags)),
        memory_type=_member(MemoryType, given.memory_type),
        status=_member(Status, given.status),
        tier=_member(Tier, given.tier),
        heat=given.heat,
        restore=given.restore,
        expected_version=given.expected_version,
        reason=reason(given.reason),
        is_person=caller.is_person,
    )
    nothing = Edit(
        memory_id=wanted.memory_id,
        expected_version=wanted.expected_version,
        reason=wanted.reason,
        is_person=wanted.is_person,
    )
    if wanted == nothing:
        raise InvalidInput("nothing to update: give a field to change, or `restore`")
    return wanted


def reason(given: str | None) -> str:
    return hygiene.check_text(given or "", "reason", hygiene.REASON_LENGTH)


def used_ids(given: list[str]) -> tuple[str, ...]:
    return tuple(hygiene.check_count(given, "used_ids", hygiene.IDENTIFIERS))


def _metadata(given: dict[str, Any]) -> dict[str, Json]:
    metadata = hygiene.check_metadata(given)
    probes.check_metadata(metadata)
    return metadata


def _search_filter(caller: Caller, given: SearchIn, now: datetime) -> Filter:
    if given.time_range_hours is not None and given.since is not None:
        raise InvalidInput("give `time_range_hours` or `since`, not both")
    recent = given.time_range_hours
    since = given.since if recent is None else now - timedelta(hours=recent)
    if since and given.until and given.until <= since:
        raise InvalidInput("`until` is not after `since`")
    included: set[str] = set(given.include or [])
    if "forgotten" in included:
        raise InvalidInput("forgotten memories are not searched; list them, and restore by id")
    agent_id = _named(given.agent_id, "agent_id", caller.agent_id)
    return Filter(
        memory_types=_one(MemoryType, given.memory_type),
        statuses=_one(Status, given.status),
        layers=_one(Layer, given.layer),
        tags=frozenset(hygiene.check_tags(given.tags or [])),
        tag_match=given.tag_match,
        since=since,
        until=given.until,
        session_id=given.session_id,
        project=_named(given.project, "project", caller.project) or None,
        tiers=_tiers(included),
        superseded="superseded" in included,
        tentative_of=None if "other_agents" in included else agent_id,
        as_of=given.as_of,
        known_at=given.known_at,
    )


def _tiers(included: set[str]) -> frozenset[Tier]:
    return frozenset({Tier.ACTIVE} | {tier for tier in Tier if tier.value in included})


def query_text(text: str) -> str:
    """Never refused for what it holds: what no memory can contain is simply not looked for."""
    if len(text) > QUERY_CHARACTERS:
        message = f"`query` has {len(text)} characters; at most {QUERY_CHARACTERS} are looked for"
        raise InvalidInput(f"{message}: ask a shorter question")
    return text.encode("utf-8", "ignore").decode().replace("\x00", " ")


def _member(kind: type[Member], value: str | None) -> Member | None:
    """For the type checker: pydantic has made it a member already."""
    return None if value is None else kind(value)


def _one(kind: type[Member], value: str | None) -> frozenset[Member]:
    return frozenset() if value is None else frozenset({kind(value)})


def _session(caller: Caller, given: WriteIn) -> str:
    """An episode belongs to the connection's session; a semantic memory to none by default."""
    return caller.session_id if given.event is not None else ""


def _links(ids: list[str]) -> tuple[str, ...]:
    hygiene.check_count(ids, "related_ids", hygiene.IDENTIFIERS)
    return tuple(hygiene.check_identifier(each, "related_ids") for each in ids)


def _event(given: EventIn) -> Event:
    return hygiene.check_event(
        Event(
            role=given.role,
            participants=tuple(given.participants),
            action=given.action,
            tool=given.tool,
            arguments=given.arguments,
            outcome=given.outcome,
            error=given.error,
            reflection=given.reflection,
        )
    )


def _named(value: str | None, name: str, default: str) -> str:
    """``value`` checked, or the default where there is none; an empty text counts as none."""
    return hygiene.check_identifier(value, name) if value else default
