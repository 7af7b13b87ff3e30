"""The Python of the documentation runs, and gives what its comments say."""

import ast
import doctest
import json
import re
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from documented_pages import PAGES, blocks, make_files

MOST_NOT_RUN = 11
"""How many blocks are not run; a comment before each says why."""
FETCHES = re.compile(r"^.*clean_url\(.*$", re.MULTILINE)
LITERAL = re.compile(
    r"#\s+(?P<value>\"[^\"]*\"|\((?:\"[^\"]*\"|\d+)(?:, ?(?:\"[^\"]*\"|\d+))*,?\)|\d+(?:\.\d+)?)(?=$|[:;,])"
)
"""A comment that begins with the value of its line."""
SCRIPTED = (
    "<title>Tea</title><p>The Tea Room</p><div id='app'></div><script type='application/ld+json'>"
    + json.dumps({"@type": "Article", "articleBody": "Green tea turns bitter if the water is too hot. " * 20})
    + "</script>"
)
PAID = (
    "<title>Le thé vert</title><article><h1>Le thé vert</h1>"
    + "<p>Le thé vert devient amer pour deux raisons : l'eau était trop chaude, ou les feuilles y sont restées trop"
    " longtemps.</p>"
    * 11
    + "<p>Il vous reste 57.09% de cet article à lire. La suite est réservée aux abonnés.</p></article>"
)
GIVEN = """
from pathlib import Path
import dehusk
html = data = Path("examples/tea.html").read_bytes()
url = "https://tea.example/green"
pages = [path.read_bytes() for path in sorted(Path("examples/tea-room").glob("*.html"))]
page = pages[0]
def dehusk_(*words):
    from dehusk.cli import command
    command.main(words, standalone_mode=False)
"""
GIVEN_ON = {
    "alternation.md": "documents = [page.decode() for page in pages]; document = documents[0]",
    "annotate.md": "dehusk_('clean', '-f', 'annotation', 'page.html', '-o', 'page.html.anno.json')",
    "chunks.md": "class index:\n    add = staticmethod(lambda *values: None)\ndocument = dehusk.clean(html)",
    "empty-pages.md": "html = '<title>Not found</title><h1>Page not found</h1><p>The page does not exist.</p>'",
    "hidden-data.md": f"html = {SCRIPTED!r}",
    "metadata.md": "data = html.replace(b'By Ann Leaf', b'By Ann Leaf and Bo Cup').replace(b'</title>', "
    """b'</title><meta property="og:site_name" content="The Tea Room">'
    b'<meta property="article:published_time" content="2026-05-03">')""",
    "outline.md": "html = html.replace(b'Water and time', b'Prepare the pot')",
    "records.md": "dehusk_('records', 'examples/tea-room', '-q', '-o', 'posts.csv')",
    "site.md": "other = dehusk.Site().fit(pages); Path('page.html').write_bytes(page)\n"
    "dehusk_('clean', '-f', 'annotation', 'page.html', '-o', 'page.html.anno.json')",
    "structure-tree.md": "import numpy as np\ncrawled = [(page, 'https://news.example/tea') for page in pages]\n"
    "url, data = 'https://news.example/tea', pages[0]\n"
    "new_pages = some_pages = pages[:3]; other_pages = pages[3:]; targets = [1, 2, 1, 2, 1, 2]\n"
    "dehusk_('vectors', 'examples/tea-room', '-q', '-o', 'tea.npz')",
    "tools.md": "labels = [1, 2, 1, 2, 1, 2]\nfrom sklearn.feature_extraction.text import CountVectorizer\n"
    "from sklearn.naive_bayes import MultinomialNB\nfrom sklearn.pipeline import make_pipeline",
    "warnings.md": f"html = {PAID!r}",
    "wisdom.md": "crawled = [(page, url) for page in pages]; some_pages = pages[:3]; other_pages = pages[3:]",
}
"""What a page says to be given."""
PYTHON = [page for page in PAGES if any(reason is None for _, reason in blocks(page, "python"))]


def test_few_blocks_are_not_run() -> None:
    not_run = [(page.name, reason) for page in PAGES for _, reason in blocks(page, "python") if reason]
    assert len(not_run) == MOST_NOT_RUN, "\n".join(map(str, not_run))


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.name)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_files(tmp_path, page)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(GIVEN + GIVEN_ON.get(page.name, ""), names)  # noqa: S102 (what a reader has at hand)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # examples open files in passing
        for code, reason in blocks(page, "python"):
            if reason is None:
                run(FETCHES.sub("", code), names, page.name)


def run(code: str, names: dict[str, Any], page: str) -> None:
    if code.startswith(">>>"):
        results = doctest.DocTestRunner().run(
            doctest.DocTestParser().get_doctest(code, names, page, page, 0), clear_globs=False
        )
        assert results.failed == 0
        return
    shown: dict[int, list[object]] = defaultdict(list)
    names["_show"] = lambda line, value: shown[line].append(value)
    expected = {
        number: ast.literal_eval(found["value"])
        for number, line in enumerate(code.splitlines(), 1)
        if (found := LITERAL.search(line))
    }
    exec(compile(Shown().visit(ast.parse(code)), page, "exec"), names)  # noqa: S102 (the documentation's)
    for line, values in shown.items():
        assert line not in expected or expected[line] in values, (code.splitlines()[line - 1], values)


class Shown(ast.NodeTransformer):
    """Notes the values of expressions that stand alone."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = ast.Call(ast.Name("_show", ast.Load()), [ast.Constant(node.lineno), node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, node)), node))
