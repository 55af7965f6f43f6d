"""One key for all spellings of a rejected text, so that it does not come back in another one."""

import re
import unicodedata

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
