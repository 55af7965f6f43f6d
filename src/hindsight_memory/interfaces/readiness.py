"""Whether a server can do its work, and what it does without."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hindsight_memory.core.model import Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import HindsightError, Incompatible

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories

NOBODY = Scope(tenant="", user_id=None, agent_id=None)
"""No credential has this tenant, so a read in it finds nothing, fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Both by name, with the reason. not_ready: nothing can be done before it is.

    without: work goes on, as a search by words where the embedder does not answer.
    """

    not_ready: Mapping[str, str] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)


def health_of(memories: "Memories") -> Health:
    """Asks the store. Models are not asked, which may cost money or take long: what counts is how
    the last call of one ended. Raises what the store raises.
    """
    memories.page(NOBODY, Filter(), before=None, limit=1)
    meaning = memories.parts.meaning
    absent = {} if meaning.embedder is not None else {"embedder": meaning.why_absent}
    return Health(without={**absent, **memories.parts.troubles()})


def health(
    open_engine: "Callable[[], Memories]", look: "Callable[[Memories], Health]" = health_of
) -> Health:
    """A store that is of another version is there, and waits for its migrations."""
    try:
        return look(open_engine())
    except Incompatible as error:
        return Health(not_ready={"migrations": str(error)})
    except HindsightError as error:
        return Health(not_ready={"store": str(error)})
