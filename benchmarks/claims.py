"""Claims that need no labelled data: what must stay apart, and what must come first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

from common import Cell, Goal, Report, opened, watched
from hindsight_memory import Hindsight

FACTS = 1000
SYLLABLES = """
ka lo mi ren dor vex tal qui sor ban pel gru nim zet har fol wex jun tor bis
"""
TOPICS = """
订单 支付 库存 物流 用户 消息 推荐 搜索 评论 优惠 发票 会员 积分 售后 客服 报表 日志 监控 网关 认证
"""
TASKS = "同步 查询 归档 校验 分发 汇总 计算 缓存 调度 通知"
UNITS = "甲乙丙丁戊"

ALLERGY = "用户对花生过敏"
COOKING = ("今晚吃什么？", "what should I cook tonight")
MIXED = Path(__file__).with_name("mixed_memories.txt")

TRAPS: tuple[tuple[str, str, str, str], ...] = (
    ("two nouns", "配置数据库", "配置日志", "stored"),
    ("one port, two services", "The auth service listens on port 8080",
     "The billing service listens on port 8080", "stored"),
    ("一个端口，两个服务", "认证服务监听端口8080", "计费服务监听端口8080", "stored"),
    ("another port", "The search service listens on port 8000",
     "The search service listens on port 9000", "superseded"),
    ("two people", "Anna is allergic to peanuts", "Anne is allergic to peanuts", "stored"),
    ("negation", "用户喜欢吃辣", "用户不喜欢吃辣", "superseded"),
    ("another date", "The release is on 3 May", "The release is on 13 May", "superseded"),
    ("the same again", "CI needs Node 20", "CI needs Node 20.", "merged"),
)  # fmt: skip
"""Name, a memory, a second one, and what becomes of the second."""


@dataclass(frozen=True, slots=True)
class Fact:
    statement: str
    question: str


def english() -> list[Fact]:
    """``FACTS`` statements of one template about distinct made-up names."""
    # Every seventh of 8,000 names: neighbours differ by more than their last syllable.
    names = map("".join, product(SYLLABLES.split(), repeat=3))
    return [
        Fact(
            f"The {name} service listens on port {10_000 + 7 * number}",
            f"Which port does the {name} service listen on?",
        )
        for number, name in enumerate(map(str.capitalize, islice(names, 0, 7 * FACTS, 7)))
    ]


def chinese() -> list[Fact]:
    names = map("".join, product(TOPICS.split(), TASKS.split(), UNITS))
    return [
        Fact(f"{name}服务监听端口{10_000 + 7 * number}", f"{name}服务监听哪个端口？")
        for number, name in enumerate(islice(names, FACTS))
    ]


def templates(report: Report, vectors: Path) -> None:
    """All are kept apart, and each is found first by its own question."""
    rows: list[dict[str, Cell]] = []
    for language, facts in (("English", english()), ("Chinese", chinese())):
        with (
            TemporaryDirectory() as folder,
            opened(Path(folder, "m.db"), vectors=vectors) as memory,
        ):
            kept = [memory.write(each.statement) for each in watched(facts, f"{language} facts")]
            ids = [None if each.memory is None else each.memory.id for each in kept]
            first = [_first(memory, each) for each in watched(facts, f"{language} questions")]
        stored = len(set(ids) - {None})
        found = sum(a == b for a, b in zip(ids, first, strict=True))
        rows.append({"template": language, "facts": FACTS, "kept": stored, "first": found})
        report.goals.append(Goal(f"{language} facts of one template kept", stored, least=FACTS))
        report.goals.append(Goal(f"{language} facts found first", found, least=FACTS))
    report.table("Facts of one template", rows)


def traps(report: Report, vectors: Path) -> None:
    """What is nearly the same, and is not."""
    rows: list[dict[str, Cell]] = []
    for number, (name, one, other, wanted) in enumerate(TRAPS):
        with (
            TemporaryDirectory() as folder,
            opened(Path(folder, "m.db"), vectors=vectors) as memory,
        ):
            memory.write(one, user_id=str(number))
            second = memory.write(other, user_id=str(number))
        rows.append(
            {
                "trap": name,
                "first": one,
                "second": other,
                "wanted": wanted,
                "outcome": second.outcome.value,
            }
        )
    met = sum(row["wanted"] == row["outcome"] for row in rows)
    report.table("Traps", rows)
    report.goals.append(Goal("traps passed", met, least=len(TRAPS)))


def projects(report: Report, vectors: Path) -> None:
    """One user, two projects: each sees its own, and both what belongs to none."""
    with TemporaryDirectory() as folder, opened(Path(folder, "m.db"), vectors=vectors) as memory:
        memory.write("Use pnpm", project="shop")
        memory.write("Use npm with a lock file", project="blog")
        memory.write("The user writes commit messages in English")
        rows: list[dict[str, Cell]] = [
            {"project": project, "found": " · ".join(_contents(memory, project))}
            for project in ("shop", "blog")
        ]
    report.table('"which package manager?" in two projects', rows)
    apart = "pnpm" not in str(rows[1]["found"]) and "lock" not in str(rows[0]["found"])
    both = all("English" in str(row["found"]) for row in rows)
    report.goals.append(Goal("projects apart, the person's own in both", apart and both, least=1))


def distillation(report: Report, vectors: Path) -> None:
    """A question about dinner finds the allergy among fifty memories of everything."""
    rows: list[dict[str, Cell]] = []
    with TemporaryDirectory() as folder, opened(Path(folder, "m.db"), vectors=vectors) as memory:
        others = MIXED.read_text("utf-8").splitlines()
        half = len(others) // 2
        for content in (*others[:half], ALLERGY, *others[half:]):
            memory.write(content, source="user_explicit")
        for question in COOKING:
            hits = memory.search(question, top_k=50).hits
            found = [hit.memory.content for hit in hits]
            rank = found.index(ALLERGY) + 1 if ALLERGY in found else None
            rows.append({"question": question, "rank": rank, "first": " · ".join(found[:3])})
            report.goals.append(Goal(f"rank of the allergy: {question}", rank or 99, most=3))
    report.table(f"{ALLERGY} among {len(others) + 1} memories", rows)


PARTS: dict[str, Callable[[Report, Path], None]] = {
    "templates": templates,
    "traps": traps,
    "projects": projects,
    "distillation": distillation,
}


def _first(memory: Hindsight, fact: Fact) -> str | None:
    hits = memory.search(fact.question, top_k=5).hits
    return hits[0].memory.id if hits else None


def _contents(memory: Hindsight, project: str) -> Sequence[str]:
    hits = memory.search("which package manager?", project=project, top_k=10).hits
    return [hit.memory.content for hit in hits]
