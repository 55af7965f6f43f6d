"""Which attributes there are, how they are called in both languages, and how many values each has.

A new attribute, or a new name of one, goes into the table: "arity attribute shape: nouns". ONE:
another value replaces the first. CHANGE: several can hold, so another replaces the first only
when it is said as a change ("switched to", 改用). MANY: another is one more, and only what ends or
denies the same value retires it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core.conflict.vocabulary import entries, word_set


class Arity(StrEnum):
    ONE = "one"
    CHANGE = "change"
    MANY = "many"


class Shape(StrEnum):
    """What a value has to look like to contradict another: a name, an amount, or anything."""

    NAME = "name"
    AMOUNT = "amount"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """nouns: what it is called, in both languages; a phrase that names it ends in one of them."""

    name: str
    arity: Arity = Arity.ONE
    shape: Shape = Shape.ANY
    nouns: frozenset[str] = frozenset()

    @property
    def is_single_valued(self) -> bool:
        return self.arity is Arity.ONE


_TABLE = """
one residence: residence home_address home 住址 住处 居住地 现居地 常住地 家庭住址
one hometown: hometown 家乡 籍贯
one location: location place venue address headquarters 地点 位置 所在地 总部 地址 会场
one employer: employer company workplace 工作单位 单位 雇主 公司 东家
one job: job occupation profession job_title title 职业 职位 岗位 职务 头衔 职称
one team: team department 团队 部门 小组
one name name: name 名字 姓名 名称
one full_name name: full_name 全名 大名
one nickname name: nickname alias 昵称 外号 绰号 小名
one username name: username handle login 用户名 账号名
one email name: email email_address mailbox 邮箱 电子邮箱 邮箱地址 电子邮件
one phone amount:
    phone phone_number telephone telephone_number 电话 电话号码
one mobile amount: mobile mobile_number mobile_phone cell_number 手机 手机号 手机号码
one extension amount: extension 分机 分机号
one port amount: port port_number 端口
one version amount: version release 版本
one branch: branch 分支
one host name: host hostname 主机 主机名 服务器地址
one server name: server
one ip name: ip ip_address
one url name: url uri 网址 链接
one endpoint name: endpoint 端点
one domain name: domain domain_name 域名
one password name: password passphrase 密码
one region name: region availability_zone data_center 区域 机房 可用区
one timezone: timezone time_zone 时区
one locale: locale 语言环境
one mother_tongue: mother_tongue native_language first_language main_language 母语
one official_language: official_language 官方语言
one reply_language: reply_language response_language answer_language 回答语言 回复语言
one diet: diet dietary_preference eating_habit 饮食 饮食习惯 饮食偏好 饮食方式
one theme: theme color_scheme colour_scheme mode appearance 主题 配色 外观 配色方案
one indentation: indentation indent indent_style 缩进 缩进方式
one quotes: quote_style 引号
one naming: naming_convention naming_style 命名风格 命名规范 命名方式
one marital_status: marital_status relationship_status 婚姻状况 婚姻状态 感情状况
one spouse name:
    wife husband spouse partner 妻子 丈夫 老婆 老公 配偶 爱人 太太 女朋友 男朋友 女友 男友 对象
one personality: personality temperament 性格 个性
one work_mode: work_mode working_arrangement work_arrangement 办公方式 工作方式
one seat: workspace desk seat 工位 座位
one office: office 办公室
one room: room 房间
one manager name:
    manager boss supervisor line_manager 上司 主管 直属领导 领导 老板 直属上级 上级 经理
one owner name:
    owner person_in_charge assignee responsibility ownership 负责人 所有者
one lead name: lead leader head leadership 牵头人
one maintainer name: maintainer 维护者
one administrator name: administrator admin 管理员
one contact name: contact contact_person 接口人 对接人 联系人
one ceo name: ceo chief_executive_officer chief_executive 首席执行官 总裁
one chair name: chair chairperson chairman chairwoman 主席 董事长 会长
one president name: president 总统
one principal name: 校长 院长
one coach name: coach trainer 教练
one doctor name: doctor physician 主治医生 医生
one dentist name: dentist 牙医
one therapist name: therapist
one author name: author writer creator 作者
one capital name: capital capital_city 首都 省会
one deadline: deadline due_date cutoff 截止日期 截止时间 期限 截止日 交付日期 最后期限
one status: status state 状态 进度
one schedule: schedule time start_time date day slot 时间 日期 日程 时段
one hours: opening_hours business_hours office_hours hours 营业时间 办公时间 开放时间
one birthday: birthday birthdate date_of_birth 生日 出生日期
one age amount: age 年龄 岁数
one height amount: height 身高
one weight amount: weight 体重
one price: price 价格 单价 报价
one cost: cost 成本
one fee: fee 费用
one rate: rate 费率
one rent: rent 租金 房租
one salary amount: salary wage pay 工资 薪资 月薪 年薪 薪水
one budget amount: budget 预算
one count amount: count number headcount quantity 数量 人数 个数
one timeout amount: timeout 超时 超时时间
one ttl amount: ttl 有效期
one limit amount: limit maximum 上限
one minimum amount: minimum 下限
one threshold amount: threshold 阈值
one quota amount: quota 配额
one size amount: size 大小
one capacity amount: capacity 容量
one length amount: length 长度
one line_length amount: line_length 行宽
one width amount: width 宽度
one interval: interval period frequency cadence 间隔 周期 频率
one score amount: score 分数 成绩
one grade: grade
one rating amount: rating 评分
one level amount: level 等级
one plan: plan tier subscription subscription_plan 套餐 订阅 会员等级
change payment_method: payment_method payment 支付方式 付款方式
one channel: channel notification_channel 频道 渠道 通知渠道
one kind: type kind genre type_of_music 类型 种类
one religion name: religion faith 信仰 宗教
one party name: political_party party political_affiliation 党派 政党
one citizenship name: citizenship nationality country_of_citizenship 国籍
one sport: sport
one color: color 颜色
one cause: cause root_cause culprit root_of_the_problem 原因 根因 起因 病因 根本原因
one conclusion: conclusion verdict diagnosis 结论 诊断
change database: database db data_store 数据库
change editor: editor ide code_editor 编辑器
change browser: browser 浏览器
change os: os operating_system 操作系统
change shell: shell terminal
change package_manager: package_manager 包管理器
change programming_language: programming_language 编程语言 开发语言
change framework: framework web_framework 框架
change cloud: cloud cloud_provider hosting_provider 云厂商 云服务 云服务商
change chat: chat_tool messenger 聊天工具 沟通工具
change vehicle: car vehicle truck bike motorcycle 座驾
one household:
one shift:
change commute:
one platform:
change beverage:
one chronotype:
change volunteering:
change tool: tool
many language: language 语言
many liking: interest hobby 爱好 兴趣 喜好
many doing:
many membership:
many allergy: allergy 过敏原
many condition:
many fear: fear phobia 恐惧
many pet: pet 宠物
many child:
many skill: skill strength 技能 特长 强项
many licence: licence license certificate certification degree 驾照 执照 证书 学位
many kin:
    friend child son daughter brother sister sibling cousin uncle aunt niece nephew relative
    colleague coworker teammate classmate neighbor neighbour member student client customer 朋友
    孩子 儿子 女儿 哥哥 姐姐 弟弟 妹妹 兄弟 姐妹 同事 同学 亲戚 成员 学生 客户 邻居 队友
many aspect:
    goal issue problem bug reason feature advantage disadvantage weakness symptom part example
    use case idea benefit risk step rule requirement reference key token code secret record note
    task todo item choice option result purchase order trip visit meeting project product story
    book movie film song photo comment question answer concern view opinion tip plan_b 目标 问题
    功能 优点 缺点 症状 部分 例子 想法 好处 风险 步骤 规则 要求 密钥 令牌 验证码 记录 任务 选择
    结果 订单 项目 产品 意见 看法 建议 特点 优势 劣势 秘钥 会话
"""


def _attributes() -> Iterator[Attribute]:
    for head, nouns in entries(_TABLE):
        arity, name, *shape = head.split()
        yield Attribute(
            name=name.replace("_", " "),
            arity=Arity(arity),
            shape=Shape(shape[0]) if shape else Shape.ANY,
            nouns=word_set(nouns),
        )


BY_NAME: Mapping[str, Attribute] = MappingProxyType({row.name: row for row in _attributes()})
OTHER = Attribute(name="", shape=Shape.NAME)
"""What a noun without a row stands for: one value at a time, told from others by its name."""

_NOUNS = {noun: row for row in BY_NAME.values() for noun in row.nouns}
CHINESE_NOUN = "|".join(
    sorted((noun for noun in _NOUNS if not noun.isascii()), key=len, reverse=True)
)
CURRENT = word_set("current new latest present temporary actual now today")
"""Say of a value when it holds, and name no other attribute."""
_CURRENT_CHINESE = re.compile("^(?:当前|目前|最新|现在|新|临时)的?")
SINGULAR = word_set("favorite primary main first default preferred native official")
"""With one of these, what has many values otherwise has one."""
_GATHERED = frozenset({"aspect", "kin", "licence"})
"""Rows whose nouns name different things: a favorite book is not a favorite film."""
_BRITISH = {"favourite": "favorite", "colour": "color", "licence": "license"}

ANYBODY = "*"
"""The subject of what ends a value, whoever has it: "Rex died"."""
ANY, ANY_POST, ANY_HABIT, ANY_THING = "*", "* post", "* habit", "* thing"
"""Attributes of what ends a value, whatever it is a value of: "cancelled X", "left X", "gave up X",
"sold X". Giving up nuts ends no allergy to them."""
_POSTS = word_set("employer job commute team membership party school volunteering is residence")
_HABITS = word_set(
    "liking job beverage tool database editor browser os shell chat framework cloud"
    " package_manager programming_language diet is volunteering skill language payment_method"
    " do_use"
)
_THINGS = word_set("pet vehicle do_have do_keep do_rent do_raise")
_OTHERS = word_set("licence plan condition do_subscribe_to")


def ends(attribute: str, ended: str) -> bool:
    """Whether the end of anything (one of the ANY names) can be the end of a value of another."""
    is_done = attribute.startswith("do ")
    match ended:
        case "* post":
            return attribute in _POSTS or (is_done and attribute not in _THINGS)
        case "* habit":
            return attribute in _HABITS or (is_done and attribute not in _THINGS)
        case "* thing":
            return attribute in _THINGS
        case _:
            return is_done or attribute in _POSTS | _HABITS | _THINGS | _OTHERS


def row_of(attribute: str) -> Attribute:
    """The row of an attribute, also of a qualified one (backup email); OTHER without one."""
    name = attribute
    while name not in BY_NAME and " " in name:
        name = name.partition(" ")[2]
    return BY_NAME.get(name, OTHER)


ACTIVITIES = frozenset({"liking", "doing", "skill"})
"""Ending the one ends the others: who gave up coffee neither drinks it nor likes to."""


def english_attribute(words: list[str]) -> tuple[str, Attribute]:
    """The name of the attribute that a noun phrase names, and its row.

    What comes before the noun stays in the name (backup email), unless it says only when it holds.
    """
    kept = [_BRITISH.get(word, word) for word in words if word not in CURRENT]
    for length in (3, 2, 1):
        if (row := _NOUNS.get(" ".join(kept[-length:]))) and len(kept) >= length:
            return _qualified(" ".join(kept[:-length]), " ".join(kept[-length:]), row)
    if kept and (row := _NOUNS.get(kept[-1].removesuffix("s"))):
        return kept[-1], BY_NAME["aspect"] if row.is_single_valued else row
    if kept[-1:] and kept[-1].endswith("s") and not kept[-1].endswith(("ss", "us", "is")):
        return " ".join(kept), BY_NAME["aspect"]
    return " ".join(kept), OTHER


def _qualified(before: str, noun: str, row: Attribute) -> tuple[str, Attribute]:
    name = noun if row.name in _GATHERED else row.name
    if not before:
        return name, row
    only = before.partition(" ")[0] in SINGULAR
    return f"{before} {name}", Attribute(name=name, shape=row.shape) if only else row


def chinese_attribute(noun: str) -> tuple[str, Attribute] | None:
    """The same for a Chinese noun; None when it ends in no known one."""
    noun = _CURRENT_CHINESE.sub("", noun)
    for start in range(len(noun)):
        if row := _NOUNS.get(noun[start:]):
            name = noun[start:] if row.name in _GATHERED else row.name
            return (f"{noun[:start]} {name}" if start else name), row
    return None
