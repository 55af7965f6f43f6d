"""Chinese predicates and the attributes that they give a value to, as a table.

An entry is "form attribute flags: cues" and, indented, the pattern of a whole clause; see
``chinese_rows``. The first entry that fits is taken, so special ones stand before general ones.
``{s}`` is the subject, ``{n}`` what stands before a verb (adverbs and a negation), ``{v}`` the
value, ``{to}`` what it is changed to, ``{end}`` a particle. A new phrase is an entry.
"""

from hindsight_memory.core.conflict.chinese_rows import predicates

CHINESE = predicates(
    r"""
give owner replaces: 交给
    {s}(?:把|将){v}(?:移交给|转交给|交给)了?{to}{end}
swap - replaces: 把 将
    {s}(?:把|将){v}(?:从.{1,12}?)?{made}了?{to}{end}
swap - replaces: 从
    {s}{n}从{v}{turned}了?{to}{end}
swap - replaces: 代替 取代 替换 替代
    {s}{n}用{to}(?:代替|取代|替换|替代)了?{v}{end}
plain cause: 问题 症结
    {s}的?(?:问题|症结)(?:其实)?{n}(?:出在|在于|就在){v}{end}
plain cause: 因是 因在于 因不是
    {s}的?(?:根本原因|原因|根因|起因|病因)(?:其实)?{n}(?:是|在于){v}{end}
plain cause: 导致 引起 造成 引发
    {s}{n}(?:是|由于|因为){v}(?:导致|引起|造成|引发)的?
plain allergy: 过敏
    {s}对{v}{n}过敏{end}
plain allergy ended: 过敏
    {s}的?(?P<v>[^的]{1,10}?)过敏{n}(?:好|痊愈|消失|没)了
plain allergy: 过敏
    {s}{n}有?{v}过敏{end}
fixed marital_status=married: 夫妻 两口子
    {s}{n}(?:和|跟|与){v}是(?:夫妻|两口子)
fixed marital_status=partnered: 情侣 恋爱 交往
    {s}{n}(?:和|跟|与){v}(?:是情侣|在?恋爱|在?交往){end}
fixed marital_status=single: 没
    {s}{n}没有?(?P<who>对象|女朋友|男朋友|女友|男友|老婆|老公){end}
fixed marital_status=married replaces: 婚 证
    {s}{n}(?:和|跟|与){v}(?:已经|正式)*(?:结婚|结了婚|领证|领了证|成婚){end}
fixed marital_status=married replaces: 嫁 娶
    {s}{n}(?:嫁给了?|娶了?){v}{end}
fixed marital_status=engaged replaces: 订婚
    {s}{n}(?:和|跟|与){v}(?:已经|正式)*(?:订婚|订了婚){end}
fixed marital_status=divorced replaces: 离 分手
    {s}{n}(?:和|跟|与){v}(?:已经|正式)*(?:离婚|离了婚|分手|分居){end}
plain employer: 的
    {s}{n}是{v}的{role}
plain employer: 在
    {s}{n}在(?![找换努认]){v}(?:工作|上班|任职|就职|供职|实习|打工|(?:当|做|担任){role}|{trade}){end}
plain employer: 职于 雇于
    {s}{n}(?:就职于|任职于|供职于|受雇于){v}{end}
plain manager: 汇报
    {s}{n}(?:向{v}汇报|汇报给{to}){end}
plain employer replaces: 槽 加入 入职 转投 加盟
    {s}{n}(?:跳槽(?:到|去|至)?|加入|入职|转投|加盟)了?{v}{end}
plain employer replaces: 工作 上班 任职
    {s}{n}(?:去|到|进)了?{v}(?:工作|上班|任职|实习){end}
plain employer ended: 职
    {s}{n}(?:从|自){v}(?:离职|辞职){end}
noun - replaces: 改 换 变 升 涨 降 推迟 提前 延 交 转 搬 更 重命名
    {s}的?{noun}{n}(?:从.{1,12}?)?(?:{changed}|(?:移交|转交|交)给|转给|转到)了?{v}{end}
plain residence: 住 居 驻 落户 家在
    {s}{n}(?:(?<![记停留抓忍])住(?:进|到)?(?!院|宿(?!舍)|房(?![子间])|处|址|口)|定居(?:在|于)?|常驻|现居|落户(?:在
    |于)?|家住|家在){v}{end}
move - replaces: 搬 迁 移居 移民
    {s}{n}(?:搬家?(?:到|去|至|回|进|入)|迁居(?:到)?|迁(?:到|至|往|回)|移居(?:到)?|移民(?:到
    |去)?)了?{v}{end}
kind language: 说 讲 精通 掌握 流利
    {s}{n}(?:会说|能说|会讲|精通|掌握|说|讲)(?:流利的?|一口流利的?)?{v}{end}
kind language ended: 忘
    {s}{n}(?:忘记|忘)(?:光|掉)?了?{v}{end}
plain owner: 由 归
    {s}{n}(?:改|现|转)?(?:由|归){v}(?:负责|维护|管理|主管|牵头|跟进|带领){end}
plain owner replaces: 接 交
    {s}{n}(?:由{v}(?:接手|接管)|(?:移交|转交|交接|交)给了?{to}){end}
inverse owner replaces: 接手 接管 接任
    {s}{n}(?:接手|接管|接任)了?{v}{end}
inverse owner: 负责 主管 牵头 维护
    {s}{n}(?:负责|主管|牵头|维护){v}{end}
plain reply_language: 用
    {s}{n}(?:回答|回复|交流|沟通|输出|对话)(?:时|问题|我|请|都|要|一律|改|,)*用{v}{end}
plain reply_language: 用
    {s}{n}(?:请|要|改)?用{v}(?:来)?(?:回答|回复|交流|沟通|对话|输出)(?:我|问题)?{end}
plain schedule replaces: 改 推迟 提前 延 挪 调
    {s}{n}(?:改到|改在|改为|推迟到|推迟至|延期到|延期至|延到|提前到|提前至|挪到|顺延到|调整到
    |调到)了?{timely}{v}(?:开|举行)?{end}
plain location replaces: 改在
    {s}{n}改在{v}(?:举行|召开|开会?|进行)?{end}
plain schedule: 定在 定于 安排在 预定在
    {s}{n}(?:定在|定于|安排在|预定在){timely}{v}{end}
plain schedule: 举行 召开 开始
    {s}{n}(?:在|于)?{timely}{v}(?:举行|召开|开始){end}
plain location: 举行 召开 开
    {s}{n}(?:在|于){v}(?:举行|召开|开会?|进行){end}
favorite favorite: 最
    {s}{n}最(?:喜欢|爱|中意|常用)的?(?P<noun>[^的是]{1,6}?)(?:是|为){v}{end}
noun -: 是 为 叫 设
    {s}的?{noun}{n}(?:是|为|叫|设为|设置为|定为|仍是|仍为){v}{end}
noun -: 是 为
    {s}的(?P<noun>[^的,]{1,8}?){n}(?:是|为){v}{end}
noun - replaces: 改 变 换 升 降 涨
    {s}的(?P<noun>[^的,]{1,8}?){n}{changed}了?{v}{end}
noun -: 0 1 2 3 4 5 6 7 8 9
    {s}的?{noun}{n}(?P<v>\d[^,]{0,12}?){end}
plain version replaces: 升级 更新 回退 降级
    {s}{n}(?:升级|更新|回退|回滚|降级)(?:到|至|为|成)了?(?P<v>[^,]{0,10}\d[^,]{0,8}?){end}
plain name replaces: 名
    {s}{n}(?:改名|更名)(?:为|叫|成)?{v}{end}
plain port: 端口
    {s}{n}(?:监听|运行在|跑在|暴露在|占用|使用|用)(?:了|在)?(?P<v>\d+)(?:号)?端口{end}
plain port: 监听 运行在 跑在
    {s}{n}(?:监听|运行在|跑在)(?:端口)?(?P<v>\d+){end}
plain age: 岁
    {s}{n}(?P<v>\d{1,3})周?岁{end}
plain membership: 会员
    {s}{n}是{v}的?会员
plain name word: 叫
    {s}{n}(?P<verb>叫){v}{end}
favorite favorite: 最喜欢 最爱
    {s}{n}最(?:喜欢|爱)(?P<verb>[吃喝看听玩用打去]?)的?{v}{end}
verb liking denied: 讨厌 反感 受不了 厌恶 痛恨
    {s}{n}(?:讨厌|反感|受不了|厌恶|痛恨)(?P<verb>[吃喝看听玩用打去]?){v}{end}
verb liking: 喜 爱 偏好 偏爱 迷上
    {s}{n}(?:喜欢|喜好|喜爱|热爱|酷爱|偏好|偏爱|爱上了?|迷上了?|爱)(?P<verb>(?:吃|喝|看|听|玩|用
    |打|去|做|学|养)?)了?{v}{end}
plain fear: 怕 恐惧
    {s}{n}(?:害怕|怕|恐惧){v}{end}
kind diet replaces: 忌口 忌嘴
    {s}{n}(?:在|正在)?(?P<v>忌口|忌嘴)(?:呢|中)?{end}
kind diet: 素
    {s}{n}(?:是|吃|改吃|坚持吃|转为|成为|变成)?(?:一名|一个|严格的?)*(?P<v>素食者|素食主义者
    |纯素食者|素食|纯素|全素|吃素|素)(?:主义者?)?{end}
kind states: 用 线 开启 关闭 开放 营业 停业
    {s}{n}(?P<v>启用|停用|禁用|上线|下线|在线|离线|开启|关闭|开放|营业|停业){end}
anything * ended: 把 将
    {s}(?:把|将){v}(?:给)?(?:戒|停|取消|退|关|删|辞|弃用|下线)掉?了
anything *_thing ended: 把 将
    {s}(?:把|将){v}(?:给)?(?:卖|扔|送人|送走|送)掉?了
anything *_thing ended: 卖 送走
    {s}{n}(?:卖掉?|送走)了{v}{end}
anything *_post ended: 辞 离开 退出 告别
    {s}{n}(?:退出|告别|辞掉|辞去|离开)了?{v}{end}
anything * ended: 戒 弃 停 取消 退 淘汰 注销 关停
    {s}{n}(?:戒掉?|放弃|停止|停用|弃用|停|取消|退掉?|退订|淘汰|注销|关停)了?(?:吃|喝|抽|玩|用|打
    |做)?{v}{end}
plain volunteering: 志愿 义工
    {s}{n}在{v}(?:做|当)(?:志愿者|义工){end}
plain commute: 上班 通勤
    {s}{n}(?P<v>坐地铁|坐公交车?|骑车|骑自行车|骑电动车|骑单车|开车|走路|步行|打车|坐班车)(?:去
    |来)?(?:上班|通勤){end}
plain payment_method replaces: 支付 付款 结账 买单
    {s}{n}改用{v}(?:来)?(?:支付|付款|结账|买单){end}
plain payment_method: 支付 付款 结账 买单
    {s}{n}用{v}(?:来)?(?:支付|付款|结账|买单){end}
kind change replaces: 改用 换用 转用
    {s}{n}(?:改用|换用|转用)了?{v}{purpose}{to}{end}
kind change replaces: 改 换 切换 转 升级 迁移 开始用 采用 选用 选择
    {s}{n}(?:改用|换用|转用|改成|改为|换成|换到|换了|换|变成|变为|切换(?:到|成|为)|切到|迁移(?:到
    |至)|迁到|升级(?:到|为|成)|降级(?:到|为)|转(?:到|向|为)|开始用|采用|选用|选择)了?{v}{end}
verb - replaces: 改
    {s}{n}改(?P<verb>吃|喝|看|听|玩|打|学|练|骑|坐|穿|住|开){v}{end}
thing pet: 养 有 宠物
    {s}{n}(?:养|有|领养|收养|买)了?(?:过)?(?:任何|一|两|二|三|几|\d)?(?:只|条|个|匹|头)?{v}{end}
thing vehicle: 开 骑 买 有 租
    {s}{n}(?:开|骑|买|有|租)了?(?:的是)?(?:一|两)?(?:辆|台|部)?{v}{end}
thing pet: 没
    {s}(?P<neg>没){v}{end}
thing vehicle: 没
    {s}(?P<neg>没){v}{end}
tally -: 有
    {s}{n}(?:共|一共|总共)?有(?P<v>\d+|[一二两三四五六七八九十百]+)(?P<noun>(?:个|名|位|台|张|家
    |件|款|项|人)[^,]{0,8}?){end}
plain job replaces: 做 当 任 晋升 升为 升职 成为
    {s}{n}(?:改行做|转行做|转行当|转岗做|升任|升为|晋升为|升职为|成为)了?(?:一名|一位|一个)?{role}
    {end}
plain job: 是 当 做 任
    {s}{n}(?:是|当|做|担任)(?:一名|一位|一个)?{role}{end}
kind states: 婚 单身 向 离异 远程 坐班 居家 丧偶
    {s}{n}(?:是|变得?|恢复|属于)?(?:很|比较|性格|一个)*(?P<v>内向|外向|单身|未婚|已婚|结婚|离婚
    |离异|订婚|丧偶|远程|坐班|居家|混合)(?:办公|状态|的人|型)?{end}
kind use: 用
    {s}{n}用(?!户)(?:的是)?{v}{purpose}{to}{end}
kind use: 用
    {s}{n}用(?!户)(?:的是)?{v}{end}
plain location: 位于 坐落 设在 放在 存
    {s}{n}(?:位于|坐落在|坐落于|设在|放在|存在|存放在){v}{end}
plain do_subscribe_to: 订阅 开通
    {s}{n}(?:订阅|开通)了?{v}{end}
plain skill: 学会
    {s}{n}学会了?{v}{end}
clock -: 起床 睡觉 上班 下班 开门 关门 打烊 出门 吃饭
    {s}{n}(?P<part>早上|晚上|凌晨|上午|下午|中午|早|晚)?(?P<v>[\d一二三四五六七八九十]+点(?:半
    |\d+分?)?)(?:才|就)?(?P<noun>起床|睡觉|上班|下班|开门|关门|打烊|出门|吃饭){end}
plain skill: 不会
    {s}(?P<neg>不)会{v}{end}
move -: 在
    {s}{n}(?<![正现存所])在{v}{end}
verb do word: 吃 喝 抽 玩 打 练 学 看 听 读 写 弹 骑 开 穿 踢 收集 去
    {s}{n}(?P<verb>吃|喝|抽|玩|打|练|学|看|听|读|写|弹|骑|开|穿|踢|收集|去)(?!过){v}{end}
anything *_habit ended: 不
    {s}(?:已经|再也|都|也|又)*不(?:再)?(?:吃|喝|抽|玩|用|打|做)?{v}了
"""
)
