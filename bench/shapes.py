"""Shapes of pages that take some tools minutes: each makes a page with about n items."""

from collections.abc import Callable

SHAPES: dict[str, Callable[[int], str]] = {
    "short paragraphs": lambda n: "".join(f"<p>A short paragraph, number {i}.</p>" for i in range(n)),
    "br lines": lambda n: "<div>" + "".join(f"Line number {i} of a long text<br>" for i in range(n)) + "</div>",
    "list links": lambda n: "<ul>" + "".join(f"<li><a href='/{i}'>Link number {i}</a>" for i in range(n)) + "</ul>",
    "table rows": lambda n: "<table>" + "".join(f"<tr><td>{i}<td>cell {i}" for i in range(n)) + "</table>",
    "attributes on one tag": lambda n: "<p " + " ".join(f"a{i}='v{i}'" for i in range(n)) + ">Some text here.</p>",
    "pre lines": lambda n: "<pre>" + "\n".join(f"  line {i} of code" for i in range(n)) + "</pre>",
    "nested div": lambda n: "<div>text " * n,
    "unclosed b i font": lambda n: "<b><i><font color=red>x" * n + "<p>y",
    "a class of many letters": lambda n: f"<p class='{'a' * 10 * n}'>Some text here.</p>",
    "a title as long as the page": lambda n: (
        f"<title>{'title words ' * n}</title>" + "".join(f"<p>title words {i}</p>" for i in range(n))
    ),
    "posts": lambda n: "".join(
        f"<div class=post><b>user{i}</b><p>Post number {i} of a long thread.</p></div>" for i in range(n)
    ),
    "posts in posts": lambda n: "<div class=post><p>A reply to the post above.</p>" * n,
    "a wide table": lambda n: "<table><tr>" + "".join(f"<td>{i}" for i in range(n)) + "</table>",
    "XML": lambda n: "<?xml version='1.0'?>" + "<p>A paragraph <i class='icon'/>with an icon.</p><br/>" * n,
    "brackets": lambda n: "[<&amp" * n,
}
_LISTINGS = "<p>A paragraph of a page.</p><pre class=x>code()</pre><p><a href=/a>A link</a> and <img src=a.png alt=pot>"
SHAPES |= {
    "images": lambda n: "".join(f"<p>Paragraph {i} <img src=/{i}.png alt='picture {i}'>" for i in range(n)),
    "headings": lambda n: "".join(f"<h2 id=h{i}>Heading {i}</h2><p>Paragraph {i} of a page" for i in range(n)),
    "a paragraph of links": lambda n: "<p>Words " + "".join(f"and <a href=/{i}>a link {i}</a> " for i in range(n)),
    "footnotes": lambda n: (
        "".join(f"<p>Word<sup><a href=#f{i}>{i}</a></sup>" for i in range(n // 2))
        + "<ol>"
        + "".join(f"<li id=f{i}>Note {i}" for i in range(n // 2))
        + "</ol>"
    ),
    "quotations": lambda n: "<blockquote><p>A paragraph of a page.</blockquote>" * n,
    "hidden text": lambda n: "<style>.h{display:none}</style>" + "<p class=h>Hidden text.<p>Text of a page." * (n // 2),
    "JSON-LD": lambda n: f'<script type="application/ld+json">[{",".join(["{}"] * n)}]</script><p>Text of a page.',
    "pages that the compiled reader declines": lambda n: _LISTINGS * (n // 3) + "<plaintext>x",
    "formulas that it declines": lambda n: _LISTINGS * (n // 3) + "<math><mi><mglyph></mi></math>",
    "posts that it declines": lambda n: (
        "".join(f"<div class=post><b>user{i}</b><time>2026-05-03</time><p>Post number {i}.</p></div>" for i in range(n))
        + "<plaintext>x"
    ),
}
SHAPES |= {
    "definitions": lambda n: "<dl>" + "".join(f"<dt>term {i}<dd>definition {i}" for i in range(n // 2)) + "</dl>",
    "lists in lists": lambda n: ("<ul>" + "<li>entry<ul>" * 60 + "<li>x" + "</ul>" * 60 + "</ul>") * (n // 60),
    "tables in tables": lambda n: ("<table><tr><td>x" * 20 + "</table>" * 20) * (n // 20),
    "spanning cells": lambda n: "<table>" + "<tr><td rowspan=9>a<td colspan=9>b<td>c" * (n // 3) + "</table>",
    "forms": lambda n: (
        "<form>" + "<label>Name <input name=a></label><select><option>one</select>" * (n // 2) + "</form>"
    ),
    "headings in sections": lambda n: (
        ("<section><h2>Heading</h2><p>Words of a page." * 20 + "</section>" * 20) * (n // 20)
    ),
    "distinct classes and ids": lambda n: "".join(f"<p class='c{i} d{i % 7}' id=i{i}>Words {i}" for i in range(n)),
    "distinct styles": lambda n: "".join(f"<p style='color:#{i:06x};font-size:{i % 40}px'>Words {i}" for i in range(n)),
    "rules of a style sheet": lambda n: (
        "<style>"
        + "".join(f".c{i}{{display:none}}" for i in range(n))
        + "</style>"
        + "".join(f"<p class=c{2 * i}>Words {i}" for i in range(n // 10))
    ),
    "comments": lambda n: "<p>Words of a page.<!-- and a comment -->" * n,
    "tags without an end": lambda n: "<p>Words of a page.</p><a " + "x='<a y=\">\" z='" * n,
    "references": lambda n: "<p>" + "&amp;&#8212;&nbsp;&copy;word " * n,
    "one long word": lambda n: "<p>" + "abcdefghij" * n,
    "one long paragraph": lambda n: "<p>" + "Words of a paragraph, and more. " * n,
    "letters without spaces": lambda n: "<p>" + "緑茶を飲む。" * n,
    "emphasis": lambda n: "<p>" + "<b>bold</b>text <i>and</i><b><i>both</i></b> " * (n // 3),
    "misnested tags": lambda n: "<p><b>one<i>two</b>three</i></p>" * n,
    "unclosed links": lambda n: "".join(f"<a href=/{i}>link {i} " for i in range(n // 10)),
    "tags of no meaning": lambda n: "".join(f"<x-{i % 900}>words</x-{i % 900}> " for i in range(n)),
    "addresses below a base": lambda n: (
        "<base href='https://tea.example/a/b/c/'>"
        + "".join(f"<p><a href='../{i}'>a link {i}</a> words" for i in range(n))
    ),
    "times and bylines": lambda n: (
        "<p class=byline>By Ann Leaf <time datetime=2026-05-03>3 May 2026</time></p><p>Words." * (n // 2)
    ),
    "properties": lambda n: (
        "<div itemscope itemtype='https://schema.org/Product'>"
        + "".join(f"<span itemprop=name>thing {i}</span>" for i in range(n))
    ),
    "entries of a register": lambda n: "".join(
        f"<div class=row><b>Name {i}</b><span>12 High Street</span><i>0{i}</i></div>" for i in range(n // 2)
    ),
    "descriptions of the head": lambda n: (
        "".join(f"<meta name=author content='Ann {i}'>" for i in range(n)) + "<p>Words."
    ),
    "many scripts": lambda n: "".join(f"<script>var a{i} = 1;</script><p>Words {i}" for i in range(n)),
    "one long script": lambda n: f"<script>{'var a = 1; ' * n}</script>" + "<p>Words of a page." * (n // 10),
    "data of a framework": lambda n: (
        '<div id=root></div><script id=__NEXT_DATA__ type=application/json>{"props":{"text":"'
        + "Words of a page that is drawn by scripts. " * n
        + '"}}</script>'
    ),
    "invisible signs": lambda n: "<p>Wo\u200brds\u00ad of a \u202epage\U000e0041 " * n,
    "hidden by attributes": lambda n: (
        "<p hidden>Hidden.<p aria-hidden=true>Too.<p style='display:none'>And this.<p>Words" * (n // 4)
    ),
    "formulas": lambda n: "<p>Words <math><mi>x</mi><mo>=</mo><mn>1</mn></math> of a page" * (n // 4),
    "drawings": lambda n: "<svg><title>t</title><path d='M0 0'/></svg><p>Words of a page" * (n // 2),
    "lines of frames": lambda n: "<noscript><img src=a.png></noscript><iframe src=/a></iframe><p>Words" * (n // 2),
    "posts by indentation": lambda n: "".join(
        f"<div class=comment style='margin-left:{i % 9 * 20}px'><a href=/u/{i}>user{i}</a> 3 May 2026<p>Reply {i}.</div>"
        for i in range(n // 2)
    ),
    "quoted posts": lambda n: (
        "<div class=post><b>Ann</b> 3 May 2026<blockquote>Bo wrote: words</blockquote><p>And so on.</p></div>"
        * (n // 2)
    ),
    "drawings at the limit of depth": lambda n: (
        "<div>" * 600 + "<svg><g><path/></g></svg><p>Words of a page" * (n // 4)
    ),
    "texts in formulas that it declines": lambda n: (
        "<math><annotation-xml encoding=text/html><p>words</annotation-xml></math>" + _LISTINGS * (n // 3)
    ),
    "links that it declines": lambda n: (
        "".join(f"<li><a href=/{i}>Link number {i}</a>" for i in range(n // 2)) + "<plaintext>x"
    ),
    "tables that it declines": lambda n: (
        "<table>" + "".join(f"<tr><th>{i}<td>cell {i}" for i in range(n // 2)) + "</table><plaintext>x"
    ),
}
SHAPES |= {
    "dates": lambda n: "<p>" + "2026-05-03, 3 May 2026, 3.5.2026 " * n,
    "digits": lambda n: "<p>" + "1234567890" * n + "<p>Words of a page.",
    "prices": lambda n: "<p>" + "$1,299.00 or 12 €, " * n,
    "addresses of mail": lambda n: "<p>" + "a@b.example, c@" * n,
    "names after by": lambda n: "<h1>Title</h1><p>" + "by Ann Leaf and by " * n,
    "brackets that are not closed": lambda n: "<p>" + "(" * 5 * n + "[" * 5 * n + "](" * n + "<p>Words of a page.",
    "signs of Markdown": lambda n: "<p>" + "*_~`|#>" * n + "<p>Words of a page.",
    "signs of direction": lambda n: "<p>Words " + "\u202ea\u200f" * n + "<p>Words of a page.",
    "combining signs": lambda n: "<p>Words a" + "\u0301" * 10 * n + "<p>Words of a page.",
    "JSON-LD in JSON-LD": lambda n: (
        '<script type="application/ld+json">' + '{"@graph":[' * n + "]}" * n + "</script><p>Words of a page."
    ),
    "offers of products": lambda n: (
        "".join(
            f'<script type="application/ld+json">{{"@type":"Product","name":"pot","offers":{{"price":{i}}}}}</script>'
            for i in range(n // 4)
        )
        + "<p>A pot for $12."
    ),
    "selectors with parts": lambda n: (
        f"<style>{','.join(f'.c{i} > .d{i} + .e:not(.f)' for i in range(n))}{{display:none}}</style><p class=e>Words."
    ),
    "sheets that are not closed": lambda n: "<style>" + "@media x{" * n + "</style><p>Words of a page.",
    "links to places of the page": lambda n: "".join(
        f"<p id=i{i}>Words <a href='#i{n - i}'>of a place</a> of the page" for i in range(n // 2)
    ),
    "sizes of a picture": lambda n: f"<img srcset='{','.join(f'/{i}.jpg {i}w' for i in range(n))}'><p>Words of a page.",
    "a picture in its address": lambda n: f"<img src='data:image/png;base64,{'QUJD' * 10 * n}'><p>Words of a page.",
    "choices": lambda n: "<select>" + "<option>choice" * n + "</select><p>Words of a page.",
    "line breaks": lambda n: "<div>" + "<br>" * n + "Words of a page",
    "typed lists": lambda n: "<p>" + "<br>".join(f"{i % 999}. words" if i % 2 else "- words" for i in range(n)),
    "images that say what is below": lambda n: (
        "<p>" + "<img src=a.jpg alt='some words of an image'>" * (n // 2) + "<p>some words of an image, and more"
    ),
    "balls": lambda n: "<p>" + "<img src=ball.gif> words<br>" * (n // 2),
    "images that lead to their files": lambda n: "<p>Words <a href=/b.jpg><img src=/b-300x200.jpg></a> " * (n // 4),
    "notes in boxes": lambda n: (
        "<div class='admonition note'><p class=admonition-title>Note</p><p>Words of a page</div>" * (n // 4)
    ),
    "questions": lambda n: "<div><p class=faq-question>Words?</p><p>Words of a page</div>" * (n // 4),
    "posts of many classes": lambda n: "".join(
        f"<div class='post post-{i // 6}'>Words of a post, and some more of them.</div>" for i in range(n // 4)
    ),
    "signatures": lambda n: (
        "<div class=post><p>Words of a post, and some more.</p><div class=signature>Words of Ann</div></div>" * (n // 8)
    ),
    "slides": lambda n: "".join(f"<div class=slick-cloned>Words of slide {i % 99}</div>" for i in range(n // 4)),
    "quotations in large letters": lambda n: "".join(
        f"<p>Words of a page, the {i}th of them.<aside class=pullquote>of a page, the {i}th of them</aside>"
        for i in range(n // 8)
    ),
    "offers that are alike": lambda n: "".join(
        f"<h2>Offer {i}</h2><ul><li>Only for offer {i}.{'<li>Words of an offer, and more of them.' * 6}</ul>"
        for i in range(n // 16)
    ),
    "sentences side by side": lambda n: "<p>" + "<b>Words of a page.</b><b>More of them.</b>" * (n // 4),
    "quotations with their speakers": lambda n: (
        "<blockquote><b>Ann Leaf said:</b><p>Words of a page</blockquote>" * (n // 4)
    ),
}
