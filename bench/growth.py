"""Compare the CPU time of a page with that of one half its size, for shapes that take other tools minutes."""

import datetime as dt
from collections.abc import Callable
from functools import partial

import dehusk
from clock import cpu
from dehusk.backends import KERNELS, Backend, using
from dehusk.evaluate.text_tables import markdown_table
from dehusk.write import format_names
from sets import write_results

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
    "pages that the compiled reader declines": lambda n: _LISTINGS * (n // 4) + "<plaintext>x",
    "formulas that it declines": lambda n: _LISTINGS * (n // 4) + "<math><mi><mglyph></mi></math>",
    "posts that it declines": lambda n: (
        "".join(f"<div class=post><b>user{i}</b><time>2026-05-03</time><p>Post number {i}.</p></div>" for i in range(n))
        + "<plaintext>x"
    ),
}
SMALL = 20_000
CLEAR = 2.1
"""A ratio below this shows linear growth; what is above is measured in further rounds."""
LEAST_ROUNDS, MOST_ROUNDS = 2, 8


OUTPUTS: dict[str, Callable[[dehusk.Document], object]] = {
    **{name: partial(lambda document, name: document.render(name), name=name) for name in format_names()},
    "posts": lambda document: document.posts,
    "chunks": lambda document: document.chunks(max_words=100),
    "metadata": lambda document: document.metadata,
}


def seconds(html: str, output: str) -> float:
    return cpu(lambda: OUTPUTS[output](dehusk.clean(html)), rounds=1)


def growth_of(shape: Callable[[int], str], output: str) -> tuple[float, float]:
    """Return the CPU seconds of the large page, and their ratio to those of the small one.

    Both are measured in turn. What else the machine does only adds to times, so further rounds lower a ratio that it
    raised, but none that growth raised.
    """
    small, large, best = shape(SMALL), shape(2 * SMALL), [float("inf"), float("inf")]
    for done in range(1, MOST_ROUNDS + 1):
        best = [min(known, seconds(html, output)) for known, html in zip(best, (small, large), strict=True)]
        if done >= LEAST_ROUNDS and best[1] < CLEAR * best[0]:
            break
    return best[1], best[1] / best[0]


def growth(backend: Backend) -> tuple[str, float]:
    """Return a table of times and ratios with a backend, and the worst ratio."""
    rows = [["shape", *(f"{name}: s for {2 * SMALL}, ratio" for name in OUTPUTS)]]
    worst = 0.0
    with using(backend):
        dehusk.clean("<p>warm up</p>")
        for name, shape in SHAPES.items():
            found = [growth_of(shape, output) for output in OUTPUTS]
            worst = max(worst, *(ratio for _, ratio in found))
            rows.append([name, *(f"{large:.2f} s, {ratio:.2f}" for large, ratio in found)])
            print(backend, *rows[-1], sep="; ", flush=True)
    return markdown_table(rows), worst


def main() -> None:
    backends: tuple[Backend, ...] = ("compiled", "numpy") if KERNELS else ("numpy",)
    tables = {backend: growth(backend) for backend in backends}
    worst = max(ratio for _, ratio in tables.values())
    text = (
        f"# Growth\n\n`python bench/growth.py`, {dt.date.today()}: CPU time of a page with {2 * SMALL} items, and its "
        f"ratio to a page with {SMALL}; fastest of {LEAST_ROUNDS} rounds, of up to "
        f"{MOST_ROUNDS} if the ratio is {CLEAR} or more. Worst ratio: {worst:.2f}.\n"
    )
    text += "".join(f"\n## {name.capitalize()}\n\n{table}" for name, (table, _) in tables.items())
    write_results("growth", text, {"worst": worst, **{f"worst, {name}": ratio for name, (_, ratio) in tables.items()}})


if __name__ == "__main__":
    main()
