"""Give each tool malformed pages: report the text it loses, the time it takes, the errors it raises."""

import datetime as dt
from collections.abc import Sequence

from dehusk.base.errors import ChildError
from dehusk.base.processes.child import Child
from dehusk.lab.evaluate.benchmark import tool_title, warm_up
from dehusk.lab.evaluate.predictions import ToolOutput
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.tools import PageView, known_tools, load_tool, to_outputs
from sets import write_results

SECONDS = 20.0
WORDS = (
    "A paragraph of running text says what the page is about, in some twenty words, so that no tool takes it for noise."
)
INSIDE, AFTER = (
    "The marker inside is a sentence of its own that must come out.",
    "The marker after it must come out, too.",
)


def article(body: str) -> str:
    """Return a page whose article has a malformed part in the middle and the second marker after it."""
    return (
        f"<!DOCTYPE html><html><head><title>A page</title></head><body><article><h1>A page</h1><p>{WORDS}</p>"
        f"{body}<p>{WORDS} {AFTER}</p></article></body></html>"
    )


def nested(tag: str, depth: int, *, closed: bool = True) -> str:
    end = f"</{tag}>" * depth if closed else ""
    return article(f"<{tag}>" * depth + f"<p>{WORDS} {INSIDE}</p>" + end)


INPUTS = {
    "plain": article(f"<p>{WORDS} {INSIDE}</p>"),
    "div, 300 deep": nested("div", 300),
    "div, 5,000 deep": nested("div", 5000),
    "div, 30,000 deep": nested("div", 30_000),
    "span, 30,000 deep": nested("span", 30_000),
    "lists, 5,000 deep": nested("ul><li", 5000, closed=False),
    "b, never closed, 5,000 times": nested("b", 5000, closed=False),
    "b i font, never closed, 30,000 times": article("<b><i><font>" * 10_000 + f"<p>{WORDS} {INSIDE}</p>"),
    "12 MB in one text node": article(f"<p>{INSIDE} {'word ' * 2_400_000}</p>"),
    "data URI of 4 MB": article(f'<p>{WORDS} {INSIDE}</p><img src="data:image/png;base64,{"A" * 4_000_000}">'),
    "40,000 short paragraphs": article(f"<p>{INSIDE}</p>" + "<p>few words here</p>" * 40_000),
    "misnested anchors": article(f"<a href=a><p>{WORDS} <a href=b>{INSIDE}</a></p>" * 50),
    "zero bytes and controls": article(f"<p>{WORDS}\0\1\2 {INSIDE}</p>&#0;&#1;&#xD800;"),
    "lone surrogates": article(f"<p>{WORDS} \ud800 {INSIDE}</p>"),
    "colspan=9007199254740991": article(f"<table><tr><td colspan=9007199254740991>{WORDS} {INSIDE}</table>"),
    "all in one form": article(f"<form><p>{WORDS} {INSIDE}</p></form>"),
    "all in noscript": article(f"<noscript><p>{WORDS} {INSIDE}</p></noscript>"),
    "an XML declaration": '<?xml version="1.0" encoding="utf-8"?>' + article(f"<p>{WORDS} {INSIDE}</p>"),
}


def outcome(child: Child[Sequence[PageView], list[ToolOutput]], html: str) -> str:
    """Return in a few words how a tool did on one page."""
    try:
        (output,), seconds = child.work([PageView(html)])
    except ChildError as error:
        return str(error).split(":")[0]
    folded = " ".join(output.text.split())
    lost = [name for name, marker in (("inside", INSIDE), ("after", AFTER)) if marker not in folded]
    slow = f", {seconds:.1f} s" if seconds >= 1 else ""
    return ("lost " + " and ".join(lost) if lost else "ok") + slow


def main() -> None:
    tools = [name for name, tool in known_tools().items() if tool.version]
    outcomes: dict[str, dict[str, str]] = {name: {} for name in INPUTS}
    for tool in tools:
        with Child(load_tool, tool, seconds=SECONDS, finish=to_outputs) as child:
            warm_up(child)
            for name, html in INPUTS.items():
                outcomes[name][tool] = outcome(child, html)
    rows = [["input", *map(tool_title, tools)], *([name, *by_tool.values()] for name, by_tool in outcomes.items())]
    text = (
        f"# Robustness\n\n`python bench/robustness.py`, {dt.date.today()}. Each page has one sentence inside its malformed "
        f"part and one after it; “lost” names those that are not in the output. Time limit: {SECONDS:g} s per page.\n\n"
        f"{markdown_table(rows)}"
    )
    write_results("robustness", text, outcomes, judges="shipped")


if __name__ == "__main__":
    main()
