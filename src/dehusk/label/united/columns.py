"""The columns that the net sees: which features, and the words and tags that these look for."""

from functools import lru_cache

from dehusk.label.features import VERSION, FeatureSettings
from dehusk.label.features.family import settings_signature

# ---------------------------------------------------------------- vocabulary
# The words and tags that the united labeller's features look for.
#
# A model's hash covers these lists: if you change one, retrain the models.

CONTAINERS = {
    "p": "p",
    "a": "a",
    "class-header": "h1 h2 h3 h4 h5 h6",
    "class-list": "ul ol li dl dt dd dir menu",
    "class-table": "td th",
    "class-form": "form input label fieldset legend button",
    "class-quote": "blockquote q",
    "class-code": "pre code samp kbd",
    "nav": "nav",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "article": "article",
    "main": "main",
    "figure": "figure figcaption caption",
}
"""`container.KEY` is 1 if one of these tags encloses the block."""

LEXICON = {
    "content": (
        "content article post entry story body text main description detail message markdown prose answer question"
    ),
    "comment": "comment reply replies discussion disqus respond",
    "navigation": (
        "nav navbar navi navigation subnav topnav menu submenu breadcrumb crumb pagination pager toc tabs "
        "breadcrumbs skip sitemap toolbar"
    ),
    "frame": "footer header masthead banner topbar sidebar rail aside widget modal popup overlay cookie consent gdpr",
    "related": (
        "related recommend more popular trending teaser promo latest recent similar upsell also carousel "
        "slider outbrain taboola"
    ),
    "meta": "meta byline author date time info tags category credit caption",
    "social": "share social follow subscribe newsletter signup login rating vote like print",
    "advert": "ad ads advert advertisement sponsor adsense google",
    "archive": "wm ipp wayback",
    "product": "product price cart buy sku spec feature review",
}
"""`lexicon.KEY` is 1 if a class or id above the block contains one of these words; `archive` is for the toolbar that a
web archive puts on every page."""


# ---------------------------------------------------------------- columns

GROUPS = {
    "candidate": "its relation to the main text",
    "main": "its relation to the main text",
    "position": "its position on the page",
    "holder": "the content of its container elements",
    "path": "blocks of the same path",
    "div-group": "the content of its div",
    "section": "its section",
    "near": "its neighbours",
    "link": "its links",
    "block": "its words",
    "sentence-end": "its words",
    "title": "the page's title",
    "container": "the tags around it",
    "lexicon": "names of classes",
    "nearby": "names of classes",
    "document": "the type of page",
    "page": "the type of page",
}
"""First part of a column's name -> its family, as a reason names it."""

FAMILIES = tuple(dict.fromkeys(GROUPS.values()))
"""The families of inputs. The words of names and texts and the tags that the net sees belong to "names of classes",
"its words" and "the tags around it"."""

_CHOSEN = """
    candidate.half.levels candidate.half.place candidate.half.words candidate.most.levels candidate.most.place
    candidate.most.words candidate.nearly-all.place candidate.group candidate.group.place candidate.group.size
    candidate.group.words candidate.heading candidate.title main.levels main.local main.inner main.half
    main.share main.place main.run main.run-distance holder.tag holder.depth holder.0.link-density
    holder.0.running holder.0.siblings holder.0.sibling-running holder.0.sibling-words holder.1.link-density
    holder.1.words holder.1.running holder.1.blocks holder.1.siblings holder.1.sibling-running
    holder.2.link-density holder.2.words holder.2.running holder.2.siblings holder.2.sibling-running
    holder.3.link-density holder.3.words holder.3.running path.words path.blocks path.long path.link-density
    path.parent-words path.parent-link-density path.parent-long section.level section.link-density section.words
    section.number section.running near.-1.words near.-1.link-density near.+1.words near.+1.link-density
    near.2.words near.2.running near.2.link-density near.5.words near.5.running near.5.link-density block.words
    block.hidden block.since-heading block.noscript link.density link.page-density position div-group.word-ratio
    document.max-div-group block.copies sentence-end title.match document.word-count
    document.block-count page.running page.running-blocks page.running-words page.classes page.elements
    page.cells page.items page.inner page.headings page.forms page.articles page.article-type page.noscript
    container.p container.a container.class-header container.class-list container.class-table
    container.class-form container.class-quote container.class-code container.nav container.header
    container.footer container.aside container.article container.main container.figure lexicon.content
    lexicon.comment lexicon.navigation lexicon.frame lexicon.related lexicon.meta lexicon.social lexicon.advert
    lexicon.product lexicon.archive nearby.content nearby.comment nearby.navigation nearby.frame nearby.related
    nearby.meta nearby.social nearby.product
"""
NAMES = tuple(_CHOSEN.split())
"""Rows of the table in their order, chosen from 198 features; the others gained nothing on unseen sites."""

NEVER_CONTENT = "object embed applet select option textarea frame audio video canvas"
"""Elements whose text is never content: it belongs to programs or forms."""


def family_of(name: str) -> str:
    """Return the family of a column."""
    return GROUPS[name.partition(".")[0]]


def meaning(name: str) -> str:
    """Return what the values of a column mean, in one sentence."""
    from dehusk.label.features import DOC  # noqa: PLC0415

    return DOC.get(name) or DOC[f"{name.partition('.')[0]}.*"]


@lru_cache(maxsize=1)
def settings() -> FeatureSettings:
    """Return the words and tags that the features look for."""
    return FeatureSettings(
        containers={key: tuple(tags.split()) for key, tags in CONTAINERS.items()},
        classes={key: tuple(words.split()) for key, words in LEXICON.items()},
    )


def columns_signature() -> list[str]:
    """Return everything that the columns depend on: names, words and tags, and the version of the features."""
    return [*NAMES, NEVER_CONTENT, settings_signature(settings()), f"features {VERSION}"]
