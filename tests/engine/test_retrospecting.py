"""Looking back over sessions: what becomes a lesson, how it climbs and falls, and what does not."""

from collections.abc import Mapping

import pytest

from hindsight_memory.core.induction import KEY
from hindsight_memory.core.policy import Status
from hindsight_memory.testing.agent_life import UNICODE, Life, told

LESSON = (
    "read_csv (path=*.csv) with encoding=utf-8 failed: UnicodeDecodeError: 'utf-8' codec can't "
    "decode byte 0xb9; encoding=gbk worked"
)


def test_a_failure_and_what_worked_instead_become_a_lesson(life: Life) -> None:
    evidence = life.reads_gbk("s1")
    assert told(life.looks_back("s1")) == [("formed", "contrast")]
    lesson = life.lesson()
    assert (lesson.content, lesson.evidence) == (LESSON, evidence)
    assert (lesson.status, lesson.source, lesson.memory_type) == (
        "tentative",
        "retrospection",
        "lesson",
    )
    assert (lesson.importance, lesson.trust, lesson.confidence) == (0.8, 0.6, 0.75)
    assert (lesson.scene, sorted(lesson.tags)) == ("troubleshooting", ["read_csv"])


def test_a_lesson_quotes_its_episodes(life: Life) -> None:
    failed, worked = life.reads_gbk("s1")
    life.looks_back("s1")
    note = life.lesson().metadata[KEY]
    assert isinstance(note, Mapping)
    assert note["quotes"] == {
        failed: f"read_csv(path=a.csv, encoding=utf-8) failed: {UNICODE}",
        worked: "read_csv(path=a.csv, encoding=gbk) worked",
    }


def test_a_lesson_climbs_and_falls_and_tells_each_step(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    assert life.lesson().status is Status.TENTATIVE
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s2")
    assert life.lesson().status is Status.CONFIRMED
    for session, status in (("s3", "disputed"), ("s4", "disputed"), ("s5", "deprecated")):
        life.call(session, "read_csv", UNICODE, path="c.csv", encoding="gbk")
        life.looks_back(session)
        assert life.lesson().status == status
    reasons = [each.reason for each in life.memory.history(life.lesson().id).revisions]
    assert reasons == [
        (
            "tentative: required support >= 2 (to be confirmed: support >= 3 from >= 2 sessions, "
            "no counter-example); actual support 2 from 1 session, 0 counter-examples, score 0.75"
        ),
        (
            "confirmed: required support >= 3 from >= 2 sessions, no counter-example; actual "
            "support 3 from 2 sessions, 0 counter-examples, score 0.80"
        ),
        (
            "disputed: required no counter-example; actual support 3 from 2 sessions, "
            "1 counter-example, score 0.67"
        ),
        (
            "disputed: required no counter-example; actual support 3 from 2 sessions, "
            "2 counter-examples, score 0.57"
        ),
        (
            "deprecated: required a score > 0.5; actual support 3 from 2 sessions, "
            "3 counter-examples, score 0.50"
        ),
    ]


def test_the_very_call_that_failed_and_now_works_speaks_against_a_lesson(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.call("s2", "read_csv", path="other.csv", encoding="utf-8")
    assert life.looks_back("s2").lessons == []
    life.call("s2", "read_csv", path="a.csv", encoding="utf-8")
    assert told(life.looks_back("s2")) == [("disputed", "contrast")]


def test_a_missing_file_says_nothing_against_a_lesson(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.call("s2", "read_csv", "FileNotFoundError: b.csv", path="b.csv", encoding="gbk")
    life.looks_back("s2")
    assert life.lesson().counter_examples == ()


def test_a_lesson_does_not_support_itself(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.is_shown("s2", life.lesson())
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    assert life.looks_back("s2").lessons == []
    assert (life.lesson().status, len(life.lesson().evidence)) == (Status.TENTATIVE, 2)
    life.call("s3", "read_csv", path="b.csv", encoding="gbk")
    life.looks_back("s3")
    assert life.lesson().status is Status.CONFIRMED


def test_what_was_done_before_a_lesson_was_shown_supports_it(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.call("s2", "read_csv", path="b.csv", encoding="gbk")
    life.is_shown("s2", life.lesson())
    life.looks_back("s2")
    assert life.lesson().status is Status.CONFIRMED


def test_what_failed_where_a_lesson_was_shown_speaks_against_it(life: Life) -> None:
    life.reads_gbk("s1")
    life.looks_back("s1")
    life.is_shown("s2", life.lesson())
    life.call("s2", "read_csv", UNICODE, path="b.csv", encoding="gbk")
    life.looks_back("s2")
    assert life.lesson().status is Status.DISPUTED


def takes_the_mirror(life: Life, session: str) -> None:
    life.call(session, "bash", "Network is unreachable", command="pip install pandas")
    mirror = "pip install -i https://mirror.example/simple pandas"
    life.call(session, "bash", command=mirror)


def test_a_package_mirror_used_once_because_the_network_was_down_is_no_habit(life: Life) -> None:
    takes_the_mirror(life, "s1")
    [habit] = life.looks_back("s1").lessons
    assert (habit.change, habit.reason) == (
        "pending",
        (
            "not formed: required support >= 3; "
            "actual support 1 from 1 session, 0 counter-examples, score 0.67"
        ),
    )
    assert life.lessons() == []


def test_a_package_mirror_used_in_three_sessions_is_one(life: Life) -> None:
    for session in ("s1", "s2", "s3"):
        assert life.lessons() == []
        takes_the_mirror(life, session)
        life.looks_back(session)
    habit = life.lesson()
    assert (habit.status, habit.content) == (
        "confirmed",
        (
            "bash (pip install) is used with `-i https://mirror.example/simple`, "
            "in session after session"
        ),
    )


def test_a_mirror_used_three_times_in_one_session_is_no_habit(life: Life) -> None:
    for _ in range(3):
        takes_the_mirror(life, "s1")
    life.looks_back("s1")
    assert life.lessons() == []


def test_a_mirror_that_is_an_argument_is_the_same(life: Life) -> None:
    for session in ("s1", "s2", "s3"):
        life.call(session, "install", "ConnectTimeout", package="pandas")
        life.call(session, "install", package="pandas", index_url="https://mirror.example")
        life.looks_back(session)
    assert life.lesson().content == (
        "install is used with index_url=https://mirror.example, in session after session"
    )


def test_once_the_direct_way_is_open_again_the_habit_is_disputed(life: Life) -> None:
    for session in ("s1", "s2", "s3"):
        takes_the_mirror(life, session)
        life.looks_back(session)
    life.call("s4", "bash", command="pip install numpy")
    assert told(life.looks_back("s4")) == [("disputed", "habit")]


def test_sessions_that_failed_make_no_habit(life: Life) -> None:
    for session in ("s1", "s2", "s3"):
        takes_the_mirror(life, session)
        life.looks_back(session, outcome="failure")
    assert life.lessons() == []


def test_a_safeguard_that_was_switched_off_is_no_lesson(life: Life) -> None:
    life.call("s1", "bash", "hook failed: lint", command="git commit -m fix")
    life.call("s1", "bash", command="git commit -m fix --no-verify")
    [left] = life.looks_back("s1").lessons
    assert (left.change, left.reason) == (
        "left",
        "what worked may switch a safeguard off; only a person makes that a habit",
    )
    assert life.lessons() == []


def test_a_session_in_chinese_becomes_a_lesson_in_chinese(life: Life) -> None:
    life.says("s1", "帮我读一下这个表格，我要看销售额")
    life.reads_gbk("s1")
    life.looks_back("s1")
    assert life.lesson().content == (
        "read_csv (path=*.csv) 用 encoding=utf-8 会失败：UnicodeDecodeError: 'utf-8' codec can't "
        "decode byte 0xb9；encoding=gbk 可行"
    )


@pytest.mark.parametrize(
    ("first", "second", "content"),
    [
        (
            "No, use tabs, not spaces.",
            "I said use tabs!",
            "The user wants: use tabs, not spaces (corrected repeatedly)",
        ),
        ("不对，用中文回答", "我说了用中文", "用户要求：用中文（多次纠正）"),
        ("别用英文", "不要用英文！", "用户要求：不要用英文（多次纠正）"),
    ],
)
def test_a_correction_that_is_repeated_becomes_a_preference(
    life: Life, first: str, second: str, content: str
) -> None:
    life.says("s1", first)
    assert told(life.looks_back("s1")) == [("pending", "correction")]
    life.says("s2", second)
    life.looks_back("s2")
    preference = life.lesson()
    assert (preference.content, preference.memory_type, preference.status) == (
        content,
        "preference",
        "tentative",
    )


def test_a_correction_the_other_way_disputes_a_preference(life: Life) -> None:
    for session in ("s1", "s2"):
        life.says(session, "No, use tabs, not spaces.")
        life.looks_back(session)
    life.says("s3", "No, use spaces, not tabs.")
    life.looks_back("s3")
    assert life.lesson().status is Status.DISPUTED


@pytest.mark.parametrize(
    ("turns", "content"),
    [
        (
            ["We decided to use PostgreSQL because we need row-level security."],
            "Decision: We decided to use PostgreSQL; reason: we need row-level security",
        ),
        (
            ["我们决定先用 SQLite。", "因为预算有限。"],
            "决定：我们决定先用 SQLite；原因：预算有限",
        ),
    ],
)
def test_a_decision_keeps_its_reason_and_the_users_word_confirms_it(
    life: Life, turns: list[str], content: str
) -> None:
    for turn in turns:
        life.says("s1", turn)
    life.looks_back("s1")
    decision = life.lesson()
    assert (decision.content, decision.memory_type, decision.status) == (
        content,
        "decision",
        "confirmed",
    )


def test_a_call_that_only_ever_failed_is_a_lesson_until_it_works(life: Life) -> None:
    for session in ("s1", "s2"):
        life.call(session, "build", "TypeError: no target", target="web")
        life.looks_back(session)
    assert life.lesson().content == (
        "build(target=web) fails each time: TypeError: no target; nothing that was tried worked"
    )
    life.call("s3", "build", target="web")
    life.looks_back("s3")
    assert life.lesson().status is Status.DISPUTED


def test_looking_back_again_changes_nothing(life: Life) -> None:
    life.reads_gbk("s1")
    life.says("s1", "We decided to use gbk because the files are old exports.")
    life.looks_back("s1", outcome="success")
    before = life.memory.list(limit=100).memories
    again = life.looks_back("s1", outcome="success")
    assert again.lessons == []
    assert life.memory.list(limit=100).memories == before


def test_a_dry_run_tells_what_it_would_do_and_changes_nothing(life: Life) -> None:
    life.reads_gbk("s1")
    before = life.memory.list(limit=100).memories
    looked = life.looks_back("s1", dry_run=True, outcome="success")
    assert told(looked) == [("formed", "contrast")]
    assert life.memory.list(limit=100).memories == before


def test_a_lesson_is_found_by_meaning_as_soon_as_it_is_there(life: Life) -> None:
    life.reads_gbk("s1")
    waiting = life.memory.memories.parts.store.unembedded_count()
    life.looks_back("s1")
    assert life.memory.memories.parts.store.unembedded_count() == waiting
    assert len(life.lessons()) == 1
