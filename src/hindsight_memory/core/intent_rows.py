"""The kinds of open question that ``distil`` knows: one row each, English and Chinese.

A new kind is a row of ``INTENTS``, or of a longer tuple passed to ``distil``.
"""

from dataclasses import dataclass

from hindsight_memory.core.policy import MemoryType

PREFERENCE, FACT, TASK = MemoryType.PREFERENCE, MemoryType.FACT, MemoryType.TASK
DECISION, FEEDBACK = MemoryType.DECISION, MemoryType.FEEDBACK
LESSON, EVENT = MemoryType.LESSON, MemoryType.EVENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One kind of open question. Patterns and words meet folded text.

    cues: patterns of questions of this kind (吃什么, "what's for dinner").
    subjects: words that make any open question ("what should I", 推荐, 帮我) one of this kind.
    memory_types, topics: of the memories that answer it, their types and words in them.
    """

    name: str
    memory_types: frozenset[MemoryType]
    topics: tuple[str, ...]
    cues: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()


def lines(text: str) -> tuple[str, ...]:
    """One pattern a line, without its indentation."""
    return tuple(line.strip() for line in text.strip().splitlines())


def _words(text: str) -> tuple[str, ...]:
    """Separated by white space; an underscore is a space within one."""
    return tuple(word.replace("_", " ") for word in text.split())


_BROKEN_ZH = (
    "(?:报错|出错|崩溃|崩了|闪退|超时|打不开|连不上|跑不起来|起不来|启动不了|"
    "不工作|没反应|卡住|挂了|bug)"
)
_FAILS = r"\b(?:fail|error|crash|broken|break|not work|work|hang|stuck|slow|start|time ?out)"

INTENTS: tuple[Intent, ...] = (
    Intent(
        name="eating",
        memory_types=frozenset({PREFERENCE, FACT, LESSON}),
        cues=lines(
            r"""
            (?:吃|喝|煮|烧|炒)(?:点|些|个)?(?:什么|啥|哪)(?!时候)
            (?:做|点)(?:点|些|个)?(?:什么|啥)(?:菜|饭|好吃|吃|外卖)
            点外卖|吃(?:饭|火锅|烧烤|日料)吗|(?:早|午|晚|夜)[饭餐宵].{0,4}(?:什么|啥|怎么|哪)
            what(?:'s| is) for (?:breakfast|lunch|dinner|supper)|i(?:'m| am) (?:hungry|starving)
            饿了
            """
        ),
        subjects=_words(
            """
            cook eat dinner lunch breakfast supper brunch meal recipe dish restaurant snack food
            menu takeaway takeout drink barbecue
            吃 饭 菜 餐 外卖 食谱 菜谱 火锅 零食 夜宵 早饭 晚饭 聚餐 餐厅 饭店 饮料 奶茶 咖啡
            """
        ),
        topics=_words(
            """
            allergy allergic intolerant intolerance vegetarian vegan diet halal kosher gluten
            lactose dairy nut peanut seafood shellfish spicy sweet sugar salt meat pork beef fish
            egg food eat cook taste flavor flavour dish restaurant cuisine drink alcohol coffee
            tea
            过敏 忌口 素食 吃素 清真 辣 不吃 不喝 爱吃 喜欢吃 乳糖 麸质 海鲜 花生 坚果 口味 清淡
            牛奶 猪肉 牛肉 鸡蛋 香菜 吃 饮食 减肥 糖尿病 痛风 餐厅 禁忌 忌食 甜食 无糖 少糖 少盐
            少油 吃鱼 喝酒 酒精 啤酒 红酒 喝茶 菜
            """
        ),
    ),
    Intent(
        name="travel",
        memory_types=frozenset({PREFERENCE, FACT, LESSON, EVENT}),
        cues=lines(
            r"""
            去哪(?:里|儿)?(?:玩|旅游|旅行|度假|好)
            where (?:should|shall|can|could) (?:i|we) (?:go|travel|stay|fly)
            """
        ),
        subjects=_words(
            """
            travel trip vacation holiday flight hotel itinerary visit tour airbnb hostel
            sightseeing
            旅游 旅行 出游 度假 行程 攻略 机票 酒店 民宿 景点 订票 出差 自驾 签证
            """
        ),
        topics=_words(
            """
            travel trip flight fly hotel seat window aisle airline train passport visa budget
            beach mountain museum hiking motion_sickness afraid_of_flying altitude airport
            vacation
            旅游 旅行 飞机 航班 酒店 座位 靠窗 靠过道 高铁 火车 护照 签证 预算 海边 爬山 博物馆
            晕车 晕船 恐高 高原 民宿 出差 城市 景点 自驾
            """
        ),
    ),
    Intent(
        name="gift",
        memory_types=frozenset({PREFERENCE, FACT, EVENT}),
        cues=lines(
            r"""
            送(?:点|些|个|他|她|给)?.{0,6}(?:什么|啥)(?:礼物|好|东西)?|(?:什么|啥)礼物
            """
        ),
        subjects=_words(
            """
            gift present birthday anniversary
            礼物 礼品 送礼 生日 纪念日 伴手礼
            """
        ),
        topics=_words(
            """
            gift present birthday anniversary wedding hobby favorite favourite likes love collect
            color colour size budget wish
            礼物 生日 纪念日 爱好 喜欢 收藏 颜色 尺码 预算 想要 心愿
            """
        ),
    ),
    Intent(
        name="health",
        memory_types=frozenset({PREFERENCE, FACT, LESSON}),
        cues=lines(
            r"""
            (?:怎么|如何|该怎么)(?:减肥|健身|锻炼|训练|睡得|调理)|(?:做|练)什么(?:运动|训练)
            (?:头疼|头痛|感冒|发烧|失眠|胃痛|牙疼|咳嗽|腰疼).{0,4}(?:怎么办|吃什么药|怎么缓解)
            """
        ),
        subjects=_words(
            """
            exercise workout gym run jog yoga diet sleep medicine doctor headache weight muscle
            stretch fitness
            运动 健身 锻炼 跑步 瑜伽 减肥 减脂 睡眠 失眠 吃药 看病 体检 医生
            """
        ),
        topics=_words(
            """
            injury injured pain knee asthma diabetes blood_pressure heart allergy allergic
            medication medicine pregnant surgery exercise workout gym run swim yoga weight sleep
            doctor health back_pain bad_back
            受伤 膝盖 哮喘 糖尿病 血压 心脏 过敏 怀孕 手术 运动 健身 跑步 游泳 瑜伽 体重 睡眠 失眠
            医生 健康 体检 腰疼 腰伤 吃药 药物 用药
            """
        ),
    ),
    Intent(
        name="scheduling",
        memory_types=frozenset({PREFERENCE, FACT, TASK, DECISION}),
        cues=lines(
            r"""
            (?:什么时候|几点|哪天).{0,6}(?:开会|约|见面|方便|合适|有空)
            (?:when|what time|which day) (?:is good|works|suits|would work|should (?:i|we) meet)
            """
        ),
        subjects=_words(
            """
            schedule meeting appointment calendar reschedule invite call meet deadline agenda
            开会 会议 日程 约 预约 排期 日历 改期 例会 面试 提醒
            """
        ),
        topics=_words(
            """
            meeting calendar schedule available availability busy free morning afternoon evening
            time_zone timezone working_hours office deadline weekday weekend appointment standup
            会议 开会 日程 有空 没空 上午 下午 晚上 早上 时区 工作时间 下班 上班 截止 周末 例会
            预约 很忙
            """
        ),
    ),
    Intent(
        name="coding",
        memory_types=frozenset({PREFERENCE, FACT, DECISION, LESSON}),
        cues=lines(
            r"""
            用(?:什么|哪个|哪种|哪款)(?:库|框架|数据库|工具|包|版本|技术栈|语言(?:写|开发|实现))
            (?:怎么|如何)(?:命名|提交|写测试|跑测试)
            写(?:一?个|一段|段)?.{0,8}(?:代码|脚本|函数|接口|程序|单测)
            (?:which|what) (?:library|framework|database|package|tool) (?:should|to|for)\b
            (?:which|what) programming language (?:should|to|for)\b
            """
        ),
        subjects=_words(
            """
            code function script library framework refactor implement commit branch api class
            module program test variable change pull_request lint package sql regex endpoint
            database
            代码 脚本 函数 接口 重构 实现 提交 分支 单元测试 测试用例 框架 程序 编程 数据库
            代码风格 评审
            """
        ),
        topics=_words(
            """
            code style convention naming indent tab language python typescript javascript java
            rust library framework package pnpm npm pip uv test pytest lint format commit branch
            review type_hint comment docstring api database version dependency golang
            代码 风格 规范 命名 缩进 注释 语言 框架 测试 提交 分支 评审 接口 数据库 版本 依赖
            格式化 类型 类库 标准库 第三方库
            """
        ),
    ),
    Intent(
        name="writing",
        memory_types=frozenset({PREFERENCE, FACT, FEEDBACK, LESSON}),
        cues=lines(
            r"""
            (?:写|起草|润色|翻译).{0,10}(?:邮件|消息|信|周报|日报|报告|文案|总结|通知|评论|短信)
            (?:回|回复).{0,10}(?:邮件|消息|信|评论)
            (?:怎么|如何)(?:回复|回他|回她|措辞|跟.{1,6}说)
            ^(?:please )?(?:write|draft|compose|reply|respond|translate|summari[sz]e|proofread)\b
            """
        ),
        subjects=_words(
            """
            write draft reply respond email message letter report summary translate blog essay
            slide presentation announcement document newsletter
            写 回复 邮件 报告 周报 总结 文案 文档 翻译 润色 通知 演讲稿 幻灯片 汇报
            """
        ),
        topics=_words(
            """
            language english chinese tone formal casual concise short brief bullet emoji format
            markdown table signature style reply email report summary audience
            语言 中文 英文 语气 正式 简洁 简短 详细 要点 列表 表格 表情 格式 署名 落款 风格 回复
            邮件 报告 周报 称呼
            """
        ),
    ),
    Intent(
        name="conversing",
        memory_types=frozenset({PREFERENCE, FACT, FEEDBACK}),
        cues=lines(
            r"""
            ^(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗)[\s,.!?~，。！？～啊呀]*$
            ^(?:hello|hi|hey|good (?:morning|afternoon|evening))(?: there| again)?[\s,.!?]*$
            (?:用|说|讲)(?:什么|哪种|哪门|哪国)(?:语言|话|语气)|怎么称呼|如何称呼
            怎么(?:跟|和|与).{1,6}(?:交流|沟通|说话)
            (?:which|what) (?:language|tone|style) (?:should|shall|do|must|to|does the user)\b
            how (?:should|shall|do|must) (?:i|we|you) (?:address|greet|talk|speak|answer|reply)
            """
        ),
        topics=_words(
            """
            language english chinese mandarin tone formal casual concise nickname speak reply
            answer pronoun communicate
            语言 中文 英文 英语 汉语 普通话 交流 沟通 语气 称呼 名字 叫我 回答 回复 简洁 昵称
            """
        ),
    ),
    Intent(
        name="shopping",
        memory_types=frozenset({PREFERENCE, FACT, LESSON}),
        cues=lines(
            r"""
            买(?:点|些|个)?(?:什么|啥|哪)(?!时候)
            哪(?:款|个牌子|家店|种牌子).{0,6}(?:好|值得|合适|推荐)|(?:该|要)不该?要?买
            (?:what|which) .{0,30}should (?:i|we) (?:buy|order|get)\b|worth buying|穿(?:什么|啥)
            """
        ),
        subjects=_words(
            """
            buy purchase shop shopping brand laptop phone shoes clothes outfit wear dress deal
            买 购买 购物 下单 网购 牌子 品牌 衣服 鞋 手机 电脑 选购 穿搭
            """
        ),
        topics=_words(
            """
            buy budget price brand size color colour cheap expensive quality material cotton wool
            allergic prefer shoe clothes dislike
            预算 价格 品牌 牌子 尺码 颜色 便宜 质量 材质 纯棉 羊毛 过敏 喜欢 讨厌 鞋 衣服 快递
            地址 购买 买东西 太贵 贵的
            """
        ),
    ),
    Intent(
        name="deploying",
        memory_types=frozenset({PREFERENCE, FACT, DECISION, LESSON}),
        cues=lines(
            r"""
            (?:怎么|如何)(?:部署|上线|发布|配置|安装|启动)
            (?:用|开|监听|设成?)(?:什么|哪个|哪些|多少)(?:端口|参数|配置|环境|地址)
            (?:which|what) (?:port|settings?|environment|region|server|host)\b.{0,20}\bshould\b
            """
        ),
        subjects=_words(
            """
            deploy release configure configuration setup set_up install rollout migrate docker
            kubernetes server nginx ci pipeline production staging
            部署 上线 发布 配置 安装 测试环境 生产环境 服务器 容器 迁移 回滚 流水线 端口
            """
        ),
        topics=_words(
            """
            deploy port host url environment production staging server config configuration
            setting variable docker kubernetes nginx database version branch region credential
            rollback backup friday freeze
            部署 端口 地址 域名 环境 生产 测试环境 服务器 配置 参数 变量 容器 数据库 版本 回滚
            备份 上线 发布 迁移
            """
        ),
    ),
    Intent(
        name="troubleshooting",
        memory_types=frozenset({FACT, DECISION, LESSON, EVENT}),
        cues=lines(
            rf"""
            {_BROKEN_ZH}.{{0,12}}(?:怎么|如何|为什么|咋|原因|啥|什么)
            {_BROKEN_ZH}了?\W*$
            (?:怎么|如何|为什么|为何|咋).{{0,20}}{_BROKEN_ZH}
            (?:构建|编译|部署|测试|安装|连接|登录|请求|上传|下载|启动|运行|发布)(?:又|总是|一直)?失败
            why (?:does|is|are|did|won't|doesn't|isn't) (?:it|this|that|the|my)\b.{{0,40}}{_FAILS}
            \b(?:fix|debug|troubleshoot|solve|resolve) (?:the|this|that|my|our|an?)\b
            \b(?:not working|doesn't work|won't start|keeps? (?:failing|crashing))
            \b(?:fail|crash)(?:s|es|ed|ing)? (?:with|when|on|again)\b
            \b(?:get|got|getting|see|seeing|hit) (?:an?|this|the) (?:\w+ )?(?:error|exception)\b
            \b(?:error|exception|traceback)\b.{{0,40}}\b(?:what|how|why|fix|again|help)\b
            \b(?:what|how|why)\b.{{0,30}}\b(?:this|the|my) (?:\w+ )?(?:error|exception|traceback)\b
            """
        ),
        topics=_words(
            """
            error fail failure failed fix fixed crash timeout exception bug workaround cause
            solved retry restart version incompatible permission port proxy
            报错 错误 失败 修复 解决 崩溃 超时 异常 原因 办法 重启 重试 版本 不兼容 权限 内存 端口
            代理 踩坑
            """
        ),
    ),
    Intent(
        name="entertainment",
        memory_types=frozenset({PREFERENCE, FACT, EVENT}),
        cues=lines(
            r"""
            (?:看|听|玩|读)(?:点|些|个|一?部|一?本)?(?:什么|啥)(?!时候)
            (?:周末|晚上|假期|节假日|无聊).{0,4}(?:做什么|干什么|干啥|干嘛|去哪)
            what (?:should|shall|can|could) (?:i|we) (?:watch|read|listen|play)\b
            what (?:should|shall|can) (?:i|we) do (?:tonight|today|tomorrow|this|on|at|over)\b
            i(?:'m| am) bored
            """
        ),
        subjects=_words(
            """
            movie film book novel music song playlist game tv series podcast concert watch
            电影 电视剧 看书 一本书 书单 小说 音乐 听歌 歌单 游戏 综艺 动漫 播客 演唱会 好看 好玩
            好听
            """
        ),
        topics=_words(
            """
            movie film book novel music song game series genre sci-fi horror comedy author actor
            band jazz rock classical hobby enjoy dislike favorite favourite
            电影 电视剧 小说 音乐 游戏 科幻 恐怖 喜剧 作者 演员 导演 乐队 爵士 摇滚 古典 爱看 爱听
            喜欢 不喜欢 爱好 看书 读书 书籍 一本书 听歌 歌曲 歌手
            """
        ),
    ),
    Intent(
        name="learning",
        memory_types=frozenset({PREFERENCE, FACT, TASK, LESSON}),
        cues=lines(
            r"""
            (?:怎么|如何|从哪)(?:学|入门|开始学|自学)|学(?:点|些)?(?:什么|啥)(?!时候)
            """
        ),
        subjects=_words(
            """
            learn study course tutorial teach practice exam revise curriculum
            学习 学会 想学 自学 入门 课程 教程 备考 复习 自学 考试
            """
        ),
        topics=_words(
            """
            learn study course level beginner advanced goal exam school degree major background
            language practice example visual
            学习 课程 水平 基础 初学 目标 考试 学校 专业 背景 练习 例子 自学
            """
        ),
    ),
)
