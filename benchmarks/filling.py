"""Sentences for measuring time, and stores filled with them faster than an embedder could."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, product
from itertools import count as count_from
from pathlib import Path

import numpy as np

from common import opened, watched
from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Memory, Scope, Vector
from hindsight_memory.engine.parts import Parts

BATCH = 500
SESSION = 20
"""Memories of one session: turns of a conversation, so that neighbours are looked for."""

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
STRIDE = 1009
"""Coprime to every number of combinations: neighbours in a list differ in all their parts."""


@dataclass(frozen=True, slots=True)
class Language:
    """Sentences and questions of who did what with what and where."""

    statement: str
    question: str
    who: str
    did: str
    what: str
    where: str

    def parts(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self._slots()))

    def combinations(self) -> Iterator[tuple[str, ...]]:
        """Each once, in an order without likeness of neighbours."""
        known = list(product(*self._slots()))
        for number in range(len(known)):
            yield known[number * STRIDE % len(known)]

    def _slots(self) -> list[list[str]]:
        return [slot.split(" / ") for slot in (self.who, self.did, self.what, self.where)]


LANGUAGES = (
    Language(
        statement="{0} {1} {2} {3}.",
        question="Was it {0} who {1} {2} {3}?",
        who="Ann / Bo / Carla / Dev / Emma / Farid / Grace / Hugo / Ines / Jun / Kofi / Lena "
        "/ Omar / Marc / Nora / Pia",
        did="moved / wants every report about / found the bug in / prefers short answers about "
        "/ wrote the first draft of / asked twice about / decided against / maintains",
        what="the billing service / the search index / the payment gateway / customer letters "
        "/ the holiday calendar / the onboarding guide / invoice exports / the data warehouse",
        where="in the Berlin office / for the sales team / on the old server / from home "
        "/ with two colleagues / without asking anybody / for a customer / for the auditors",
    ),
    Language(
        statement="{3}，{0}{1}{2}。",
        question="{3}，{1}{2}的是{0}吗？",
        who="小王 / 小李 / 小张 / 小陈 / 老周 / 老吴 / 阿梅 / 阿强 / 小林 / 小黄 / 大刘 / 老孙 "
        "/ 阿珍 / 阿杰 / 小马 / 小朱",
        did="迁移了 / 要看所有关于 / 查清楚了 / 想要简短地了解 / 写好了 / 问了两次 / 不再使用 "
        "/ 负责维护",
        what="账单服务 / 搜索索引 / 支付网关 / 客户来信 / 假期日历 / 入职指南 / 发票导出 "
        "/ 数据仓库",
        where="在柏林办公室 / 为销售团队 / 在旧服务器上 / 和两位同事一起 / 在家办公时 "
        "/ 没有问过任何人 / 应客户的要求 / 为了审计",
    ),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement, and what it is made of."""

    text: str
    parts: tuple[str, ...]


def sentences(count: int) -> list[str]:
    """Distinct ones, English and Chinese by turns; from the 16,385th on with a number."""
    return [sentence.text for sentence in islice(statements(), count)]


def questions(count: int) -> list[str]:
    """Distinct ones about what the sentences say, English and Chinese by turns."""
    return [sentence.text for sentence in islice(_both("question"), count)]


def fill(path: Path, count: int) -> None:
    """``count`` memories of one user, sentences in sessions of ``SESSION``.

    The vector of a sentence is the mean of those of its parts: embedding 20,000 takes ten minutes.
    """
    with opened(path) as memory:
        parts = memory.memories.parts
        vectors = parts_vectors(parts)
        made = zip(range(count), statements(), strict=False)
        for batch in watched(
            [list(islice(made, BATCH)) for _ in range(0, count, BATCH)], "filling"
        ):
            _apply(parts, batch, vectors)


def statements() -> Iterator[Sentence]:
    for number in count_from(0):
        suffix = f" ({number})" if number else ""
        for sentence in _both("statement"):
            yield replace(sentence, text=sentence.text + suffix)


def asked() -> Iterator[Sentence]:
    """Questions about what the statements say, English and Chinese by turns."""
    return _both("question")


def _both(form: str) -> Iterator[Sentence]:
    pairs = zip(*(language.combinations() for language in LANGUAGES), strict=True)
    for pair in pairs:
        for language, parts in zip(LANGUAGES, pair, strict=True):
            yield Sentence(getattr(language, form).format(*parts), parts)


def parts_vectors(parts: Parts) -> dict[str, Vector]:
    """Of each part of a sentence."""
    embedder = parts.meaning.embedder
    assert embedder is not None
    texts = sorted({part for language in LANGUAGES for part in language.parts()})
    return dict(zip(texts, embedder.passages(texts), strict=True))


def _apply(parts: Parts, batch: list[tuple[int, Sentence]], vectors: Mapping[str, Vector]) -> None:
    made = tuple(memory_of(parts, sentence.text, number) for number, sentence in batch)
    passages = tuple(
        Passages(memory_id=each.id, content=each.content, first=0, total=1, vectors=(vector,))
        for each, vector in zip(made, (mean(s, vectors) for _, s in batch), strict=True)
    )
    scope = Scope(made[0].tenant, made[0].user_id, made[0].agent_id)
    changes = parts.changes(
        scope, "stored", "filled", at=made[0].created_at, puts=made, renewed=made
    )
    parts.store.apply(replace(changes, passages=passages))


def mean(sentence: Sentence, vectors: Mapping[str, Vector]) -> Vector:
    """The direction of the mean of its parts' vectors."""
    total: Vector = np.sum([vectors[part] for part in sentence.parts], axis=0)
    return total / np.float32(np.linalg.norm(total))


def memory_of(parts: Parts, text: str, number: int) -> Memory:
    """A turn of a conversation: the number decides when, and in which session."""
    said_at = BEGAN + timedelta(minutes=number)
    return Memory(
        id=parts.ids.new(said_at),
        tenant="default",
        user_id="default",
        agent_id="default",
        session_id=f"session {number // SESSION}",
        content=text,
        valid_from=said_at,
        created_at=said_at,
        updated_at=said_at,
    )
