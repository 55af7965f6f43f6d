"""Texts to measure on: forty facts of our own in two languages, and labelled corpora if there.

The corpora lie beside the checkout, in ``../shared``; without them only our own facts are used.
"""

import importlib
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"


@dataclass(frozen=True, slots=True)
class Fact:
    """changed: of another value. absent: a question about the same thing that stays open."""

    statement: str
    paraphrase: str
    changed: str
    question: str
    absent: str


@cache
def labelled() -> Any | None:
    """The loader of the labelled corpora; None where they are missing."""
    if not (SHARED / "bench" / "labelled.py").exists():
        return None
    sys.path.append(str(SHARED / "bench"))
    return importlib.import_module("labelled")


def changed_pairs(language: str) -> list[tuple[str, str, str]]:
    """(old, new, label), label "supersedes" or "independent"; empty where they are missing."""
    path = SHARED / "data" / "pairs_supersession_en_zh.json"
    if not path.exists():
        return []
    rows = json.loads(path.read_text("utf-8"))
    return [(row["old"], row["new"], row["label"]) for row in rows if row["lang"] == language]


ENGLISH = (
    Fact(
        "The billing service listens on port 8000.",
        "Port 8000 is where the billing service listens.",
        "The billing service listens on port 9000.",
        "Which port does billing use?",
        "How much memory does billing need?",
    ),
    Fact(
        "Ann is allergic to peanuts.",
        "Ann has a peanut allergy.",
        "Ann is allergic to shellfish.",
        "What can Ann not eat?",
        "What is Ann's favourite colour?",
    ),
    Fact(
        "The user prefers answers in short bullet points.",
        "Short bullet points are how the user likes answers.",
        "The user prefers answers in long paragraphs.",
        "How should replies be formatted?",
        "Which editor does the user work in?",
    ),
    Fact(
        "The release is planned for 12 March.",
        "We plan to release on 12 March.",
        "The release is planned for 26 March.",
        "When does the new version come out?",
        "Who signs off the release?",
    ),
    Fact(
        "Tom moved from Leeds to Berlin last year.",
        "Last year Tom left Leeds and went to live in Berlin.",
        "Tom moved from Leeds to Madrid last year.",
        "Where does Tom live now?",
        "How old is Tom?",
    ),
    Fact(
        "Always run the linter before pushing a branch.",
        "The linter has to be run before a branch is pushed.",
        "Always run the benchmarks before pushing a branch.",
        "What must be done before a push?",
        "Who reviews pull requests?",
    ),
    Fact(
        "The staging database is backed up every night at 2.",
        "Each night at 2 the staging database gets backed up.",
        "The staging database is backed up every night at 5.",
        "When are the backups of staging made?",
        "Where is the staging cluster hosted?",
    ),
    Fact(
        "Maria plays the cello in a local orchestra.",
        "In a local orchestra Maria is a cellist.",
        "Maria plays the flute in a local orchestra.",
        "Which instrument does Maria play?",
        "Where did Maria go to school?",
    ),
    Fact(
        "Retrying the upload with a smaller chunk size fixed the timeout.",
        "The timeout went away once the upload was retried in smaller chunks.",
        "Retrying the upload with a longer deadline fixed the timeout.",
        "How was the upload timeout solved?",
        "How large may an uploaded file be?",
    ),
    Fact(
        "The customer pays with invoices due in 30 days.",
        "Invoices of the customer are due after 30 days.",
        "The customer pays with invoices due in 60 days.",
        "What are the payment terms of the customer?",
        "What is the customer's phone number?",
    ),
    Fact(
        "My daughter Lucy starts school in September.",
        "In September my daughter Lucy will start school.",
        "My daughter Lucy starts school in January.",
        "When does Lucy begin school?",
        "What is the name of Lucy's teacher?",
    ),
    Fact(
        "We chose PostgreSQL because the team already knows it.",
        "PostgreSQL was picked as the team is familiar with it.",
        "We chose MySQL because the team already knows it.",
        "Why did we decide on that database?",
        "What does the database licence cost?",
    ),
    Fact(
        "The office Wi-Fi was replaced in June.",
        "In June the office got new Wi-Fi.",
        "The office Wi-Fi was replaced in August.",
        "When did the office get new wireless?",
        "Who is the landlord of the office?",
    ),
    Fact(
        "Ben does not drink coffee any more.",
        "Ben has given up coffee.",
        "Ben does not drink alcohol any more.",
        "Does Ben drink coffee?",
        "What did Ben study?",
    ),
    Fact(
        "The search index is rebuilt by the nightly job.",
        "A nightly job rebuilds the search index.",
        "The search index is rebuilt by the hourly job.",
        "What rebuilds the index?",
        "How many documents are in the index?",
    ),
    Fact(
        "The flight to Lisbon leaves at 7:40 from gate B12.",
        "At 7:40 the plane for Lisbon departs from gate B12.",
        "The flight to Lisbon leaves at 9:15 from gate B12.",
        "What time is the flight to Lisbon?",
        "Which hotel is booked in Lisbon?",
    ),
    Fact(
        "Grandma's soup needs fresh dill and two potatoes.",
        "For grandma's soup you need two potatoes and fresh dill.",
        "Grandma's soup needs fresh dill and six potatoes.",
        "What goes into grandma's soup?",
        "When is grandma's birthday?",
    ),
    Fact(
        "The mobile app crashes when the phone is offline.",
        "When there is no connection the mobile app crashes.",
        "The mobile app crashes when the phone is charging.",
        "When does the app crash?",
        "Which languages does the app support?",
    ),
    Fact(
        "Henry is the on-call engineer this week.",
        "This week Henry is on call.",
        "Sophie is the on-call engineer this week.",
        "Who is on call?",
        "Where is the runbook kept?",
    ),
    Fact(
        "The garden gets too little rain for tomatoes.",
        "It rains too little in the garden for growing tomatoes.",
        "The garden gets too little rain for roses.",
        "Why do tomatoes not grow in the garden?",
        "What did the new fence cost?",
    ),
)

CHINESE = (
    Fact(
        "计费服务监听8000端口。",
        "8000端口由计费服务监听。",
        "计费服务监听9000端口。",
        "计费服务用哪个端口？",
        "计费服务需要多少内存？",
    ),
    Fact(
        "小安对花生过敏。",
        "花生会让小安过敏。",
        "小安对海鲜过敏。",
        "小安不能吃什么？",
        "小安喜欢什么颜色？",
    ),
    Fact(
        "用户喜欢简短的要点式回答。",
        "用户希望回答用简短要点。",
        "用户喜欢详细的长篇回答。",
        "回复应该用什么格式？",
        "用户平时用什么编辑器？",
    ),
    Fact(
        "新版本定于3月12日发布。",
        "我们计划在3月12日发布新版本。",
        "新版本定于3月26日发布。",
        "新版本什么时候上线？",
        "发布由谁批准？",
    ),
    Fact(
        "老汤去年从长沙搬到了成都。",
        "去年老汤离开长沙，搬去成都住了。",
        "老汤去年从长沙搬到了厦门。",
        "老汤现在住在哪里？",
        "老汤今年多大了？",
    ),
    Fact(
        "推送分支之前一定要运行代码检查。",
        "代码检查必须在推送分支前跑一遍。",
        "推送分支之前一定要运行性能测试。",
        "推送前要做什么？",
        "谁负责审查合并请求？",
    ),
    Fact(
        "测试数据库每天凌晨两点备份。",
        "每天凌晨两点会备份测试数据库。",
        "测试数据库每天凌晨五点备份。",
        "测试库什么时候备份？",
        "测试集群部署在哪里？",
    ),
    Fact(
        "小玛在本地乐团拉大提琴。",
        "小玛是本地乐团的大提琴手。",
        "小玛在本地乐团吹长笛。",
        "小玛会什么乐器？",
        "小玛在哪里上的学？",
    ),
    Fact(
        "把上传的分块改小以后就不再超时了。",
        "上传分块调小之后，超时的问题解决了。",
        "把上传的时限延长以后就不再超时了。",
        "上传超时是怎么解决的？",
        "最大可以上传多大的文件？",
    ),
    Fact(
        "这个客户的账期是三十天。",
        "这个客户三十天内付款。",
        "这个客户的账期是六十天。",
        "客户的付款条件是什么？",
        "客户的电话号码是多少？",
    ),
    Fact(
        "我女儿露露九月份开始上学。",
        "九月份我的女儿露露就要上学了。",
        "我女儿露露一月份开始上学。",
        "露露什么时候入学？",
        "露露的老师叫什么名字？",
    ),
    Fact(
        "我们选择了PostgreSQL，因为团队已经熟悉它。",
        "因为团队熟悉，所以数据库选了PostgreSQL。",
        "我们选择了MySQL，因为团队已经熟悉它。",
        "当初为什么选这个数据库？",
        "数据库授权要花多少钱？",
    ),
    Fact(
        "办公室的无线网络在六月换过。",
        "六月份办公室换了新的无线网络。",
        "办公室的无线网络在八月换过。",
        "办公室什么时候换的网络？",
        "办公室的房东是谁？",
    ),
    Fact(
        "阿斌已经不喝咖啡了。",
        "阿斌戒掉了咖啡。",
        "阿斌已经不喝酒了。",
        "阿斌还喝咖啡吗？",
        "阿斌大学学的是什么专业？",
    ),
    Fact(
        "搜索索引由每晚的任务重建。",
        "每晚有一个任务会重建搜索索引。",
        "搜索索引由每小时的任务重建。",
        "索引是靠什么重建的？",
        "索引里有多少篇文档？",
    ),
    Fact(
        "去昆明的航班七点四十从B12登机口起飞。",
        "七点四十在B12登机口乘坐去昆明的飞机。",
        "去昆明的航班九点一刻从B12登机口起飞。",
        "去昆明的飞机几点起飞？",
        "在昆明订了哪家酒店？",
    ),
    Fact(
        "外婆的汤要放新鲜莳萝和两个土豆。",
        "做外婆的汤需要两个土豆和新鲜莳萝。",
        "外婆的汤要放新鲜莳萝和六个土豆。",
        "外婆的汤里放什么？",
        "外婆的生日是哪天？",
    ),
    Fact(
        "手机断网时应用会崩溃。",
        "没有网络的时候手机应用会崩。",
        "手机充电时应用会崩溃。",
        "应用在什么情况下崩溃？",
        "应用支持哪些语言？",
    ),
    Fact(
        "这周由老亨值班。",
        "老亨是本周的值班工程师。",
        "这周由小苏值班。",
        "现在谁在值班？",
        "运维手册放在哪里？",
    ),
    Fact(
        "花园里雨水太少，种不了番茄。",
        "因为雨太少，花园里不能种番茄。",
        "花园里雨水太少，种不了玫瑰。",
        "花园里为什么种不了番茄？",
        "新篱笆花了多少钱？",
    ),
)

FACTS = {"en": ENGLISH, "zh": CHINESE}
"""Rows of equal number say the same, but for names and places."""
