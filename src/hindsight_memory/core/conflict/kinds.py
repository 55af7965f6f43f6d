"""What kind of thing a value is: blue is a colour, 全素 and vegan are one diet.

A sentence like "switched to Firefox" or 改成了灰色 names no attribute; the kind of its value does.
A new value is a word in the table, with its spellings in both languages joined by "=". The lists
hold what is common knowledge, and need not be complete: a value that is missing has no kind, and
then nothing is retired on its account.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hindsight_memory.core.conflict.vocabulary import entries, word_set

_TABLE = """
color:
    red=红=红色 orange=橙=橙色=橘色 yellow=黄色 green=绿色 blue=蓝色 purple=紫色=violet
    pink=粉色=粉红色 black=黑色 white=白色 gray=grey=灰色 brown=棕色=褐色=咖啡色 cyan=青色
    teal=蓝绿色 gold=金色 silver=银色 beige=米色 navy=藏青色=深蓝色 magenta=洋红色=品红色
    indigo=靛蓝色=靛色 turquoise=天蓝色 maroon=酒红色 light_blue=浅蓝色
diet:
    vegan=纯素=全素=纯素食=纯素食者=plant-based
    vegetarian=素食=吃素=素=素食者=素食主义者=素食主义 pescatarian=鱼素 omnivore=omnivorous=杂食
    carnivore=肉食 keto=ketogenic=生酮 low-carb=low_carb=低碳水=低碳
    gluten-free=gluten_free=无麸质 mediterranean=地中海 paleo=原始人 halal=清真 kosher=犹太洁食
    low-fat=低脂 low-salt=low-sodium=低盐 low-sugar=低糖 high-protein=高蛋白 raw-food=生食
    flexitarian=弹性素食 dairy-free=无乳制品 intermittent_fasting=轻断食=间歇性断食 忌口=忌嘴
theme:
    dark=深色=暗色=黑暗=夜间=暗黑 light=浅色=亮色=明亮=日间 monochrome=单色
    high-contrast=high_contrast=高对比度 sepia=护眼 solarized
indentation: tab=制表符=tab键 space=空格 two_space=2_space=两个空格 four_space=4_space=四个空格
quotes: single_quote=单引号 double_quote=双引号
naming: camelcase=camel_case=驼峰=驼峰命名 snake_case=下划线=蛇形 pascalcase kebab-case
personality: introvert=introverted=内向 extrovert=extroverted=extravert=外向 ambivert
chronotype: early_bird=morning_person=早起 night_owl=evening_person=夜猫子
religion:
    christian=christianity=基督徒=基督教 catholic=catholicism=天主教 muslim=islam=穆斯林
    buddhist=buddhism=佛教徒=佛教 jewish=judaism=犹太教 hindu=hinduism=印度教
    atheist=atheism=无神论者 agnostic protestant mormon taoist=道教
party: democrat republican libertarian socialist
enablement: enable=enabled=启用=开启 disable=disabled=禁用=停用
availability: online=上线=在线 offline=下线=离线
payment_state: pay=paid unpaid
resolution: resolve=resolved=fix=fixed unresolved=open_issue
running: up down
openness: open=开放=营业 close=closed=关闭=停业
alcohol: alcohol=酒 beer=啤酒 wine=葡萄酒=红酒 whisky=whiskey=威士忌 vodka 白酒 cocktail=鸡尾酒
work_mode: remote=remotely=远程=居家=from_home onsite=on-site=坐班=到岗=in-office hybrid=混合
marital_status:
    single=unmarried=单身=未婚 married=已婚=结婚 divorced=离婚=离异=离了婚 engaged=订婚
    widowed=丧偶 separated=分居
database:
    postgresql=postgres=pg mysql sqlite mariadb oracle mongodb=mongo redis cassandra dynamodb
    couchdb duckdb clickhouse cockroachdb elasticsearch neo4j snowflake bigquery tidb
    sql_server=mssql milvus qdrant influxdb memcached 达梦 oceanbase
editor:
    vim neovim=nvim emacs vscode=vs_code=visual_studio_code=code_editor sublime=sublime_text
    intellij=intellij_idea=idea pycharm cursor zed helix nano atom notepad++ webstorm eclipse
    xcode goland
browser: chrome=谷歌浏览器 firefox=火狐 safari edge brave opera vivaldi arc tor chromium
os:
    windows linux ubuntu debian fedora arch=arch_linux macos=mac=mac_os centos nixos android
    ios=iphone harmonyos=鸿蒙 freebsd
shell: bash zsh fish powershell nushell
package_manager: npm yarn pnpm bun pip poetry uv conda pipenv cargo maven gradle bundler
programming_language:
    python java javascript typescript go=golang rust c c++=cpp c#=csharp ruby php swift kotlin
    scala haskell elixir perl r julia lua dart zig clojure
framework:
    react vue angular svelte django flask fastapi rails spring=spring_boot express
    next.js=nextjs nuxt laravel pytorch tensorflow jax solidjs
cloud: aws=amazon_web_services azure gcp=google_cloud 阿里云=aliyun 腾讯云 华为云 heroku vercel
chat:
    slack teams=microsoft_teams discord telegram whatsapp signal 微信=wechat 钉钉=dingtalk
    飞书=lark matrix mattermost zoom
vehicle:
    car=汽车=轿车 truck=pickup=pickup_truck=卡车=皮卡 suv van motorcycle=motorbike=摩托车
    scooter=电动车 bike=bicycle=自行车 sedan convertible hatchback minivan tesla=特斯拉
    toyota=丰田 honda=本田 ford=福特 bmw=宝马 audi=奥迪 mercedes=奔驰 volkswagen=大众
    subaru=斯巴鲁 mazda=马自达 nissan=日产 hyundai=现代汽车 kia lexus=雷克萨斯 volvo=沃尔沃
    porsche=保时捷 rivian jeep chevrolet=雪佛兰 byd=比亚迪 蔚来 理想汽车 小鹏 prius mustang
    civic ferrari
pet:
    dog=puppy=狗=小狗=犬 cat=kitten=猫=小猫=猫咪 parrot=鹦鹉 hamster=仓鼠 rabbit=兔子
    turtle=tortoise=乌龟 goldfish=金鱼 lizard snake ferret canary pony horse retriever
    poodle=贵宾犬 terrier collie corgi=柯基 beagle bulldog labrador=拉布拉多 greyhound
    husky=哈士奇 shepherd spaniel dachshund chihuahua siamese=暹罗猫 pug 金毛 柴犬 泰迪 布偶猫
    英短 橘猫 pet=animal=宠物
language:
    english=英语=英文 chinese=中文=汉语 mandarin=普通话 cantonese=粤语 french=法语=法文
    german=德语=德文 spanish=西班牙语=西语 japanese=日语=日文 korean=韩语=韩文 russian=俄语=俄文
    italian=意大利语 portuguese=葡萄牙语 arabic=阿拉伯语 hindi=印地语 dutch=荷兰语
    swedish=瑞典语 polish=波兰语 turkish=土耳其语 vietnamese=越南语 thai=泰语 greek=希腊语
    latin=拉丁语 hebrew=希伯来语 danish norwegian finnish persian ukrainian czech hungarian
    indonesian
beverage:
    coffee=咖啡 tea=茶 juice=果汁 soda=汽水 cola=可乐 water=水 lemonade smoothie
    espresso=浓缩咖啡 latte=拿铁 cappuccino=卡布奇诺 americano=美式 matcha=抹茶 milk_tea=奶茶
instrument:
    instrument=乐器 guitar=吉他 piano=钢琴 violin=小提琴 cello=大提琴 drum=鼓=架子鼓 flute=长笛
    saxophone=萨克斯 trumpet ukulele=尤克里里 harp clarinet bass
sport:
    sport=运动 tennis=网球 golf=高尔夫 soccer=足球 football basketball=篮球 volleyball=排球
    badminton=羽毛球 squash table_tennis=乒乓球 baseball=棒球 cricket hockey rugby
child: child=kid=孩子=小孩 baby=宝宝 son=儿子 daughter=女儿 twin=双胞胎 toddler
meat:
    meat=肉=荤 beef=牛肉 pork=猪肉 chicken=鸡肉 lamb=羊肉 steak=牛排 bacon=培根 ham=火腿
    sausage=香肠 turkey=火鸡 duck=鸭肉 烤肉 红烧肉
fish: fish=鱼 salmon=三文鱼 tuna=金枪鱼 seafood=海鲜 shrimp=虾 sushi=寿司 crab=螃蟹=蟹
dairy: dairy=乳制品=奶制品 milk=牛奶 cheese=奶酪=芝士 butter=黄油 egg=鸡蛋 yogurt=酸奶
heavy: 辣 spicy=spicy_food 麻辣 火锅 烧烤 油炸 炸鸡 甜食 冷饮 冰淇淋 生冷 重口
"""
GENERIC = word_set("pet car animal vehicle child kid 宠物 车 孩子")
"""Denied, these stand for all of their kind: who has no pets has no dog."""
_GENERAL = """
alcohol: alcohol 酒
meat: meat 肉 荤
fish: fish seafood 鱼 海鲜
dairy: dairy 奶制品
instrument: instrument 乐器
sport: sport
"""
HYPERNYMS: Mapping[str, str] = MappingProxyType(
    {word: kind for kind, words in entries(_GENERAL) for word in words.split()}
)
"""Words for all of a kind, and the kind: who eats no meat eats no steak."""
_BREEDS = """
dog: puppy retriever poodle terrier collie corgi beagle bulldog labrador greyhound husky shepherd
    spaniel dachshund chihuahua pug
cat: kitten siamese
"""
BREEDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {animal: word_set(names) for animal, names in entries(_BREEDS)}
)
"""Who has no dog any more has no beagle."""
STATES = word_set(
    "diet personality marital_status work_mode chronotype religion party enablement availability"
    " openness payment_state resolution running"
)
"""Kinds of what somebody or something is; of other kinds are the things that somebody uses."""
POSSESSED = word_set("pet vehicle child")
EXCLUDES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "vegan": word_set("meat fish dairy"),
        "vegetarian": word_set("meat fish"),
        "pescatarian": word_set("meat"),
        "忌口": word_set("heavy alcohol"),
    }
)
"""What one who keeps a diet does not eat, by kinds; 忌口 is to keep off what is hard to digest."""

_BARE = word_set(
    "diet theme quotes openness running resolution payment_state enablement availability"
    " marital_status"
)
"""Kinds whose values are ordinary words: only beside the noun, or as the whole value."""
_COMMON = word_set(
    "go c r d arc edge brave safari opera signal zoom teams matrix atom express spring flask arch"
    " fish julia swift rust dart idea helix bun uv cargo tor cursor oracle bass drum gold silver"
    " water"
)
"""Names that are ordinary words too: only as the whole value."""
_LAST_WORDS = """
diet: diet 饮食
theme: mode theme 模式 主题
plan: plan tier subscription 套餐 会员
browser: browser 浏览器
editor: editor 编辑器
database: database 数据库
shift: shift
team: team department 部门
branch: branch
vehicle: 车
color: 色
"""
_CATEGORIES: Mapping[str, str] = MappingProxyType(
    {word: kind for kind, words in entries(_LAST_WORDS) for word in words.split()}
)
"""Last words of a value that say what it is a value of."""
_VAGUE = frozenset({"mode", "模式"})
"""Those that say so only after a known value: a debug mode is no theme."""


def _spellings() -> Iterator[tuple[str, tuple[str, str]]]:
    for kind, values in entries(_TABLE):
        for spellings in values.split():
            canonical, *others = spellings.replace("_", " ").split("=")
            for spelling in (canonical, *others):
                yield spelling, (kind.replace("_", " "), canonical)


KINDS = frozenset(kind.replace("_", " ") for kind, _ in entries(_TABLE))
_KIND_OF: Mapping[str, tuple[str, str]] = MappingProxyType(dict(_spellings()))
_CHINESE_ENDINGS = tuple(noun for noun in _CATEGORIES if not noun.isascii())


def kind_of(value: str) -> tuple[str, str] | None:
    """The kind of a value and its one spelling: "a light blue" is ("color", ...); None if unknown.

    value: folded; English words in the singular, with spaces between them.
    """
    if known := _KIND_OF.get(value):
        return known
    if value.isascii():
        return _english_kind(value.split())
    return _chinese_kind(value)


def is_known(value: str) -> bool:
    """Whether it is in the table; "the old database" has a kind, and is no value of it."""
    return value in _KIND_OF


def spelt(value: str) -> str:
    """The one spelling of a value of a known kind; itself of any other."""
    return _KIND_OF.get(value, ("", value))[1]


def _english_kind(words: list[str]) -> tuple[str, str] | None:
    last = words[-1] if words else ""
    if found := _by_category(last, words[:-1]):
        return found
    for size in (2, 1):
        for start in range(len(words) - size, -1, -1):
            part = " ".join(words[start : start + size])
            known = _KIND_OF.get(part)
            if known and known[0] not in _BARE and part not in _COMMON:
                return known
    return None


def _chinese_kind(value: str) -> tuple[str, str] | None:
    for ending in _CHINESE_ENDINGS:
        before = [value.removesuffix(ending)]
        if value.endswith(ending) and (found := _by_category(ending, before)):
            return found
    ends = (value[start:] for start in range(1, len(value)))
    known = (_KIND_OF[end] for end in ends if end in _KIND_OF)
    return next((found for found in known if found[0] not in _BARE), None)


def _by_category(noun: str, before: list[str]) -> tuple[str, str] | None:
    category = _CATEGORIES.get(noun)
    if category is None:
        return None
    value = canonical_in(category, before)
    is_known = _KIND_OF.get(value, ("",))[0] == category
    return None if noun in _VAGUE and not is_known else (category, value)


def canonical_in(kind: str, words: list[str]) -> str:
    """The one spelling of a value of which the kind is known; itself where it has no other."""
    for size in (len(words), 1):
        for start in range(len(words) - size, -1, -1):
            part = " ".join(words[start : start + size])
            if (known := _KIND_OF.get(part)) and known[0] == kind:
                return known[1]
    return " ".join(words)
