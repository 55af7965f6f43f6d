"""What a pattern says in a sentence, in the language of who lived it. Pure.

A language model may word it instead: what it says then is that pattern all the same, by key.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from hindsight_memory.core.calls import worded as worded_arguments
from hindsight_memory.core.model import Json
from hindsight_memory.core.retrospection.model import Facts, Pattern, table, text, texts

Wording: TypeAlias = Callable[[Pattern], str]


def worded(pattern: Pattern) -> str:
    """One sentence, the same for the same facts."""
    english, chinese = _WORDINGS[pattern.kind]
    return (chinese if pattern.is_chinese else english)(pattern.facts)


def _sides(facts: Facts, without: str) -> tuple[str, str]:
    """Each side in words: ``encoding=utf-8``; what was not given, as ``without`` says."""
    failed, worked = table(facts, "failed"), table(facts, "worked")
    within = table(facts, "within")
    names = sorted(failed.keys() | worked.keys())
    return _side(failed, names, within, without), _side(worked, names, within, without)


def _side(
    given: Mapping[str, Json], names: list[str], within: Mapping[str, Json], without: str
) -> str:
    said = [_argument(name, given, within, without) for name in names]
    return ", ".join(filter(None, said))


def _argument(
    name: str, given: Mapping[str, Json], within: Mapping[str, Json], without: str
) -> str:
    if name not in within:
        return worded_arguments({name: given[name]}) if name in given else without.format(name)
    part = str(given.get(name, ""))
    return f"`{part}`" if part else ""


def _about(facts: Facts) -> str:
    """The tool, the command where it runs commands, and where it holds: ``bash (pip install)``,
    ``read_csv (path=orders/*.csv)``.
    """
    said = [str(each) for each in table(facts, "within").values() if each]
    said += [worded_arguments({name: at}) for name, at in table(facts, "where").items()]
    return f"{text(facts, 'tool')} ({'; '.join(said)})" if said else text(facts, "tool")


def _error(facts: Facts, colon: str) -> str:
    error = text(facts, "error")
    return f"{colon}{error}" if error else ""


def _contrast(facts: Facts) -> str:
    failed, worked = _sides(facts, "no {}")
    way = f" with {failed}" if failed else " as it was"
    return f"{_about(facts)}{way} failed{_error(facts, ': ')}; {worked or 'without that it'} worked"


def _contrast_chinese(facts: Facts) -> str:
    failed, worked = _sides(facts, "不加 {}")
    way = f"用 {failed} 会失败" if failed else "原样调用会失败"
    return f"{_about(facts)} {way}{_error(facts, '：')}；{worked or '去掉它'} 可行"


def _habit(facts: Facts) -> str:
    return f"{_about(facts)} is used with {_side_of_habit(facts)}, in session after session"


def _habit_chinese(facts: Facts) -> str:
    return f"{_about(facts)} 多次会话都用 {_side_of_habit(facts)}"


def _side_of_habit(facts: Facts) -> str:
    worked = table(facts, "worked")
    return _side(worked, sorted(worked), table(facts, "within"), "")


def _failure(facts: Facts) -> str:
    called = f"{text(facts, 'tool')}({worded_arguments(table(facts, 'arguments'))})"
    return f"{called} fails each time{_error(facts, ': ')}; nothing that was tried worked"


def _failure_chinese(facts: Facts) -> str:
    called = f"{text(facts, 'tool')}({worded_arguments(table(facts, 'arguments'))})"
    return f"{called} 每次都失败{_error(facts, '：')}；试过的办法都不行"


def _correction(facts: Facts) -> str:
    wanted, unwanted = text(facts, "wanted"), text(facts, "unwanted")
    demand = ", ".join(filter(None, [wanted, f"not {unwanted}" if unwanted else ""]))
    return f"The user wants: {demand} (corrected repeatedly)"


def _correction_chinese(facts: Facts) -> str:
    wanted, unwanted = text(facts, "wanted"), text(facts, "unwanted")
    demand = "，".join(filter(None, [wanted, f"不要{unwanted}" if unwanted else ""]))
    return f"用户要求：{demand}（多次纠正）"


def _decision(facts: Facts) -> str:
    return f"Decision: {text(facts, 'decision')}; reason: {text(facts, 'reason')}"


def _decision_chinese(facts: Facts) -> str:
    return f"决定：{text(facts, 'decision')}；原因：{text(facts, 'reason')}"


def _conclusion(facts: Facts) -> str:
    failed, worked = _sides(facts, "no {}")
    tools, places = texts(facts, "tools"), texts(facts, "places")
    if len(tools) > 1:
        return f"In several tools ({', '.join(tools)}) {worked} works where {failed} fails"
    where = ", ".join(places)
    return f"In several places ({where}) {worked} of {tools[0]} works where {failed} fails"


def _conclusion_chinese(facts: Facts) -> str:
    failed, worked = _sides(facts, "不加 {}")
    tools, places = texts(facts, "tools"), texts(facts, "places")
    if len(tools) > 1:
        return f"多个工具（{'、'.join(tools)}）：用 {failed} 失败时，{worked} 可行"
    return f"多处（{'、'.join(places)}）：{tools[0]} 用 {failed} 失败时，{worked} 可行"


_WORDINGS: Mapping[str, tuple[Callable[[Facts], str], Callable[[Facts], str]]] = MappingProxyType(
    {
        "contrast": (_contrast, _contrast_chinese),
        "habit": (_habit, _habit_chinese),
        "failure": (_failure, _failure_chinese),
        "correction": (_correction, _correction_chinese),
        "decision": (_decision, _decision_chinese),
        "conclusion": (_conclusion, _conclusion_chinese),
    }
)
"""English and Chinese, of each kind."""
