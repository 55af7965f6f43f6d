"""What the operations of the agent's side take and give: retrospection and, beside it, the rest."""

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from hindsight_memory.interfaces.schemas import STRICT, AgentId, MemoryOut, UserId

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.core.retrospection.lessons import Learned
    from hindsight_memory.core.retrospection.relating import Proposal


@dataclass(config=STRICT)
class RetrospectIn:
    session_id: Annotated[
        str | None,
        Field(description="Default: the connection's; without one, every session that changed."),
    ] = None
    _: KW_ONLY
    outcome: Annotated[
        Literal["success", "failure", "unknown"], Field(description="How the session ended.")
    ] = "unknown"
    dry_run: Annotated[bool, Field(description="Only tell what would be learned.")] = False
    project: Annotated[str | None, Field(description="Only what is about it, or none.")] = None
    user_id: UserId = None
    agent_id: AgentId = None


class LessonOut(BaseModel):
    outcome: Literal[
        "formed",
        "strengthened",
        "confirmed",
        "weakened",
        "disputed",
        "deprecated",
        "pending",
        "left",
    ]
    memory: MemoryOut | None = None
    content: str
    reason: str

    @classmethod
    def of(cls, learned: "Learned", content: str) -> "LessonOut":
        """content: for a pattern that no memory holds."""
        memory = learned.memory
        return cls(
            outcome=learned.change.value,
            memory=None if memory is None else MemoryOut.of(memory),
            content=content if memory is None else memory.content,
            reason=learned.reason,
        )


class ProposalOut(BaseModel):
    kind: Literal["link", "conclusion"]
    memory_ids: list[str]
    content: str
    reason: str

    @classmethod
    def of(cls, proposal: "Proposal") -> "ProposalOut":
        return cls.model_validate(proposal, from_attributes=True)


class RetrospectOut(BaseModel):
    lessons: list[LessonOut]
    proposals: list[ProposalOut] = []
    notes: list[str] = []
