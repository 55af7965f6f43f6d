"""What an error says about the next call like the one that failed."""

import pytest

from hindsight_memory.core.mishaps import Kind, kind_of


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb9", Kind.UNFIT),
        ("400 Bad Request: a date has the wrong format", Kind.UNFIT),
        ("编码错误：无法用 utf-8 解码", Kind.UNFIT),
        ("ProgrammingError: syntax error at or near LIMIT", Kind.UNFIT),
        ("TypeError: f() got an unexpected keyword argument 'sep'", Kind.FORM),
        ("SyntaxError: Unexpected token '<' in JSON", Kind.UNFIT),
        ("the content exceeds the maximum of 25000 tokens", Kind.UNFIT),
        ("401: your token has expired", Kind.TARGET),
        ("error: unrecognized arguments: --foo", Kind.FORM),
        ("缺少必填参数 date", Kind.FORM),
        ("429 Too Many Requests: slow down", Kind.LIMIT),
        ("请求过于频繁，请稍后再试", Kind.LIMIT),
        ("TimeoutError: no answer in 30 s", Kind.PASSING),
        ("连接超时", Kind.PASSING),
        ("sqlite3.OperationalError: database is locked", Kind.PASSING),
        ("KeyboardInterrupt", Kind.PASSING),
        ("FileNotFoundError: 'a.csv'", Kind.TARGET),
        ("文件不存在", Kind.TARGET),
        ("ModuleNotFoundError: No module named 'x'", Kind.TARGET),
        ("2 failed, 3 passed", Kind.TARGET),
        ("KeyError: 'a'", Kind.UNKNOWN),
        ("", Kind.UNKNOWN),
    ],
)
def test_an_error_tells_whether_the_call_would_fail_again(error: str, kind: Kind) -> None:
    assert kind_of(error) is kind
