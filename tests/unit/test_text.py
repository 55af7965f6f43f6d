"""Words, in both languages: what finds what, and where a text may be cut."""

import subprocess
import sys
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hindsight_memory.core.text import (
    LONGEST_TERM,
    estimated_tokens,
    fold,
    passages,
    query_terms,
    terms,
)

anything = st.text(st.characters(exclude_categories=()), max_size=200)
words = st.text(st.sampled_from("aB1 .-_'’@/\\#+é麻辣火锅在瞭解\u200b\u202e\ud800\0\n。？!"))
NASTY = "\ud800\0\u202eabc\u200b👩‍👩‍👧‍👦 麻\ufeff辣 １２ ﷺ İ ŉ ß ǅ \u0345α"


def found(query: str, memory: str) -> set[str]:
    return set(query_terms(query)) & set(terms(memory))


# --- one spelling ---


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Hello", "hello"),
        ("ＰＯＲＴ　５４３２", "port 5432"),
        ("Straße", "strasse"),
        ("花生過敏", "花生过敏"),
        ("不瞭解", "不了解"),
        ("憑藉", "凭借"),
        ("用\u200b户\u202e名", "用户名"),
        ("so\u00adft", "soft"),
        ("\ud800x", "\ufffdx"),
        ("1,000元", "1,000元"),
    ],
)
def test_what_reads_the_same_is_folded_to_one_spelling(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(anything | words)
@example(NASTY)
def test_folding_twice_changes_nothing_and_can_be_encoded(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert once.encode().decode() == once


# --- terms are safe, and the two functions agree ---


@given(anything | words)
@example(NASTY)
@example("İ.İ ŉ'ŉ")
def test_every_term_is_alphanumeric_and_short(text: str) -> None:
    made = {*terms(text), *query_terms(text)}
    assert all(term.isalnum() and len(term) <= LONGEST_TERM + 1 for term in made)


@given(anything | words)
@example(NASTY)
@example("的")
def test_a_text_with_a_term_finds_itself(text: str) -> None:
    assert bool(query_terms(text)) == bool(terms(text))
    assert set(query_terms(text)) <= set(terms(text))


@given(anything | words)
@example("v2.3.1 重跑gen-itgc后 C++ user_id 時々")
def test_the_default_tokenizer_of_sqlite_keeps_every_term_whole(text: str) -> None:
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (terms)")
    db.execute("CREATE VIRTUAL TABLE kept USING fts5vocab (words, instance)")
    db.execute("INSERT INTO words VALUES (?)", (" ".join(terms(text)),))
    kept = db.execute("SELECT term FROM kept ORDER BY offset").fetchall()
    assert tuple(term for (term,) in kept) == terms(text)


@given(anything | words)
def test_terms_depend_on_the_spelling_only(text: str) -> None:
    assert terms(text) == terms(unicodedata.normalize("NFD", text))


@given(words)
def test_query_terms_come_once(text: str) -> None:
    asked = query_terms(text)
    assert len(set(asked)) == len(asked)


def test_frequency_is_kept() -> None:
    assert terms("tea, tea and Tea").count("tea") == 3
    assert terms("辣不辣").count("辣") == 2


def test_nothing_has_no_terms() -> None:
    assert terms(" \0\n!?。") == query_terms(" \0\n!?。") == ()


# --- English ---


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("running", "he runs"),
        ("allergy", "two allergies"),
        ("Caroline’s", "Caroline: hello"),
        ("café", "CAFE"),
        ("10000", "about 10,000 rows"),
        ("email", "his e-mail"),
        ("C++", "written in C++."),
        ("May", "in may"),
    ],
)
def test_forms_of_an_english_word_find_each_other(query: str, memory: str) -> None:
    assert found(query, memory)
    assert found(memory, query)


@pytest.mark.parametrize(
    ("query", "memory"), [("C++", "C# or C"), ("2.31", "v23.1"), ("port 54", "port 5432")]
)
def test_what_only_looks_alike_is_told_apart(query: str, memory: str) -> None:
    assert set(query_terms(query)) - set(terms(memory))


def test_question_words_are_not_looked_up() -> None:
    assert query_terms("What did Caroline's friend do in May?") == ("carolin", "friend", "may")


def test_a_query_of_question_words_alone_keeps_them() -> None:
    assert query_terms("What is it?") == ("what", "is", "it")
    assert query_terms("什么") == ("什么", "w什么")


# --- Chinese ---


@pytest.mark.parametrize("query", ["辣", "麻辣", "火锅", "麻辣火", "辣火锅", "麻辣火锅"])
def test_chinese_words_of_one_to_four_characters_are_found(query: str) -> None:
    assert found(query, "我们昨天吃了麻辣火锅。")
    assert not found(query, "我们昨天喝了龙井茶。")


@given(st.text(st.sampled_from("我们昨天吃了麻辣火锅的什么北京大学在")), st.data())
def test_every_piece_of_a_chinese_memory_finds_it(memory: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(memory)))
    piece = memory[start : data.draw(st.integers(start, len(memory)))]
    assert bool(found(piece, memory)) == bool(piece)


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("花生过敏", "花生過敏"),
        ("了解", "瞭解"),
        ("软件", "軟件"),
        ("台湾", "臺灣"),
        ("头发", "頭髮"),
    ],
)
def test_both_scripts_give_the_same_terms(simplified: str, traditional: str) -> None:
    assert terms(traditional) == terms(simplified)
    assert query_terms(traditional) == query_terms(simplified)


def test_a_dictionary_word_outranks_the_same_pair_across_words() -> None:
    within, across = "他在北京大学上学", "东北京剧团"
    assert len(found("北京", across)) < len(found("北京大学", within))


def test_chinese_question_words_are_not_looked_up() -> None:
    assert query_terms("他什么时候去的北京？") == ("去", "北京", "w北京")
    assert query_terms("今晚吃什么？") == ("今晚", "晚吃", "w今晚", "吃")


@pytest.mark.parametrize("query", ["5月2日", "５月２日", "5月"])
def test_a_number_is_found_with_what_it_counts(query: str) -> None:
    assert "5月" in found(query, "我们5月2日见面")
    assert "5月" not in found(query, "5楼，2月")


# --- identifiers ---


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("gen-itgc", ["gen", "itgc"]),
        ("v2.3.1", ["v2", "2.3", "v2.3", "2.3.1"]),
        ("user_id", ["user", "id", "userId", "USER-ID"]),
        ("src/app/main.py", ["src", "main", "main.py", "app/main.py", "src/app"]),
        ("getUserName", ["user", "name", "getusername", "get_user_name"]),
        ("HTTPServer", ["http", "server"]),
        ("C:\\data\\new.csv", ["data", "new.csv"]),
        ("someone@example.com", ["someone", "example.com"]),
        ("port5432", ["port", "5432"]),
    ],
)
@pytest.mark.parametrize("glue", ["use {} here", "重跑{}后", "“{}”。"])
def test_an_identifier_is_found_whole_and_by_its_parts(
    identifier: str, parts: list[str], glue: str
) -> None:
    memory = glue.format(identifier)
    assert all(found(query, memory) for query in [identifier, identifier.upper(), *parts])


@pytest.mark.parametrize(
    ("identifier", "scattered"),
    [("gen-itgc", "gen and itgc"), ("v2.3.1", "v3.1.2"), ("user_id", "the user has an id")],
)
def test_a_whole_identifier_outranks_its_parts(identifier: str, scattered: str) -> None:
    whole = found(identifier, f"重跑{identifier}后")
    assert whole > found(identifier, scattered) > set()


def test_full_width_digits_are_digits() -> None:
    assert query_terms("端口５４３２") == query_terms("端口5432")
    assert "5432" in found("５４３２", "端口5432")


# --- passages ---


@given(anything | words, st.integers(16, 60))
@example("辣" * 100, 16)
@example("a" * 500, 16)
@example("One. Two! " * 20, 16)
def test_passages_lose_nothing_and_keep_the_limit(text: str, limit: int) -> None:
    pieces = tuple(passages(text, limit=limit))
    assert "".join(pieces) == text
    assert all(estimated_tokens(piece) <= limit + 1e-9 for piece in pieces)


def test_a_short_text_is_one_passage() -> None:
    assert tuple(passages("短短的一句。And one more.", limit=400)) == ("短短的一句。And one more.",)
    assert tuple(passages("", limit=400)) == ("",)


def test_passages_end_where_sentences_end() -> None:
    chinese = "今天我们去了北京的故宫博物院。" * 3
    english = "Version 2.3 of the service listens on another port. " * 3
    assert tuple(passages(chinese, limit=16)) == ("今天我们去了北京的故宫博物院。",) * 3
    assert tuple(passages(english, limit=16)) == (english[: len(english) // 3],) * 3


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        # Real counts of multilingual-e5-small's tokenizer, without its two marks: 19, 24, 20.
        (
            "The user said yesterday that he does not like spicy hot pot at all any more, ok.",
            18,
            25,
        ),
        ("用户昨天说他不喜欢吃辣的火锅，医生建议他最近三个月忌口，多喝温水。", 24, 32),
        ("curl -s http://localhost:8080/v1/memories?top_k=5", 18, 26),
    ],
)
def test_the_estimate_is_near_the_tokenizer(text: str, least: float, most: float) -> None:
    assert least <= estimated_tokens(text) <= most


# --- running ---


def test_english_loads_no_chinese_library() -> None:
    code = (
        "import sys; from hindsight_memory.core.text import terms; terms('hello');"
        "print(sorted({'rjieba', 'opencc'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout == "[]\n"


@pytest.mark.parametrize("make", [terms, query_terms])
def test_threads_agree(make: Callable[[str], tuple[str, ...]]) -> None:
    texts = [
        f"running{i} allergies 用户{i}對花生過敏 relational{chr(97 + i % 26)}" for i in range(400)
    ]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(make, texts)) == [make(text) for text in texts]
