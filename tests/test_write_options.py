"""What users can choose about an output: title, links, images, tracking, posts, front matter."""

import pytest
import yaml

import dehusk
from dehusk.base.errors import ConfigError
from dehusk.write import WRITERS
from dehusk.write.options import WriteOptions

PAGE = """<html><head><title>Green tea – The Tea Room</title><meta property="og:title" content="Green tea">
</head><body><p>Pour <a href="/w?id=1&utm_source=mail">hot water</a> and wait.</p>
<p>The <a href="/cup">cup</a> <img src="cup.jpg" alt="A cup"> and <a href="/cup">the same cup</a>.</p></body></html>"""


def rendered(format_name="markdown", html=PAGE, **options):
    return dehusk.clean(html, method="keep-all", url="https://tea.example/").render(format_name, **options)


def test_the_title_comes_first_if_the_text_does_not_have_it():
    assert rendered().startswith("# Green tea\n\nPour ")
    assert rendered(title="never").startswith("Pour ")
    assert rendered("text").startswith("Pour ")
    assert rendered("text", title="auto").startswith("Green tea\n\nPour ")


@pytest.mark.parametrize(
    "start", ["<h1>All about tea</h1>", "<h2>Green Tea!</h2>", "<p>Green tea", "<p>Green tea, hot"]
)
def test_a_title_that_the_text_has_is_not_repeated(start):
    html = PAGE.replace("<body>", f"<body>{start}")
    assert rendered(html=html, title="auto") == rendered(html=html, title="never")
    assert rendered(html=html, title="always") == "# Green tea\n\n" + rendered(html=html, title="never")


def test_an_empty_page_has_no_title():
    html = "<title>Green tea</title><body>"
    assert rendered(html=html, title="always") == rendered("text", html=html, title="always") == ""


def test_a_title_is_escaped():
    html = PAGE.replace("Green tea", "Green *tea* &amp;lt; #")
    assert rendered(html=html).startswith("# Green \\*tea\\* < \\#\n")


def test_links_are_kept_dropped_or_put_into_footnotes():
    assert "[hot water](https://tea.example/w?id=1&utm_source=mail)" in rendered()
    assert "Pour hot water and wait." in rendered(links="drop")
    notes = rendered(links="footnotes")
    assert "Pour hot water[^link-1] and wait." in notes
    assert "The cup[^link-2]" in notes
    assert "the same cup[^link-2]." in notes, "one footnote per address"
    assert notes.endswith(
        "\n\n[^link-1]: https://tea.example/w?id=1&utm_source=mail\n[^link-2]: https://tea.example/cup\n"
    )


def test_tracking_parameters_stay_unless_asked():
    assert "https://tea.example/w?id=1)" in rendered(tracking=False)


def test_images_can_be_left_out():
    assert "![A cup](https://tea.example/cup.jpg)" in rendered()
    assert "!" not in rendered(images=False)


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_front_matter_is_yaml_before_the_text(format_name):
    output = rendered(format_name, front_matter="yaml")
    _, matter, text = output.split("---\n", 2)
    assert yaml.safe_load(matter)["title"] == "Green tea"
    assert text == "\n" + rendered(format_name)


THREAD = """<h1>Which tea?</h1><div class="posts">{}</div>""".format(
    "".join(
        f"""<div class="post depth-{depth}" id="p{number}"><a rel="author" href="/u/{name}">{name}</a>
        <time datetime="2026-05-0{number}T10:00">{number} May 2026</time><p>{name} thinks that this tea is very good
        indeed, and says so in many words.</p></div>"""
        for number, (name, depth) in enumerate([("Ann", 0), ("Bob", 0), ("Cem", 0)], 1)
    )
)


def test_posts_start_with_a_heading_or_in_a_quote():
    headings = rendered(html=THREAD, posts="headings")
    assert "### Ann, 1 May 2026\n\nAnn thinks" in headings
    quotes = rendered(html=THREAD, posts="quotes")
    assert "> **Bob, 2 May 2026**\n>\n> Bob thinks" in quotes
    assert "**Bob**, 2 May 2026\n\nBob thinks" in rendered(html=THREAD, posts="lines")
    assert rendered(html=THREAD) == rendered(html=THREAD, posts="lines"), "by default, if the markup names the authors"
    unnamed = THREAD.replace('class="post depth-0"', "").replace('rel="author"', "").replace("posts", "main")
    assert "**" not in rendered(html=unnamed), "else only what the blocks say"


def test_what_is_inside_a_post_is_inside_its_quote():
    answer = "<blockquote><p>Which tea do you mean, the green or the black one?</blockquote><p>Both of them, of course."
    listed = "<p>I have two of them here in the kitchen, and both are good:<ul><li>green<li>black</ul>"
    html = THREAD.replace("<p>Bob", f"{answer}<p>Bob").replace("<p>Cem", f"{listed}<p>Cem")
    quotes = rendered(html=html, posts="quotes")
    assert "> **Bob, 2 May 2026**\n>\n> > Which tea do you mean" in quotes
    assert "> - green\n> - black\n>\n> Cem thinks" in quotes
    assert "### Bob, 2 May 2026\n\n> Which tea" in rendered(html=html, posts="headings")


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.name)
def test_a_format_refuses_what_it_does_not_have(writer):
    choices = {"title": "never", "links": "drop", "images": False, "tracking": False, "posts": "lines"}
    for name, value in (choices | {"front_matter": "yaml"}).items():
        if name in writer.options:
            rendered(writer.name, **{name: value})
        else:
            with pytest.raises(ConfigError, match=f"format {writer.name} has no option {name}"):
                rendered(writer.name, **{name: value})


@pytest.mark.parametrize("choice", [{"title": "yes"}, {"links": "yes"}, {"posts": "x"}, {"images": 1}])
def test_unknown_choices_are_refused(choice):
    with pytest.raises(ConfigError):
        WriteOptions(**choice)
