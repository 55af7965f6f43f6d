"""The contract of Sessions, as tests. A backend's tests subclass SessionSuite.

Needs pytest and hypothesis.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from hindsight_memory.core.policy import Source
from hindsight_memory.core.side_ports import Sessions
from hindsight_memory.core.working import (
    AddFact,
    AppendCall,
    PushItem,
    RecordAttempt,
    Session,
    SetGoal,
    patched,
)
from hindsight_memory.errors import Conflict
from hindsight_memory.testing.samples import NOON

WEEK = timedelta(days=7)


def a_session(session_id: str = "s1", **changes: Any) -> Session:
    """Ann's, made at noon, for a week."""
    plain = Session(
        tenant="acme",
        user_id="ann",
        session_id=session_id,
        version=1,
        updated_at=NOON,
        expires_at=NOON + WEEK,
    )
    return replace(plain, **changes)


FULL = patched(
    a_session().document,
    [
        SetGoal(goal="导入一月订单"),
        AddFact(fact="文件是 gbk 编码", source=Source.TOOL_RESULT),
        PushItem(item='check "totals"', priority=8),
        RecordAttempt(action="read_csv", reason="guessed", error="UnicodeDecodeError\n…"),
        *(AppendCall(tool=f"ls {n}", arguments={"a": [n, None, {"b": 0.5}]}) for n in range(50)),
    ],
).document


class SessionSuite:
    """Subclasses give a fixture ``sessions``, with none in it."""

    def test_a_document_comes_back_as_it_was_put(self, sessions: Sessions) -> None:
        kept = a_session(document=FULL)
        sessions.put(kept)
        assert got(sessions) == kept
        assert FULL.folded == {"tool_call_history": 10}

    def test_a_session_that_nobody_put_is_none(self, sessions: Sessions) -> None:
        sessions.put(a_session())
        assert got(sessions) is not None
        assert got(sessions, session_id="s2") is None

    @pytest.mark.parametrize("foreign", [{"tenant": "other"}, {"user_id": "bob"}])
    def test_one_id_of_two_owners_is_two_sessions(
        self, sessions: Sessions, foreign: dict[str, str]
    ) -> None:
        sessions.put(a_session(document=FULL))
        assert got(sessions, **foreign) is None
        theirs = a_session(**foreign)
        sessions.put(theirs)
        assert got(sessions, **foreign) == theirs
        assert got(sessions) == a_session(document=FULL)

    def test_each_version_follows_the_one_before(self, sessions: Sessions) -> None:
        sessions.put(a_session())
        second = a_session(version=2, document=FULL, updated_at=NOON + WEEK / 2)
        sessions.put(second)
        assert got(sessions) == second

    @pytest.mark.parametrize("version", [1, 2, 4])
    def test_a_put_that_does_not_follow_is_a_conflict(
        self, sessions: Sessions, version: int
    ) -> None:
        first = a_session(document=FULL)
        sessions.put(first)
        sessions.put(replace(first, version=2))
        with pytest.raises(Conflict, match="session 's1' was changed; read it again"):
            sessions.put(a_session(version=version))
        assert got(sessions) == replace(first, version=2)

    def test_a_first_put_that_is_no_first_version_is_a_conflict(self, sessions: Sessions) -> None:
        with pytest.raises(Conflict):
            sessions.put(a_session(version=2))
        assert got(sessions) is None

    def test_of_racing_writers_one_comes_first(self, sessions: Sessions) -> None:
        def put(number: int) -> int:
            try:
                sessions.put(a_session(updated_at=NOON + timedelta(seconds=number)))
            except Conflict:
                return 0
            return 1

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(put, range(8))) == 1

    def test_a_session_is_over_at_its_end_and_not_before(self, sessions: Sessions) -> None:
        sessions.put(a_session())
        just_before = NOON + WEEK - timedelta(microseconds=1)
        assert sessions.get("acme", "ann", "s1", now=just_before) == a_session()
        assert listed(sessions, now=just_before) == ["s1"]
        assert sessions.get("acme", "ann", "s1", now=NOON + WEEK) is None
        assert listed(sessions, now=NOON + WEEK) == []

    def test_what_is_over_makes_room_for_a_first_version(self, sessions: Sessions) -> None:
        sessions.put(a_session(document=FULL))
        sessions.put(a_session("s2"))
        anew = a_session(updated_at=NOON + WEEK, expires_at=NOON + WEEK * 2)
        sessions.put(anew)
        assert sessions.get("acme", "ann", "s1", now=NOON + WEEK) == anew
        assert sessions.expire(NOON + WEEK) == 0

    def test_expiring_removes_what_is_over_and_nothing_else(self, sessions: Sessions) -> None:
        sessions.put(a_session())
        sessions.put(a_session(user_id="bob", expires_at=NOON + WEEK * 2))
        assert sessions.expire(NOON) == 0
        assert sessions.expire(NOON + WEEK) == 1
        assert got(sessions) is None
        assert got(sessions, user_id="bob") is not None

    def test_sessions_of_a_user_come_page_by_page_in_order(self, sessions: Sessions) -> None:
        for name in ("s3", "s1", "s2"):
            sessions.put(a_session(name))
        sessions.put(a_session("s0", user_id="bob"))
        sessions.put(a_session("s0", tenant="other"))
        assert listed(sessions, limit=2) == ["s1", "s2"]
        assert listed(sessions, after="s2") == ["s3"]

    def test_deleting_one_session_leaves_the_others(self, sessions: Sessions) -> None:
        sessions.put(a_session("s1"))
        sessions.put(a_session("s2"))
        assert sessions.delete("acme", "ann", "s1") == 1
        assert sessions.delete("acme", "ann", "s1") == 0
        assert listed(sessions) == ["s2"]

    def test_deleting_a_user_leaves_other_users_and_tenants(self, sessions: Sessions) -> None:
        names = ("s1", "s2")
        for name in names:
            sessions.put(a_session(name))
        sessions.put(a_session(user_id="bob"))
        sessions.put(a_session(tenant="other"))
        assert sessions.delete("acme", "ann") == len(names)
        assert listed(sessions) == []
        assert got(sessions, user_id="bob") is not None
        assert got(sessions, tenant="other") is not None

    def test_a_deleted_session_begins_anew(self, sessions: Sessions) -> None:
        sessions.put(a_session(document=FULL))
        sessions.delete("acme", "ann", "s1")
        sessions.put(a_session())
        assert got(sessions) == a_session()


def got(
    sessions: Sessions, tenant: str = "acme", user_id: str = "ann", session_id: str = "s1"
) -> Session | None:
    return sessions.get(tenant, user_id, session_id, now=NOON)


def listed(
    sessions: Sessions, *, now: datetime = NOON, after: str = "", limit: int = 9
) -> Sequence[str]:
    found = sessions.of_user("acme", "ann", now=now, after=after, limit=limit)
    return [each.session_id for each in found]
