"""Pages whose text is only in their data, as the large frameworks write it."""

import json
from html import escape

TEXT = [
    "Green tea turns bitter for two reasons: the water was too hot, or the leaves stayed in it for too long.",
    "Both are easy to avoid once you know your leaves, and neither asks for more than a kettle and a watch.",
    "Let boiling water stand for five minutes before you pour it, so that it cools to about 75 degrees, says Ann.",
    "Good leaves give three cups. Pour all of the water off after the first one, and take hotter water each time.",
]
HTML = "".join(f"<p>{line}</p>" for line in TEXT)
CONSENT = (
    "We use cookies and similar tracking technologies to personalise content and ads. By clicking accept you consent "
    "to our use of cookies. You can change your consent at any time in our privacy policy."
)
POST = {"id": 7, "slug": "how-to-brew", "title": "How to brew", "content": HTML, "image": "https://tea.example/a.png"}
JSON = 'type="application/json"'
_NAVIGATION = '<nav><a href="/">Home</a> <a href="/tea">Tea</a> <a href="/about">About us</a></nav>'


def shell(*, head: str = "", body: str = "", root: str = "root") -> str:
    return (
        f"<!DOCTYPE html><html><head><title>Tea</title>{head}</head><body>{_NAVIGATION}<div id={root}></div>{body}"
        '<script src="/app.js" defer></script></body></html>'
    )


def script(data: object, attributes: str = JSON, before: str = "", after: str = "") -> str:
    return f"<script {attributes}>{before}{in_script(data)}{after}</script>"


def in_script(data: object) -> str:
    return json.dumps(data).replace("<", "\\u003C")


def pushed(*rows: str) -> str:
    return "".join(f"<script>self.__next_f.push([1,{in_script(row)}])</script>" for row in rows)


def next_app() -> str:
    paragraphs = [["$", "p", None, {"children": line}] for line in TEXT]
    row = f"0:{json.dumps([['$', 'article', None, {'children': paragraphs}]])}\n"
    return shell(body=pushed(row[:150], row[150:]))


def next_app_raw_text() -> str:
    size = len(HTML.encode())
    return shell(body=pushed(f'1:["$","div",null,{{"html":"$2"}}]\n2:T{size:x},{HTML}3:["$","i",null,{{}}]\n'))


def nuxt_2() -> str:
    post = f"{{title:a,body:{in_script(HTML)},id:b}}"
    call = f'(function(a,b){{return {{layout:"default",data:[{{post:{post}}}],error:null}}}}("How to brew",7))'
    return shell(body=f"<script>window.__NUXT__={call};</script>", root="__nuxt")


def nuxt_3() -> str:
    rows = [["Reactive", 1], {"data": 2}, {"post": 3}, {"title": 4, "body": 5}, "How to brew", HTML]
    return shell(body=script(rows, f'{JSON} id="__NUXT_DATA__"'), root="__nuxt")


def discourse() -> str:
    topic = {"title": "How to brew", "post_stream": {"posts": [{"username": "ann", "cooked": HTML}]}}
    settings = {"title": "Tea talk", "cookie_text": CONSENT}
    preloaded = json.dumps({"topic_7": json.dumps(topic), "siteSettings": json.dumps(settings)})
    return shell(body=f'<div class="hidden" id="data-preloaded" data-preloaded="{escape(preloaded)}"></div>')


def angular() -> str:
    state = json.dumps({"post": POST})
    for sign, entity in (("&", "&a;"), ('"', "&q;"), ("<", "&l;"), (">", "&g;")):
        state = state.replace(sign, entity)
    return shell(body=f"<script id=serverApp-state {JSON}>{state}</script>", root="app")


def astro() -> str:
    props = escape(json.dumps({"post": [0, {"body": [0, HTML]}]}))
    return shell(body=f'<astro-island uid="1" props="{props}"></astro-island>')


def sveltekit_2() -> str:
    data = f'[null,{{type:"data",data:{{post:{{title:"How to brew",body:{in_script(HTML)}}}}},uses:{{}}}}]'
    start = 'Promise.all([import("./a.js")]).then(([kit]) => {kit.start(app, {data});});'
    return shell(body=f"<script>{{const data = {data};{start}}}</script>")


def wordpress() -> str:
    article = {"@type": "Article", "headline": "How to brew", "articleBody": "\n\n".join(TEXT)}
    site = {"@type": "WebSite", "name": "Tea", "description": "All about tea"}
    graph = {"@context": "https://schema.org", "@graph": [article, site]}
    return shell(head=script(graph, 'type="application/ld+json"'))


def gatsby() -> str:
    remark = {"html": HTML, "frontmatter": {"title": "How to brew"}}
    data = {"result": {"data": {"markdownRemark": remark}}}
    return shell(body=script(data, "", "window.pageData=", ";window.pagePath='/x';"), root="___gatsby")


def next_app_emphasis() -> str:
    bold = ["$", "strong", None, {"className": "x", "children": "two"}]
    before, after = TEXT[0].split("two")
    paragraphs = [["$", "p", None, {"children": line}] for line in TEXT[1:]]
    first = ["$", "p", None, {"children": [before, bold, after]}]
    row = json.dumps(["$", "div", None, {"children": [first, *paragraphs]}], separators=(",", ":"))
    return shell(body=pushed(f"7:{row}"))


def feed() -> str:
    items = f"<item><title>How to brew</title><content:encoded><![CDATA[{HTML}]]></content:encoded></item>"
    items += f"<item><title>Short</title><description>{escape(HTML)}</description></item>"
    channel = f"<rss><channel><title>Tea</title>{items}</channel></rss>"
    return shell(body=f'<script type="application/rss+xml">{channel}</script>')


def apollo() -> str:
    state = {"ROOT_QUERY": {"post": {"__ref": "Post:7"}}, "Post:7": {"__typename": "Post", "body": HTML}}
    return shell(body=script(state, "", "window.__APOLLO_STATE__=", ";"))


FRAMEWORKS = {
    "next-pages": shell(
        body=script({"props": {"pageProps": {"post": POST}}, "page": "/p"}, f"id=__NEXT_DATA__ {JSON}")
    ),
    "next-app": next_app(),
    "next-app-raw-text": next_app_raw_text(),
    "nuxt-2": nuxt_2(),
    "nuxt-3": nuxt_3(),
    "gatsby": gatsby(),
    "apollo": apollo(),
    "redux": shell(body=script({"post": {"body": "\n\n".join(TEXT)}}, "", "window.__PRELOADED_STATE__ = ")),
    "json-parse": shell(body=script(json.dumps({"post": POST}), "", "window.__INITIAL_STATE__=JSON.parse(", ");")),
    "discourse": discourse(),
    "angular": angular(),
    "astro": astro(),
    "sveltekit": shell(
        body=script({"status": 200, "body": json.dumps({"post": POST})}, f"{JSON} data-sveltekit-fetched")
    ),
    "sveltekit-2": sveltekit_2(),
    "shop": shell(body=script({"id": 1, "title": "Tea", "vendor": "Leaf", "description": HTML})),
    "wordpress": wordpress(),
    "shadow-root": shell(body=f"<tea-post><template shadowrootmode=open><slot></slot>{HTML}</template></tea-post>"),
    "next-app-emphasis": next_app_emphasis(),
    "feed": feed(),
    "html-in-a-script": shell(body=f'<script type="text/html">{HTML}</script>'),
    "escaped-twice": shell(body=script({"post": {"body": escape(escape(HTML))}})),
}
