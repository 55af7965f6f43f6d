"""What each operation takes and gives, once, for MCP, REST, the shell and the library.

What is taken are dataclasses, so that the library's methods get their signatures from them; what
is given are models. A field's description is what an agent or developer reads about it.
"""

from dataclasses import KW_ONLY
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass
from pydantic_core import PydanticCustomError

from hindsight_memory.core import codec
from hindsight_memory.core.model import Layer, Memory, Outcome, Tier, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.retrieval import Match

STRICT = ConfigDict(extra="forbid", use_attribute_docstrings=False)

if TYPE_CHECKING:  # callers of the library may write the values as they stand in JSON
    MemoryTypeIn = (
        MemoryType
        | Literal["preference", "fact", "task", "decision", "feedback", "lesson", "event"]
    )
    StatusIn = Status | Literal["tentative", "confirmed", "disputed", "deprecated", "quarantined"]
    SourceIn = (
        Source
        | Literal[
            "user_confirmed",
            "user_explicit",
            "tool_result",
            "document",
            "retrospection",
            "agent_inference",
            "external",
        ]
    )
    LayerIn = Layer | Literal["episodic", "semantic"]
    TierIn = Tier | Literal["active", "cold", "archived"]
    VisibilityIn = Visibility | Literal["private", "user"]
else:
    MemoryTypeIn, StatusIn, SourceIn = MemoryType, Status, Source
    LayerIn, TierIn, VisibilityIn = Layer, Tier, Visibility

Include = Literal["cold", "archived", "superseded", "forgotten", "other_agents"]


def _aware(instant: datetime) -> datetime:
    """In UTC; one without an offset is taken as UTC."""
    try:
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("in UTC it is not in the years 1 to 9999") from error


def _a_number(value: Any) -> Any:
    """In JSON ``true`` is none; Python takes it for 1."""
    if isinstance(value, bool):
        raise PydanticCustomError("number_needed", "a number is needed, not true or false")
    return value


Whole = Annotated[int, BeforeValidator(_a_number)]
Number = Annotated[float, BeforeValidator(_a_number)]
Instant = Annotated[datetime, AfterValidator(_aware)]
AsOf = Annotated[Instant | None, Field(description="What was true then, instead of now.")]
KnownAt = Annotated[Instant | None, Field(description="What was known then, instead of now.")]
Share = Annotated[Number, Field(ge=0, le=1)]

UserId = Annotated[str | None, Field(description="Whose memory; default: the connection's user.")]
AgentId = Annotated[str | None, Field(description="Who acts; default: the connection's agent.")]
MemoryId = Annotated[str, Field(description="Exact id, as returned by a write or search.")]
Project = Annotated[
    str | None,
    Field(description="Repository, case or workspace it is about; omit for the person's own."),
]


class EventIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: str = ""
    participants: list[str] = []
    action: str = ""
    tool: str = ""
    arguments: dict[str, Any] = {}
    outcome: Literal["success", "failure", "unknown"] = "unknown"
    error: str = ""
    reflection: str = ""


@dataclass(config=STRICT)
class WriteIn:
    content: Annotated[
        str,
        Field(
            description="One self-contained statement: '用户偏好用中文交流', 'CI needs Node 20'."
        ),
    ]
    _: KW_ONLY
    memory_type: Annotated[
        MemoryTypeIn | None, Field(description="Default: recognised from the content.")
    ] = None
    user_id: UserId = None
    project: Project = None
    session_id: str | None = None
    agent_id: AgentId = None
    layer: Annotated[
        LayerIn | None, Field(description="Default: episodic with an event, else semantic.")
    ] = None
    scene: Annotated[str | None, Field(description="E.g. troubleshooting, decision.")] = None
    source: Annotated[
        SourceIn | None,
        Field(description="Who says so: user_explicit if the user did; default agent_inference."),
    ] = None
    confidence: Share | None = None
    importance: Annotated[Share | None, Field(description="Default 0.5.")] = None
    tags: list[str] | None = None
    related_ids: list[str] | None = None
    supersedes: Annotated[
        str | None, Field(description="Id of the memory that this one replaces.")
    ] = None
    event: Annotated[EventIn | None, Field(description="For something that happened.")] = None
    valid_from: Annotated[
        Instant | None, Field(description="Since when true; ISO 8601; default now.")
    ] = None
    valid_to: Instant | None = None
    metadata: dict[str, Any] | None = None
    visibility: Annotated[
        VisibilityIn | None, Field(description="private = this agent only; default user = all.")
    ] = None
    idempotency_key: Annotated[
        str | None, Field(description="Repeating a call with the same key writes once.")
    ] = None
    mode: Annotated[
        Literal["now", "queued"],
        Field(description="queued: answer at once with a `write_id`, and write later."),
    ] = "now"


@dataclass(config=STRICT)
class SearchIn:
    query: Annotated[
        str, Field(description="What to look for, in plain words; empty lists the newest.")
    ]
    _: KW_ONLY
    user_id: UserId = None
    agent_id: AgentId = None
    project: Annotated[
        str | None, Field(description="Sees this project and what belongs to none.")
    ] = None
    memory_type: MemoryTypeIn | None = None
    tags: Annotated[
        list[str] | None, Field(description="Coarse filter; relaxed when nothing has them.")
    ] = None
    tag_match: Literal["any", "all"] = "any"
    top_k: Annotated[Whole, Field(ge=1, le=50)] = 5
    time_range_hours: Annotated[
        Number | None, Field(gt=0, le=876_000, description="Only the last N hours.")
    ] = None
    since: Annotated[Instant | None, Field(description="ISO 8601, inclusive.")] = None
    until: Annotated[Instant | None, Field(description="ISO 8601, exclusive.")] = None
    session_id: str | None = None
    layer: LayerIn | None = None
    status: StatusIn | None = None
    as_of: AsOf = None
    known_at: KnownAt = None
    token_budget: Annotated[
        Whole | None, Field(ge=1, description="Most tokens of content returned in all.")
    ] = None
    profile: Annotated[
        str | None,
        Field(description="balanced (default), classic, support, knowledge, importance, or own."),
    ] = None
    include: list[Include] | None = None
    explain: Annotated[bool, Field(description="Also say how relevance came about.")] = False


@dataclass(config=STRICT)
class UpdateIn:
    memory_id: MemoryId
    _: KW_ONLY
    content: str | None = None
    confidence: Share | None = None
    importance: Share | None = None
    tags: Annotated[list[str] | None, Field(description="Replaces all tags.")] = None
    memory_type: MemoryTypeIn | None = None
    status: Annotated[
        StatusIn | None, Field(description="Never above what the memory's source allows.")
    ] = None
    tier: TierIn | None = None
    heat: Annotated[Number | None, Field(ge=0, le=100)] = None
    restore: Annotated[
        bool, Field(description="Bring back a forgotten, cold or archived memory.")
    ] = False
    expected_version: Annotated[
        Whole | None, Field(ge=1, description="Fail with `conflict` if it changed since.")
    ] = None
    reason: str | None = None
    agent_id: AgentId = None


@dataclass(config=STRICT)
class ForgetIn:
    memory_id: Annotated[str | None, Field(description="Exact id of what to forget.")] = None
    _: KW_ONLY
    query: Annotated[
        str | None,
        Field(description="Instead of an id: shows what a phrase denotes; forgets nothing."),
    ] = None
    user_id: UserId = None
    agent_id: AgentId = None
    hard_delete: Annotated[bool, Field(description="Remove for good, everywhere.")] = False
    reason: str | None = None


@dataclass(config=STRICT)
class FeedbackIn:
    recall_id: Annotated[str, Field(description="`recall_id` of the search.")]
    used_ids: Annotated[list[str], Field(description="Memories that you relied on.")]
    _: KW_ONLY
    helped: Annotated[bool | None, Field(description="Whether they helped.")] = None
    agent_id: AgentId = None


@dataclass(config=STRICT)
class GetIn:
    memory_id: MemoryId
    _: KW_ONLY
    as_of: AsOf = None
    known_at: KnownAt = None
    agent_id: AgentId = None


@dataclass(config=STRICT)
class HistoryIn:
    memory_id: MemoryId
    _: KW_ONLY
    agent_id: AgentId = None


@dataclass(config=STRICT)
class ListIn:
    _: KW_ONLY
    user_id: UserId = None
    agent_id: AgentId = None
    project: Project = None
    memory_type: MemoryTypeIn | None = None
    tags: list[str] | None = None
    tag_match: Literal["any", "all"] = "any"
    since: Instant | None = None
    until: Instant | None = None
    session_id: str | None = None
    layer: LayerIn | None = None
    status: StatusIn | None = None
    include: Annotated[
        list[Include] | None, Field(description="`forgotten` lists those instead.")
    ] = None
    as_of: AsOf = None
    known_at: KnownAt = None
    limit: Annotated[Whole, Field(ge=1, le=1000)] = 50
    before: Annotated[
        str | None, Field(description="`next` of the page before; pages go back in time.")
    ] = None


class MemoryOut(BaseModel):
    """A memory; empty fields are left out where they only cost tokens."""

    id: str
    content: str
    memory_type: MemoryType
    user_id: str
    agent_id: str = ""
    project: str = ""
    session_id: str = ""
    visibility: Visibility = Visibility.USER
    layer: Layer = Layer.SEMANTIC
    scene: str = ""
    tags: list[str] = []
    metadata: dict[str, Any] = {}
    related_ids: list[str] = []
    event: dict[str, Any] | None = None
    status: Status
    source: Source
    trust: float
    confidence: float
    importance: float
    evidence: list[str] = []
    counter_examples: list[str] = []
    superseded_by: str | None = None
    supersedes: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    created_at: datetime
    updated_at: datetime
    retired_at: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    used_count: int = 0
    heat: float = 1.0
    tier: Tier = Tier.ACTIVE
    expires_at: datetime | None = None
    deleted_at: datetime | None = None
    version: int

    @classmethod
    def of(cls, memory: Memory) -> "MemoryOut":
        return cls.model_validate(codec.to_json(memory))


class RelatedOut(BaseModel):
    id: str
    content: str
    similarity: float | None = Field(
        default=None, description="Calibrated, in [0, 1]; absent where only words were compared."
    )


class WriteOut(BaseModel):
    outcome: Outcome
    memory: MemoryOut | None = Field(default=None, description="As it is now; none if skipped.")
    reason: str
    related: list[RelatedOut] = []
    write_id: str | None = Field(default=None, description="Of a queued write, to ask for it.")


class SourceOut(BaseModel):
    """One origin of a hit."""

    memory_id: str
    source: Source
    agent_id: str
    session_id: str
    said_at: datetime


class HitOut(BaseModel):
    memory: MemoryOut
    score: float = Field(description="Higher is better; comparable within one search only.")
    parts: dict[str, float] = Field(description="What made up the score.")
    verdict: Literal["current", "unverified", "disputed", "stale", "weak"]
    sources: list[SourceOut]
    passage: str | None = Field(default=None, description="The best part of a long memory.")


class SearchOut(BaseModel):
    hits: list[HitOut]
    abstained: bool = Field(description="True when nothing found really answers the query.")
    notes: list[str] = []
    suppressed: int = Field(
        default=0, description="How many superseded memories were left out; see `include`."
    )
    recall_id: str


class CandidateOut(BaseModel):
    id: str
    content: str
    match: Match | None = Field(
        default=None,
        description="How the phrase denotes it: it contains it; it holds its words in another "
        "form or order; it is in another language and holds its names.",
    )


class ForgetOut(BaseModel):
    outcome: Literal["forgotten", "purged", "preview"]
    memory_id: str | None = None
    candidates: list[CandidateOut] = []
    notes: list[str] = []


class FeedbackOut(BaseModel):
    used_ids: list[str]


class RevisionOut(BaseModel):
    version: int
    at: datetime
    actor: str
    operation: str
    reason: str
    before: dict[str, Any] = Field(description="What the change replaced, by field.")


class HistoryOut(BaseModel):
    memory: MemoryOut
    revisions: list[RevisionOut] = Field(description="Oldest first.")


class ListOut(BaseModel):
    memories: list[MemoryOut]
    next: str | None = Field(default=None, description="Give as `before` for the next page.")
