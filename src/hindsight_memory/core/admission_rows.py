"""The phrases that ``admission`` knows, English and Chinese, as patterns over folded clauses.

A phrase that may be skipped must fill a whole clause, so a row here can lose only itself: "thanks"
is skipped, "thanks to Ann we moved to Oslo" is kept. A new phrase or cue is a line here.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from hindsight_memory.core.policy import MemoryType


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


_SO = "(?:so |very |really |too |all |just )*"
_PARTICLES = "[啊呀啦哦噢喔吧呢嘛哈了哟]*"

CALLING = _any(
    "hi+(?: there)?|he+y+(?: there)?|hell?o+(?: there)?|hiya|yo|howdy|greetings|aloha",
    "good (?:morning|afternoon|evening|night|day)|g?'?morning|gm|gn|nighty? night",
    "thanks?(?: you| u| ya)?(?: (?:so|very) much| a (?:lot|bunch|million|ton)| again| all)*",
    "many thanks|much appreciated|thx+|ty|tysm|cheers",
    "(?:good|bye)?[ -]?bye+(?: for now| bye)?|farewell|so long|ciao",
    "see (?:you|ya|u)(?: (?:later|soon|around|tomorrow|then|again|next time))*",
    "(?:catch|talk to|chat with) (?:you|ya|u) (?:later|soon|tomorrow)|(?:talk|chat) (?:later|soon)",
    "later|cya|ttyl|take care(?: of yourself)?|have a (?:good|great|nice|lovely|wonderful) "
    "(?:day|night|one|time|evening|weekend|trip)",
    "welcome(?: back)?",
)
"""Greetings, thanks and goodbyes: nobody answers a question with one, so a name may follow."""
AUDIENCE = _any("all|everyone|everybody|team|folks|guys|friend|buddy|mate|dear|sir|assistant|bot")

ACKNOWLEDGING = _any(
    "o+k+(?:ay|ie|ey)?(?: (?:then|cool|great|thanks))?|k+|sure(?: thing)?|of course|certainly",
    "yes|yep|yeah+|yup|yea|uh[ -]?huh|right|exactly|indeed|absolutely|definitely|correct|true",
    "got (?:it|you|ya)|gotcha|i see|understood|noted|roger(?: that)?|will do|makes sense",
    "all ?right|fine|(?:sounds|looks) (?:good|great|perfect|fun|nice)(?: to me)?|perfect|great",
    "cool|nice|awesome|amazing|excellent|wonderful|wow+|whoa|yay+|oh+|ah+|aw+|ooh+|hm+|huh|um+|uh+",
    "(?:ha|he|hi){2,}h?|lo+l|lmao|rofl|np|no (?:problem|worries)(?: at all)?|don'?t mention it",
    "you(?:'re| are) (?:very |most |so )?welcome|my pleasure|any ?time|sorry|oops|my bad|pardon",
    "please|pls|please do|go ahead|go on|continue",
)
GREETING_CHINESE = re.compile(
    "(?:"
    "[你您]们?好|大家好|各位好|哈[喽啰罗]|[嗨嘿喂]+|早+|早安|午安|晚安"
    "|(?:早上|上午|中午|下午|晚上)好|好久不见"
    "|(?:非常|十分|太|多|万分)?(?:感谢|多谢|谢)+(?:你|您|大家|你们|了)?(?:们)?|辛苦|麻烦你"
    "|好+的*|好嘞|[行中成]|可以|没问题|嗯+|[哦噢喔啊哎诶唉呃额]+|哈+|嘻+|呵+|嘿+|收到|明白"
    "|(?:我)?知道|了解|懂"
    "|没事|没关系|不客气|不用谢|不用客气|不谢|客气"
    "|再见|再会|拜+|回见|回头见|待会儿?见|(?:明天|下次|改天|回头)(?:再)?[见聊]|对+的?"
    "|是的?|没错|当然|真的|原来如此"
    f"){_PARTICLES}(?:朋友|我的朋友|亲+|老师|大家|各位|同学|助手)?"
)

_SMALL_TALK = _any(
    "how (?:are|r) (?:you|u|ya)(?: doing)?(?: today)?|how(?:'s| is) (?:it|everything|life) going",
    "how(?: have|'ve) you been|how(?:'s| is) your day(?: going)?|how do you do",
    "what(?:'s| is) up|sup",
    "long time no (?:see|talk|chat)|(?:it's )?been a while|happy to help|glad (?:i could|to) help",
    f"(?:it's |it is |i'm |i am )?{_SO}(?:nice|good|great|glad|happy|lovely) to "
    "(?:meet|see|hear from|talk to|chat with) you(?: too| again)?",
    f"(?:that|it|this)(?:'s| is| sounds| looks) {_SO}(?:great|awesome|amazing|nice|cool|good|fun"
    "|wonderful|lovely|fantastic|incredible|impressive)(?: to hear| news)?",
    f"{_SO}(?:great|good|glad) to hear(?: it| that)?",
    "good for you|good (?:idea|point|one)|well done",
    "congrats|congratulations|good luck|best of luck|have fun|enjoy|keep it up|keep going|cheer up",
    "you too|same to you|you got this|you(?:'ve| have) got this|you rock|hang in there|stay safe",
    "(?:i )?(?:really )?appreciate (?:it|that)|you(?:'re| are) the best|no way|oh no"
    "|oh my(?: god)?|omg",
    "let me know|keep me (?:posted|updated)",
    "(?:i'll|i will) (?:keep you posted|let you know|do my best)",
    "(?:glad|happy) (?:you|it|that) (?:liked?|enjoyed|helped)(?: it| you| ya)?|can'?t wait",
    "i'm here for you|(?:i )?hope you (?:like|enjoy) it|(?:i'm )?looking forward to it",
    "your (?:support|help|kind words|words|encouragement) (?:really )?means? a lot(?: to me)?",
    "happy (?:birthday|new year|holidays)|merry christmas|best wishes",
)
_SMALL_TALK_CHINESE = re.compile(
    "(?:"
    "你好吗|在吗|在不在|在么|吃了吗|(?:你)?(?:最近|近来|今天)?(?:还好吗|过得怎么样|怎么样|过得好吗)"
    "|(?:我)?(?:也)?很?高兴(?:能)?(?:再次)?(?:认识|见到|帮到|帮助|遇见)(?:你|您)"
    "|祝(?:你|您)?(?:一切|工作|学习|生活)?(?:好运|顺利|愉快|开心|成功)|加油+"
    "|恭喜(?:你|您)?|(?:旅途|旅游|旅行)愉快"
    "|(?:听起来)?(?:真|太|很|非常|挺)?(?:真的)?(?:很|太)?(?:棒|好|不错|有趣|厉害|赞)极?"
    "|好主意|有意思"
    "|(?:那)?(?:谢谢|感谢)(?:你|您)的(?:建议|帮助|推荐|分享|陪伴|支持|回答|关心|鼓励|提醒)"
    "|不好意思|抱歉|对不起|没什么|哇+|天哪|不会吧|好梦|我的朋友|朋友"
    f"){_PARTICLES}"
)
OFFERS = _any(
    "(?:how|what) can i (?:help|do)(?: you)?(?: for you)?(?: with)?(?: today)?",
    "(?:please )?(?:let me know|feel free to (?:ask|reach out))"
    "(?: if you (?:need|have) any(?:thing| (?:more |other |further )?questions)(?: else)?)?",
    "is there anything else(?: i can (?:help|do)(?: you)?(?: with| for you)?)?",
    "(?:i'm|i am) (?:always )?(?:here|happy) (?:for you|to help)",
    "(?:请问)?(?:有|还有)?什么(?:可以|能|需要我?)(?:为您|为你|帮到?您?你?|帮助您?你?)的?(?:吗|么)?",
    "(?:如果)?(?:你|您)?(?:有|还有)(?:任何)?(?:其他|别的)?(?:问题|需要)(?:的话)?",
    "(?:你|您)?(?:可以)?随时(?:都)?(?:可以)?(?:来)?"
    "(?:找我|和我说|跟我说|告诉我|问我)(?:聊天)?[哦啊吧]*",
    "我会?一直(?:都)?(?:会)?(?:陪着|陪伴|在这里支持|在)你?(?:身边)?的?",
)
"""An assistant's ways of offering help."""

_PASSING = _any(
    "brb|afk|bbl|(?:i(?:'ll| will) )?be (?:right )?back(?: (?:in|soon)(?: an?)?(?: \\d+ ?\\w+)?)?",
    "(?:i(?:'ll| will) be )?back in (?:a|an|\\d+|five|ten|a few|a couple of) ?"
    "(?:s|sec|secs|seconds?|m|min|mins|minutes?|moment|bit|h|hours?)",
    "(?:just )?(?:a|one|1) (?:sec|second|moment|minute|min)(?: please)?|hold on|hang on"
    "|wait(?: a sec)?",
    "(?:sorry )?(?:i )?(?:gotta|gonna|have to|need to|must) (?:go|run)(?: now)?|i(?:'m| am) off",
    "(?:我)?(?:马上|很快|一会儿?|等会儿?)(?:就)?(?:回来|到)了?",
    "(?:请)?(?:稍等|等等|等我|稍候|等)(?:一?下|片刻|一会儿?|\\d+分钟)?",
    "(?:我)?(?:大概)?(?:\\d+|[一二两三五十几]+)(?:秒钟?|分钟|个?小时)"
    "(?:后|之后|以后)?(?:就)?(?:回来|到)",
    "(?:我)?(?:得|要|先)(?:走|下|撤)了|(?:我)?(?:先)?去(?:接个?电话|上个?厕所|洗手间)(?:了)?",
)
"""True for minutes: over before anybody could recall it."""

PHRASE_LENGTH = 80
"""Nothing longer is a set phrase, which also bounds how long the patterns above can look."""
_FRAGMENTS = """
a an the and or but so if then than that this these those it its is are was were be to of in on
at for with from by as not no nope i you he she we they me him her us them my your our what who
why how when where which well just also too very really maybe anyway actually some any all such
here there now again else more
"""
FRAGMENTS = frozenset(_FRAGMENTS.split())
_FRAGMENTS_CHINESE = re.compile(
    "(?:然后|那个|这个|那么|那|这|就是|所以|但是|而且|其实|反正|的话|呢|吗|吧|啊|呀|嘛|我"
    "|你|他|她|它|不|没有?|什么|怎么|为什么)+"
)
"""Nothing but these is a fragment: no thing and no action in it."""
PHRASES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "small talk": _any(_SMALL_TALK.pattern, _SMALL_TALK_CHINESE.pattern),
        "passing": _PASSING,
        "fragment": _FRAGMENTS_CHINESE,
    }
)
"""What a whole clause may be and need not be remembered, whoever says it."""

HEDGES = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|apparently|might|may (?!\d)|seems?|seemed"
    r"|not sure|unsure"
    r"|i (?:think|guess|suppose|believe|feel like|assume|wonder)|could be"
    r"|we'll see|for now|still (?:trying|testing|working on|figuring|deciding|thinking|debugging)"
    r"|trying out|experimenting|tentatively|considering|not decided|haven't decided)\b"
    "|可能|大概|也许|或许|好像|似乎|估计|应该是|应该会|说不定|不确定|不太确定|我觉得|我猜"
    "|猜测|看起来|看样子|貌似|暂时|暂定"
    "|还在(?:试|测|看|想|考虑|调|研究|犹豫)|正在(?:尝试|调试|考虑)|试试看|没想好|没决定|考虑中"
)
"""An inference or an intermediate state."""

_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
CUES: Mapping[MemoryType, re.Pattern[str]] = MappingProxyType(
    {
        MemoryType.LESSON: re.compile(
            r"\b(?:lessons?(?: learne?[dt])?|learne?[dt] (?:that|the hard way|from|never"
            r"|always|not)"
            r"|turns out|turned out|next time|in hindsight|in retrospect|root cause|gotcha"
            r"|the trick (?:is|was)|note to self)\b"
            "|踩坑|踩过坑|教训|经验是|学到了|才发现|原来(?!的)|下次(?!见|再聊|聊)|根因|事后看"
        ),
        MemoryType.FEEDBACK: re.compile(
            r"\b(?:(?:that|this|it|your? (?:answer|reply|response|suggestion)s?)"
            r"(?: (?:was|were|is|are)|'s) (?:\w+ ){0,2}"
            r"(?:wrong|incorrect|right|helpful|useful|useless|too (?:slow|long|short|verbose|fast)"
            r"|perfect|great|bad|confusing|unhelpful|not what i)"
            r"|(?:did|does)(?:n't| not) (?:help|work for me)|good (?:job|answer)|well done"
            r"|complain\w*"
            r"|feedback|(?:too|very) (?:slow|verbose))\b"
            "|太慢|太长|太短|太啰嗦|太复杂|不对|错了|答错|不是我(?:想)?要的|很有用"
            "|很有帮助|没帮助|没用|不满意|很满意|反馈"
        ),
        MemoryType.DECISION: re.compile(
            r"\b(?:decid(?:e[ds]?|ing)|decision|(?:we|i|team|they|user) (?:have |has )?"
            r"(?:chose|chosen|picked|opted|settled|agreed|went with|will go with|'ll go with)"
            r"|going with|settled on|agreed to|agreed on|instead of \w+ because|rejected"
            r"|ruled out)\b"
            "|决定|选用|选定|选择了|定了|敲定|拍板|商定|确定用|采用|最终用|放弃了|改用"
        ),
        MemoryType.PREFERENCE: re.compile(
            r"\b(?:prefers?|preferred|preferences?|likes|loves?|enjoys?|hates?|dislikes?"
            r"|favou?rites?"
            r"|(?:i|we|you|they|users?|n't|not|also|really|always|both|still|don't) like"
            r"|can(?:'t|not| not) stand|always (?:use|run|answer|reply|write|ask|call"
            r"|include|add|put)"
            r"|never (?:use|run|answer|reply|write|ask|call|include|add|eats?|drinks?|push|commit)"
            r"|allerg(?:ic|y|ies)|vegetarian|vegan|intoleran(?:t|ce)|from now on|going forward"
            r"|(?:does|do)(?:n't| not) (?:eat|drink|want|like)|call me|rather than|fond of|fan of"
            r"|please (?:use|answer|reply|write|speak|keep|always|never|don't|do not))\b"
            "|喜欢|喜爱|偏好|偏爱|最爱|爱[吃喝看听玩用]|讨厌|厌恶|不吃|不喝|不喜|不想要"
            "|过敏|忌口|吃素|素食|习惯"
            "|以后(?:都|请|就|别|不要|回答|一律|统一)|今后"
            "|每次都?(?:先|要|请|用)|(?:总是|始终)(?:用|使用|先)|一律|首选|请用|别用|不要用|叫我|称呼我"
        ),
        MemoryType.TASK: re.compile(
            r"\b(?:to-?do|needs? to|ha(?:s|ve) to|must (?:finish|send|call|fix|submit|write|buy|do)"
            r"|remember to|don't forget|remind (?:me|us|user)|action items?|follow up|due (?:by|on)"
            r"|(?:by|before|until) (?:next |this )?"
            rf"(?:{_WEEKDAY}|tomorrow|tonight|noon|eod|week))\b"
            "|待办|要做|记得|别忘|提醒我|提醒用户|需要完成|尚未完成|待完成"
            "|(?:周|星期|礼拜)[一二三四五六日天]之?前"
            "|[日号天点]之?前(?:要|完成|提交|交|做|发)|(?:明天|今天|下周|月底)之?前"
            "|(?<!觉)得(?:去|做|交|写)"
        ),
    }
)
"""In order: the first cue found decides. What has none is a fact."""
