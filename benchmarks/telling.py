"""What is shown for a task, unasked: ``python benchmarks/telling.py``; ten seconds.

40 tasks in two languages over the memories of ``mixed_memories.txt`` and some more, labelled by
hand. The thresholds of ``core.relevant`` were chosen with these tasks in view.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from common import Cell, Goal, Report, arguments, watched
from hindsight_memory import logs
from hindsight_memory.interfaces.library import Hindsight

MEMORIES = Path(__file__).with_name("mixed_memories.txt")
MORE = (
    "用户对花生过敏",
    "read_csv with encoding=utf-8 failed on the supplier files; gbk worked",
    "We decided to use SQLite because there is no server to run",
    "发布前必须跑一遍回归测试",
    "The user's sister likes ceramics",
    "客户的数据不能放到公有云",
)

ALWAYS = frozenset({"用户偏好用中文交流", "The user wants short answers with sources"})
"""Shown for every task, because it is about how to speak with the user."""

TASKS = """
Plan dinner with the user tonight = 花生 | 川菜
今晚吃什么 = 花生 | 川菜 | ?咖啡
推荐一家餐厅 = 花生 | 川菜
Deploy the shop to production = Production deploys | 回归测试 | ?pnpm
发布新版本 = Production deploys | 回归测试
修复登录页面的 bug = ?Always run
Write a function that reverses a list = ?Always run
帮我订下周去成都的机票 = 成都出差 | window seats
Book a flight to Berlin = window seats | ?成都
Upgrade the CI pipeline = CI needs
Refactor the payment module = ?billing service | ?Always run
写季度报告 = 季度报告 | ?周报 | ?表格
Fix the flaky test in cart = ?Always run
What is 2+2? =
给我妹妹买生日礼物 = sister | ?生日
Install dependencies in the shop repository = pnpm | ?Node 20
Set up a new repository with npm = pnpm
Connect to the staging database = PostgreSQL 16
连接测试环境的数据库 = PostgreSQL 16
你好 =
帮我写一首诗 =
Schedule a meeting on Saturday = 周末开会 | ?bank
安排周六的评审会议 = 周末开会 | 两个人通过
总结这份文档 = ?表格
翻译这段话成英文 =
Import the supplier CSV files = gbk
导入供应商的 CSV 文件 = gbk
Add logging to the worker = structlog | ?Logs are kept
给服务加日志 = structlog | ?Logs are kept
Which database should we use for the new tool? = SQLite | ?PostgreSQL
迁移数据库 = 先做备份 | ?PostgreSQL 16 | ?SQLite
Commit the change and open a pull request = Always run | 两个人通过
提交代码 = Always run | 两个人通过
把客户数据上传到 S3 = 公有云
Configure the editor theme = dark mode | ?Helix
Send the weekly report = 周报 | ?季度报告
Write error messages for the form = 错误信息
Toggle a feature flag = Feature flags
Retry logic for the billing service = billing service
Plan a weekend trip = hiking | ?成都
"""
"""A task, and words of the memories that are wanted for it; with ``?`` those that do no harm."""


def tasks() -> Iterator[tuple[str, list[str]]]:
    for line in TASKS.strip().splitlines():
        task, wanted = line.split(" =")
        yield task.strip(), [each.strip() for each in wanted.split("|") if each.strip()]


def shown(memory: Hindsight, task: str) -> list[str]:
    contents = [memory.show(each).content for each in memory.context(task).memory_ids]
    return [each for each in contents if each not in ALWAYS]


def judged(told: list[str], wanted: list[str]) -> Mapping[str, int]:
    needed = [each for each in wanted if not each.startswith("?")]
    found = [each for each in needed if any(each in content for content in told)]
    stray = [c for c in told if not any(each.lstrip("?") in c for each in wanted)]
    return {
        "wanted": len(needed),
        "shown": len(told),
        "found": len(found),
        "stray": len(stray),
        "silent": not told,
    }


def main() -> int:
    given = arguments(__doc__ or "", ()).parse_args()
    logs.configure("error")
    report = Report()
    counts = list[Mapping[str, int]]()
    with (
        tempfile.TemporaryDirectory() as folder,
        Hindsight.open(f"sqlite:///{folder}/memory.db") as memory,
    ):
        for content in (*MEMORIES.read_text("utf-8").splitlines(), *MORE):
            memory.write(content, source="user_explicit")
        for task, wanted in watched(list(tasks()), "tasks"):
            counts.append(judged(shown(memory, task), wanted))
    total: dict[str, Cell] = {name: sum(each[name] for each in counts) for name in counts[0]}
    report.table("What 40 tasks are shown", [total])
    found = sum(each["found"] for each in counts) / sum(each["wanted"] for each in counts)
    stray = sum(each["stray"] for each in counts) / len(counts)
    report.goals += [
        Goal("wanted memories that are shown, share", found, least=0.8),
        Goal("stray memories a task", stray, most=1.0),
    ]
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
