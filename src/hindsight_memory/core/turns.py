"""What a turn of a session means for working memory, by rules: for whoever has no language model.

``working.brings_news`` then says whether the turn is worth an update.
"""

from hindsight_memory.core.calls import Ended, worded
from hindsight_memory.core.extraction import extracted
from hindsight_memory.core.patches import patches_from
from hindsight_memory.core.policy import Source
from hindsight_memory.core.working import FACT_CHARACTERS, Patch

SAID_BY = {"user": Source.USER_EXPLICIT, "assistant": Source.AGENT_INFERENCE}


def patches_of_turn(text: str, *, role: str) -> list[Patch]:
    """Each statement of the turn that is sure, short and lasting, as a fact."""
    source = SAID_BY.get(role, Source.EXTERNAL)
    return patches_from(
        [
            {"op": "add_fact", "fact": item.content, "source": source.value}
            for item in extracted(text, role=role)
            if not item.is_hedged and len(item.content) <= FACT_CHARACTERS
        ]
    )


def patches_of_call(call: Ended) -> list[Patch]:
    """The call itself, and where it failed the attempt."""
    called = {"op": "append_call", "tool": call.tool, "arguments": dict(call.arguments)}
    patches = [{**called, "status": call.outcome}]
    if call.outcome == "failure":
        action = f"{call.tool}({worded(call.arguments)})"
        patches.append({"op": "record_attempt", "action": action, "error": call.error})
    return patches_from(patches)
