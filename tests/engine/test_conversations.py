"""Import of conversations: turns become episodes by the normal path of a write, each once."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory.core.model import Caller, Layer, Memory, Scope, Vector, Vectors
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.retrieval import Query
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.lines import Report
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.transfer import decoded, import_rows
from hindsight_memory.errors import InvalidInput
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import FrozenClock

CALLER = Caller(project="home")
MEMORYBANK = Path(__file__).parents[3] / "shared" / "data" / "memorybank_cn.json"


class CountingEmbedder(HashingEmbedder):
    """Remembers how many texts each call brought."""

    def __init__(self) -> None:
        super().__init__(256)
        self.calls: list[int] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(len(texts))
        return super().passages(texts)

    def query(self, text: str) -> Vector:
        vector: Vector = super().passages([text])[0]
        return vector


@pytest.fixture
def counting() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def cached(
    store: SqliteStore, counting: CountingEmbedder, clock: FrozenClock
) -> Iterator[Memories]:
    meaning = Meaning(embedder=CachedEmbedder(counting))
    with closing(Behind()) as behind:
        yield Memories(
            Parts(store=store, meaning=meaning, clock=clock, ids=UuidSevens(), behind=behind)
        )


def a_turn(content: str = "我对花生过敏", **fields: Any) -> bytes:
    turn = {
        "speaker": "user",
        "content": content,
        "session_id": "s1",
        "said_at": "2023-05-02T09:00:00+08:00",
        **fields,
    }
    return json.dumps({k: v for k, v in turn.items() if v is not ...}, ensure_ascii=False).encode()


def listen(memories: Memories, *lines: bytes, **how: Any) -> Report:
    return import_rows(memories.parts, CALLER, decoded(lines), **how)


def counts(report: Report) -> dict[str, int]:
    return {fate.value: count for fate, count in report.counts.items()}


def kept(memories: Memories) -> list[Memory]:
    return memories.parts.store.every("default", after="", limit=1000)


def test_a_turn_becomes_an_episode_that_says_who_said_it_and_when(memories: Memories) -> None:
    assert counts(listen(memories, a_turn())) == {"stored": 1}
    [episode] = kept(memories)
    assert (episode.content, episode.session_id) == ("user: 我对花生过敏", "s1")
    assert (episode.user_id, episode.agent_id, episode.project) == ("default", "default", "home")
    assert (episode.layer, episode.memory_type) == (Layer.EPISODIC, MemoryType.EVENT)
    assert episode.valid_from == datetime(2023, 5, 2, 1, tzinfo=UTC)
    assert episode.event is not None
    assert (episode.event.role, episode.event.participants) == ("user", ("user",))


def test_a_turn_is_found_by_its_speaker_and_by_its_words(memories: Memories) -> None:
    lines = (a_turn("I moved to Oslo", speaker=name) for name in ("Caroline", "Melanie"))
    listen(memories, *lines)
    found = memories.search(
        Scope("default", "default", "default"), Query(text="Where did Melanie move?")
    )
    assert found.hits[0].memory.content == "Melanie: I moved to Oslo"


def test_a_line_says_whose_memory_a_turn_becomes_and_about_what(memories: Memories) -> None:
    listen(memories, a_turn(user_id="ann", project="web"), a_turn(user_id=None, project=""))
    assert [(m.user_id, m.project) for m in kept(memories)] == [("ann", "web"), ("default", "")]


WHO: dict[str, tuple[dict[str, str], Source, Status]] = {
    "user": ({"speaker": "user"}, Source.USER_EXPLICIT, Status.CONFIRMED),
    "用户": ({"speaker": "用户"}, Source.USER_EXPLICIT, Status.CONFIRMED),
    "role": ({"speaker": "张曼婷", "role": "User"}, Source.USER_EXPLICIT, Status.CONFIRMED),
    "named": ({"speaker": "Ann"}, Source.USER_EXPLICIT, Status.CONFIRMED),
    "assistant": ({"speaker": "Assistant"}, Source.AGENT_INFERENCE, Status.TENTATIVE),
    "助手": ({"speaker": "小爱", "role": "助手"}, Source.AGENT_INFERENCE, Status.TENTATIVE),
    "others": ({"speaker": "Bob"}, Source.EXTERNAL, Status.TENTATIVE),
}


@pytest.mark.parametrize(("fields", "source", "status"), WHO.values(), ids=WHO)
def test_who_says_it_decides_what_it_is_worth(
    memories: Memories, fields: dict[str, str], source: Source, status: Status
) -> None:
    listen(memories, a_turn(**fields), user_speakers=["ann"])
    [episode] = kept(memories)
    assert (episode.source, episode.status) == (source, status)


@pytest.mark.parametrize("content", ["Maybe we move to Oslo", "你有什么好书推荐吗？"])
def test_what_only_doubts_or_asks_is_tentative(memories: Memories, content: str) -> None:
    listen(memories, a_turn(content))
    [episode] = kept(memories)
    assert (episode.source, episode.status) == (Source.AGENT_INFERENCE, Status.TENTATIVE)


def test_turns_that_say_nothing_are_skipped_with_the_reason(memories: Memories) -> None:
    report = listen(memories, *map(a_turn, ("你好！", "Thanks!", "很高兴认识你", " ")))
    assert counts(report) == {"skipped": 4}
    assert report.skipped == {
        "a greeting, thanks or an acknowledgement": 2,
        "small talk": 1,
        "nothing is said": 1,
    }
    assert kept(memories) == []


@pytest.mark.parametrize(
    ("said_at", "hour"),
    [("2023-05-02", 0), ("2023-05-02T09:00", 9), ("2023-05-02 09:00:00Z", 9)],
    ids=["day", "no offset", "Z"],
)
def test_a_time_without_an_offset_is_utc(memories: Memories, said_at: str, hour: int) -> None:
    listen(memories, a_turn(said_at=said_at))
    assert kept(memories)[0].valid_from == datetime(2023, 5, 2, hour, tzinfo=UTC)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no time": ({"said_at": ...}, "turn lacks 'said_at'"),
    "no speaker": ({"speaker": ...}, "turn lacks 'speaker'"),
    "unreadable time": ({"said_at": "yesterday"}, "turn.said_at: 'yesterday' is no instant of ISO"),
    "out of time": (
        {"said_at": "0001-01-01T00:00+08:00"},
        "turn.said_at: '0001-01-01T00:00+08:00'",
    ),
    "empty session": ({"session_id": ""}, "turn.session_id has 0 characters"),
    "unknown field": ({"sesion": "s1"}, "turn has 'sesion', which this version does not know"),
    "number": ({"content": 5}, "turn.content cannot be 5"),
    "too long": ({"content": "长" * 30_000}, "content has 90006 bytes in UTF-8"),
    "control": ({"content": "I like \x1b[31mtea"}, "content holds a control character"),
}


@pytest.mark.parametrize(("fields", "why"), WRONG.values(), ids=WRONG)
def test_a_wrong_turn_is_reported_and_the_others_go_on(
    memories: Memories, fields: dict[str, Any], why: str
) -> None:
    report = listen(memories, a_turn(**fields), a_turn("我住在杭州"))
    assert counts(report) == {"failed": 1, "stored": 1}
    assert report.problems[0].line == 1
    assert report.problems[0].reason.startswith(why)


def test_strict_keeps_the_turns_before_the_wrong_one(memories: Memories) -> None:
    lines = (a_turn(), a_turn("I like \x1b[31mtea"), a_turn("我住在杭州"))
    with pytest.raises(InvalidInput, match=r"^line 2: content holds a control character"):
        listen(memories, *lines, strict=True)
    assert [memory.content for memory in kept(memories)] == ["user: 我对花生过敏"]


def test_a_byte_order_mark_is_no_part_of_the_first_line(memories: Memories) -> None:
    assert counts(listen(memories, b"\xef\xbb\xbf" + a_turn())) == {"stored": 1}


def test_importing_twice_writes_nothing_twice(memories: Memories) -> None:
    lines = [
        a_turn(),
        a_turn("你好"),
        a_turn("我住在杭州"),
        a_turn("Noted: Hangzhou", speaker="ai"),
    ]
    assert counts(listen(memories, *lines)) == {"stored": 3, "skipped": 1}
    before = kept(memories)
    assert counts(listen(memories, *lines)) == {"unchanged": 3, "skipped": 1}
    assert kept(memories) == before


def test_what_somebody_says_twice_in_a_session_is_merged(memories: Memories) -> None:
    lines = [a_turn(), a_turn()]
    assert counts(listen(memories, *lines)) == {"stored": 1, "merged": 1}
    assert counts(listen(memories, *lines)) == {"unchanged": 2}
    assert [memory.version for memory in kept(memories)] == [2]


def test_the_same_words_of_another_session_or_time_are_another_episode(memories: Memories) -> None:
    lines = [a_turn(), a_turn(session_id="s2"), a_turn(said_at="2023-05-03")]
    assert counts(listen(memories, *lines)) == {"stored": 3}


def test_the_users_name_told_later_raises_what_is_there(memories: Memories) -> None:
    line = a_turn(speaker="Ann")
    listen(memories, line)
    assert counts(listen(memories, line, user_speakers=["Ann"])) == {"merged": 1}
    [episode] = kept(memories)
    assert (episode.source, episode.status) == (Source.USER_EXPLICIT, Status.CONFIRMED)


def test_an_import_that_was_killed_goes_on_where_it_was(memories: Memories) -> None:
    lines = [a_turn(f"我的第{number}本书是《书{number}》") for number in range(70)]

    def killed(done: int, _total: int | None) -> None:
        if done > 32:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        listen(memories, *lines, progress=killed)
    assert counts(listen(memories, *lines)) == {"unchanged": 64, "stored": 6}
    assert [m.content for m in kept(memories)] == [
        f"user: 我的第{number}本书是《书{number}》" for number in range(70)
    ]


def test_turns_are_embedded_a_batch_at_a_time_and_only_new_ones(
    cached: Memories, counting: CountingEmbedder
) -> None:
    lines = [a_turn(f"我的第{number}本书是《书{number}》") for number in range(40)]
    listen(cached, *lines)
    assert counting.calls == [32, 8]
    listen(cached, *lines, a_turn("我住在杭州"))
    assert counting.calls == [32, 8, 1]
    assert cached.parts.store.unembedded_count() == 0


def test_memories_and_turns_may_stand_in_one_file(memories: Memories) -> None:
    memory = {
        "id": "m1",
        "tenant": "default",
        "user_id": "ann",
        "agent_id": "ada",
        "content": "tea",
        "created_at": "2030-01-01T12:00:00Z",
        "updated_at": "2030-01-01T12:00:00Z",
    }
    first = {"version": 1, "at": "2030-01-01T12:00:00Z", "actor": "ada", "operation": "stored"}
    record = {"memory": memory, "history": [{**first, "reason": "", "before": {}}]}
    report = listen(memories, a_turn(), json.dumps(record).encode(), a_turn("我住在杭州"))
    assert counts(report) == {"stored": 3}


@pytest.mark.skipif(not MEMORYBANK.exists(), reason=f"{MEMORYBANK} is missing")
def test_a_real_chinese_conversation_is_kept_but_for_its_small_talk(memories: Memories) -> None:
    """Two of the fifteen users: 17 and 38 days are too many lines for every run of the tests."""
    users = list(json.loads(MEMORYBANK.read_text("utf-8")).values())[:2]
    lines = [
        a_turn(said, speaker=speaker, session_id=day, said_at=day, user_id=user["name"])
        for user in users
        for day, exchanges in user["history"].items()
        for exchange in exchanges
        for speaker, said in (("用户", exchange["query"]), ("assistant", exchange["response"]))
    ]
    report = listen(memories, *lines)
    assert report.problems == []
    assert sum(report.counts.values()) == len(lines)
    assert 0 < counts(report)["skipped"] < 0.1 * len(lines)
    again = counts(listen(memories, *lines))
    assert again == {
        "skipped": counts(report)["skipped"],
        "unchanged": len(lines) - again["skipped"],
    }
