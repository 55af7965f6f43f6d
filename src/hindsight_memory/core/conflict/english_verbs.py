"""Where the verb of an English clause stands."""

from collections.abc import Sequence

from hindsight_memory.core.conflict import english_words as w


def first_verb(spoken: Sequence[str]) -> int | None:
    """Where the verb of the main clause stands."""
    found = next((i for i in range(len(spoken)) if _is_verb(spoken, i)), None)
    limit = len(spoken) if found is None else found
    relative = next((i for i in range(1, limit) if spoken[i] in w.RELATIVE), None)
    if found is None or relative is None:
        return found
    copulas = [
        i for i in range(relative + 2, len(spoken)) if spoken[i] in {"is", "are", "was", "were"}
    ]
    later = (i for i in range(found + 1, len(spoken)) if _is_verb(spoken, i))
    return copulas[-1] if copulas else next(later, None)


def _is_verb(spoken: Sequence[str], index: int) -> bool:
    word = spoken[index]
    before = next((spoken[i] for i in range(index - 1, -1, -1) if spoken[i] not in w.ADVERBS), "")
    after = spoken[index + 1] if index + 1 < len(spoken) else ""
    if word in w.AUXILIARY:
        opens = word in w.PLAIN_AUXILIARY and after not in w.DETERMINERS | w.PEOPLE
        return (bool(before) or opens) and not (word == "may" and after.isdigit())
    if not w.lemma(word) or _is_in_noun_phrase(spoken, index, before, after):
        return False
    if word in w.THIRD or word in w.PAST:
        return True
    if word not in w.LEMMAS:
        return before not in {"", ","}
    return _is_base(spoken, index, before)


def _is_in_noun_phrase(spoken: Sequence[str], index: int, before: str, after: str) -> bool:
    """The plans are, of works, Ann's moves; and deploys happen."""
    if before in w.DETERMINERS | w.PREPOSITIONS or before.endswith("'s"):
        return True
    return after in w.AUXILIARY - {"being", "been"} or (not before and _opens(spoken, index))


def _opens(spoken: Sequence[str], index: int) -> bool:
    """Deploys happen, alerts go."""
    later = (word for word in spoken[index + 1 :] if word not in w.ADVERBS)
    after = next(later, "")
    return w.LEMMAS.get(after) == after


def _is_base(spoken: Sequence[str], index: int, before: str) -> bool:
    if not before:
        return spoken[index] in w.ORDERS | w.CHAINED
    return before in w.PEOPLE or (before.endswith("s") and spoken[index].isalpha())
