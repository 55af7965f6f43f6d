"""Whether a name is a place or an organisation, for "moved to X" and 在 X, which say neither.

Countries, larger cities and well-known organisations; endings tell more. A name that is in no list
stays open, and then retires nothing by itself.
"""

import re
from enum import IntEnum

from hindsight_memory.core.conflict.vocabulary import word_set

_COUNTRIES = word_set(
    """
afghanistan albania algeria argentina armenia australia austria bangladesh belarus belgium bolivia
brazil britain bulgaria cambodia canada chile china colombia croatia cuba cyprus czechia denmark
ecuador egypt england estonia ethiopia finland france georgia germany ghana greece hungary iceland
india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya korea kuwait
laos latvia lebanon libya lithuania malaysia malta mexico mongolia morocco myanmar nepal
netherlands new_zealand nigeria norway pakistan panama paraguay peru philippines poland portugal
qatar romania russia rwanda saudi_arabia scotland senegal serbia slovakia slovenia somalia
south_africa south_korea spain sri_lanka sudan sweden switzerland syria taiwan tanzania thailand
tunisia turkey uganda uk ukraine united_kingdom united_states uruguay us usa uzbekistan venezuela
vietnam wales alabama alaska arizona arkansas california colorado connecticut delaware florida
hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan
minnesota mississippi missouri montana nebraska nevada new_hampshire new_jersey new_mexico
north_carolina north_dakota ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia
wisconsin wyoming africa antarctica asia europe north_america south_america oceania bavaria tuscany
catalonia andalusia brittany normandy provence sicily ontario quebec 河北 山西 辽宁 吉林 黑龙江
江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 内蒙古 广西
西藏 宁夏 新疆 台湾 中国 美国 英国 法国 德国 日本 韩国 加拿大 澳大利亚 新加坡 意大利 西班牙 葡萄牙
荷兰 瑞士 瑞典 挪威 丹麦 芬兰 俄罗斯 印度 泰国 越南 马来西亚 新西兰 巴西 墨西哥 埃及 国外 海外 欧洲
亚洲 非洲 美洲 南方 北方
"""
)
PLACES = _COUNTRIES | word_set(
    """
amsterdam ankara athens atlanta auckland austin baghdad bali baltimore bangalore bengaluru bangkok
barcelona basel beijing beirut belgrade berlin birmingham bogota bologna bordeaux boston brasilia
bratislava brisbane bristol brooklyn brussels bucharest budapest buenos_aires cairo calgary
cambridge canberra cape_town caracas casablanca charlotte chengdu chennai chicago chongqing
cincinnati cleveland cologne copenhagen dallas damascus delhi denver detroit dhaka doha dresden
dubai dublin dusseldorf edinburgh edmonton eindhoven florence frankfurt geneva genoa ghent glasgow
gothenburg graz guangzhou hague hamburg hangzhou hanoi harbin havana helsinki hiroshima
ho_chi_minh_city hong_kong honolulu houston hyderabad indianapolis istanbul jakarta jerusalem
johannesburg kansas_city karachi kathmandu kiev kyiv kobe kolkata krakow kuala_lumpur kunming kyoto
lagos lahore las_vegas leeds leipzig lille lima lisbon liverpool ljubljana london los_angeles
luxembourg lyon madrid malmo manchester manhattan manila marseille melbourne memphis mexico_city
miami milan milwaukee minneapolis minsk monaco montreal moscow mumbai munich nairobi nanjing nantes
naples nashville newcastle new_delhi new_orleans new_york new_york_city nice oakland odessa orlando
osaka oslo ottawa oxford palo_alto paris perth philadelphia phoenix pittsburgh porto portland
prague pune qingdao reykjavik richmond riga rio rio_de_janeiro riyadh rome rotterdam sacramento
saigon salt_lake_city salzburg san_antonio san_diego san_francisco san_jose santiago sao_paulo
sapporo sarajevo seattle seoul seville shanghai shenzhen singapore sofia stockholm strasbourg
stuttgart suzhou sydney taipei tallinn tampa tampere tbilisi tehran tel_aviv thessaloniki tianjin
tokyo toronto toulouse tucson turin utrecht valencia vancouver venice verona victoria vienna
vilnius warsaw washington wellington wuhan xiamen xian yokohama york zagreb zurich 北京 上海 天津
重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 郑州 青岛 济南 大连 沈阳 哈尔滨 长春 厦门 福州
宁波 无锡 合肥 昆明 贵阳 南宁 海口 三亚 太原 石家庄 南昌 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 珠海
佛山 东莞 常州 温州 徐州 烟台 洛阳 桂林 扬州 香港 澳门 台北 高雄 东京 大阪 京都 首尔 伦敦 巴黎 柏林
慕尼黑 罗马 米兰 马德里 巴塞罗那 里斯本 阿姆斯特丹 布鲁塞尔 维也纳 苏黎世 日内瓦 哥本哈根
斯德哥尔摩 奥斯陆 赫尔辛基 莫斯科 纽约 洛杉矶 旧金山 西雅图 芝加哥 波士顿 华盛顿 多伦多 温哥华 悉尼
墨尔本 迪拜 曼谷 吉隆坡 雅加达 河内 孟买 老家 乡下 郊区 市区 城里
"""
)
ORGANISATIONS = word_set(
    """
google alphabet meta facebook apple amazon microsoft netflix nvidia intel amd ibm oracle sap cisco
dell hp salesforce adobe uber lyft airbnb stripe paypal twitter linkedin spotify dropbox github
gitlab openai anthropic deepmind mistral cohere databricks snowflake cloudflare shopify atlassian
notion figma canva zoom slack tesla spacex toyota honda boeing airbus siemens bosch samsung sony
huawei xiaomi alibaba tencent baidu bytedance jd didi meituan pinduoduo lenovo deloitte pwc kpmg
mckinsey bain bcg accenture goldman morgan_stanley jpmorgan citigroup hsbc barclays ubs visa
mastercard walmart ikea nike adidas disney pixar cnn bbc reuters bloomberg nasa cern harvard
stanford mit yale princeton caltech unesco pfizer novartis roche moderna coinbase robinhood
palantir qualcomm arm tsmc asml 阿里 阿里巴巴 腾讯 百度 字节 字节跳动 京东 美团 小米 华为 网易
滴滴 拼多多 快手 携程 知乎 哔哩哔哩 微博 蚂蚁 联想 中兴 比亚迪 蔚来 谷歌 微软 苹果公司 亚马逊
英伟达 特斯拉 三星 索尼 清华 北大 复旦 浙大 交大
"""
)
_PLACE_NOUNS = word_set(
    "apartment avenue boulevard cabin campus city coast condo cottage country countryside county"
    " district dorm downtown farm farmhouse flat home house island lane loft mountain neighborhood"
    " neighbourhood place province ranch road square state street studio suburb suburbs town villa"
    " village warehouse"
)
_BODY_NOUNS = word_set(
    "agency airline airlines airways bakery bank capital clinic college company consulting corp"
    " corporation energy firm foundation gmbh group holdings hospital inc industries institute"
    " journal lab laboratory labs library llc ltd media ministry motors museum newspaper nonprofit"
    " partners pharmaceuticals post restaurant robotics school software solutions startup systems"
    " technologies times university ventures"
)
_CHINESE_PLACE = re.compile(
    r"(?:[省市县区镇乡村路街巷弄号楼层室州岛湾]|大街|大道|小区|公寓|花园|家园|新村|胡同|宿舍|广场)$"
)
_CHINESE_BODY = re.compile(
    "(?:公司|集团|银行|大学|学院|医院|研究院|研究所|事务所|工作室|科技|网络|电子|证券|保险|航空|出版社"
    "|报社|电视台|基金会|实验室|中学|小学|学校|部门|局|厂)$"
)
_PARTS = word_set(
    "avenue boulevard campus district downtown lane neighborhood neighbourhood road square street"
    " suburb suburbs center centre 乡下 郊区 市区 城里"
)
_KINDS_OF_PLACE = word_set(
    "apartment attic basement boat building bungalow cabin camper campervan caravan castle coast"
    " condo cottage country countryside dorm dormitory duplex farm farmhouse flat floor home hostel"
    " hotel house hut island loft mansion mountain penthouse place room seaside shed studio tent"
    " tower trailer van villa warehouse yurt city town village"
)
_CHINESE_PART = re.compile(r"(?:[区镇乡村路街巷弄湾]|大街|大道|新村|胡同)$")
_CHINESE_KIND = re.compile(
    r"(?:[楼层室号栋]|公寓|花园|家园|小区|宿舍|广场|房|房子|屋|别墅|酒店|宾馆|旅馆|家|家里|[里边面旁])$"
)


class Grain(IntEnum):
    """How wide a place is; of two that differ in it, one may lie in the other."""

    DWELLING = 0
    PART = 1
    TOWN = 2
    COUNTRY = 3


def grain(name: str) -> Grain:
    """name: folded, without article. TOWN for a name that nothing is known of."""
    if name in _COUNTRIES:
        return Grain.COUNTRY
    if not name.isascii():
        if _CHINESE_KIND.search(name) and name not in PLACES:
            return Grain.DWELLING
        is_part = name in _PARTS or (_CHINESE_PART.search(name) and name not in PLACES)
        return Grain.PART if is_part else Grain.TOWN
    head = name.rpartition(" ")[2]
    if head in _KINDS_OF_PLACE and name not in PLACES:
        return Grain.DWELLING
    return Grain.PART if head in _PARTS or name[:1].isdigit() else Grain.TOWN


def is_place(name: str) -> bool:
    """name: folded, without article."""
    words = name.split()
    if name in PLACES or (words and words[-1] in _PLACE_NOUNS):
        return True
    if not name.isascii():
        return _CHINESE_PLACE.search(name) is not None or _starts(name, PLACES)
    return not is_organisation(name) and _starts(name, PLACES)


def is_organisation(name: str) -> bool:
    """name: folded, without article."""
    words = name.split()
    if name in ORGANISATIONS or (words and words[-1] in _BODY_NOUNS):
        return True
    if not name.isascii():
        return _CHINESE_BODY.search(name) is not None
    return _starts(name, ORGANISATIONS) or not _BODY_NOUNS.isdisjoint(words)


def _starts(name: str, known: frozenset[str]) -> bool:
    """Whether the first words, or the first two Han characters, are a known name."""
    words = name.split()
    if not name.isascii():
        return name[:2] in known
    return bool(words) and (words[0] in known or " ".join(words[:2]) in known)
