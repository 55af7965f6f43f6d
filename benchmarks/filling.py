"""Sentences for measuring time, and stores filled with them faster than an embedder could."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, product
from pathlib import Path

import numpy as np

from common import opened, watched
from hindsight_memory.core.changes import Passages
from hindsight_memory.core.lifecycle import memory_of
from hindsight_memory.core.model import Draft, Memory, Scope
from hindsight_memory.core.policy import Source
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

    def combinations(self) -> Iterator[tuple[str, ...]]:
        parts = (self.who, self.did, self.what, self.where)
        known = list(product(*(part.split(" / ") for part in parts)))
        for number in range(len(known)):
            yield known[number * STRIDE % len(known)]


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


def sentences(count: int) -> list[str]:
    """Distinct ones, English and Chinese by turns; from the 16,385th on with a number."""
    rounds = (_all(number) for number in range(count))
    return list(islice(chain.from_iterable(rounds), count))


def questions(count: int) -> list[str]:
    """Distinct ones about what the sentences say, English and Chinese by turns."""
    return list(islice(_both("question"), count))


def fill(path: Path, count: int, *, user_id: str = "default") -> None:
    """``count`` memories of one user with sentences as contents and random unit vectors."""
    texts = sentences(count)
    chance = np.random.default_rng(7)
    with opened(path) as memory:
        parts = memory.memories.parts
        for start in watched(range(0, count, BATCH), f"filling {count:,}"):
            made = [
                _memory(parts, text, user_id, number)
                for number, text in enumerate(texts[start : start + BATCH], start=start)
            ]
            _apply(parts, made, chance)


def _all(number: int) -> Iterator[str]:
    suffix = f" ({number})" if number else ""
    return (sentence + suffix for sentence in _both("statement"))


def _both(form: str) -> Iterator[str]:
    pairs = zip(*(language.combinations() for language in LANGUAGES), strict=True)
    for pair in pairs:
        for language, parts in zip(LANGUAGES, pair, strict=True):
            yield getattr(language, form).format(*parts)


def _memory(parts: Parts, text: str, user_id: str, number: int) -> Memory:
    said_at = BEGAN + timedelta(minutes=number)
    draft = Draft(
        content=text,
        user_id=user_id,
        agent_id="default",
        session_id=f"session {number // SESSION}",
        source=Source.USER_EXPLICIT,
        valid_from=said_at,
    )
    return memory_of(draft, tenant="default", new_id=parts.ids.new(said_at), now=said_at)


def _apply(parts: Parts, made: list[Memory], chance: np.random.Generator) -> None:
    embedder = parts.meaning.embedder
    assert embedder is not None
    rows = chance.standard_normal((len(made), embedder.dimensions)).astype("f4")
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    passages = tuple(
        Passages(memory_id=each.id, content=each.content, first=0, total=1, vectors=(row,))
        for each, row in zip(made, rows, strict=True)
    )
    scope = Scope("default", made[0].user_id, "default")
    parts.store.apply(
        parts.changes(
            scope,
            "stored",
            "filled",
            at=made[0].created_at,
            puts=tuple(made),
            renewed=tuple(made),
            passages=passages,
        )
    )
