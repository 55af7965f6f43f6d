"""What ``memory_verify`` takes and gives; the other operations are in ``schemas``."""

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from hindsight_memory.interfaces.schemas import STRICT, AgentId, CandidateOut

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.verifying import Verified


@dataclass(config=STRICT)
class VerifyIn:
    memory_id: str | None = None
    _: KW_ONLY
    query: str | None = None
    action: Literal["confirm", "reject", "dispute", "restore"] | None = None
    reason: Annotated[str | None, Field(description="For an action; kept in the history.")] = None
    agent_id: AgentId = None


class CheckOut(BaseModel):
    name: Literal["integrity", "validity", "evidence", "conflicts", "probe"]
    state: Literal["ok", "warning", "failed", "unknown"]
    detail: str


class VerifyOut(BaseModel):
    outcome: Literal["checked", "confirmed", "rejected", "disputed", "restored", "preview"]
    memory_id: str | None = None
    verdict: Literal["current", "unverified", "disputed", "stale", "broken"] | None = None
    reasons: list[str]
    checks: list[CheckOut] = []
    candidates: list[CandidateOut] = []

    @classmethod
    def of(cls, verified: "Verified") -> "VerifyOut":
        checks = [CheckOut.model_validate(each, from_attributes=True) for each in verified.checks]
        return cls(
            outcome=verified.outcome,
            memory_id=verified.memory.id,
            verdict=verified.verdict,
            reasons=list(verified.reasons),
            checks=checks,
        )
