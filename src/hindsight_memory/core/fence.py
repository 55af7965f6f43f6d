"""Recalled text as data: a fence around it that no content can open, close or look like. Pure.

Models read what resembles a fence, a heading or a turn of somebody as one, whatever its code points
are; so look-alikes count. What is harmless stays as it is: memories hold code.
"""

import re
import unicodedata
from collections.abc import Sequence

from hindsight_memory.core.text import fold

OPEN, CLOSE = "<hindsight-memory>", "</hindsight-memory>"

ANGLES = "<＜﹤‹«〈⟨〈《❬❮❰⧼⦑⟪≪˂ᐸ˱⋖≺"
"""What may be read as the beginning of a tag."""

BACKTICKS = "`｀ˋ‵｀՝᾿῾"
TILDES = "~～˜∼〜～∽"
HASHES = "#＃﹟"

_ANGLE, _BRACKET = re.compile(f"[{ANGLES}]"), re.compile(r"[\[［【]")
_ENDS = r"\s*[/\\∕⁄|?]"
_OURS = r"[\W_]{0,40}hindsight[\W_]{0,20}memory"
_ROLES = (
    r"\W{0,3}(?:system|assistant|antml|im[_\W]?(?:start|end|sep)|end\W?of\W?(?:text|turn)|sys|inst"
    r"|bos|eos)\b"
)
_WORDS = r"\W{0,3}(?:user|human|developer|tool\w*|function\w*|instructions?|invoke|parameter)\b"
_TAG = re.compile(f"{_ENDS}|{_OURS}|{_ROLES}")
_TAG_OR_TYPE = re.compile(_WORDS)
"""After a word these are parameters of a type, as in ``List<User>``."""

_TURN = re.compile(r"\s*[/\\]?\s*(?:inst|sys|system)\b")
_AS_ANGLE = {ord(each): "<" for each in ANGLES}
LOOKED_AHEAD = 96
"""Characters after a bracket that are read, to see what it opens."""

_FENCES = (
    (re.compile(rf"[{BACKTICKS}](?:\s?[{BACKTICKS}]){{2,}}"), "''"),
    (re.compile(rf"[{TILDES}](?:\s?[{TILDES}]){{2,}}"), "--"),
)
_HEADING = re.compile(rf"^(?:[>\s]*[{HASHES}]+(?:\s+|(?=\S{{0,40}}[:：]))|[-=_*\s]{{3,}}$)")
"""At the beginning of a line: a heading, or the line below one."""

_STARTS = re.compile(rf"^(?:[>\s]*[{HASHES}]+(?:\s+|$))+")
"""The same of the joined lines: what stood alone on the first of them."""


def harmless(text: str) -> str:
    """``text`` in one line, in which nothing marks structure; harmless text is unchanged but for
    its line breaks and other spaces.
    """
    lines = (_HEADING.sub("", _visible(line)) for line in text.splitlines())
    joined = " ".join(" ".join(lines).split())
    for pattern, instead in _FENCES:
        joined = pattern.sub(instead, joined)
    plain = _BRACKET.sub(_without_turn, _ANGLE.sub(_without_tag, joined))
    return _STARTS.sub("", plain).strip()


def fenced(lines: Sequence[str]) -> str:
    """``lines``, which are harmless, between the fences; "" when there is none."""
    return "\n".join((OPEN, *lines, CLOSE)) if lines else ""


def _without_tag(angle: re.Match[str]) -> str:
    """Another bracket where it begins a tag that ends, a token of a chat format, or a name with
    which turns are marked.
    """
    ahead = _ahead(angle)
    is_after_word = angle.string[angle.start() - 1 : angle.start()].isalnum()
    is_tag = _TAG.match(ahead) or (not is_after_word and _TAG_OR_TYPE.match(ahead))
    return "(" if is_tag else angle[0]


def _without_turn(bracket: re.Match[str]) -> str:
    return "(" if _TURN.match(_ahead(bracket)) else bracket[0]


def _ahead(bracket: re.Match[str]) -> str:
    """What follows, folded: full-width letters spell the same tag."""
    ahead = bracket.string[bracket.end() : bracket.end() + LOOKED_AHEAD]
    return fold(ahead.translate(_AS_ANGLE))


def _visible(line: str) -> str:
    """Without what is not seen, and might hide or turn round what is: controls, fillers, bidi."""
    if line.isascii() and line.isprintable():
        return line
    kept = (" " if each == "\t" else each for each in line)
    return "".join(each for each in kept if unicodedata.category(each) not in _UNSEEN)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def is_fence(line: str) -> bool:
    """Whether a model may read ``line`` as one of our fences, or another mark of structure.

    The specification of ``harmless``: no line of a block but the first and the last is one.
    """
    bare = "".join(fold(line.translate(_AS_ANGLE)).split())
    has_tag = re.search(r"<[\W_]{0,20}hindsight[\W_]{0,10}memory", bare) is not None
    mark = re.match(rf"\s*(?:[{BACKTICKS}]{{3}}|[{TILDES}]{{3}}|[{HASHES}]+\s)", line)
    return has_tag or mark is not None
