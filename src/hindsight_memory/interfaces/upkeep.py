"""The upkeep of memories as an operation: what it takes and gives, for REST, library and shell."""

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from hindsight_memory.core.hygiene import check_identifier
from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.schemas import STRICT, Whole

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.maintain import Report
    from hindsight_memory.engine.memories import Memories

ActionOut = Literal[
    "merged", "withdrawn", "purged", "expired", "cooled", "compressed", "archived", "evicted"
]


@dataclass(config=STRICT)
class MaintainIn:
    _: KW_ONLY
    dry_run: Annotated[bool, Field(description="Only tell what it would do, and why.")] = True
    user_id: Annotated[str | None, Field(description="Whose memories; default: everyone's.")] = None
    episode_cap: Annotated[
        Whole | None,
        Field(
            ge=1,
            description="Most active unconfirmed episodes a user; default: as in the settings.",
        ),
    ] = None
    purge_feedback: Annotated[
        bool, Field(description="Also remove feedback past its 90 days, for good.")
    ] = False


class StepOut(BaseModel):
    action: ActionOut
    rule: str
    memory_ids: list[str]
    user_id: str
    content: str = Field(description="Of the first of these memories.")
    required: str
    actual: str


class MaintainOut(BaseModel):
    dry_run: bool = Field(description="Whether nothing was changed.")
    looked_at: int = Field(description="How many memories.")
    counts: dict[ActionOut, int] = Field(description="How many steps of each kind.")
    overtaken: int = Field(description="Steps left, because a memory changed meanwhile.")
    steps: list[StepOut] = Field(description="The first 1,000 of them, and why.")

    @classmethod
    def of(cls, report: "Report", *, dry_run: bool) -> "MaintainOut":
        return cls(
            dry_run=dry_run,
            looked_at=report.looked_at,
            counts={action.value: count for action, count in report.counts.items()},
            overtaken=report.overtaken,
            steps=[StepOut.model_validate(each, from_attributes=True) for each in report.steps],
        )


def memory_maintain(memories: "Memories", caller: Caller, given: MaintainIn) -> MaintainOut:
    """Let memories that nobody needs cool, end and make room; tell of each step why. Nothing is
    changed unless `dry_run` is false. All that it does then can be undone with restore, but a
    purge, which it does only when told.
    """
    report = memories.maintain(
        caller.tenant,
        user_id=check_identifier(given.user_id, "user_id") if given.user_id else None,
        dry_run=given.dry_run,
        episode_cap=given.episode_cap,
        purges_feedback=given.purge_feedback,
    )
    return MaintainOut.of(report, dry_run=given.dry_run)
