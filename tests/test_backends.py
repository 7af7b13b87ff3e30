"""Functions that still stand twice give the same results, on many kinds of pages."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import dehusk
import hostile_pages
import made_sites
from dehusk import backends
from dehusk.backends import KERNELS, Disagreement, Kernel, using
from dehusk.comparison import difference
from dehusk.compiled.characters import text_key
from dehusk.errors import Status
from dehusk.features import FEATURES, compute
from dehusk.hashing import text_keys
from dehusk.methods.victor.config import load_config
from dehusk.write import WRITERS

EXAMPLES = Path(__file__).parent.parent / "examples"
SETTINGS = load_config("cleaneval").settings
"""With features that the default method does not need."""


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


@pytest.fixture(scope="module")
def checked() -> dict[str, Kernel]:
    """Return the kernels after pages went through both backends, in all formats and with a site's evidence."""
    site = dehusk.Site().fit(made_sites.site(6))
    with using("check"):
        for page in pages():
            document = dehusk.clean(page, url="https://tea.example/")
            assert document.status is not Status.ERROR, document.message  # an exception in a kernel ends here
            for writer in WRITERS:
                document.render(writer.name)
            compute(dehusk.segment(document.page), SETTINGS, FEATURES.names(SETTINGS))
        dehusk.clean(made_sites.site(6)[0], site=site, explain=True)
        for text in ("", "nav-item", "\u00e9t\u00e9", "\u4e2d\U00010400", "\ud800", "long" * 500):
            assert text_key(text) == int(text_keys([text])[0])
        dehusk.clean(made_sites.site(6)[0], limits=dehusk.Limits(nodes=50))
    return KERNELS


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_a_kernel_gives_what_its_function_gives(checked: dict[str, Kernel], name: str) -> None:
    """A difference fails the fixture; here each kernel must have been compared at all."""
    assert checked[name].calls > 0


def test_a_difference_ends_a_checked_run(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = KERNELS["reading.read_nodes"]
    monkeypatch.setattr(kernel, "compiled", lambda *_, **__: 9)
    with using("check"), pytest.raises(Disagreement, match=r"kernel reading.read_nodes: "):
        dehusk.clean("<p>One paragraph.")


def test_an_input_that_a_kernel_declines_goes_to_its_function() -> None:
    def decline(_: int) -> object:
        return NotImplemented

    pair = Kernel("one.more", lambda number: number + 1, decline, 0.0)
    assert pair.check(1) == 2
    assert pair.calls == 0


@pytest.mark.parametrize(
    ("found", "expected", "why"),
    [
        (np.zeros(2), np.zeros(2), ""),
        (np.zeros(2), np.zeros(2, np.float32), "is float64 (2,), not float32 (2,)"),
        (np.zeros(2), np.zeros(3), "is float64 (2,), not float64 (3,)"),
        (np.array([0.0, 1]), np.array([-0.0, 1]), "at [0] is np.float64(0.0), not np.float64(-0.0) (1 of 2 differ)"),
        (
            np.eye(2),
            np.array([[1.0, 0.0], [1.0, 1.0]]),
            "at [1, 0] is np.float64(0.0), not np.float64(1.0) (1 of 4 differ)",
        ),
        ((1, "a"), (1, "b"), "[1] 'a' is not 'b'"),
        ([1], [1, 2], "length 1 is not 2"),
        ({"a": np.zeros(1)}, {"a": np.ones(1)}, "['a'] at [0] is np.float64(0.0), not np.float64(1.0) (1 of 1 differ)"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "keys \"'a''b'\" is not \"'b''a'\""),
        (1, 1.0, "the type is int, not float"),
        (float("nan"), float("nan"), ""),
    ],
)
def test_what_differs_is_named(found: object, expected: object, why: str) -> None:
    assert difference(found, expected) == why


def test_a_tolerance_is_for_floating_point_numbers() -> None:
    near = np.array([1.0, np.inf, 2.0])
    assert not difference(near + 1e-7, near, 1e-6)
    assert difference(near + 1e-5, near, 1e-6).startswith("at [0]")
    assert (
        difference(np.array([1, 2]), np.array([1, 3]), 5.0) == "at [1] is np.int64(2), not np.int64(3) (1 of 2 differ)"
    )


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=variables, check=False)


def test_an_unknown_backend() -> None:
    done = run("-m", "dehusk", "--version", DEHUSK_BACKEND="fast")
    assert done.returncode == 2
    assert done.stderr == "dehusk: unknown DEHUSK_BACKEND 'fast'. Known: compiled, numpy, check\n"


HIDING = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
hides = "dehusk.compiled.tree".__eq__
PathFinder.find_spec = classmethod(lambda cls, name, *rest: None if hides(name) else find(name, *rest))
"""
CLEAN = "import dehusk\ntry:\n    dehusk.clean('<p>x')\nexcept dehusk.DehuskError as error:\n    print(error)"


@pytest.mark.parametrize(
    "arguments", [["clean", str(EXAMPLES / "tea.html")], ["corpus", "x", "-o", "y"], ["studio", "x"]]
)
def test_an_installation_without_compiled_modules_says_so_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    done = run("-m", "dehusk", *arguments, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "dehusk: dehusk has no compiled modules for this Python: install it again, pip install"
    )
    assert done.stderr.count("\n") == 1
    done = run("-c", CLEAN, PYTHONPATH=str(tmp_path))
    assert done.stdout.startswith("dehusk has no compiled modules for this Python")


def test_another_backend_is_used_for_a_while() -> None:
    before = backends.chosen()
    with using("numpy"):
        assert backends.chosen() == "numpy"
    assert backends.chosen() == before
