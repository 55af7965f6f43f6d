"""Which characters are Chinese, Japanese or Korean: the one place that says so, for all others.

Each constant is the inside of a character class: ``f"[{HAN}]+"``. All in it are letters or digits.
"""

import re

HAN = (
    "々〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9"
    "\U00020000-\U0002a6df\U0002a700-\U0002b738\U0002b740-\U0002b81d\U0002b820-\U0002cea1"
    "\U0002ceb0-\U0002ebe0\U0002f800-\U0002fa1d\U00030000-\U0003134a"
)
"""Ideographs (Unicode 14) with all extensions, the repetition mark and zero."""

KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
"""Letters and their repetition marks; not the middle dot, nor marks that combine."""

HANGUL = "\uac00-\ud7a3"

SPACELESS = HAN + KANA
"""Written without spaces, so that spaces there mean nothing."""

CJK = SPACELESS + HANGUL
"""What has no spaces between words, or glues words to particles."""

_HAN = re.compile(f"[{HAN}]")


def has_han(text: str) -> bool:
    """Whether any of it is written in Chinese, or in what Japanese has of it."""
    return not text.isascii() and _HAN.search(text) is not None
