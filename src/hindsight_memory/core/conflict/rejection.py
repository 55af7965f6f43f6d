"""One key for all spellings of a rejected text, so that it does not come back in another one; and
whether another text claims the same in other words.
"""

import re
import unicodedata

from hindsight_memory.core.conflict.attributes import OTHER, row_of
from hindsight_memory.core.conflict.model import Claim, Tense
from hindsight_memory.core.conflict.reading import parts, read
from hindsight_memory.core.text import fold
from hindsight_memory.core.wording import BREAK, words

# Letters that look like a Latin one, small or as a capital, from Unicode's confusables (UTS 39).
# Folded first, so that a word of one script keeps one key in either case.
_LOOKALIKES = str.maketrans(
    "авекмнорстухѕіјԛԝһԁӏѵг" + "αβεζηικμνορτυχγσϲϳ" + "ıɑɡɩօոսհ",
    "abekmhopctyxsijqwhdlvr" + "abezhikmvoptuxyocj" + "iagionuh",
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")


def rejection_key(text: str) -> str:
    """Equal for texts that differ in case, width, spacing, script, punctuation, or in characters
    that nobody sees or that look like another letter; never for texts with different values.
    """
    spelt = "".join(map(_plain_digit, fold(text)))
    spelt = _HYPHEN.sub(" ", spelt.translate(_LOOKALIKES))
    return " ".join(word for word in words(spelt) if word != BREAK) or spelt.strip()


def _plain_digit(character: str) -> str:
    if character.isascii() or unicodedata.category(character) != "Nd":
        return character
    return str(unicodedata.digit(character))


def claims_the_same(rejected: str, text: str) -> bool:
    """Whether ``text`` says nothing but what ``rejected`` says, as far as the tables know both."""
    if len(parts(rejected)) != 1 or len(parts(text)) != 1:
        return False
    before, after = read(rejected).claims, read(text).claims
    is_known = all(row_of(claim.slot.attribute) is not OTHER for claim in (*before, *after))
    is_of_now = all(claim.tense in {Tense.PRESENT, Tense.OPEN} for claim in after)
    return bool(after) and is_known and is_of_now and _told(before) == _told(after)


def _told(claims: tuple[Claim, ...]) -> set[object]:
    return {(claim.slot, claim.scene, claim.period) for claim in claims}
