"""The words and tags that the united labeller's features look for.

A model's hash covers these lists: if you change one, retrain the models.
"""

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
