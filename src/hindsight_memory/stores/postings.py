"""Which terms of a query a search by words looks up, where a user has very many memories."""

from collections.abc import Mapping
from itertools import accumulate, takewhile

MOST = 20_000
"""Postings read by one search. FTS5 scores 200,000 of them in 25 to 50 ms, and the terms that bring
most tell least: with 100,000 memories a word that is in a tenth of them adds a tenth to the score
of one that is in ten. With some thousand memories nothing is left out.
"""


def telling(counts: Mapping[str, int], *, most: int = MOST) -> list[str]:
    """The terms by how many memories have them, the rarest first, while these are ``most`` together
    at most; the rarest in any case. What is left out still counts as evidence for what is found.
    """
    rarest = sorted((term for term, count in counts.items() if count), key=counts.__getitem__)
    totals = accumulate(counts[term] for term in rarest)
    affordable = sum(1 for _ in takewhile(lambda total: total <= most, totals))
    return rarest[: max(1, affordable)]
