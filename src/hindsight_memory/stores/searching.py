"""What a search is in every SQL store: how far it looks, and what it tells of what it finds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hindsight_memory.core.retrieval import Evidence, TermStatistics

REACH = 2
"""How many neighbours in its session a candidate is told of, on each side."""

EXPANDED = 8
"""How many of the best by vector, and of the best by words, bring their next neighbours along:
with none R@10 on LoCoMo is 3.5 points less; with all it is 0.3 more, and a search takes a sixth
longer.
"""

DEPTHS = (1.25, 10.0)
"""How far down a ranking to look for the wanted ones, in multiples of how many are asked for.

The first is enough where a fifth is not wanted. Past the second, reading all that are wanted is
cheaper than asking about each: in SQLite 4 ms for 20,000 against 1 ms for 500.
"""


class Nearness(NamedTuple):
    """Of one memory's best passage: cosine to the query, to the scope's middle, and its number."""

    similarity: float
    typicality: float
    passage: int


@dataclass(slots=True)
class Choice:
    """The best of each ranking. suppressed: what would be among them, and was superseded."""

    limit: int
    suppressed: set[int] = field(init=False, default_factory=set)

    def depth(self, share: float) -> int:
        return int(share * self.limit) + 1

    def of(self, ranked: Iterable[tuple[int, bool]]) -> list[int]:
        """The first that are current. ranked: number, and whether it is current, the best first."""
        best = list(ranked)
        self.suppressed.update(seq for seq, is_current in best[: self.limit] if not is_current)
        return [seq for seq, is_current in best if is_current][: self.limit]


def statistics(documents: int, terms: int, counts: Mapping[str, int]) -> TermStatistics:
    return TermStatistics(
        documents=documents,
        average_terms=terms / documents if documents else 0.0,
        document_counts=counts,
    )


def evidence(
    memory_id: str,
    session_id: str,
    nearness: Nearness | None,
    *,
    is_question: bool,
    term_counts: Mapping[str, int],
    term_total: int,
    earlier: Iterable[str],
    later: Iterable[str],
) -> Evidence:
    return Evidence(
        id=memory_id,
        session_id=session_id,
        similarity=nearness and nearness.similarity,
        typicality=nearness.typicality if nearness else 0.0,
        passage=nearness.passage if nearness else 0,
        is_question=is_question,
        term_counts=term_counts,
        term_total=term_total,
        earlier=tuple(earlier),
        later=tuple(later),
    )
