"""Which memories a phrase denotes: for forgetting, where one memory too many is a loss. Pure.

Best those that contain it, in any spelling, as a whole: no longer name that begins or ends the
same, gen-itgc is not gen-itgc-2, 张三 is not 张三丰. Then those of which a sentence holds all of
its words in other forms or in another order, about the same subject: "peanut allergy" denotes
"allergic to peanuts". Names and numbers are never other forms. Nothing that merely resembles.
"""

import re

from hindsight_memory.core.phrase_words import Words
from hindsight_memory.core.retrieval import Match
from hindsight_memory.core.spelling import Spelling, spellings

_PLEASE = (
    r"(?:please\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|you\s+(?:can|may|should)\s+)?"
)
_FORGET = r"(?:forget|delete|remove|purge|erase|drop|discard)"
_WRAPPERS = (
    re.compile(rf"^{_PLEASE}{_FORGET}\s+(?=\S)", re.IGNORECASE),
    re.compile(
        r"^(?:everything|anything|all|(?:all\s+|the\s+)?(?:memory|memories|facts?|notes?))\s+"
        r"(?:about|of|on|with|for)\s+(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:the\s+fact\s+)?that\s+(?=\S+\s)", re.IGNORECASE),
    re.compile(r"^请?(?:你|帮我)?(?:忘记|忘掉|忘了|删除|删掉|清除|移除|抹掉)(?:所有|全部)?(?=\S)"),
    re.compile(r"^请?(?:你|帮我)?[把将](?=\S+(?:忘|删|清除|移除|抹))"),
    re.compile(
        r"(?<=\S)(?:都|全部?)?(?:忘记|忘掉|忘了|忘|删除|删掉|删了|清除|移除|抹掉)(?:掉|吧|了)*$"
    ),
    re.compile(r"^(?:所有|全部)?(?:关于|有关)(?=\S)"),
    re.compile(r"(?<=\S)的(?:(?:所有|一切|全部)?(?:记忆|信息|内容|记录)|一切|事情?)$"),
)
"""What stands around a name when somebody asks to forget it."""

_TO_KEEP = re.compile(
    r"^(?:please\s+)?(?:(?:do|must|should|can|could)\s*(?:not|n['’]t)|cannot|can['’]t|never)\s+"
    rf"(?:ever\s+)?{_FORGET}\b"
    r"|^请?(?:你|千万|一定|绝对|永远)*(?:不要|不能|不可以?|不许|不准|不得|不应|别|勿|切勿|甭)"
    r"(?:再|把.*)?(?:忘|删|清除|移除|抹)",
    re.IGNORECASE,
)
"""An order to keep what it names: 不要忘记花生过敏, "do not forget the peanut allergy"."""

_MARKS = "\"'“”‘’「」『』《》` \t\r\n,.;:!?，。；：！？"


class Phrase:
    """A phrase to look for; one without a letter or digit denotes nothing.

    keeps: it orders not to forget something, and denotes only what contains it to the letter.
    """

    def __init__(self, phrase: str) -> None:
        self.keeps = _TO_KEEP.search(phrase.strip(_MARKS)) is not None
        name = phrase.strip(_MARKS) if self.keeps else unwrapped(phrase)
        self._whole = Spelling(name)
        self._words = None if self.keeps else Words(name)

    @property
    def is_empty(self) -> bool:
        return self._whole.is_empty

    def denotes(self, content: str) -> bool:
        """Whether ``content`` contains it."""
        return self.match(content) == "whole"

    def match(self, content: str) -> Match | None:
        spelt = spellings(content)
        if any(True for each in spelt for _ in self._whole.places(each)):
            return "whole"
        if self._words is None:
            return None
        if self._words.are_in(content, spelt[0]):
            return "words"
        return "names" if self._words.name(content, spelt[0]) else None


def unwrapped(phrase: str) -> str:
    """The name in "forget everything about NAME" and 删除关于NAME的记忆."""
    for wrapper in _WRAPPERS:
        phrase = wrapper.sub("", phrase.strip(_MARKS))
    return phrase.strip(_MARKS)
