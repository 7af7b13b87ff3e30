"""A seeded generator of the product pages of five shops, in place of Yi & Liu's five sites, which no longer exist.

Each shop has its layouts, its own sentences, its own words for some features of a product, and its own selection of
features. A page consists of what it is about (title, description, specifications, sometimes opinions) and of noise:

* navigation and footer, the same text on every page;
* a strip of promotions, one about each category, always in the same order; on some pages a further one comes first;
* related products of any category, in random order;
* a pitch: a few sentences about one category other than the page's, drawn anew for each page;
* best-sellers: some products of all categories, in random order;
* lines about price, date and cart.

All noise names the categories in the words that descriptions use, so a word alone does not say whether it is noise; its
place on the page does, more or less: the strip says much the same everywhere, the pitch is about one category like
a description. With wording "varied", all of it except navigation and footer is worded anew on each page, so that no
block of it need be on two pages. With wording "verbatim", each slot of noise has only `VERSIONS` versions per shop, as
if an editor had written them. Which categories a page's noise is about, and everything else, does not depend on the wording.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Literal

from dehusk.lab.papers.shops.noise import OPENINGS, PROMOTIONS, RANKED, STATUS, choose, digits
from dehusk.lab.papers.shops.sites import SHOPS, Shop
from dehusk.lab.papers.shops.words import CATEGORIES, EVERYDAY, FRAMES, QUALITIES, Category

LENGTH = 1.0
"""Factor for the number of sentences in a description of each shop.

Chosen on tf alone, before any result after cleaning: 1 gives a mean F of clusters of .39 and an accuracy of .79, 2 gives
.52 and .93; the paper's pages have .51 and .79. Nothing else was tried.
"""
OWN = 0.2
"""Share of sentences that are specific to the shop; all shops share the others."""
MOST_WORDS = 4
"""Maximum number of phrases that a shop uses for one thing."""
TOPICS = 14
"""Number of features of a category, out of 20, that a shop mentions."""
PROMOTIONS_USED = 8
"""Number of the grammars of promotions that a shop uses."""
PITCH = (4, 9)
"""Minimum and maximum number of sentences of a pitch."""
EXTRA = 0.3
"""Share of pages with a further promotion at the start of the strip."""
BEST, FAVOURITES = 10, 40
"""Numbers of best-sellers that a page shows, and of those that it is drawn from."""
VERSIONS = 8
"""Number of versions of each slot of noise with wording "verbatim"."""

Wording = Literal["verbatim", "varied"]


@dataclass(frozen=True)
class ShopPage:
    """One generated page."""

    site: str
    category: str
    html: str
    content: tuple[str, ...]
    """The HTML of what the page is about: title, description, specifications, opinions."""


class Voice:
    """The language of one shop for one category: the words it prefers, and its sentences."""

    def __init__(self, shop: Shop, category: Category, seed: int) -> None:
        self.random = Random(f"{seed}/{shop.name}/{category.name}")
        self.noun = self._preferred(category.noun.split("|"))
        self.brands = list(zip(category.brands.split("|"), category.series.split("|"), strict=True))
        self.features = self.random.sample(self._lines(category.features), TOPICS)
        self.uses = self._lines(category.uses)
        self.facts = self._lines(category.facts)
        self.specs = [self._specification(line) for line in category.specs.strip().splitlines()]
        self.frames = shop.frames.splitlines()

    def _preferred(self, phrases: list[str]) -> list[str]:
        """Return some of the phrases for a thing."""
        return self.random.sample(phrases, self.random.randint(1, min(MOST_WORDS, len(phrases))))

    def _lines(self, text: str) -> list[list[str]]:
        lines = [line.strip().split("|") for line in text.strip().splitlines()]
        return [self._preferred(line) for line in lines]

    def _specification(self, line: str) -> tuple[str, list[str]]:
        label, _, values = line.strip().partition(" = ")
        return self.random.choice(label.split("|")), values.split(" / ")

    def name(self, random: Random) -> str:
        """Return the name of a product."""
        brand, series = random.choice(self.brands)
        model = digits(random, random.choice(("~##", "~###", "~#", "~##~")))
        letters = random.choice(("", "", "C", "S", "DX", "LS", "X", "T"))
        return f"{brand} {series} {letters}{model}"

    def phrases(self, random: Random) -> dict[str, str]:
        """Return phrases for the names in braces in sentences and promotions, in the words of the shop."""
        feature, other, third = (random.choice(phrases) for phrases in random.sample(self.features, 3))
        quality, quality2 = random.sample(QUALITIES, 2)
        return {
            "feature": feature,
            "other": other,
            "third": third,
            "quality": quality,
            "quality2": quality2,
            "use": random.choice(random.choice(self.uses)),
            "noun": random.choice(self.noun),
        }

    def sentence(self, random: Random) -> str:
        """Return a sentence about a product of the category."""
        frame = random.choice(self.frames if random.random() < OWN else FRAMES).strip()
        text = frame.format(**self.phrases(random))
        return text[0].upper() + text[1:]

    def noise(self, random: Random, grammars: Sequence[str], *, product: str = "") -> str:
        """Return a line of noise about a product of the category, by one of some grammars."""
        text = choose(random, random.choice(grammars).strip())
        return digits(random, text.format(**self.phrases(random), product=product or self.name(random)))

    def fact(self, random: Random, name: str) -> str:
        """Return a sentence that contains a number."""
        subject = random.choice((f"The {name}", f"This {random.choice(self.noun)}", "It"))
        return digits(random, f"{subject} {random.choice(random.choice(self.facts))}.")


class GeneratedShop:
    """One shop with its seed: the parts that all its pages share, and the pages."""

    def __init__(self, shop: Shop, seed: int, *, wording: Wording = "varied") -> None:
        self.shop, self.seed, self.wording = shop, seed, wording
        self.voices = [Voice(shop, category, seed) for category in CATEGORIES]
        random = Random(f"{seed}/{shop.name}")
        self.promotions = random.sample(PROMOTIONS, PROMOTIONS_USED)
        kinds = [number % len(CATEGORIES) for number in range(FAVOURITES)]
        self.favourites = [(kind, self.voices[kind].name(random)) for kind in kinds]
        self.headings = shop.headings.split("|")
        self.navigation = " | ".join(
            f'<a href="/n{i}">{escape(label)}</a>'
            for i, label in enumerate(f"{shop.navigation}|{shop.tools}".split("|"))
        )

    def page(self, category: int, number: int) -> ShopPage:
        """Return a page; it depends only on seed, wording, shop, category and number."""
        random = Random(f"{self.seed}/{self.shop.name}/{category}/{number}")
        voice = self.voices[category]
        name = voice.name(random)
        title = f"{name} {random.choice(voice.noun)}"
        parts = {
            "title": escape(title),
            "description": self._description(random, voice, name),
            "specifications": self._specifications(random, voice),
            "opinions": self._opinions(random, voice),
        }
        content = tuple(filter(None, parts.values()))
        layout = random.choice(self.shop.layouts)
        noise = Random(f"{self.seed}/{self.shop.name}/{category}/{number}/noise")
        parts |= {
            "navigation": self.navigation,
            "footer": escape(self.shop.footer),
            "price": self._status(noise),
            "ads": self._strip(noise),
            "section": self._pitch(noise, category),
            "bestsellers": self._bestsellers(noise),
            "related": self._related(noise),
        }
        html = (
            f"<html><head><title>{escape(title)} - {self.shop.name}</title></head>\n{layout.format(**parts)}\n</html>\n"
        )
        return ShopPage(self.shop.name, CATEGORIES[category].name, html, content)

    def _worded(self, random: Random, slot: str) -> Random:
        """Return the random numbers for the wording of a slot of noise: new ones, or those of one of its versions."""
        fresh, version = random.random(), random.randrange(VERSIONS)
        if self.wording == "varied":
            return Random(fresh)
        return Random(f"{self.seed}/{self.shop.name}/{slot}/{version}")

    def _promotion(self, random: Random, slot: str, kind: int) -> str:
        text = self.voices[kind].noise(self._worded(random, f"{slot}/{kind}"), self.promotions)
        return f'<a href="/ad/{kind}"><b>{escape(text)}</b></a>'

    def _strip(self, random: Random) -> str:
        """Return a promotion of each category, on some pages after one of any category."""
        kinds = [*range(len(CATEGORIES))]
        if random.random() < EXTRA:
            kinds.insert(0, random.choice(kinds))
        rows = "</td></tr><tr><td>".join(self._promotion(random, "strip", kind) for kind in kinds)
        return f'<table width="150" border="1"><tr><td>{rows}</td></tr></table>'

    def _pitch(self, random: Random, category: int) -> str:
        """Return sentences about one other category."""
        kind = random.choice([kind for kind in range(len(CATEGORIES)) if kind != category])
        worded, voice = self._worded(random, f"pitch/{kind}"), self.voices[kind]
        sentences = [voice.noise(worded, OPENINGS)]
        sentences += (voice.sentence(worded) for _ in range(worded.randint(*PITCH)))
        return f"<table><tr><td><p>{escape(' '.join(sentences))}</p></td></tr></table>"

    def _bestsellers(self, random: Random) -> str:
        """Return some of the shop's favourites in random order."""
        worded = self._worded(random, "best")
        chosen = worded.sample(self.favourites, BEST)
        rows = (self.voices[kind].noise(worded, RANKED, product=name) for kind, name in chosen)
        listed = "".join(f"<li><a href='/b'>{escape(row)}</a>" for row in rows)
        return f"<b>{escape(self.headings[4])}</b><ol>{listed}</ol>"

    def _related(self, random: Random) -> str:
        """Return products of any category, each with a sentence."""
        rows = []
        for _ in range(random.randint(max(1, self.shop.related - 3), self.shop.related)):
            kind = random.randrange(len(CATEGORIES))
            worded, voice = self._worded(random, f"related/{kind}"), self.voices[kind]
            product = f"{voice.name(worded)} {worded.choice(voice.noun)}"
            rows.append(f"<li><a href='/r'>{escape(product)}</a><br>{escape(voice.sentence(worded))}")
        return f"<b>{escape(self.headings[3])}</b><ul>{''.join(rows)}</ul>"

    def _status(self, random: Random) -> str:
        """Return one to three lines about price, date and cart."""
        worded = self._worded(random, "status")
        lines = worded.sample(STATUS, worded.randint(1, 3))
        return "<br>".join(escape(digits(worded, choose(worded, line.strip()))) for line in lines)

    def _description(self, random: Random, voice: Voice, name: str) -> str:
        """Return paragraphs, sometimes with a list or a picture between them."""
        count = round(random.randint(*self.shop.sentences) * LENGTH)
        sentences = [self._any_sentence(random, voice, name) for _ in range(count)]
        parts = [f"<b>{escape(self.headings[0])}</b>"]
        while sentences:
            paragraph, sentences = sentences[: (size := random.randint(1, 4))], sentences[size:]
            parts.append(f"<p>{escape(' '.join(paragraph))}</p>")
            if random.random() < 0.2:
                parts.append('<img src="/p/2.jpg" width="90">')
            if random.random() < 0.3:
                points = (
                    random.choice(phrases)
                    for phrases in random.sample(voice.features, random.randint(2, min(5, len(voice.features))))
                )
                parts.append("<ul>" + "".join(f"<li>{escape(point)}" for point in points) + "</ul>")
        return "\n".join(parts)

    def _any_sentence(self, random: Random, voice: Voice, name: str) -> str:
        draw = random.random()
        if draw < 0.2:
            return random.choice(EVERYDAY).strip()
        return voice.fact(random, name) if draw < 0.4 else voice.sentence(random)

    def _specifications(self, random: Random, voice: Voice) -> str:
        chosen = random.sample(voice.specs, random.randint(4, len(voice.specs)))
        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{escape(digits(random, random.choice(values)))}</td></tr>"
            for label, values in chosen
        )
        return f'<table cellpadding="2"><tr><td colspan="2"><b>{escape(self.headings[1])}</b></td></tr>{rows}</table>'

    def _opinions(self, random: Random, voice: Voice) -> str:
        """Return the opinions of some customers, on half of the pages."""
        if random.random() < 0.5:
            return ""
        opinions = []
        for _ in range(random.randint(1, 3)):
            text = " ".join((voice.sentence(random), random.choice(EVERYDAY).strip()))
            helpful = digits(random, "~ of ~# people found this helpful")
            opinions.append(f"<p><b>{helpful}</b><br>{escape(text)}</p>")
        return f"<b>{escape(self.headings[2])}</b>{''.join(opinions)}"


def generate(seed: int = 0, *, wording: Wording = "varied", most: int | None = None) -> Iterator[ShopPage]:
    """Yield the pages of all shops, by site and category, in the numbers of the paper's table 1.

    Args:
        seed: a different seed gives different products, preferred words and noise.
        wording: whether noise is worded anew on each page, or each slot of it has a few versions per shop.
        most: maximum number of pages per category and shop, for a quick look.
    """
    for shop in SHOPS:
        site = GeneratedShop(shop, seed, wording=wording)
        for category, count in enumerate(shop.counts):
            for number in range(count if most is None else min(count, most)):
                yield site.page(category, number)
