"""What readers write below an article: `Document.comments`, and `comments="keep"` in every output."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import ConfigError
from dehusk.cli import main

WORDS = "water that has just boiled, and five minutes in a warm pot before it is poured into the cups"
ARTICLE = "<h1>How tea is made</h1>" + "".join(f"<p>Tea number {n} needs {WORDS}.</p>" for n in range(1, 6))
SAID = ("I made this for my mother and she wants it again.", "Glad that she liked it so much!", "Too bitter for me.")


def comment(number: int, name: str, text: str, inside: str = "") -> str:
    return (
        f"<li class='comment' id='comment-{number}'><article class='comment-body'><footer class='comment-meta'>"
        f"<div class='comment-author vcard'><b class='fn'>{name}</b></div><div class='comment-metadata'><a href="
        f"'#comment-{number}'><time datetime='2026-05-0{number}T10:00:00'>May {number}, 2026 at 10:00</time></a></div>"
        f"</footer><div class='comment-content'><p>{text}</p></div><div class='reply'><a href='?to={number}'>Reply</a>"
        f"</div></article><ol class='children'>{inside}</ol></li>"
    )


COMMENTS = comment(1, "Ann", SAID[0], comment(2, "Bo", SAID[1])) + comment(3, "Cleo", SAID[2])
PAGE = (
    f"<title>How tea is made</title><nav><a href='/'>Home</a></nav><main><article>{ARTICLE}</article></main>"
    f"<div id='comments'><h2>3 thoughts on tea</h2><ol>{COMMENTS}</ol></div><footer>Imprint</footer>"
)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command: exit code, standard output, standard error."""

    def typed(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dehusk", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        return int(done.value.code or 0), *capfd.readouterr()

    return typed


class KeepsArticle:
    """Keeps the article, as a labeller does."""

    def segment(self, page: dehusk.Page) -> dehusk.Blocks:
        return dehusk.segment(page)

    def label(self, blocks: dehusk.Blocks, *, explain: bool = False) -> dehusk.Labels:
        labels = dehusk.load_method("keep-all").label(blocks, explain=explain)
        kept = [text.startswith(("How tea", "Tea number")) for text in blocks.texts]
        return dehusk.Labels(labels.blocks, labels.label, labels.probability, labels.kept & kept, labels.reasons)


def cleaned(html: str = PAGE, **options: Any) -> dehusk.Document:
    return dehusk.clean(html, method=KeepsArticle(), **options)


def test_the_document_has_the_comments_that_its_text_leaves_out() -> None:
    document = cleaned()
    assert [(one.author, one.date, one.depth, one.kind) for one in document.comments] == [
        ("Ann", "2026-05-01T10:00:00", 0, "comment"),
        ("Bo", "2026-05-02T10:00:00", 1, "comment"),
        ("Cleo", "2026-05-03T10:00:00", 0, "comment"),
    ]
    assert tuple(one.text for one in document.comments) == SAID
    assert document.posts == []
    assert SAID[0] not in document.text
    assert document.record(evidence=True)["comments"]


def test_all_outputs_have_kept_comments_below_their_heading() -> None:
    document = cleaned(comments="keep", explain=True)
    lines = [line.strip() for line in document.markdown.splitlines() if line]
    assert lines[lines.index("## 3 thoughts on tea") + 1 :] == [
        "1. **Ann**, May 1, 2026 at 10:00",
        SAID[0],
        "1. **Bo**, May 2, 2026 at 10:00",
        SAID[1],
        "2. **Cleo**, May 3, 2026 at 10:00",
        SAID[2],
    ]
    assert (
        f"\n\n\u21b3 Bo, May 2, 2026 at 10:00\n\n{SAID[1]}\n\nCleo, May 3, 2026 at 10:00\n\n{SAID[2]}" in document.text
    )
    assert "<p><strong>Cleo</strong>, May 3, 2026 at 10:00</p>" in document.html
    assert all(text in document.html for text in SAID)
    assert "Reply" not in document.text
    assert [post.author for post in document.posts] == ["Ann", "Bo", "Cleo"]
    assert document.comments == [], "they are in the text, so they are posts"
    (block,) = (block for block in document.blocks if block.text == SAID[2])
    assert (block.reason, block.label) == ("comment", "comment")


def test_a_thread_has_no_comments() -> None:
    thread = dehusk.clean(f"<title>Tea</title><h1>Tea</h1><ol>{COMMENTS}</ol>", method="keep-all")
    assert thread.comments == []
    assert len(thread.posts) == 3


def test_a_comment_of_which_a_little_is_kept_is_kept_as_a_whole() -> None:
    long = PAGE.replace(SAID[2], f"Tea number 9.</p><p>{WORDS}, says my mother, who has a shop for tea in our town.")
    assert [one.text.count(WORDS) for one in cleaned(long).comments] == [0, 0, 1]
    assert cleaned(long, comments="keep").text.count(WORDS) == 6


def test_short_equal_and_linked_comments_keep_their_text() -> None:
    said = ["Great!", "Great!", "Great!", "<a href='/pot'>my pot</a>"]
    short = "".join(comment(number, f"Ann{number}", text) for number, text in enumerate(said, 1))
    document = cleaned(PAGE.replace(COMMENTS, short))
    assert [one.text for one in document.comments] == ["Great!", "Great!", "Great!", "my pot"]
    assert cleaned(PAGE.replace(COMMENTS, short), comments="keep").text.count("Great!") == 3


def test_the_article_and_lists_of_links_are_no_comments() -> None:
    dated = "<article class='comment-body'><b class='fn'>Dan</b> <time datetime='2026-05-01T09:00:00'></time>"
    whole = PAGE.replace("<main><article>", f"<main>{dated}")
    assert [one.author for one in cleaned(whole).comments] == ["Ann", "Bo", "Cleo"]
    links = [comment(n, f"Ann{n}", f"<a href='/t/{n}'>{SAID[n % 3]}</a> yes") for n in range(1, 5)]
    assert cleaned(PAGE.replace(COMMENTS, "".join(links))).comments == []


def test_the_heading_of_comments_is_the_one_that_says_so() -> None:
    page = PAGE.replace("</h2><ol>", "</h2><h4>Share your love</h4><ol>")
    markdown = cleaned(page, comments="keep").markdown
    assert "## 3 thoughts on tea" in markdown
    assert "Share your love" not in markdown


def test_nothing_is_left_out_once_comments_are_kept() -> None:
    with_button = PAGE.replace("</p></div><div class='reply'>", "</p><p>Show all</p></div><div class='reply'>")
    assert cleaned(with_button, comments="keep").comments == []


def test_names_stay_where_no_writer_says_them() -> None:
    """The markup does not name authors: a class that says nothing, and no element that is known."""
    vague = PAGE.replace("comment-author vcard", "x").replace("class='fn'", "").replace("comment-meta", "y")
    assert "Cleo" in cleaned(vague, comments="keep").text


REVIEW = "<div class='product-reviews__review'><b>{}</b><span>{}</span></div>"
UNDATED = PAGE.replace(
    COMMENTS, "".join(REVIEW.format(n, f"Number {n}: {text} {WORDS}.") for n, text in enumerate(SAID))
)


def test_reviews_without_dates_have_their_text_and_nobody_s_name() -> None:
    document = cleaned(UNDATED)
    assert [(one.author, one.date, one.kind) for one in document.comments] == [(None, None, "review")] * 3
    assert all(said in one.text for said, one in zip(SAID, document.comments, strict=True))
    kept = cleaned(UNDATED, comments="keep")
    assert all(said in kept.text for said in SAID)
    assert kept.posts == []


@pytest.mark.parametrize(
    "other",
    [
        "<div class='comment-form-x'>Enter what you think of tea and of all that goes with it <input></div>",
        "<div class='comment-box'>Enter what you think of tea and of all that goes with it <input></div>",
        "<div class='comment-error'>Please enter the address of your post box before you send a comment to us</div>",
        "<div class='review'><h3><a href='/r/{}'>We try another kettle</a></h3>It boils in two minutes.</div>",
        "<div class='review'>All who buy tea here can write what they think of it, and so can you, dear reader.</div>",
    ],
    ids=["form", "field", "message", "teaser", "the same text"],
)
def test_what_is_named_so_and_is_no_comment(other: str) -> None:
    assert cleaned(PAGE.replace(COMMENTS, "".join(other.format(n) for n in range(3)))).comments == []


def test_rules_and_hidden_text_win() -> None:
    rules = dehusk.Rules.parse('["*"]\ndrop = ["#comment-3"]')
    assert SAID[2] not in cleaned(comments="keep", rules=rules).text
    hidden = PAGE.replace(f"<p>{SAID[2]}</p>", f"<p style='position:absolute;left:-9999px'>{SAID[2] * 4}</p>")
    assert SAID[2] not in cleaned(hidden, comments="keep").text


def test_a_choice_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="comments"):
        dehusk.clean(PAGE, comments="maybe")  # type: ignore[arg-type]


def test_the_command_line(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "saved" / "tea.html"
    page.parent.mkdir()
    page.write_text(PAGE)
    assert SAID[0] not in run("clean", page)[1]
    assert all(text in run("clean", "--comments", "keep", page)[1] for text in SAID)
    code, _, err = run("clean", "--comments", "some", page)
    assert code == 2
    assert "drop" in err
    run("corpus", "--comments", "keep", page.parent, "--output", tmp_path / "job", "--format", "jsonl")
    assert SAID[1] in next((tmp_path / "job" / "pages").iterdir()).read_text("utf-8")
