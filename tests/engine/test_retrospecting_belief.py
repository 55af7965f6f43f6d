"""Lessons among all else: evidence that falls, people who decide, whose they are."""

from hindsight_memory.core.model import Scope
from hindsight_memory.core.policy import Status
from hindsight_memory.core.retrospection.model import Pattern
from hindsight_memory.engine.retrospecting import Retrospector
from hindsight_memory.testing.agent_life import EVERYONE, ME, UNICODE, Life, told


def test_a_lesson_without_support_is_not_asserted_and_stands_up_with_it(life: Life) -> None:
    episodes = life.reads_gbk("s1")
    life.looks_back("s1")
    for each in episodes:
        life.memory.forget(each)
    [hit] = life.memory.search("read_csv encoding").hits
    assert (hit.memory.status, hit.verdict) == ("deprecated", "stale")
    for each in episodes:
        life.memory.update(each, restore=True)
    found = {hit.memory.id: hit for hit in life.memory.search("read_csv encoding").hits}
    lesson = found[life.lesson().id]
    assert (lesson.memory.status, lesson.verdict) == ("tentative", "unverified")


def test_a_counter_example_that_was_a_mistake_and_is_forgotten_no_longer_counts(
    life: Life,
) -> None:
    life.reads_gbk("s1")
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s1")
    life.looks_back("s2")
    wrong = life.call("s3", "read_csv", UNICODE, path="b.csv", encoding="gbk")
    life.looks_back("s3")
    assert life.lesson().status is Status.DISPUTED
    life.memory.forget(wrong)
    assert life.lesson().status is Status.CONFIRMED


def test_a_forgotten_lesson_is_not_learned_again(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.memory.forget(life.lesson().id)
    life.reads_gbk("s2")
    [left] = life.looks_back("s2").lessons
    assert left.change == "left"
    assert life.lessons() == []


def test_a_rejected_lesson_is_not_learned_again(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    verified = life.memory.memories.settle_belief(
        EVERYONE, life.lesson().id, "reject", is_person=True
    )
    life.reads_gbk("s2")
    assert told(life.looks_back("s2")) == [("left", "contrast")]
    assert life.lesson().version == verified.memory.version


def test_what_a_person_confirmed_gains_evidence_and_keeps_their_word(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    memories = life.memory.memories
    memories.settle_belief(EVERYONE, life.lesson().id, "confirm", is_person=True)
    life.call("s2", "read_csv", UNICODE, path="b.csv", encoding="gbk")
    life.looks_back("s2")
    lesson = life.lesson()
    assert (lesson.status, lesson.trust, len(lesson.counter_examples)) == ("confirmed", 1.0, 1)


def test_what_somebody_disputed_stays_disputed_whatever_supports_it(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.memory.verify(life.lesson().id, action="dispute")
    life.reads_gbk("s2")
    assert told(life.looks_back("s2")) == [("strengthened", "contrast")]
    assert life.lesson().status is Status.DISPUTED


def test_what_others_wrote_proves_nothing(life: Life) -> None:
    life.reads_gbk("s1", source="external")
    assert life.looks_back("s1").lessons == []


def test_what_is_private_to_an_agent_makes_a_private_lesson(life: Life) -> None:
    life.reads_gbk("s1", visibility="private", agent_id="bot")
    assert life.looks_back("s1").lessons == []
    memories = life.memory.memories
    memories.retrospect(Scope("default", "default", None), "s1")
    [_, _, lesson] = memories.parts.store.every("default", after="", limit=9)
    assert (lesson.visibility, lesson.agent_id) == ("private", "bot")


def test_lessons_keep_to_their_project(life: Life) -> None:
    life.reads_gbk("s1", project="web")
    assert life.looks_back("s1", project="other").lessons == []
    life.looks_back("s1", project="web")
    [lesson] = life.lessons(project="web")
    assert lesson.project == "web"


def test_a_purged_episode_is_quoted_by_no_lesson_in_no_version(life: Life) -> None:
    secret, _ = life.reads_gbk("s1")
    life.looks_back("s1")
    failed = life.call("s2", "read_csv", UNICODE, path="b.csv", encoding="utf-8")
    worked = life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s2")
    before = life.lesson()
    life.memory.forget(secret, hard_delete=True)
    lesson = life.lesson()
    assert (lesson.status, lesson.evidence[1:]) == ("confirmed", (failed, worked))
    assert (lesson.id == before.id, lesson.content, lesson.version) == (False, before.content, 1)
    told = life.memory.history(lesson.id)
    assert secret not in told.model_dump_json()
    assert life.memory.memories.parts.store.problems() == []


def test_a_lesson_that_the_rest_does_not_show_is_purged_with_its_episode(life: Life) -> None:
    failed, _ = life.reads_gbk("s1")
    life.looks_back("s1")
    life.memory.forget(failed, hard_delete=True)
    assert life.lessons() == []
    assert len(life.memory.memories.parts.store.every("default", after="", limit=9)) == 1


def test_a_forgotten_lesson_is_purged_with_its_episode_too(life: Life) -> None:
    failed, _ = life.reads_gbk("s1")
    life.looks_back("s1")
    life.memory.forget(life.lesson().id)
    life.memory.forget(failed, hard_delete=True)
    assert len(life.memory.memories.parts.store.every("default", after="", limit=9)) == 1


def test_what_a_person_confirmed_stays_confirmed_when_it_is_told_anew(life: Life) -> None:
    secret, _ = life.reads_gbk("s1")
    life.reads_gbk("s2")
    life.looks_back("s1")
    life.looks_back("s2")
    memories = life.memory.memories
    memories.settle_belief(EVERYONE, life.lesson().id, "confirm", is_person=True)
    life.memory.forget(secret, hard_delete=True)
    assert (life.lesson().status, life.lesson().source) == ("confirmed", "user_confirmed")


def test_what_somebody_disputed_stays_disputed_when_it_is_told_anew(life: Life) -> None:
    secret, _ = life.reads_gbk("s1")
    life.reads_gbk("s2")
    life.looks_back("s1")
    life.looks_back("s2")
    life.memory.verify(life.lesson().id, action="dispute")
    life.memory.forget(secret, hard_delete=True)
    assert life.lesson().status is Status.DISPUTED
    life.reads_gbk("s3")
    life.looks_back("s3")
    assert life.lesson().status is Status.DISPUTED


def test_lessons_about_one_tool_do_not_dispute_each_other_by_their_words(life: Life) -> None:
    """Whatever they are worded like: what contradicts a lesson is an episode."""

    def word(pattern: Pattern) -> str:
        worked = pattern.facts["worked"]
        assert isinstance(worked, dict)
        return f"read_csv 用 encoding=utf-8 失败；改用 encoding={worked['encoding']} 成功"

    looks = Retrospector(life.memory.memories.parts, word=word)
    for number, encoding in enumerate(("gbk", "latin-1")):
        life.call(f"s{number}", "read_csv", UNICODE, path="a.csv", encoding="utf-8")
        life.call(f"s{number}", "read_csv", path="a.csv", encoding=encoding)
        looks.session(ME, f"s{number}")
    life.memory.search("read_csv 改用什么 encoding")
    while life.memory.memories.work_behind():
        pass
    assert [each.status for each in life.lessons()] == ["confirmed", "tentative"]
