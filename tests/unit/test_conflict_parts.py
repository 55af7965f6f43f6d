"""Of an older statement that says two things one may fall: the other is not lost with it."""

from datetime import UTC, datetime, timedelta

import pytest

from hindsight_memory.core.conflict import Resolution, Statement, judge, settle

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)


def resolution(old: str, new: str) -> tuple[Resolution, bool]:
    """Who stays, and whether it is because only a part has fallen."""
    before = Statement(content=old, happened_at=MONDAY)
    after = Statement(content=new, happened_at=MONDAY + timedelta(days=1))
    judgement = judge(before, after)
    return settle(judgement, before, after).resolution, judgement.is_partial


TWO_THINGS = [
    # and
    ("I live in Leeds and work at Acme", "I moved to Berlin"),
    ("We use npm and deploy to Vercel", "We switched to pnpm"),
    ("I work at Acme and drive a Volvo", "I joined Globex"),
    ("I live in Leeds and I have a dog", "I moved to Berlin"),
    ("I live in Leeds and play the cello", "I moved to Berlin"),
    ("I speak French and live in Paris", "I moved to Rome"),
    ("My parents live in Leeds and own a bakery", "My parents moved to Berlin"),
    ("I live in Leeds and never eat meat", "I moved to Berlin"),
    ("I live in Leeds and always take the bus", "I moved to Berlin"),
    ("We use npm and lint with Biome", "We switched to pnpm"),
    ("I prefer dark mode and code in Rust", "I prefer light mode"),
    ("I live in Leeds, and my sister lives in York", "I moved to Berlin"),
    ("The API listens on port 8000 and needs a token", "The API listens on port 8080"),
    ("Bob lives in Leeds and works at Acme", "Bob moved to Berlin"),
    ("The office is in Leeds and opens at 9", "The office moved to Berlin"),
    # but, while, because
    ("I live in Leeds but work at Acme", "I moved to Berlin"),
    ("I live in Leeds but my family is from Cork", "I moved to Berlin"),
    ("I live in Leeds but don't drive", "I moved to Berlin"),
    ("I live in Leeds while my wife works in York", "I moved to Berlin"),
    ("I live in Leeds because I work at Acme", "I moved to Berlin"),
    ("I live in Leeds, where I work at Acme", "I moved to Berlin"),
    ("I live in Leeds and also teach yoga", "I moved to Berlin"),
    # commas, semicolons, sentences
    ("I live in Leeds, work at Acme", "I moved to Berlin"),
    ("I live in Leeds, I work at Acme", "I moved to Berlin"),
    ("I live in Leeds; I am allergic to nuts", "I moved to Berlin"),
    ("I live in Leeds; allergic to nuts", "I moved to Berlin"),
    ("I live in Leeds. Allergic to nuts.", "I moved to Berlin"),
    ("I live in Leeds, work at Acme, and drive a Volvo", "I moved to Berlin"),
    ("Lives in Leeds, works at Acme", "User moved to Berlin"),
    ("I live in Leeds. My locker code is kept in the safe.", "I moved to Berlin"),
    ("The API listens on port 8000; retries are capped", "The API listens on port 8080"),
    ("I live in Leeds and am vegan", "I moved to Berlin"),
    ("I live in Leeds and Bob lives in York", "I moved to Berlin"),
    ("I live in Leeds and rent is paid by my parents", "I moved to Berlin"),
    ("The team uses MySQL and hosts on Hetzner", "The team migrated to PostgreSQL"),
    # Chinese conjunctions
    ("我住在上海并且喜欢吃辣", "我搬到杭州了"),
    ("我住在上海，在腾讯上班", "我搬到杭州了"),
    ("我住在上海而且养了一只猫", "我搬到杭州了"),
    ("我住在上海还养了一只猫", "我搬到杭州了"),
    ("我住在上海也喜欢爬山", "我搬到杭州了"),
    ("我住在上海但在苏州上班", "我搬到杭州了"),
    ("我住在上海，但是老家在四川", "我搬到杭州了"),
    ("我住在上海；对花生过敏", "我搬到杭州了"),
    ("我住在上海。对花生过敏。", "我搬到杭州了"),
    ("我住在上海、在腾讯上班", "我搬到杭州了"),
    ("我住在上海同时在读研究生", "我搬到杭州了"),
    ("我住在上海，每天骑车上班", "我搬到杭州了"),
    ("我住在上海，信佛", "我搬到杭州了"),
    ("我住在上海，会开车", "我搬到杭州了"),
    ("我住在上海，未婚", "我搬到杭州了"),
    ("我在腾讯上班，还开了一家咖啡馆", "我跳槽到字节跳动了"),
    ("我在腾讯上班并且负责支付模块", "我跳槽到字节跳动了"),
    ("我们用npm，部署在Vercel上", "我们改用pnpm了"),
    ("我们用npm并部署到Vercel", "我们改用pnpm了"),
    ("我们用MySQL又用Redis做缓存", "我们把MySQL换成PostgreSQL了"),
    ("张三住在北京且在字节工作", "张三搬到深圳了"),
    ("支付服务监听8000端口，日志写到ELK", "支付服务监听8080端口"),
    ("我住在上海，我妈妈住在南京", "我搬到杭州了"),
    ("因为在腾讯上班，我住在深圳", "我搬到杭州了"),
    ("我住在上海，另外我对花生过敏", "我搬到杭州了"),
    ("我住上海，不过户口在南京", "我搬到杭州了"),
    ("我在腾讯上班，做后端", "我跳槽到字节跳动了"),
    ("我在华为工作，职位是架构师", "我跳槽到字节跳动了"),
    ("我住在上海在腾讯上班", "我搬到杭州了"),
    ("我住在上海做程序员", "我搬到杭州了"),
    # of many slots
    ("My phone number is 555-0100 and my birthday is May 3", "My phone number is 555-0199"),
    ("I'm vegetarian and allergic to soy", "I started eating meat again"),
    ("I drink coffee every morning and smoke", "I gave up coffee"),
    ("Our standup is at 9 and retros are on Fridays", "Our standup is now at 10"),
    ("I'm single, own two cats and study law", "I married Tom"),
    ("I own a Honda, and I park it behind the library", "I sold the Honda"),
    ("I drive a Honda and hate motorways", "I sold the Honda"),
    ("Kim leads the search team and mentors Leo", "Noor took over the search team"),
    ("Deadline is March 3, budget is 5000 euros", "The deadline was moved to March 10"),
    (
        "I used npm at Acme but now use yarn, and I keep my notes in Obsidian",
        "I switched from yarn to pnpm",
    ),
    ("I like tea but cannot stand milk", "I gave up tea"),
    ("The API version is v1.2 and it requires a token", "The API version is v2.0"),
    ("Bob works at Acme; Ann works at Globex", "Bob joined Initech"),
    ("I live in Leeds, have two sons and run a bakery", "I moved to Berlin"),
    ("My dentist is Dr. Wu and my doctor is Dr. Hale", "My dentist is Dr. Sand"),
    ("I prefer dark mode, use Vim and type on a Dvorak layout", "I prefer light mode"),
    ("I speak Dutch and my wife speaks Greek", "I forgot my Dutch"),
    ("我在字节跳动上班，老婆是老师", "我跳槽到腾讯了"),
    ("我吃素，而且对牛奶过敏", "我又开始吃肉了"),
    ("数据库端口是5432，密码放在保险箱里", "数据库端口改成5433了"),
    ("周会定在周三，地点在三楼会议室", "周会改到周四"),
    ("我单身，养了两只猫", "我结婚了"),
    ("支付模块由张三负责，订单模块由李四负责", "支付模块移交给王五了"),
    ("我喜欢喝咖啡但是不能喝牛奶", "我戒咖啡了"),
    ("用户住在成都，母语是四川话", "用户搬到重庆了"),
    ("用户偏好深色主题，回答要简短", "用户偏好浅色主题"),
    ("我用Vim写代码，用Obsidian记笔记", "我改用VSCode写代码了"),
    ("我住在成都，同时在学日语", "我搬到重庆了"),
    ("小王在甲公司上班，小李在乙公司上班", "小王跳槽到丙公司了"),
    ("我的手机号是13800000000，邮箱是a@b.com", "我的手机号换成13900000000了"),
    ("我住在北京，平时喜欢跑步也喜欢游泳", "我搬到天津了"),
    ("我家在苏州，女儿上小学二年级", "我搬到无锡了"),
    ("接口版本是v1.2，超时时间是30秒", "接口版本升级到v2.0"),
    ("我抽烟也喝酒", "我戒烟了"),
    ("服务器在上海机房，每晚自动备份", "服务器搬到北京机房了"),
    # told in other ways
    ("User lives in Leeds and is allergic to nuts", "User moved to Berlin"),
    ("Ann lives in Leeds, speaks French", "Ann moved to Berlin"),
    ("Our database is MySQL and our cache is Redis", "Our database is PostgreSQL now"),
    ("The deploy target is Vercel and the package manager is npm", "The package manager is pnpm"),
    ("The release is on Friday and the demo is on Monday", "The release was moved to Thursday"),
    ("My name is Ann and I live in Leeds", "I moved to Berlin"),
    ("I'm Ann, I live in Leeds, and I work at Acme", "I moved to Berlin"),
    ("We meet on Mondays but ship on Fridays", "We meet on Tuesdays now"),
    ("I moved to Leeds in 2020 and joined Acme", "I moved to Berlin"),
    ("User prefers dark mode. User is colour-blind.", "User prefers light mode"),
    ("User prefers dark mode\nUser is colour-blind", "User prefers light mode"),
    ("- lives in Leeds\n- allergic to nuts", "User moved to Berlin"),
    ("I live in Leeds (and work at Acme)", "I moved to Berlin"),
    ("I live in Leeds – and I work at Acme", "I moved to Berlin"),
    ("I both live in Leeds and work at Acme", "I moved to Berlin"),
    ("I live in Leeds, plus I teach yoga", "I moved to Berlin"),
    ("I live in Leeds; however, I work in York", "I moved to Berlin"),
    ("I am a vegetarian and I don't drink", "I started eating meat again"),
    ("I live in Leeds and my dog is called Rex", "I moved to Berlin"),
    ("The port is 8000 and TLS is on", "The port is 8080"),
    ("我叫小明，住在上海", "我搬到杭州了"),
    ("我是程序员，住在上海", "我搬到杭州了"),
    ("用户偏好深色主题并且是色盲", "用户偏好浅色主题"),
    ("我不但住在上海，而且在腾讯上班", "我搬到杭州了"),
    ("我住在上海，老婆住在苏州", "我搬到杭州了"),
    ("我家住上海，有两个孩子", "我搬到杭州了"),
    ("项目用npm管理依赖，用Vercel部署", "项目改用pnpm管理依赖"),
    ("发布定在周五，演示定在周一", "发布改到周四了"),
    ("端口是8000，开启了TLS", "端口改成8080了"),
    ("我住在上海（在腾讯上班）", "我搬到杭州了"),
    ("我住在上海\n对花生过敏", "我搬到杭州了"),
    ("我在上海住，在腾讯上班", "我搬到杭州了"),
    ("我现在住在上海，以前在北京工作过", "我搬到杭州了"),
    ("我住在上海，计划明年买房", "我搬到杭州了"),
    ("我既住在上海又在上海上班", "我搬到杭州了"),
    ("我住在上海，也就是说我是上海人", "我搬到杭州了"),
]

ONE_THING = [
    ("I live in Leeds, England", "I moved to Berlin"),
    ("I moved from Leeds to Berlin", "I moved to Oslo"),
    ("I work at Acme as an engineer", "I joined Globex"),
    ("I live in Leeds", "I moved to Berlin"),
    ("I live in Leeds with my wife and two kids", "I moved to Berlin"),
    ("I live in Leeds and love it", "I moved to Berlin"),
    ("I live in Leeds and I like it there", "I moved to Berlin"),
    ("I live in Leeds, which is in England", "I moved to Berlin"),
    ("I live in Leeds because rent is cheap", "I moved to Berlin"),
    ("I live in Leeds at the moment", "I moved to Berlin"),
    ("Hi! I live in Leeds.", "I moved to Berlin"),
    ("By the way, I live in Leeds", "I moved to Berlin"),
    ("I live in Leeds, by the way", "I moved to Berlin"),
    ("I live in Leeds, as you know", "I moved to Berlin"),
    ("For the record, I live in Leeds", "I moved to Berlin"),
    ("We use npm for the web app", "We switched to pnpm for the web app"),
    ("The API listens on port 8000", "The API listens on port 8080"),
    (
        "The API of shop and billing listens on port 8000",
        "The API of shop and billing listens on port 8080",
    ),
    ("My wife and I live in Leeds", "My wife and I moved to Berlin"),
    ("I work at Marks and Spencer", "I joined Globex"),
    ("I work at Johnson & Johnson", "I joined Globex"),
    ("I live in Leeds, not far from the station", "I moved to Berlin"),
    ("The deadline is Friday, May 7", "The deadline is Monday, May 10"),
    ("The API listens on port 8000, not 9000", "The API listens on port 8080"),
    ("I live in Leeds and have done so since 2019", "I moved to Berlin"),
    ("I live in Leeds. It is a great city.", "I moved to Berlin"),
    ("I live in Leeds, thanks", "I moved to Berlin"),
    ("User lives in Leeds and has said so", "User moved to Berlin"),
    ("User works at Acme, a bakery in Leeds", "User joined Globex"),
    ("我住在上海浦东", "我搬到杭州了"),
    ("我在腾讯做后端", "我跳槽到字节跳动了"),
    ("我住在上海", "我搬到杭州了"),
    ("我住在上海，很喜欢", "我搬到杭州了"),
    ("我住在上海，挺开心的", "我搬到杭州了"),
    ("我住在上海，已经五年了", "我搬到杭州了"),
    ("顺便说一下，我住在上海", "我搬到杭州了"),
    ("你好，我住在上海", "我搬到杭州了"),
    ("记住，我住在上海", "我搬到杭州了"),
    ("我从北京搬到了上海", "我搬到杭州了"),
    ("我现在还住在上海", "我搬到杭州了"),
    ("我也住在上海", "我搬到杭州了"),
    ("我们用npm管理依赖", "我们改用pnpm管理依赖了"),
    ("我的饮食是生酮，一直坚持", "我的饮食改成低碳水了"),
    ("我住在上海，谢谢", "我搬到杭州了"),
    ("其实我住在上海", "我搬到杭州了"),
    ("据我所知，支付服务监听8000端口", "支付服务监听8080端口"),
    ("支付服务和订单服务监听8000端口", "支付服务和订单服务监听8080端口"),
    ("我对花生不过敏", "我对花生过敏"),
    ("我住在上海，就在人民广场旁边", "我搬到杭州了"),
    ("我住在上海市静安区", "我搬到杭州了"),
    ("周会定在周三，上午十点", "周会改到周四了"),
    ("截止日期是周五，别忘了", "截止日期改到周一了"),
    # of many slots
    ("Maya lives in Bonn, on the Rhine", "Maya moved to Graz"),
    ("My phone number is 555-0100, in case you need it", "My phone number is 555-0199"),
    ("We run Postgres 14 in production", "We upgraded to Postgres 16 in production"),
    ("I'm a vegetarian, strictly", "I started eating meat again"),
    ("Our standup is at 9 every morning", "Our standup is now at 10 every morning"),
    ("I own a red Honda from 2012", "I sold the Honda"),
    ("Kim leads the search and ranking team", "Noor took over the search and ranking team"),
    ("The deadline is March 3, a Friday", "The deadline was moved to March 10"),
    ("The API version is v1.2 (stable)", "The API version is v2.0"),
    ("Bob works at Acme Research and Development", "Bob joined Initech"),
    ("I prefer dark mode in all apps and editors", "I prefer light mode in all apps and editors"),
    ("I live in Trinidad and Tobago", "I moved to Berlin"),
    ("I live in Brighton and Hove", "I moved to Berlin"),
    ("The package manager of the shop is npm", "The package manager of the shop is pnpm"),
    ("Remember: the port is 8000!", "The port is 8080"),
    ("The build uses npm, as always", "The build uses pnpm now"),
    ("I work at Acme, which makes anvils", "I joined Globex"),
    ("I live in Leeds, near the canal and the old mill", "I moved to Berlin"),
    ("Hello! Just so you know, I live in Leeds. Thanks!", "I moved to Berlin"),
    ("User currently lives in Vienna, Austria", "User moved to Oslo"),
    ("我在字节跳动上班，已经三年多了", "我跳槽到腾讯了"),
    ("我吃素", "我又开始吃肉了"),
    ("数据库端口是5432，请记住", "数据库端口改成5433了"),
    ("周会定在周三下午两点", "周会改到周四下午两点"),
    ("我单身，一直都是", "我结婚了"),
    ("支付模块由张三负责", "支付模块移交给王五了"),
    ("我喜欢喝咖啡，特别喜欢", "我戒咖啡了"),
    ("用户住在成都，锦江区", "用户搬到重庆了"),
    ("用户偏好深色主题，谢谢", "用户偏好浅色主题"),
    ("我用Vim写代码", "我改用VSCode写代码了"),
    ("我住在成都，挺习惯的", "我搬到重庆了"),
    ("我在甲公司担任工程师", "我跳槽到丙公司了"),
    ("你好！我的手机号是13800000000", "我的手机号换成13900000000了"),
    ("我家在苏州", "我搬到无锡了"),
    ("接口版本是v1.2，这是最新的", "接口版本升级到v2.0"),
    ("其实，我住在北京", "我搬到天津了"),
    ("我去年从广州搬到了北京", "我搬到天津了"),
    ("王芳的职业是护士，一直没变", "王芳的职业改成老师了"),
    # told in other ways
    ("I work for Procter and Gamble", "I joined Globex"),
    ("User's favorite color is black and white", "User's favorite color is red"),
    ("The budget is 5,000 euros", "The budget was raised to 6,000 euros"),
    ("I live in St. Albans, Herts.", "I moved to Berlin"),
    ("User lives in Vienna with a cat and a dog", "User moved to Oslo"),
    ("Standup is at 9:30, Mon to Fri", "Standup is now at 10:00"),
    ("I drive to work by car every day and night", "I bike to work now"),
    ("I live in Leeds and always have", "I moved to Berlin"),
    ("I live in Leeds, I believe", "I moved to Berlin"),
    ("Note: I live in Leeds.", "I moved to Berlin"),
    ("I live in Leeds!!!", "I moved to Berlin"),
    ("User works at Acme Inc., New York", "User joined Globex"),
    ("I live in Leeds, LS1 4AP", "I moved to Berlin"),
    ("Ann is married to Tom and very happy", "Ann divorced Tom"),
    ("I live in Leeds, up north", "I moved to Berlin"),
    ("我住在上海，中国", "我搬到杭州了"),
    ("我住在上海；谢谢", "我搬到杭州了"),
    ("我住在上海和平路", "我搬到杭州了"),
    ("我在和睦家医院上班", "我跳槽到瑞金医院了"),
    ("我住在上海，大概三年了吧", "我搬到杭州了"),
    ("我住在上海，从小就住这里", "我搬到杭州了"),
    ("告诉你一下，我住在上海", "我搬到杭州了"),
    ("用户住在上海市徐汇区漕溪北路", "用户搬到杭州了"),
]


REPLACED_BY_NAME = [
    ("We use Redis", "We migrated from MySQL to PostgreSQL"),
    ("We use yarn", "We switched from npm to pnpm"),
    ("Bob uses Chrome", "Bob switched from Safari to Firefox"),
    ("我们用Redis", "我们把MySQL换成PostgreSQL了"),
    ("我们用Redis", "我们从MySQL迁移到PostgreSQL了"),
]


@pytest.mark.parametrize(("old", "new"), TWO_THINGS)
def test_what_falls_in_part_stays_and_is_told(old: str, new: str) -> None:
    assert resolution(old, new) == (Resolution.KEEP_BOTH, True)


@pytest.mark.parametrize(("old", "new"), ONE_THING)
def test_what_falls_as_a_whole_is_retired(old: str, new: str) -> None:
    assert resolution(old, new) == (Resolution.KEEP_NEW, False)


@pytest.mark.parametrize(("old", "new"), REPLACED_BY_NAME)
def test_what_replaces_another_by_name_leaves_the_rest(old: str, new: str) -> None:
    assert resolution(old, new) == (Resolution.KEEP_BOTH, False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use MySQL", "We migrated from MySQL to PostgreSQL"),
        ("We use pg", "We migrated from PostgreSQL to MySQL"),
        ("We use MySQL", "We migrated from the old database to PostgreSQL"),
        ("我们用MySQL", "我们把MySQL换成PostgreSQL了"),
    ],
)
def test_what_is_replaced_by_name_is_retired(old: str, new: str) -> None:
    assert resolution(old, new) == (Resolution.KEEP_NEW, False)


@pytest.mark.parametrize(
    ("old", "new", "remaining"),
    [
        ("I live in Leeds and work at Acme", "I moved to Berlin", ("i work at acme",)),
        ("I will live in Leeds and work at Acme", "I moved to Berlin", ()),
        ("我住在上海并且喜欢吃辣", "我搬到杭州了", ("user 并且喜欢吃辣",)),
        ("我住在上海，信佛，对花生过敏", "我搬到杭州了", ("信佛", "user 对花生过敏")),
        ("I like tea and coffee", "I gave up coffee", ("tea",)),
        ("I like tea and coffee", "I gave up coffee. I like tea.", ()),
        ("I have a cat and a dog named Rex", "My dog Rex died", ("cat",)),
        ("I own a Volvo and a Honda", "I sold the Volvo", ("honda",)),
        ("I speak French and German", "I forgot my French", ("german",)),
        ("I am allergic to peanuts and soy", "I outgrew my peanut allergy", ("soy",)),
        ("I like coffee and black coffee", "I gave up coffee", ()),
        ("我喜欢喝茶和咖啡", "我戒咖啡了", ("茶",)),
        ("我喜欢喝茶和咖啡", "我不喝茶也不喝咖啡了", ()),
        ("我对花生和牛奶过敏", "我对花生不过敏了", ("牛奶",)),
    ],
)
def test_what_remains_is_told_with_its_subject(
    old: str, new: str, remaining: tuple[str, ...]
) -> None:
    before = Statement(content=old, happened_at=MONDAY)
    after = Statement(content=new, happened_at=MONDAY + timedelta(days=1))
    assert judge(before, after).remaining == remaining
