"""Whether two English words are forms of one: peanut and peanuts, allergy and allergic. Pure.

Inflections are what the search's stemmer takes off; derivations are pairs of endings in a row of
``_DERIVED``, on one root.
"""

from collections.abc import Iterator
from functools import lru_cache

from hindsight_memory.core.text import terms

_DERIVED = tuple(
    tuple(row.replace("-", "").split(" "))
    for row in """
-y -ic -ical
-ance -ant
-ence -ent
- -ance
-e -ance
- -ence
- -ment
- -ness
- -ity
-e -ity
-able -ability
-ation -ate -ator
-ation -e
-ation -
-ion - -or
-ion -e -or
-e -al
-w -wal
-ify -ification
-y -ication
-ize -ization
-ise -isation
-er -ration -rator
-tain -tenance
-ceive -ception
-scribe -scription
-solve -solution
-duce -duction
-mit -mission
-cide -cision
-tend -tension
-quire -quisition
""".strip().splitlines()
)
"""Endings of words that name one thing as a verb, a noun, an adjective; "-" alone is none."""

_LONG = 4
_VERY_LONG = 7
_ROOT = {True: 2, False: 5}
"""Letters that a root has at least, by whether its endings are long: decide and decision, apply
and application. Below five, short endings join strangers: fact and factor, nation and native."""
_INFLECTIONS = (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"))
_PROGRESSIVE = (("ing", ""), ("ing", "e"))


def is_form(one: str, other: str) -> bool:
    """Whether ``one`` and ``other``, both folded, are forms of one word."""
    return one == other or not _families(one).isdisjoint(_families(other))


@lru_cache(maxsize=16_384)
def _families(word: str) -> frozenset[str]:
    """What it has in common with its other forms."""
    if not (word.isascii() and word.isalpha()):
        return frozenset({word})
    derived = {
        f"{root}+{number}"
        for plain in _uninflected(word)
        for number, row in enumerate(_DERIVED)
        for root in _roots(plain, row)
    }
    return frozenset({*terms(word), *derived})


def _uninflected(word: str) -> Iterator[str]:
    yield word
    for ending, instead in (*_INFLECTIONS, *_PROGRESSIVE):
        if word.endswith(ending):
            yield word.removesuffix(ending) + instead


def _roots(word: str, row: tuple[str, ...]) -> Iterator[str]:
    lengths = list(map(len, row))
    least = _ROOT[min(lengths) >= _LONG or max(lengths) >= _VERY_LONG]
    for ending in row:
        root = word.removesuffix(ending)
        if word.endswith(ending) and len(root) >= least:
            yield root
