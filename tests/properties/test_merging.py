"""One statement, said often and in any order, is one memory, and the same one."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hindsight_memory.core.model import Caller
from hindsight_memory.core.values import canonical
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import MemoryOut
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import CountingIds, FrozenClock

SPELLINGS = {
    "en": ("The user prefers tabs", "the user  prefers tabs!", "THE USER PREFERS TABS."),
    "zh": ("用户偏好用中文交流", "用户喜欢用中文交流。", "用戶偏好用中文交流"),
}
SAID = st.fixed_dictionaries(
    {
        "spelling": st.integers(0, 2),
        "source": st.sampled_from(["user_explicit", "tool_result", "document", "agent_inference"]),
        "importance": st.sampled_from([None, 0.2, 0.9]),
        "tags": st.lists(st.sampled_from(["a", "b", "标签"]), max_size=2),
    }
)
LANGUAGES = st.sampled_from(sorted(SPELLINGS))


@contextmanager
def a_memory() -> Iterator[Hindsight]:
    with (
        TemporaryDirectory() as folder,
        closing(SqliteStore.open(str(Path(folder) / "m.db"))) as store,
        closing(Behind()) as behind,
    ):
        parts = Parts(
            store=store,
            meaning=Meaning(embedder=None),
            clock=FrozenClock(),
            ids=CountingIds(),
            behind=behind,
        )
        yield Hindsight(Memories(parts), Caller())


def believed(language: str, said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is left after all of it was said, a day apart, without times, ids and counts."""
    with a_memory() as memory:
        for each in said:
            memory.memories.parts.clock.advance(timedelta(days=1))  # type: ignore[attr-defined]
            given = {name: value for name, value in each.items() if name != "spelling"}
            memory.write(SPELLINGS[language][each["spelling"]], **given)
        return [belief(each) for each in memory.list(include=["superseded"]).memories]


def belief(memory: MemoryOut) -> dict[str, Any]:
    return {
        "content": canonical(memory.content),
        "tags": sorted(memory.tags),
        **memory.model_dump(
            include={"status", "source", "trust", "confidence", "importance", "superseded_by"}
        ),
    }


@settings(max_examples=40, deadline=None)
@given(LANGUAGES, st.lists(SAID, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_repetitions_makes_no_difference(
    language: str, said: list[dict[str, Any]], chance: Any
) -> None:
    once = believed(language, said)
    chance.shuffle(said)
    assert believed(language, said) == once
    assert len(once) == 1


@settings(max_examples=40, deadline=None)
@given(LANGUAGES, st.lists(SAID, min_size=1, max_size=4))
def test_saying_all_of_it_again_changes_no_belief(
    language: str, said: list[dict[str, Any]]
) -> None:
    assert believed(language, said + said) == believed(language, said)
