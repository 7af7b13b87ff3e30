"""Icons, bullets and avatars are not written as images; emoji are written as text; pictures stay."""

import pytest

import dehusk
from cpu_time import assert_quick

ORNAMENTS = (
    "<img class='avatar photo' src=/u/7.jpg width=68 height=68>",
    "<img class=file-type-icon src=pdf.svg alt='Download the opinion'>",
    "<img src=/img/blt.gif width=12 height=14 alt=bullet>",
    "<img src=/static/icons/clock.svg alt='Cooking time'>",
    "<img src='http://0.gravatar.com/avatar/401e?s=160'>",
    "<img src=/customavatars/avatar17_1.gif alt='Avatar of Ann'>",
    "<img src=/rule.gif width=460 height=2>",
    "<img src=x.jpg width=33px height=33px alt='Twitter logo'>",
    "<img src=x.webp alt='play icon'>",
    "<img src=/chevron-down.C2.svg>",
    "<a href=#p1><img src=/images/buttons/viewpost-right.png alt='View Post'></a>",
    "<img src=/M_images/printButton.png>",
)
PICTURES = (
    "<img src=cat.jpg>",
    "<img src=/icons/map.png width=600 height=400>",
    "<img src=icon-of-christ.jpg alt='An icon of Christ'>",
    "<img src=/films/avatar.jpg>",
    "<img src=done.png width=20>",
    "<img src=alpha.gif width=10 height=12 alt=alpha>",
    "<img class=lexicon src=word.png>",
    "<figure><img class=icon src=sign.svg><figcaption>A sign</figcaption></figure>",
)


def document(body):
    page = f"<h1>Tea</h1><p>Before it.</p><p>Then {body} comes.</p><p>After it.</p>"
    return dehusk.clean(page, url="http://example.org/", method="keep-all")


@pytest.mark.parametrize("image", ORNAMENTS)
def test_ornaments_are_not_written(image):
    assert "![" not in document(image).markdown


@pytest.mark.parametrize("image", PICTURES)
def test_pictures_are_written(image):
    assert "![" in document(image).markdown


def test_a_link_around_an_avatar_only_is_not_written():
    written = document("<a href=/u/7><img class=avatar src=7.jpg></a> <a href=/u/7>Ann</a>").markdown
    assert "Then [Ann](http://example.org/u/7) comes." in written


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Cheers <img class=emoji alt='🍻' src=1.svg> all", "Cheers 🍻 all"),
        ("<img class=emoji alt='🍻' src=1.svg> and more", "🍻 and more"),
        ("Nice <img src=/smilies/wink.gif alt=';-)'>", "Nice ;-)"),
        ("first<br><img class=smiley alt=':)' src=s.gif> second", "first\n:) second"),
        ("Ann <img class=emoji alt='the old flag' src=f.svg>", "Ann"),
    ],
)
def test_emoji_are_text(line, expected):
    page = dehusk.clean(f"<p>Before it.</p><p>{line}</p><p>After it.</p>", method="keep-all")
    assert page.text == f"Before it.\n\n{expected}\n\nAfter it.\n"
    assert page.render("markdown", title="never").replace("  \n", "\n") == page.text


def test_many_emoji_take_little_time():
    body = "<img class=emoji alt=':)' src=s.gif>" * 20_000
    assert assert_quick(lambda: document(body).text, 10).count(":)") == 20_000


def test_an_image_is_apart_from_the_word_after_it():
    page = dehusk.clean("<p>Before it.</p><p><img src=a.jpg>Earlier</p><p>a<img src=b.jpg>b</p>", method="keep-all")
    assert page.render("markdown", title="never") == "Before it.\n\n![](a.jpg) Earlier\n\na![](b.jpg)b\n"


@pytest.mark.parametrize(
    ("heading", "written"), [("<b>All</b> <b>of it</b>", "All of it"), ("<b>Half</b> of it", "**Half** of it")]
)
def test_a_heading_is_not_strong_as_a_whole(heading, written):
    assert f"\n## {written}\n" in dehusk.clean(f"<h1>x</h1><h2>{heading}</h2><p>y", method="keep-all").markdown


@pytest.mark.parametrize(
    "title",
    [
        "The Post: How to brew green tea",
        "» How to brew green tea :brewers",
        "How to brew green tea / Leaves / Old Tea Forums",
    ],
)
def test_a_title_is_not_added_to_its_own_main_part(title):
    page = f"<title>{title}</title><h2>How to brew green tea</h2><p>Heat the water to 80 degrees, not more.</p>"
    written = dehusk.clean(page, method="keep-all").markdown
    assert written.startswith("# How to brew green tea\n")
    assert written.count("How to brew") == 1


@pytest.mark.parametrize("sign", ["▢", "☐ ", "\n □ \n"])
def test_a_box_to_tick_before_an_item_is_its_sign(sign: str) -> None:
    box = f"<span><input type=checkbox><label><span>{sign}</span></label></span>"
    found = document(f"<ul><li>{box}<span>2 cups</span> <span>flour</span></li><li><b>{sign}</b> butter</li></ul>")
    assert "\n- 2 cups flour\n- butter\n" in found.markdown
    assert "\n- 2 cups flour\n- butter\n" in found.text


@pytest.mark.parametrize("sign", ["•", " ● ", "▪"])
def test_a_bullet_before_an_item_is_its_sign(sign: str) -> None:
    found = document(f"<ul><li><b>{sign}</b> flour</li><li><b>{sign}</b><p>butter</p></li></ul>")
    assert "\n- flour\n- butter\n" in found.markdown
    assert "\n- flour\n- butter\n" in found.text


@pytest.mark.parametrize("form", ["{}", "{}.", " {}) ", "{}:"])
def test_the_number_of_an_item_is_written_once(form: str) -> None:
    steps = [f"<li><b>{form.format(number)}</b><p>Step {word}</p>" for number, word in ((1, "one"), (2, "two"))]
    found = document(f"<ol>{''.join(steps)}</ol>")
    assert "\n1. Step one\n2. Step two\n" in found.markdown
    assert "\n1. Step one\n2. Step two\n" in found.text


def test_images_before_and_after_a_number_that_is_left_out_stay() -> None:
    items = "<li><img src=/a.jpg><b>1</b><p>Boil it</p><img src=/b.jpg></li><li><b>2</b><p>Pour it</p></li>"
    assert document(f"<ol>{items}</ol>").markdown.count(".jpg") == 2


@pytest.mark.parametrize(
    "items",
    [
        "<ol><li><b>2</b> cups</li><li><b>3</b> pots</li></ol>",
        "<ol start=4><li><b>1</b> cup</li></ol>",
        "<ul><li><b>1</b> cup</li></ul>",
        "<ol><li><b>1</b></li></ol>",
        "<ol><li>Cup <b>1</b> of tea</li></ol>",
    ],
)
def test_other_numbers_of_items_are_text(items: str) -> None:
    assert not len(document(items).labels.omitted)


def test_many_numbers_take_little_time() -> None:
    page = "<p>Tea</p><ol>" + "<li>x" * 98 + "<li><b>99</b> cups" * 20_000
    assert assert_quick(lambda: dehusk.clean(page, method="keep-all").text, 5)


def test_a_paragraph_of_invisible_characters_is_not_written() -> None:
    found = document("<p>\u200d</p><p>\u200b <b>\ufeff</b></p><ul><li>\u200d<b>2 cups</b></li></ul><p>👨\u200d👩</p>")
    assert "Then\n\n- **2 cups**\n\n👨\u200d👩\n" in found.markdown
    assert "\n- 2 cups\n" in found.text


def test_no_line_of_plain_text_is_empty_because_its_sign_is_left_out() -> None:
    found = document("<ul><li><div>▢</div><div>1 pan</div></li></ul>")
    assert "\n- 1 pan\n" in found.markdown
    assert "- \n" not in found.text


def test_a_box_elsewhere_is_text() -> None:
    found = document("<ul><li>the sign <b>▢</b> here</li><li>▢ typed</li></ul><p><b>▢</b> alone</p>")
    assert found.text.count("▢") == found.markdown.count("▢") == 3


def test_many_boxes_take_little_time() -> None:
    page = document("<ul><li>" + "<b>▢</b>" * 20_000 + "</ul>")
    assert "▢" in assert_quick(lambda: page.markdown, 5)


REPEATED = {
    "for small and for large screens": ("<div><img src=/a.jpg alt=Cup></div><div><img src=/a.jpg alt=Cup></div>", 1),
    "stars": ("<b><img src=/star.jpg></b><b><img src=/star.jpg></b><b><img src=/star.jpg></b> of tea", 3),
    "stars in one element": ("<b><img src=/star.jpg><img src=/star.jpg></b> of tea", 2),
    "other words for it": ("<div><img src=/a.jpg alt=Cup></div><div><img src=/a.jpg alt=Pot></div>", 2),
    "without scripts first": ("<div><noscript><img src=/a.jpg></noscript></div><div><img src=/a.jpg></div>", 1),
    "with text in between": ("<img src=/a.jpg> and <img src=/a.jpg>", 2),
    "different pictures": ("<img src=/show?id=1><img src=/show?id=2>", 2),
    "values of items": ("<ul><li>Hot <img src=/yes.jpg></li><li><img src=/yes.jpg> cold</li></ul>", 2),
    "values of cells": ("<table><tr><td>Hot <img src=/yes.jpg><td><img src=/yes.jpg> cold</table>", 2),
}


@pytest.mark.parametrize("name", REPEATED)
def test_an_image_that_repeats_the_one_before_is_written_once(name: str) -> None:
    body, count = REPEATED[name]
    assert document(body).markdown.count("![") == count


@pytest.mark.parametrize("alt", ["", "*", "o"])
def test_balls_before_lines_are_not_written(alt):
    ball = f"<img src=/redball.gif alt='{alt}'>"
    assert "![" not in document(f"{ball} one<br>{ball} two<br>{ball} three").markdown


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/redball.gif>",
        "<img src=/redball.gif alt=red>",
        "<img src=/redball.gif width=300 height=200>",
        "<img src=/redball.gif data-src=/pot.jpg>",
        "<a href=/pot><img src=/redball.gif></a>",
    ],
    ids=["side by side", "that say something", "large", "that load late", "that are links"],
)
def test_other_images_that_are_there_often_are_written(image):
    between = "" if image == "<img src=/redball.gif>" else "<br>text"
    assert document(f"{image}{between}" * 3).markdown.count("![") == 3


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<a href=/full/pot.jpg><img src=/small/pot-300x200.jpg alt='A pot'></a>",
            "![A pot](http://example.org/full/pot.jpg)",
        ),
        ("<a href=/pot.jpg><img src=/pot_small.gif></a>", "![](http://example.org/pot.jpg)"),
        ("<a href=/cup.jpg><img src=/pot.jpg></a>", "[![](http://example.org/pot.jpg)](http://example.org/cup.jpg)"),
        ("<a href=/pot.html><img src=/pot.jpg></a>", "[![](http://example.org/pot.jpg)](http://example.org/pot.html)"),
        (
            "<a href=/img12.jpg><img src=/img1.jpg></a>",
            "[![](http://example.org/img1.jpg)](http://example.org/img12.jpg)",
        ),
        (
            "<a href=/wiki/File:pot.jpg><img src=/pot.jpg></a>",
            "[![](http://example.org/pot.jpg)](http://example.org/wiki/File:pot.jpg)",
        ),
    ],
)
def test_an_image_is_no_link_to_its_own_file(body, expected):
    assert expected in document(body).markdown.split("\n\n")[2]


@pytest.mark.parametrize(
    ("body", "alt"),
    [
        ("<figure><img src=pot.jpg alt='A pot of clay'><figcaption>A pot of clay</figcaption></figure>", ""),
        ("<img src=pot.jpg alt='A pot of clay'><br>A pot of  <b>clay</b><br>", ""),
        ("<img src=pot.jpg alt='A pot of clay from Kyoto'><br>A pot of clay from Kyoto, photo by Ann Leaf", ""),
        ("<img src=pot.jpg alt='A pot'><br>A pot is no cup", "A pot"),
        ("<img src=pot.jpg alt='A pot of clay'><p>one<p>two<p>A pot of clay", "A pot of clay"),
    ],
    ids=["its caption", "the text after it", "the start of a text", "a word of a text", "a text far below"],
)
def test_an_image_does_not_say_what_the_text_below_it_says(body, alt):
    assert f"![{alt}](http://example.org/pot.jpg)" in document(body).markdown


@pytest.mark.parametrize("name", ["material-icons", "material-symbols-outlined", "mat-icon"])
def test_names_that_a_font_draws_as_icons_are_no_text(name):
    written = document(f"How hot? <i class='{name} big'>chevron_right</i><span class='{name}'>Oolong tea</span>")
    assert written.text.split("\n\n")[2] == "Then How hot? Oolong tea comes."
