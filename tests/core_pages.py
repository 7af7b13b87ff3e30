"""Pages of all kinds, hostile and damaged ones among them, on which the core is tried."""

from pathlib import Path
from random import Random

import hostile_pages
import made_sites

EXAMPLES = Path(__file__).parent.parent / "examples"


def pages() -> list[bytes]:
    """Return pages of different kinds, hostile ones among them, and damaged copies of them."""
    random = Random(1)  # noqa: S311 (nothing secret)
    texts = [path.read_bytes() for path in sorted(EXAMPLES.glob("**/*.html"))]
    texts += [text.encode() for text in [*made_sites.site(4), *LONG, "", "plain text", "<p>", "<table><tr><td>1" * 40]]
    texts += [page.encode("utf-8", "replace") for page in hostile_pages.hostile_pages(60)]
    texts.append(b"<xa&amp;b>names <xa&b>are <xa&lt;b>not escaped<svg><x'<script>y")  # found by fuzz/
    return texts + [damaged(text, random) for text in texts for _ in range(2)]


LONG = [
    "<body>"
    + "<div class='comment user-1'><h3>Ann</h3><p>It is late, and I have said what I wanted to.</p></div>" * 60,
    "<body><pre>" + "line of code\n" * 50 + "</pre>\u00a0<p>\u4e2d\u6587\u3002\u200b</p>" + "<b>" * 600 + "deep",
    "<body><dl>" + "<dt>Term<dd>What it means, in some words" * 20 + "</dl><ul>" + "<li><a href=/x>Home</a>" * 30,
    "<body><h1>Teas</h1><div class='post'><p>Green tea is steamed, black tea is not.</p><div class='post'><p>Indeed."
    + "</p></div><a href=#>Reply</a></div>" * 2
    + "<div class='a-1'><h2>T</h2><b>x</b></div><div class='b {}'>y<p>z</p></div>".format("\u00e4" * 9 + "x" * 250) * 9,
    "<body><h1 id='top 1'>Prices</h1><table><caption>Teas</caption><tr><th>Tea<th>Price"
    + "<tr><td>Assam<td>12" * 9
    + "</table><figure><img alt=x><figcaption>Leaves</figcaption></figure><h3>Why</h3><p>Because." * 4
    + "<div class=card><p>Tea of the day, with some words on it.</p><p><a href=x>READ \U00010400</a></p></div>" * 8
    + "<pre><code>brew()\nserve()</code></pre><select><option>1<option>2</select><noscript><pre>on</pre></noscript>",
    '<?xml version="1.0"?><html><body><script src="a.js"/><div class="a"/><p>Written as XML.<br/></p></body></html>',
    '<div id="app"></div><script>data = {"title": "Tea", key: "[1, '
    r"{\"body\": \"" + "It is late, and I have said what I wanted to say in some words. " * 12 + r'\"}]"};</script>',
]
"""Pages with many records, preformatted text, invisible characters, deep nesting, lists, links, posts, tables, a page
written as XML, and data in a script."""


def damaged(page: bytes, random: Random) -> bytes:
    """Return a page with a part cut out, doubled, or with bytes that are changed."""
    if not page:
        return page
    start, size = random.randrange(len(page)), random.randrange(1, 200)
    part = bytes(random.randrange(256) for _ in range(3)) if random.random() < 0.5 else page[start : start + size] * 2
    return page[:start] + part + page[start + size :]
