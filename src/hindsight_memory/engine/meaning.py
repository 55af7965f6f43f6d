"""Texts to vectors for the engine: passages, calibration, and going on by words without a model."""

from dataclasses import dataclass
from itertools import islice

import structlog

from hindsight_memory.core import text
from hindsight_memory.core.calibration import Calibration, calibration
from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Vector
from hindsight_memory.core.ports import Embedder, Forgetful
from hindsight_memory.errors import Unavailable

log = structlog.get_logger(__name__)

PASSAGE_TOKENS = 320
"""Estimated tokens of one passage: a window of 512, with room for a low estimate and a prefix."""

QUERY_CHARACTERS = 1000
"""What of a query is embedded; longer ones are documents, and their beginning says what about."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the engine knows of vectors.

    embedder: None where none is installed; ``why_absent`` then says what to do.
    scales: of its cosines, where somebody measured them; None takes those that are known.
    notice: what every search should say, such as that vectors of another model wait.
    """

    embedder: Embedder | None
    why_absent: str = ""
    notice: str = ""
    scales: Calibration | None = None

    @property
    def calibration(self) -> Calibration:
        known = "" if self.embedder is None else self.embedder.fingerprint
        return self.scales or calibration(known)

    def of_query(self, query: str) -> tuple[Vector | None, str]:
        """The vector of a query, or None and why there is none."""
        if self.embedder is None:
            return None, f"searched by words only: {self.why_absent}"
        try:
            return self.embedder.query(query[:QUERY_CHARACTERS]), ""
        except Unavailable as error:
            log.warning("embedder_unavailable", error=str(error))
            return None, f"searched by words only: {error}"

    def of_content(self, memory_id: str, content: str) -> Passages | None:
        """The first passage of ``content``; None when there is no vector for it now."""
        if self.embedder is None:
            return None
        pieces = split(content)
        try:
            [vector] = self.embedder.passages(pieces[:1])
        except Unavailable as error:
            log.warning("embedder_unavailable", error=str(error))
            return None
        return Passages(
            memory_id=memory_id, content=content, first=0, total=len(pieces), vectors=(vector,)
        )

    def forget(self, content: str) -> None:
        """Remove what a cache keeps of a purged content."""
        if isinstance(self.embedder, Forgetful):
            self.embedder.forget(split(content))


def split(content: str) -> tuple[str, ...]:
    """The passages of a content, in order; they depend on nothing else."""
    return tuple(text.passages(content, limit=PASSAGE_TOKENS))


def passage_of(content: str, number: int) -> str | None:
    """One passage, without cutting what follows it; None where the content is a single one."""
    first = tuple(islice(text.passages(content, limit=PASSAGE_TOKENS), max(2, number + 1)))
    return first[number] if len(first) > 1 else None
