"""A person who talks to an agent for months: what is written, asked and used, day after day.

Always the same for the same seed. What matters is told once, somewhere among everyday things, and
has to answer its question at the end.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hindsight_memory.core.life import UNASKED, Options
from hindsight_memory.core.model import Memory, Scope, Tier
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

SEARCHES = 3
"""A day."""
USED = 0.5
"""Share of the searches whose first hit is used, and reported as used."""

DAY = timedelta(days=1)
EVERYTHING = Filter(tiers=frozenset(Tier), superseded=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """What must never be lost, and the question that it answers. told: on which day."""

    content: str
    question: str
    memory_type: str
    told: int
    is_asked: bool = True


KEPT = (
    Kept(
        "The user is allergic to peanuts",
        "what is the user allergic to?",
        "preference",
        2,
        is_asked=False,
    ),
    Kept("用户对青霉素过敏", "对什么药过敏？", "preference", 5, is_asked=False),
    Kept("The user prefers answers in bullet points", "answers in which form?", "preference", 1),
    Kept("用户喜欢靠窗的座位", "订票时选什么座位？", "preference", 8),
    Kept("The user prefers dark roast coffee beans", "which coffee beans?", "preference", 20),
    Kept("用户希望周报用表格写", "周报用什么格式写？", "preference", 33),
    Kept("The user wants commit messages in the imperative", "commit messages?", "preference", 60),
    Kept("用户不吃香菜", "菜里能放香菜吗？", "preference", 150),
    Kept(
        "We chose PostgreSQL for production because of row-level security",
        "which database for production?",
        "decision",
        12,
    ),
    Kept("决定用飞书而不是邮件通知客户", "怎么通知客户？", "decision", 25),
    Kept("We decided to freeze releases in December", "when are releases frozen?", "decision", 70),
    Kept("决定把日志保留三十天", "日志保留多久？", "decision", 200),
    Kept("The user's passport expires in March 2033", "when does the passport expire?", "fact", 3),
    Kept("用户的女儿叫小满", "女儿叫什么名字？", "fact", 15),
    Kept("The staging cluster runs in Frankfurt", "where is the staging cluster?", "fact", 40),
    Kept("用户的车牌号是沪A12345", "车牌号是多少？", "fact", 90),
    Kept("The user's blood type is B negative", "what blood type?", "fact", 120),
    Kept("公司的税号是91310000", "税号是多少？", "fact", 240),
)

PEOPLE = ("Mira", "Tom", "Priya", "Jonas", "老王", "小李")
PLACES = ("the harbour", "the old mill", "the library", "the market", "公司食堂", "西湖边")
SERVICES = ("billing", "login", "search", "export", "calendar", "mail")
THINGS = ("bicycle", "printer", "router", "kettle", "keyboard", "lamp", "camera", "heater")

ROUTINES = (
    ("The user went running by the river", "again", "before work", "in the rain"),
    ("The user watered the plants on the balcony", "again", "in the evening", "with Tom"),
    ("用户早上去游泳馆游泳", "了一次", "然后吃早饭", "很开心"),
)
"""What somebody does again and again, told a little differently."""


@dataclass(frozen=True, slots=True)
class Count:
    """What there is at the end of a day."""

    day: int
    written: int
    active: int
    cold: int
    archived: int
    kept: int


@dataclass(slots=True)
class ChatLife:
    """Lets days pass over a store. The clock must be that of ``memory``.

    Somebody who begins tells much: ``busy_writes`` a day for ``busy_days``, then ``usual_writes``.
    """

    memory: Hindsight
    clock: FrozenClock
    busy_days: int = 100
    busy_writes: int = 10
    usual_writes: int = 3
    seed: int = 7
    options: Options = UNASKED
    steps: Counter[str] = field(default_factory=Counter)
    written: int = 0
    _numbers: Iterator[int] = field(init=False)
    _chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311 - nobody is to guess wrong
        self._numbers = iter(range(100, 1_000_000))

    def live(self, days: int, *, every: int = 10, tell: Callable[[Count], object]) -> None:
        """Write, ask and use for so many days, with upkeep each night; ``tell`` every few days."""
        for day in range(days):
            self._live_a_day(day)
            if (day + 1) % every == 0:
                tell(self.count(day + 1))

    def all(self) -> list[Memory]:
        scope = Scope("default", None, None)
        parts = self.memory.memories.parts
        return parts.store.page(scope, EVERYTHING, before=None, limit=1_000_000)

    def count(self, day: int) -> Count:
        memories = self.all()
        tiers = Counter(memory.tier for memory in memories)
        contents = {each.content for each in memories if each.tier is Tier.ACTIVE}
        return Count(
            day=day,
            written=self.written,
            active=tiers[Tier.ACTIVE],
            cold=tiers[Tier.COLD],
            archived=tiers[Tier.ARCHIVED],
            kept=sum(each.content in contents for each in KEPT),
        )

    def _live_a_day(self, day: int) -> None:
        for each in KEPT:
            if each.told == day:
                self._write(each.content, memory_type=each.memory_type, source="user_explicit")
        for _ in range(self.busy_writes if day < self.busy_days else self.usual_writes):
            self._chance.choice(_EVERYDAY)(self)
        for _ in range(SEARCHES):
            self._ask(day)
        self.clock.advance(
            timedelta(days=1) - timedelta(seconds=self.clock.now().timestamp() % 86_400)
        )
        self.memory.memories.settle()
        report = maintain(self.memory.memories.parts, "default", options=self.options)
        self.steps.update(action.value for action in report.counts.elements())

    def _sleep(self) -> None:
        """Until midnight."""
        since_midnight = timedelta(seconds=self.clock.now().timestamp() % DAY.total_seconds())
        self.clock.advance(DAY - since_midnight)

    def _write(self, content: str, **given: Any) -> None:
        self.memory.write(content, **given)
        self.written += 1
        self.clock.advance(timedelta(minutes=10))

    def _ask(self, day: int) -> None:
        """About what matters, or about what happened lately."""
        known = [each.question for each in KEPT if each.is_asked and each.told <= day]
        recent = f"{self._chance.choice(PEOPLE)} {self._chance.choice(SERVICES)}"
        topic = self._chance.choice([known, [recent]] if known else [[recent]])
        found = self.memory.search(self._chance.choice(topic))
        if found.hits and self._chance.random() < USED:
            self.memory.feedback(found.recall_id, [found.hits[0].memory.id])

    def _meeting(self) -> None:
        person, place = self._chance.choice(PEOPLE), self._chance.choice(PLACES)
        content = f"The user met {person} at {place} and talked about plan {next(self._numbers)}"
        self._write(content, layer="episodic", memory_type="event")

    def _incident(self) -> None:
        service, number = self._chance.choice(SERVICES), next(self._numbers)
        content = self._chance.choice(
            (
                f"Ticket {number} about the {service} page was closed",
                f"修复了 {service} 服务的 {number} 号缺陷",
            )
        )
        self._write(content, layer="episodic", memory_type="event", source="tool_result")

    def _routine(self) -> None:
        plain, *more = self._chance.choice(ROUTINES)
        said = self._chance.choice((plain, *(f"{plain} {each}" for each in more)))
        at = self.clock.now()
        self._write(said, layer="episodic", memory_type="event", valid_from=at)

    def _guess(self) -> None:
        thing, number = self._chance.choice(THINGS), next(self._numbers)
        self._write(f"The {thing} with the number {number} may need a repair", memory_type="fact")

    def _task(self) -> None:
        due = self.clock.now() + timedelta(days=self._chance.randint(1, 20))
        content = f"Call {self._chance.choice(PEOPLE)} about invoice {next(self._numbers)}"
        self._write(content, memory_type="task", valid_to=due)

    def _feedback(self) -> None:
        content = (
            f"The answer about {self._chance.choice(THINGS)} {next(self._numbers)} was too long"
        )
        self._write(content, memory_type="feedback", source="user_explicit")

    def _note(self) -> None:
        content = f"Guest {next(self._numbers)} may use the side door today"
        self._write(content, memory_type="fact", scene="temporary")


_EVERYDAY: tuple[Callable[[ChatLife], None], ...] = (
    *[ChatLife._meeting] * 4,
    *[ChatLife._incident] * 4,
    *[ChatLife._routine] * 3,
    *[ChatLife._guess] * 2,
    ChatLife._task,
    ChatLife._feedback,
    ChatLife._note,
)
"""How often each happens, of sixteen times."""
