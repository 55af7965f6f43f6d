"""What shares its tags and subject: only the same slot with another value gives way."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hindsight_memory.core.model import Draft, Memory, Outcome, Related
from hindsight_memory.core.planning import Plan, memory_of, plan_write

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
TAGS = frozenset({"shared"})


def told(content: str, new_id: str) -> Memory:
    draft = Draft(content=content, user_id="ann", agent_id="coder", tags=TAGS)
    return memory_of(draft, tenant="acme", new_id=new_id, now=NOON)


def after(before: str, content: str) -> Plan:
    old = replace(told(before, "old"), created_at=NOON - timedelta(days=1))
    near = [Related(memory=old, similarity=1.0)]
    return plan_write(told(content, "new"), near, replaced=None)


NOT_OF_NOW = [
    ("The queue port is 5672", "The queue port was 5671 last spring"),
    ("The queue port is 5672", "The queue port is not 5671"),
    ("The queue port is 5672", "The queue port might be 5671"),
    ("The queue port is 5672", "The queue port will be 5671"),
    ("The pool allows 20 connections", "The pool allowed 10 connections"),
    ("The pool allows 20 connections", "The pool should allow 40 connections"),
    ("The pool allows 20 connections", "The pool used to allow 8 connections"),
    ("The pool allows 20 connections", "Does the pool allow 40 connections?"),
    ("The pool allows 20 connections", "The pool never allows 40 connections"),
    ("The pool allowed 20 connections", "The pool allows 40 connections"),
    ("Mira won a medal in 1998", "Mira won a medal in 2006"),
    ("Mira ran 10 km", "Mira ran 12 km"),
    ("队列端口是5672", "队列端口去年是5671"),
    ("队列端口是5672", "队列端口不是5671"),
    ("队列端口是5672", "队列端口可能是5671"),
    ("队列端口是5672", "队列端口下个月是5671"),
    ("连接池允许20个连接", "连接池以前允许10个连接"),
    ("连接池允许20个连接", "连接池应该允许40个连接"),
    ("连接池允许20个连接", "连接池不允许40个连接"),
    ("连接池允许20个连接", "连接池允许40个连接吗"),
    ("连接池曾允许20个连接", "连接池允许40个连接"),
    ("剧团在1998年办了巡演", "剧团在2006年办了巡演"),
    ("剧团演过10场话剧", "剧团演过12场话剧"),
    ("剧团卖了300张票", "剧团卖了500张票"),
]
OTHER_THINGS = [
    ("The choir has 12 sopranos", "The choir has 9 tenors"),
    ("The seminar is on floor 3", "The seminar is at 5 pm"),
    ("The hall has 4 doors", "The hall seats 150 people"),
    ("The tram stops at platform 2", "The tram stops at platform 6"),
    ("The depot serves line 4", "The depot serves line 9"),
    ("The farm keeps 30 goats in the valley", "The farm keeps 45 goats on the hill"),
    ("The cluster has 3 nodes in Paris", "The cluster has 5 nodes in Rome"),
    ("The oven heats to 250 degrees", "The oven weighs 60 kg"),
    ("The novel has 320 pages", "The novel has 28 chapters"),
    ("The pump moves 40 litres a minute", "The pump moves 40 litres at 6 bar"),
    ("合唱团有12个女高音", "合唱团有9个男高音"),
    ("讲座在3楼", "讲座在5点"),
    ("礼堂有4扇门", "礼堂可容纳150人"),
    ("电车停靠2号站台", "电车停靠6号站台"),
    ("车库停着4路公交", "车库停着9路公交"),
    ("农场在山谷养30只羊", "农场在山上养45只羊"),
    ("集群在上海有3个节点", "集群在北京有5个节点"),
    ("小说有320页", "小说有28章"),
    ("水泵每分钟抽40升水", "水泵重60公斤"),
]
OTHER_OBJECTS = [
    ("User likes jazz", "User now likes chess"),
    ("The baker buys flour at the mill", "The baker now buys honey at the mill"),
    ("Jonas no longer smokes", "Jonas no longer gambles"),
    ("Jonas no longer eats pork", "Jonas no longer drinks wine"),
    ("The shop sells tea", "The shop now sells kettles"),
    ("The shop sells tea in tins", "The shop no longer sells mugs in boxes"),
    ("Selma plays the harp", "Selma now teaches the harp"),
    ("User drinks tea with milk", "User now drinks milk with honey"),
    ("用户不再熬夜", "用户不再赌博"),
    ("用户不再吃猪肉", "用户不再喝可乐"),
    ("用户喜欢爵士乐", "用户现在喜欢下棋"),
    ("店里卖茶叶", "店里现在卖茶壶"),
    ("店里卖罐装茶叶", "店里不再卖盒装咖啡"),
    ("面包师在磨坊买面粉", "面包师现在在磨坊买蜂蜜"),
    ("小周弹竖琴", "小周现在教竖琴"),
    ("用户养了一只猫", "用户现在养了一条狗"),
    ("小周换了手机", "小周换了工作"),
]
ONLY_A_PART = [
    ("The shop sells rye bread, delivers to Leeds", "The shop no longer sells rye bread"),
    ("The shop sells rye bread. It delivers to Leeds.", "The shop no longer sells rye bread"),
    ("The shop sells rye bread and delivers to Leeds", "The shop no longer sells rye bread"),
    ("小店卖黑面包并且送货上门", "小店不再卖黑面包"),
    ("小店卖黑面包，送货上门", "小店不再卖黑面包"),
]
BESIDE = [*ONLY_A_PART, *NOT_OF_NOW, *OTHER_THINGS, *OTHER_OBJECTS]


@pytest.mark.parametrize(("before", "content"), BESIDE)
def test_what_speaks_of_another_time_thing_or_object_or_of_a_part_stands_beside(
    before: str, content: str
) -> None:
    assert after(before, content).outcome is Outcome.STORED


GIVING_WAY = [
    ("The queue port is 5672", "The queue port is 5671"),
    ("The cache holds 200 entries", "The cache holds 500 entries"),
    ("A full build takes 12 minutes", "A full build now takes 9 minutes"),
    ("The pool allows 20 connections", "The pool allows 40 connections"),
    ("Backups stay for 7 days", "Backups stay for 14 days"),
    ("The dashboard refreshes every 30 seconds", "The dashboard refreshes every 10 seconds"),
    ("The hall seats 120 people", "The hall seats 150 people"),
    ("The oven heats to 250 degrees", "The oven heats to 280 degrees"),
    ("The lab boils samples in flasks", "The lab now boils samples in beakers"),
    ("The crew logs faults in a spreadsheet", "The crew now logs faults in Grafana"),
    ("Ana waters the roses on Monday", "Ana now waters the roses on Friday"),
    ("The choir rehearses hymns in the crypt", "The choir now rehearses hymns in the nave"),
    ("The bakery sells rye bread", "The bakery no longer sells rye bread"),
    ("The heater burns oil", "The heater no longer burns oil"),
    ("The office password is maple7", "The office password is cedar9"),
    ("队列端口是5672", "队列端口是5671"),
    ("缓存保存200条记录", "缓存保存500条记录"),
    ("完整构建需要12分钟", "完整构建现在需要9分钟"),
    ("连接池允许20个连接", "连接池允许40个连接"),
    ("备份保留7天", "备份保留14天"),
    ("看板每30秒刷新", "看板每10秒刷新"),
    ("礼堂可容纳120人", "礼堂可容纳150人"),
    ("烤箱加热到250度", "烤箱加热到280度"),
    ("实验室用烧瓶煮样品", "实验室现在用烧杯煮样品"),
    ("值班组用表格登记故障", "值班组现在用工单登记故障"),
    ("花店在周一浇花", "花店现在在周五浇花"),
    ("合唱团在地下室排练", "合唱团现在在礼堂排练"),
    ("面包店卖黑麦面包", "面包店不再卖黑麦面包"),
    ("暖气烧煤", "暖气不再烧煤"),
    ("办公室密码是枫叶7", "办公室密码是雪松9"),
]


@pytest.mark.parametrize(("before", "content"), GIVING_WAY)
def test_another_value_of_the_same_slot_supersedes(before: str, content: str) -> None:
    assert after(before, content).outcome is Outcome.SUPERSEDED
