"""The language of code listings, from marks of highlighters."""

import pytest

import dehusk
from dehusk import parse
from dehusk.write.content.code import code_languages, language_of

MARKS = {
    "<pre class=language-python>x</pre>": "python",
    "<pre><code class=language-rust>x</code></pre>": "rust",
    "<pre class='lang-py prettyprint-override'><code>x</code></pre>": "py",
    "<pre><code class='hljs bash'>x</code></pre>": "bash",
    "<pre class='sourceCode haskell'><code>x</code></pre>": "haskell",
    "<div class=sourceCode><pre class=python><code>x</code></pre></div>": "python",
    "<pre class='brush: js; toolbar: false'>x</pre>": "javascript",
    "<pre class='brush:c++'>x</pre>": "cpp",
    "<pre name=code class=java>x</pre>": "java",
    "<div class='highlight highlight-source-shell'><pre>x</pre></div>": "shell",
    "<div class='highlight highlight-text-html-basic'><pre>x</pre></div>": "html",
    "<div class='highlight-python3 notranslate'><div class=highlight><pre><span></span>x</pre></div></div>": "python",
    "<div class='highlight-shell-session notranslate'><div class=highlight><pre>x</pre></div></div>": "shell-session",
    "<div class='language-bash highlighter-rouge'><div class=highlight><pre class=highlight><code>x": "bash",
    "<figure class='highlight go'><table><tr><td>1<td class=code><pre>x</pre></table></figure>": "go",
    "<pre class=chroma><code data-lang=cpp>x</code></pre>": "cpp",
    "<pre data-enlighter-language=css>x</pre>": "css",
    "<pre syntax=Python translate=no>x</pre>": "python",
    "<pre lang=ruby>x</pre>": "ruby",
    "<pre class='code highlight' lang=sql>x</pre>": "sql",
    "<pre class='prettyprint lang-c#'>x</pre>": "csharp",
    "<pre class='sp-pristine sp-javascript'>x</pre>": "javascript",
    "<listing class=lang-c>x</listing>": "c",
}
NO_LANGUAGE = [
    "<pre>x</pre>",
    "<p class=language-python>x</p>",
    "<pre lang=en>x</pre>",
    "<pre lang=de class=note>x</pre>",
    "<pre class=language-text>x</pre>",
    "<pre class='language-none python'>x</pre>",
    "<div class='highlight-default notranslate'><div class=highlight><pre>x</pre></div></div>",
    "<div class='highlight-box'><pre>x</pre></div>",
    "<div class='c'><pre>x</pre></div>",
    "<body class=language-python><pre>x</pre></body>",
    "<pre class='language-`rm'>x</pre>",
    "<pre class='language-a\"b'>x</pre>",
    f"<pre class=language-{'a' * 31}>x</pre>",
    f"<div class=language-python><p>{'word ' * 50}</p><pre>x</pre></div>",
]


@pytest.mark.parametrize("source", MARKS)
def test_the_language_of_a_listing(source):
    assert list(code_languages(parse(source)).values()) == [MARKS[source]]


@pytest.mark.parametrize("source", NO_LANGUAGE)
def test_no_language_where_none_is_marked(source):
    assert code_languages(parse(source)) == {}


def test_plain_text_is_told_from_no_mark():
    assert language_of("language-plaintext") == ""
    assert language_of("note") is None


def test_each_listing_has_its_own_language():
    page = parse("<div><pre class=lang-c>x</pre><pre><code class=lang-d>y</code></pre><pre>z</pre></div>")
    assert list(code_languages(page).values()) == ["c", "d"]


@pytest.mark.parametrize(
    ("text", "language"),
    [("$ brew tea", "console"), ("\n&gt; brew tea", "console"), ("import tea", "python"), ("&gt;&gt;&gt; 1", "python")],
)
def test_a_session_of_a_shell_is_no_python(text, language):
    page = parse(f"<div class=highlight-python><pre>{text}</pre></div>")
    assert list(code_languages(page).values()) == [language]


@pytest.mark.parametrize(
    "value", ["lang-" * 200_000, "brush " * 140_000, " " * 10**6, "a" * 10**6, "brush:" + " " * 10**6]
)
def test_attributes_of_a_megabyte_are_cut(value):
    assert code_languages(parse(f"<div class='{value}'><pre class='{value}' data-lang='{value}'>x</pre></div>")) == {}


def test_many_and_deep_listings():
    page = parse("<div>" * 400 + "<pre class=lang-c>x</pre>" * 20_000)
    assert len(code_languages(page)) == 20_000
    assert code_languages(parse("<pre class=lang-c>" * 600 + "x"))


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (
            "a\n<span class=gatsby-highlight-code-line>  b</span><span class=gatsby-highlight-code-line>  c</span>d",
            "a\n  b\n  c\nd",
        ),
        ("<span class='line code-line'>a</span>\n<span class='line code-line'>b</span>\n", "a\nb"),
        ("<span class=line><b>a</b></span><span class=line> b</span>", "a\n b"),
        ("<span class=token>a</span><span class=inline>b</span>", "ab"),
    ],
    ids=["shown as blocks", "with their own ends", "of Shiki, without ends", "other spans"],
)
def test_lines_that_a_style_sheet_parts_are_lines(code: str, lines: str) -> None:
    page = f"<h1>Tea</h1><pre><code>{code}</code></pre>"
    assert dehusk.clean(page, method="keep-all").markdown == f"# Tea\n\n```\n{lines}\n```\n"
