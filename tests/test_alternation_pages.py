"""Pages as documents, the method that cleans the pages of a site, and pictures of documents."""

from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import ikeda
from dehusk.base.errors import ConfigError, InputError, ModelError, NotFittedError
from dehusk.base.tags import VOID
from dehusk.label.base import PageMethod
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, draw_document, page_string, strings
from ikeda import site
from strategies import htmls


def document_of(page: Page, names: tuple[str, ...] | None) -> str:
    """The document of a page, written node by node with a stack."""
    parts: list[str] = []
    still_open: list[int] = []
    for node in range(len(page) + 1):
        while still_open and (node == len(page) or page.end[still_open[-1]] <= node):
            name = page.tag_name(still_open.pop())
            parts += [] if name in VOID else [f"</{name}>"]
        if node == len(page):
            break
        if page.is_text[node]:
            parts.append(page.text[page.text_start[node] : page.text_end[node]])
            continue
        pairs = [(k, v) for k, v in page.attributes.get(node, ()) if k != "alt" and (names is None or k in names)]
        own = "".join(f" {k}" if v is None else f' {k}="{v}"' for k, v in pairs)
        parts.append(f"<{page.tag_name(node)}{own}>")
        still_open.append(node)
    return ikeda.fold("".join(parts))


@given(htmls, st.sampled_from([None, (), ("class",), ("id", "href")]))
def test_a_page_is_written_node_by_node(html: str, names: tuple[str, ...] | None) -> None:
    page = parse(html)
    string = page_string(page, attributes=names)
    assert string.text == document_of(page, names)
    assert len(string.positions) == len(page.text)
    assert "".join(string.text[i] for i in string.positions) == "".join(
        " " if x in " \t\n\x0b\x0c\r" else x for x in page.text
    )


def test_a_page_that_would_be_too_long_is_written_without_attributes(monkeypatch) -> None:
    page = parse('<p class="a long name of a class">text of the page')
    monkeypatch.setattr(strings, "_SPARE", 40)
    monkeypatch.setattr(strings, "_SHARE", 0)
    assert page_string(page).text == "<body><p>text of the page</p></body>"


def test_a_page_string() -> None:
    page = parse('<p id=n class="a b">Tea &amp;  <b>two\n\ncups</b><br><img alt="a cup" src=/c><x-y hidden>!</x-y>')
    text = '<body><p class="a b">Tea & <b>two cups</b><br><img>a cup<x-y>!</x-y></p></body>'
    assert page_string(page).text == text
    every = '<body><p id="n" class="a b">Tea & <b>two cups</b><br><img src="/c">a cup<x-y hidden="">!</x-y></p></body>'
    assert page_string(page, attributes=None).text == every
    assert page_string(parse(b"\x89PNG\r\n\x1a\n" + bytes(99))).text == ""


TEMPLATE = (
    "<title>t</title><div class=nav><a href=/1>Home page</a> <a href=/2>News of today</a></div><h1>{0} about {0}</h1>"
    "<p>This is what {0} has written on page {0}, in many words of {0}.</p><div class=foot>Copyright, all rights</div>"
)
NAMES = ("Adalbert Quimby", "Zoë Überwald", "Nobuko 田中", "Wuthering Hepplewhite", "Igor Xylander")


def pages(count: int = 4) -> list[Page]:
    return [parse(TEMPLATE.format(name)) for name in NAMES[:count]]


def kept(method: Alternation, page: Page) -> list[str]:
    labels = method.label(method.segment(page), explain=True)
    labels.validate()
    assert all(labels.reasons)
    return [text for text, keeps in zip(labels.blocks.texts, labels.kept.tolist(), strict=True) if keeps]


@pytest.mark.parametrize("n", [12, 16])
def test_unique_blocks_are_kept(n: int) -> None:
    method = Alternation(n=n)
    assert isinstance(method, PageMethod)
    assert method.fit(pages()) is method
    for page, name in zip(pages(5), NAMES, strict=True):  # the last page was not learned
        texts = kept(method, page)
        assert any(text == f"{name} about {name}" for text in texts)
        assert not any("Copyright" in text or "Home page" in text for text in texts)


def test_the_search_cleans_pages() -> None:
    method = Alternation(search="printed", look_ahead=2).fit([parse(html) for html in site(8, known=0)])
    for html in site(10, known=0):
        page = parse(html)
        assert kept(method, page) == dehusk.segment(page).texts[1:-1]


def test_the_default_finder_and_probabilities() -> None:
    method = Alternation().fit(pages())
    labels = method.label(method.segment(pages()[0]))
    assert (method.cut_.n_, method.cut_.t_, method.cut_.documents_) == (32, 2, 4)
    string = page_string(labels.blocks.page)
    r = method.cut_.range_string(string.text)
    for block in range(len(labels)):
        a, b = labels.blocks.start[block], labels.blocks.end[block]
        assert labels.probability[block] == pytest.approx(r[string.positions[labels.blocks.source[a:b]]].mean())
    assert (labels.kept == (labels.probability > 0.5)).all()
    strict = Alternation(least=0.99).fit(pages())
    assert (strict.label(labels.blocks).kept == (labels.probability > 0.99)).all()


def test_options_stay_as_given() -> None:
    options = {"search": "printed", "t": 3, "ties": "join", "look_ahead": 1, "longest": 40, "bounds": "<>"}
    method = Alternation(**options, attributes=("id",), least=0.25).fit(pages())
    assert {name: getattr(method, name) for name in options} == options
    assert {name: getattr(method.cut_, name) for name in options} == options
    assert (method.attributes, method.attributes_, method.least) == (("id",), ("id",), 0.25)
    first = method.cut_
    assert method.fit(pages(2)).cut_ is not first


def test_attributes_make_a_difference() -> None:
    odd = [parse(f'<p class="c{i}" id="the same identifier">{name}, {name}.</p>') for i, name in enumerate(NAMES)]
    sizes = [len(Alternation(n=8, attributes=names).fit(odd).cut_.grams_) for names in ((), ("id",), None)]
    assert sizes[0] < sizes[1]
    assert sizes[2] >= sizes[1]


def test_other_attributes_need_a_new_fit() -> None:
    method = Alternation().fit(pages()).set_params(attributes=["id"])
    with pytest.raises(ConfigError, match="the method was fitted with attributes=\\('class',\\): fit it again"):
        method.label(method.segment(pages()[0]))
    assert kept(method.fit(pages()), pages()[0])


def test_one_page_equal_pages_and_pages_without_text_are_kept() -> None:
    page = pages(1)[0]
    for given_pages in ([page], [page, page], [page, parse(""), parse("<p> </p>")]):
        method = Alternation().fit(given_pages)
        assert kept(method, page) == dehusk.segment(page).texts
    empty = Alternation().fit([parse("")])
    assert kept(empty, parse("")) == []
    assert kept(empty, page) == dehusk.segment(page).texts


def test_errors() -> None:
    blocks = dehusk.segment(pages(1)[0])
    with pytest.raises(NotFittedError, match=r"^this Alternation is not fitted: call fit or load first$"):
        Alternation().label(blocks)
    with pytest.raises(InputError, match=r"^no pages to learn from$"):
        Alternation().fit([])
    for options in ({"least": 1}, {"least": -0.1}, {"least": "half"}, {"least": True}, {"least": float("nan")}):
        with pytest.raises(ConfigError, match="least must be a number from 0 to below 1, not "):
            Alternation(**options).fit(pages())
    for names in ("class", [1], 1):
        with pytest.raises(ConfigError, match="attributes must be a list of names, or None, not "):
            Alternation(attributes=names).fit(pages())
    with pytest.raises(ConfigError, match="t must be an integer"):
        Alternation(t=1).fit(pages())


def test_pages_can_be_html_files_pages_and_blocks(tmp_path) -> None:
    html = [TEMPLATE.format(name) for name in NAMES[:4]]
    file = tmp_path / "page.html"
    file.write_text(html[1], "utf-8")
    sources = (html[0].encode(), file, parse(html[2]), dehusk.segment(parse(html[3])))
    mixed = Alternation().fit(iter(sources))
    assert mixed.cut_.grams_.tobytes() == Alternation().fit(html).cut_.grams_.tobytes()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda method: method.fit("<p>text"), "expected several pages, not one str"),
        (lambda method: method.fit([1]), "int"),
        (lambda _: page_string("<p>text"), r"page_string\(\) takes Page, not str"),
        (lambda method: method.label("<p>text"), r"Alternation.label\(\) takes Blocks, not str"),
        (lambda method: method.label(parse("<p>text")), "takes Blocks, not Page"),
    ],
)
def test_wrong_types(use, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        use(Alternation().fit(pages()))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("attributes", [None, ("class", "id")])
def test_model_folders(tmp_path, attributes: tuple[str, ...] | None) -> None:
    method = Alternation(n=9, t="records", attributes=attributes, least=0.4).fit(pages())
    method.save(tmp_path)
    loaded = Alternation.load(tmp_path)
    assert (loaded.attributes, loaded.least) == (attributes, 0.4)
    assert loaded.get_params() == method.get_params()
    assert loaded.attributes_ == method.attributes_
    for page in pages(5):
        labels = [either.label(either.segment(page), explain=True) for either in (method, loaded)]
        assert labels[0].probability.tobytes() == labels[1].probability.tobytes()
        assert labels[0].reasons == labels[1].reasons
    with pytest.raises(ModelError, match="belongs to method 'alternation'"):
        FindOptimal.load(tmp_path)
    card = tmp_path / "card.json"
    card.write_text(card.read_text("utf-8").replace('"least": 0.4', '"least": 4'), "utf-8")
    with pytest.raises(ModelError, match="damaged"):
        Alternation.load(tmp_path)
    with pytest.raises(NotFittedError, match="not fitted"):
        Alternation().save(tmp_path)


def test_many_equal_blocks_and_deep_pages() -> None:
    wide = [parse("<p>the same paragraph</p>" * 20_000 + f"<p>{name} and {name} again</p>") for name in NAMES[:2]]
    method = Alternation().fit(wide)
    assert kept(method, wide[0]) == [f"{NAMES[0]} and {NAMES[0]} again"]
    deep = [parse("<div>" * 400 + f"{name}, {name}, {name} is deep down" + "</div>" * 400) for name in NAMES[:3]]
    assert "Zoë" in kept(Alternation().fit(deep), deep[1])[0]


class _Seen(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.grey, self.inside, self.tags = "", "", [], set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 (the base class has it)
        self.inside.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        if "p" in self.inside and "html" in self.inside:
            self.text += data
            self.grey += data if "i" in self.inside else ""


@given(
    st.lists(st.sampled_from(["<p>", "</i>", "&amp;", "<script>x</script>", "ab", "漢", '"']), max_size=12).map("".join)
)
def test_a_picture_shows_the_document(document: str) -> None:
    cut = FindOptimal(n=2).fit([document, "</i>ab", "<p>漢"])
    spans = cut.useless(document)
    seen = _Seen(draw_document(document, spans, title="<b>&"))
    assert seen.text.removesuffix("\n") == document
    assert seen.grey == "".join(document[a:b] for a, b in spans)
    assert seen.tags == {"html", "meta", "title", "style", "h1", "p"} | ({"i"} if len(spans) else set())


def test_a_picture_omits_the_middle_of_long_parts() -> None:
    document = "x" * 100 + "own text" + "y" * 7
    spans = np.array([[0, 100], [108, 115]])
    assert "<i>xxxxx□□□90□□□xxxxx</i>own text<i>yyyyyyy</i></p>" in draw_document(document, spans, omit=5)
    assert "□□□100□□□" in draw_document(document, spans, omit=0)
    with pytest.raises(ValueError, match="omit must be a non-negative number of characters, not -1"):
        draw_document(document, spans, omit=-1)
