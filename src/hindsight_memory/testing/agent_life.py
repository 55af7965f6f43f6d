"""What an agent lives through, for tests of what becomes of it when memory looks back."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hindsight_memory.core import codec
from hindsight_memory.core.calls import Call, described, event_of
from hindsight_memory.core.changes import Injection
from hindsight_memory.core.induction import KEY
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.engine.retrospecting import Looked
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

ME = Scope("default", "default", "default")
EVERYONE = Scope("default", None, None)
UNICODE = "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb9"


class Life:
    """What an agent lives through, and looks back at."""

    def __init__(self, memory: Hindsight, clock: FrozenClock) -> None:
        self.memory, self._clock = memory, clock

    def call(self, session: str, tool: str, error: str = "", /, **arguments: Any) -> str:
        """A call that worked, or failed with ``error``; the id of its episode."""
        return self.calls(session, tool, arguments, error)

    def calls(
        self, session: str, tool: str, arguments: Mapping[str, Any], error: str = "", **given: Any
    ) -> str:
        """The same, written as ``given`` says: visibility, project, source and so on."""
        self._clock.advance(timedelta(seconds=1))
        call = Call(
            memory_id="",
            session_id=session,
            tool=tool,
            arguments=arguments,
            outcome="failure" if error else "success",
            error=error,
            at=self._clock.now(),
        )
        written = {"source": "tool_result", "event": codec.event_to_json(event_of(call)), **given}
        return self._write(session, described(call), **written)

    def says(self, session: str, words: str) -> str:
        self._clock.advance(timedelta(seconds=1))
        return self._write(session, words, source="user_explicit", event={"role": "user"})

    def reads_gbk(self, session: str, **given: Any) -> tuple[str, str]:
        """The contrast that most tests are about: one encoding failed, another one worked."""
        tool, path = "read_csv", {"path": "a.csv"}
        failed = self.calls(session, tool, path | {"encoding": "utf-8"}, UNICODE, **given)
        return failed, self.calls(session, tool, path | {"encoding": "gbk"}, **given)

    def is_shown(self, session: str, memory: Memory) -> None:
        """Memory puts a memory before the agent: what it then does is no evidence of it."""
        self._clock.advance(timedelta(seconds=1))
        parts, now = self.memory.memories.parts, self._clock.now()
        injection = Injection(
            user_id="default", session_id=session, memory_id=memory.id, digest="", at=now
        )
        changes = parts.changes(ME, "shown", "", at=now)
        parts.store.apply(replace(changes, injections=(injection,)))

    def looks_back(self, session: str, **given: Any) -> Looked:
        return self.memory.memories.retrospect(ME, session, **given)

    def lessons(self, **given: Any) -> list[Memory]:
        """All that retrospection wrote, oldest first, whatever became of it."""
        page = self.memory.list(include=["superseded"], limit=100, **given).memories
        found = self.memory.memories.parts.store.get(EVERYONE, [each.id for each in page])
        return [each for each in reversed(found) if KEY in each.metadata]

    def lesson(self) -> Memory:
        [found] = self.lessons()
        return found

    def _write(self, session: str, content: str, **given: Any) -> str:
        written = self.memory.write(content, session_id=session, **given).memory
        assert written is not None
        return written.id


def told(looked: Looked) -> list[tuple[str, str]]:
    """What became of each pattern, and its kind."""
    return [(each.change.value, each.pattern.kind) for each in looked.lessons]
