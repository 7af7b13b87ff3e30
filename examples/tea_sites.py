"""Write a small corpus whose owner wants what no general model keeps: 20 sites about tea, 8 articles each.

    python examples/tea_sites.py tea-sites
    dehusk studio tea-sites/first --project tea-study

Each site has its own template and class names. Beside each article there are a brewing card, which the owner wants, and
a promotion, which the owner does not want; nor are the sentences about the author wanted, nor the notice that one site
prints in the middle of its articles. docs/studio-tutorial.md corrects some of the pages and trains on them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random
from typing import NamedTuple

ARTICLES = 8
"""Pages of a site."""
FIRST = 14
"""Sites to begin with; the others come later, to see what was learned."""
NOTICE_HOST = "leaf-post.example"
"""The site with a notice."""


class Template(NamedTuple):
    """How a site builds its pages."""

    host: str
    name: str
    parts: str
    """t title, b body, c card, p promotion, a author: in the order on the page."""
    tag: str
    """Element of the card and the promotion."""
    card: str
    """Classes of the card."""
    heading: str
    """Of the card."""
    form: str
    """Of the card: a key of `_FORMS`."""
    author: str
    """Classes of the box about the author."""
    body: str
    """Element and classes of the article."""
    colour: str


_TEMPLATES = """
leaf-post|Leaf Post|tbcpa|aside|sidebar brew-card|At the kettle|list|author-bio|main story|#2f6b4f
slow-kettle|Slow Kettle|tcpba|aside|sidebar brewing|How to brew it|paragraphs|about-author|article post|#7a4b2a
the-cosy|The Cosy|tbapc|aside|infusion box|The infusion|table|writer|div entry|#8a2f4a
samovar-review|Samovar Review|tbpca|div|sidebox steeping|Steeping|terms|byline-box|article review|#3d4f8a
gaiwan|Gaiwan|tpcba|aside|method|Method|list|profile|main text|#5a5a20
second-flush|Second Flush|tbcap|div|sidebar factbox|In the pot|paragraphs|contributor|div article-body|#2a6a7a
tea-and-toast|Tea and Toast|tbapc|aside|widget widget-brew|Make it at home|terms|post-author|section post|#a0522d
oolong-notes|Oolong Notes|tpcba|div|side right brewguide|Brewing guide|table|bio|article note|#446644
porcelain|Porcelain|tbcpa|aside|card|Brewing card|list|author-card|main column|#334477
first-steep|First Steep|tbacp|aside|panel preparation|Preparation|paragraphs|vcard author|div text|#664477
high-garden|High Garden|tcpba|aside|sidebar infobox|Cup and spoon|terms|about-the-author|article feature|#227755
tannin|Tannin|tbpca|div|aside widget how-to|How we brew it|list|credits|div main-text|#774422
blue-pot|Blue Pot|tbcpa|aside|sidebar recipe|From leaf to cup|list|about|article story|#1d5c8f
morning-leaf|Morning Leaf|tcbpa|div|widget brew-note|For the pot|terms|author-info|main content|#4b6b1f
the-tea-shed|The Tea Shed|tbpca|aside|boxout steps|Step by step|paragraphs|writer-bio|section piece|#8f4a1d
sencha-diary|Sencha Diary|tbacp|aside|infusion-card|Water and time|table|author-box|div post-text|#1f6b5a
harbour-tea|Harbour Tea|tcpba|div|sidebar brewing-table|A good pot|list|profile-box|article long|#5a3d8a
cup-and-kiln|Cup and Kiln|tbcap|aside|side-panel method|Try it yourself|paragraphs|contributor-bio|main page|#8a3d5a
rain-and-oolong|Rain and Oolong|tbpca|aside|note brew|Brewing|terms|by|div journal|#336655
leaf-ledger|Leaf Ledger|tcbpa|div|box quick-brew|In short: the brew|list|author-about|article entry|#665533
"""
TEMPLATES = tuple(
    Template(f"{stem}.example", *rest) for stem, *rest in (line.split("|") for line in _TEMPLATES.split("\n") if line)
)

PLACES = (
    "the upper gardens of Ilam",
    "a village above Nantou",
    "the slopes behind Uji",
    "a valley south of Pu'er",
    "the old estate near Kandy",
    "a terrace outside Boseong",
    "the hills of Rize",
    "a garden in the Azores",
)
TEAS = ("black tea", "oolong", "white tea", "green tea", "smoked tea", "yellow tea", "aged tea", "roasted tea")
PEOPLE = (
    "Mira Solberg",
    "Tomas Okafor",
    "Irene Castell",
    "Jun Watari",
    "Nadia Brandt",
    "Peter Lindqvist",
    "Luc Ferrand",
)
TASTES = ("honey", "toasted rice", "apricot", "wet stone", "malt", "orchids", "pine smoke", "dried plum", "chestnut")
TIMES = ("in the first week of April", "before the rains", "late in the autumn", "at the end of a dry spring")
THINGS = (
    "the leaves are spread on bamboo trays",
    "the pickers start before sunrise",
    "the withering room stays warm",
    "the pans are heated with charcoal",
    "each basket is weighed twice",
    "the sorting is still done by hand",
    "rain can spoil a whole day of work",
    "the youngest buds are kept apart",
)
HEADINGS = ("The work", "The taste", "What remains", "A second cup")
ARTICLE = (
    "{time}, {thing}, and nobody in {place} would think of hurrying.",
    "What makes this {tea} unlike its neighbours is a taste of {taste}, which comes late and stays long.",
    "{person} remembers when {thing}, long before visitors came to {place}.",
    "We asked why {thing}; the answer took an afternoon and four pots of {tea}.",
    "The {tea} that is sold in town tastes of {taste}, while the one that the growers keep tastes of {taste2}.",
    "It is easy to forget, with a cup in hand, that {thing} {time}.",
    "From {place} the road goes down in long bends, past sheds where {thing}.",
    "Two sisters run the factory now, and they have decided that {thing} whatever the market says.",
    "Most of the harvest becomes {tea}; the rest is given to relatives, who know it by its note of {taste}.",
    "{person} does not believe in secrets: {thing}, and that is all there is to it.",
    "By evening the smell of {taste} hangs over {place}, and the day's {tea} cools on the floor.",
    "Buyers who come {time} find little, because {thing} only when the weather allows it.",
)
CARD = (
    "Use {grams} grams of leaves for {water} millilitres of water.",
    "Heat the water to {heat} degrees and warm the pot.",
    "Steep for {minutes} minutes, then pour all of it.",
    "The same leaves give {times} more infusions, each a minute longer.",
    "Drink it without milk; a little {taste} comes out as it cools.",
    "Keep the lid half open, so that the leaves do not stew.",
    "Rinse the leaves for five seconds and pour the rinse away.",
)
AUTHOR = (
    "{person} has written about {tea} for {number} years and lives near {place} with two cats.",
    "{person} is a regular contributor to {site}, and teaches ceramics when the shop is closed.",
    "Before joining {site}, {person} travelled through {place} and translated cookery books.",
    "A former engineer, {person} now edits our pages on {tea} and is writing a first novel.",
    "When not at the desk, {person} keeps bees, repairs old radios and swims in cold lakes.",
)
PROMOTION = (
    "Every second Friday we send a letter about {tea} to our subscribers; it costs nothing and ends with one click.",
    "Order before Thursday and your {tea} leaves the shop the same day, wrapped in paper.",
    "Members pay no postage and get ten percent off every tin of {tea}.",
    "Join {site} on a journey to {place} next spring; there are {number} seats left.",
    "Our new teapot holds {water} millilitres and comes in {times} colours.",
)
NOTICE = (
    "Our autumn parcel is here: six teas, one for each Sunday until the clocks change, posted from our own shop.",
    "Friends of {site} read every article a week early and get a tin of {tea} in December.",
    "The tasting room on Harbour Street is open again on Fridays; tables can be reserved by telephone.",
)


@dataclass(frozen=True)
class SitePage:
    """One page, and what its owner wants of it."""

    host: str
    name: str
    """Of the file, without its suffix."""
    url: str
    html: str
    wanted: tuple[str, ...]
    """The texts of all wanted blocks: the title, the article and the card."""
    notice: str
    """The text of the notice; "" if there is none."""


def site_pages(template: Template, *, seed: int = 17) -> Iterator[SitePage]:
    """Yield the articles of a site; the same seed gives the same pages."""
    random = Random(f"{template.host} {seed}")  # noqa: S311 (nothing is secret)
    for number in range(1, ARTICLES + 1):
        yield _Article(template, random, number).page()


class _Article:
    """One article in the making."""

    def __init__(self, template: Template, random: Random, number: int) -> None:
        self.template, self.random, self.number = template, random, number
        self.tea, self.place, self.person = (random.choice(words) for words in (TEAS, PLACES, PEOPLE))
        self.title = f"{self.tea.capitalize()} from {self.place.removeprefix('the ').removeprefix('a ')}"
        self.wanted: list[str] = []
        self.notice = ""

    def page(self) -> SitePage:
        """Return the page."""
        site = self.template
        makers = {"t": self._title, "b": self._body, "c": self._card, "p": self._promotion, "a": self._author}
        parts = "\n".join(makers[part]() for part in site.parts)
        menu = "".join(f'<li><a href="/{word}">{word.capitalize()}</a></li>' for word in ("home", "teas", "shop"))
        others = [f'<li><a href="/{n}">Read on: no. {n}</a></li>' for n in range(1, 6) if n != self.number]
        html = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{self.title} - {site.name}</title>
<style>{_CSS.replace("COLOUR", site.colour)}</style></head>
<body>
<header><a class="logo" href="/">{site.name}</a><nav><ul>{menu}</ul></nav></header>
{parts}
<div class="more"><h3>More from {site.name}</h3><ul>{"".join(others)}</ul></div>
<footer><p>Copyright {site.name}. Imprint, privacy, contact.</p></footer>
</body></html>
"""
        name, url = f"{site.host.partition('.')[0]}-{self.number}", f"https://{site.host}/{self.number}"
        return SitePage(site.host, name, url, html, tuple(self.wanted), self.notice)

    def _title(self) -> str:
        return f"<h1>{self._want(self.title)}</h1>"

    def _body(self) -> str:
        frames = self.random.sample(ARTICLE, len(ARTICLE))
        parts = []
        for number in range(self.random.randint(3, 5)):
            if number == 2:
                parts.append(f"<h2>{self._want(self.random.choice(HEADINGS))}</h2>")
            sentences = [self._filled(frames.pop()) for _ in range(self.random.randint(1, 3)) if frames]
            parts.append(f"<p>{self._want(' '.join(sentences))}</p>" if sentences else "")
            if number == 1 and self.template.host == NOTICE_HOST:
                self.notice = self._filled(self.random.choice(NOTICE))
                parts.append(f'<div class="house-note"><p>{escape(self.notice)}</p></div>')
        tag, classes = self.template.body.split(maxsplit=1)
        return _element(tag, classes, "\n".join(parts))

    def _card(self) -> str:
        steps = [self._want(self._filled(step)) for step in self.random.sample(CARD, self.random.randint(4, 6))]
        heading = f"<h3>{self._want(self.template.heading)}</h3>"
        return _element(self.template.tag, self.template.card, heading + _FORMS[self.template.form](steps))

    def _promotion(self) -> str:
        inner = "".join(f"<p>{escape(self._filled(text))}</p>" for text in self.random.sample(PROMOTION, 2))
        name = self.random.choice(("promo", "newsletter", "shop-window", "offers"))
        return _element(self.template.tag, f"sidebar {name}", f"<h3>{self.template.name} by post</h3>{inner}")

    def _author(self) -> str:
        about = " ".join(self._filled(text) for text in self.random.sample(AUTHOR, self.random.randint(2, 3)))
        return _element("div", self.template.author, f"<h4>{self.person}</h4><p>{escape(about)}</p>")

    def _want(self, text: str) -> str:
        self.wanted.append(text)
        return escape(text, quote=False)

    def _filled(self, frame: str) -> str:
        random = self.random
        taste, taste2 = random.sample(TASTES, 2)
        own = {"place": self.place, "tea": self.tea, "person": self.person, "site": self.template.name}
        text = frame.format(
            **own,
            time=random.choice(TIMES),
            thing=random.choice(THINGS),
            taste=taste,
            taste2=taste2,
            number=random.randint(3, 20),
            grams=random.randint(3, 9),
            water=random.randrange(150, 500, 50),
            heat=random.randrange(70, 100, 5),
            minutes=random.randint(2, 6),
            times=random.choice(("two", "three", "four")),
        )
        return text[0].upper() + text[1:]


def _element(tag: str, classes: str, inner: str) -> str:
    return f'<{tag} class="{classes}">{inner}</{tag}>'


def _list(steps: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{step}</li>" for step in steps) + "</ul>"


def _paragraphs(steps: Sequence[str]) -> str:
    return "".join(f"<p>{step}</p>" for step in steps)


def _table(steps: Sequence[str]) -> str:
    rows = "".join(f"<tr><td>{number}.</td><td>{step}</td></tr>" for number, step in enumerate(steps, 1))
    return f"<table>{rows}</table>"


def _terms(steps: Sequence[str]) -> str:
    return "<dl>" + "".join(f"<dt>Step {number}</dt><dd>{step}</dd>" for number, step in enumerate(steps, 1)) + "</dl>"


_FORMS = {"list": _list, "paragraphs": _paragraphs, "table": _table, "terms": _terms}
_CSS = """body{font:17px/1.55 Georgia,serif;max-width:44rem;margin:0 auto;padding:0 1rem;color:#222;background:#fff}
header{display:flex;justify-content:space-between;align-items:center;border-bottom:3px solid COLOUR}
header,h3,h4,footer{font-family:sans-serif} .logo{font-size:1.4rem;font-weight:bold;color:COLOUR}
nav ul,.more ul{list-style:none;display:flex;flex-wrap:wrap;gap:1rem;padding:0} h1,h2,h3{color:COLOUR;line-height:1.2}
aside,[class*=side],[class*=box]{border-left:4px solid COLOUR;background:#f6f4ef;padding:.2rem 1rem;margin:1rem 0}
.house-note{border:1px dashed COLOUR;padding:0 1rem} footer{border-top:1px solid #ccc;font-size:.8rem}"""


def write_sites(folder: Path, templates: Sequence[Template] = TEMPLATES) -> list[SitePage]:
    """Write the pages of sites and the list of their addresses to a new folder, and return them."""
    (folder / "html").mkdir(parents=True)
    pages = [page for template in templates for page in site_pages(template)]
    for page in pages:
        (folder / "html" / f"{page.name}.html").write_text(page.html, "utf-8")
    lines = [json.dumps({"id": page.name, "url": page.url}) + "\n" for page in pages]
    (folder / "pages.jsonl").write_text("".join(lines), "utf-8")
    return pages


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "tea-sites")
    for part, templates in (("first", TEMPLATES[:FIRST]), ("later", TEMPLATES[FIRST:])):
        print(f"{len(write_sites(target / part, templates))} pages of {len(templates)} sites: {target / part}")
