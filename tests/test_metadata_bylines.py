"""Bylines in the languages of the web: who wrote a page, and that the byline stays."""

import pytest

import dehusk

ARTICLE = (
    "<title>Three bridges - Harbour Post</title><body><header><a href=/>Home</a> <a href=/a>News</a></header><article>"
    "<h1>Three bridges</h1><p>{byline}</p><p>14.03.2024</p><p>{text} {text}</p><p>{text}</p></article>"
)
SENTENCE = "The town wants to build three new bridges over the river next year, as it says, and to open them in spring."


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("di Anna Rossi", "Anna Rossi"),
        ("Szerző: Nagy Anna", "Nagy Anna"),
        ("Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"),
        ("Της Άννας Παπαδοπούλου", "Άννας Παπαδοπούλου"),
        ("Tác giả: Nguyễn Văn An", "Nguyễn Văn An"),
        ("بقلم: محمد علي", "محمد علي"),
        ("מאת: דנה כהן", "דנה כהן"),
        ("نویسنده: علی رضایی", "علی رضایی"),
        ("लेखक: राम शर्मा", "राम शर्मा"),
        ("โดย สมชาย ใจดี", "สมชาย ใจดี"),
        ("Oleh Budi Santoso", "Budi Santoso"),
        ("Piše: Ana Horvat", "Ana Horvat"),
        ("記者王小明／台北報導", "王小明"),
        ("作者：记者 王小明", "王小明"),
        ("김철수 기자", "김철수"),
    ],
)
def test_bylines_of_many_languages(byline: str, author: str) -> None:
    assert dehusk.clean(ARTICLE.format(byline=byline, text=SENTENCE)).metadata.authors == (author,)


@pytest.mark.parametrize("line", ["di sera e di notte", "بقلم", "oleh semua orang di kota"])
def test_lines_without_a_name_have_no_author(line: str) -> None:
    assert dehusk.clean(ARTICLE.format(byline=line, text=SENTENCE)).metadata.authors == ()


@pytest.mark.parametrize("date", ["14 मार्च 2024", "۱۴ مارس ۲۰۲۴، ۰۹:۳۰", "14 มีนาคม 2567 09:30"])
def test_a_byline_with_a_date_in_any_digits_stays(date: str) -> None:
    page = dehusk.clean(ARTICLE.format(byline=f"Ann Leaf | {date}", text=SENTENCE).replace("<p>14.03.2024</p>", ""))
    assert f"Ann Leaf | {date}" in page.text


@pytest.mark.parametrize("name", ["Oleh Petrenko", "Yazan Halwani"])
def test_first_names_that_are_words_of_bylines_elsewhere(name: str) -> None:
    declared = f'<meta name="author" content="{name}">' + ARTICLE.format(byline=f"By {name}", text=SENTENCE)
    assert dehusk.clean(declared).metadata.authors == (name,)
    assert dehusk.clean(ARTICLE.format(byline=f"By {name}", text=SENTENCE)).metadata.authors == (name,)
