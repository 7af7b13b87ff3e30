"""The ideas of the thesis's last chapter as features of Victor, each on sites never seen.

Section 7 names natural language detection, spam detection, features from CSS style rules, and hints from the content
management system. Each is added to the configuration `web` and judged as in quality.py, on every third page.
"""

import datetime as dt
import re
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import tinycss2

from dehusk.about.metadata import detect_language
from dehusk.blocks import Blocks
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.verdicts import judge
from dehusk.lab.gold import splits
from dehusk.lab.gold.datasets import set_fingerprint
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.victor import train_victor
from dehusk.label.features import Columns, FeatureSettings, compute
from dehusk.label.victor import method as victor_method
from dehusk.label.victor.config import VictorConfig, load_config
from dehusk.measures.intervals import bootstrap_interval
from dehusk.read.page import Page
from quality import FOLDS, SEED, labelled
from sets import OPEN_SETS, data_argument, set_path, write_results

STEP = 3
_LONG = 80  # characters from which the language of a block is detected
_SHEETS = 60_000  # characters of style elements that are read
_SIZES = {
    "xx-small": 0.6,
    "x-small": 0.75,
    "small": 0.89,
    "smaller": 0.85,
    "larger": 1.2,
    "large": 1.2,
    "x-large": 1.5,
    "xx-large": 2.0,
}
_LENGTH = re.compile(r"([\d.]+)(px|pt|em|rem|%)")
_UNIT = {"px": 1 / 16, "pt": 1 / 12, "em": 1.0, "rem": 1.0, "%": 0.01}

SYSTEMS = {
    "wordpress": ".entry-content, .post-content, .entry",
    "drupal": ".field-name-body, .node .content, .node__content, .field--name-body",
    "mediawiki": "#mw-content-text, #bodyContent",
    "joomla": ".item-page, .com-content-article__body, [itemprop=articleBody]",
    "blogger": ".post-body",
    "typepad": ".entry-body",
    "movable type": ".entry-body, .asset-body",
    "phpbb": ".postbody .content, .postbody",
    "vbulletin": ".postcontent, .vb_postbit, [id^=post_message_]",
    "xenforo": ".bbWrapper, .messageText",
    "discourse": ".cooked, [itemprop=articleBody]",
    "sphinx": "[role=main], .body",
    "ghost": ".gh-content, .post-content",
    "squarespace": ".sqs-block-content",
    "docusaurus": ".markdown",
}
"""Name in the generator element, in lower case -> where the system puts content."""


def language_features(blocks: Blocks) -> Columns:
    """Return whether a long block is in another language than the page, and how sure the page's language is."""
    page = detect_language(" ".join(blocks.texts))
    foreign = np.zeros(len(blocks), dtype=np.bool_)
    for block in np.flatnonzero(blocks.chars >= _LONG).tolist():
        found = detect_language(blocks.texts[block])
        foreign[block] = found is None or (page is not None and found.code != page.code)
    sure = page.probability if page else 0.0
    return {"block.foreign": foreign, "document.language": np.full(len(blocks), sure)}


def spam_features(blocks: Blocks) -> Columns:
    """Return signs of spam (Ntoulas et al. 2006): compressibility, repeated and long words, of the page and of blocks."""
    text = " ".join(blocks.texts)
    words = text.lower().split()
    data = text.encode()
    b = len(blocks)
    values = {
        "document.compression": len(data) / max(len(zlib.compress(data)), 1),
        "document.repeated-words": 1 - len(set(words)) / max(len(words), 1),
        "document.word-length": len(text) / max(len(words), 1),
    }
    distinct = [len(set(block)) / max(len(block), 1) for block in (text.lower().split() for text in blocks.texts)]
    return {**{name: np.full(b, value) for name, value in values.items()}, "block.distinct-words": np.array(distinct)}


def rules_of(page: Page) -> list[tuple[str, dict[str, str]]]:
    """Return selector and declarations of the rules of a page's style elements."""
    sheets = re.findall(r"<style[^>]*>(.*?)</style", page.elements.text, re.DOTALL | re.IGNORECASE)
    found = []
    for rule in tinycss2.parse_stylesheet("\n".join(sheets)[:_SHEETS], skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            declared = _declared(rule.content)
            if declared:
                found.append((tinycss2.serialize(rule.prelude).strip(), declared))
    return found[:400]


def _declared(content: list) -> dict[str, str]:
    wanted = ("font-size", "font-weight", "float", "position", "text-align", "display", "width")
    declarations = tinycss2.parse_declaration_list(content, skip_comments=True, skip_whitespace=True)
    return {
        d.lower_name: tinycss2.serialize(d.value).strip().lower()
        for d in declarations
        if d.type == "declaration" and d.lower_name in wanted
    }


def css_features(blocks: Blocks) -> Columns:
    """Return the font size, and whether the text is bold, floats or is positioned, by style rules and attributes."""
    page = blocks.page
    n = len(page)
    size, bold, floats, positioned = np.ones(n), np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for nodes, declared in _styled(page):
        size[nodes] = relative_size(declared.get("font-size", ""), size[nodes])
        bold[nodes] |= declared.get("font-weight", "") in ("bold", "bolder", "600", "700", "800", "900")
        floats[nodes] |= declared.get("float") in ("left", "right")
        positioned[nodes] |= declared.get("position") in ("absolute", "fixed", "sticky")
    nearest = page.nearest(size != 1)
    sizes = np.where(nearest >= 0, size[nearest], 1.0)
    inside = {"css.bold": bold, "css.float": floats, "css.positioned": positioned}
    columns: Columns = {name: page.within(np.flatnonzero(mask))[blocks.first] > 0 for name, mask in inside.items()}
    return {"css.size": sizes[blocks.first], **columns}


def relative_size(value: str, before: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a font size relative to 16 pixels; what cannot be read changes nothing."""
    if value in _SIZES:
        return np.full(len(before), _SIZES[value])
    match = _LENGTH.fullmatch(value)
    return np.full(len(before), float(match[1]) * _UNIT[match[2]]) if match and match[1].strip(".") else before


def _styled(page: Page) -> Iterable[tuple[npt.NDArray[np.int32], dict[str, str]]]:
    for selector, declared in rules_of(page):
        try:
            rows = page.elements.rows_of(page.elements.select(selector))
        except ValueError:
            continue
        yield rows[rows >= 0], declared
    for node, pairs in page.attributes.items():
        style = dict(pairs).get("style")
        if style:
            yield np.array([node]), _declared(tinycss2.parse_component_value_list(style))


def system_features(blocks: Blocks) -> Columns:
    """Return whether a content management system is known, and whether the block is where it puts content."""
    page = blocks.page
    generator = " ".join(content for name, content in page.meta.entries if name.lower() == "generator").lower()
    known = [selector for name, selector in SYSTEMS.items() if name in generator]
    if not known and "wp-content/" in page.elements.text:
        known = [SYSTEMS["wordpress"]]
    inside = np.zeros(len(blocks), dtype=np.bool_)
    for selector in known:
        rows = page.elements.rows_of(page.elements.select(selector))
        inside |= page.within(rows[rows >= 0])[blocks.first] > 0
    return {"cms.known": np.full(len(blocks), bool(known)), "cms.content": inside}


IDEAS: dict[str, tuple[Callable[[Blocks], Columns], dict[str, tuple[float, ...]], tuple[tuple[str, ...], ...]]] = {
    "language": (
        language_features,
        {"block.foreign": (0, 1), "document.language": (0, 0.5, 0.9, 0.99, 0.999)},
        (("block.foreign", "block.words"),),
    ),
    "spam": (
        spam_features,
        {
            "document.compression": (1, 1.8, 2.2, 2.6, 3, 4, 6),
            "document.repeated-words": (0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85),
            "document.word-length": (2, 4.5, 5.5, 6.2, 7, 9),
            "block.distinct-words": (0, 0.4, 0.6, 0.7, 0.8, 0.9, 1),
        },
        (("block.distinct-words", "block.words"),),
    ),
    "CSS rules": (
        css_features,
        {
            "css.size": (0, 0.7, 0.8, 0.9, 1, 1.1, 1.3, 1.6),
            "css.bold": (0, 1),
            "css.float": (0, 1),
            "css.positioned": (0, 1),
        },
        (("css.size", "block.words"),),
    ),
    "content management": (
        system_features,
        {"cms.known": (0, 1), "cms.content": (0, 1)},
        (("cms.known", "cms.content"),),
    ),
}
"""Idea -> its features, the values that they are rounded down to, and the joins that the chain reads besides."""

_SAVED: dict[tuple[int, str], Columns] = {}


def with_idea(names: Iterable[str]) -> VictorConfig:
    """Return the configuration with the features of ideas."""
    config = load_config("web")
    for name in names:
        _, values, joins = IDEAS[name]
        template = replace(
            config.template,
            features=(*config.template.features, *values),
            joins=(*config.template.joins, *joins),
            feature_rows={**config.template.feature_rows, **dict.fromkeys(values, (0,))},
        )
        config = replace(config, values={**config.values, **values}, template=template)
    return config


def compute_with_ideas(blocks: Blocks, settings: FeatureSettings, names: Iterable[str]) -> Columns:
    """Return features of the package and of the ideas; the latter are computed once for each page."""
    requested = tuple(names)
    owner = {feature: idea for idea, (_, values, _) in IDEAS.items() for feature in values}
    columns = compute(blocks, settings, [name for name in requested if name not in owner])
    for idea in {owner[name] for name in requested if name in owner}:
        key = id(blocks), idea
        if key not in _SAVED:
            _SAVED[key] = IDEAS[idea][0](blocks) if len(blocks) else {name: np.zeros(0) for name in IDEAS[idea][1]}
        columns |= {name: column for name, column in _SAVED[key].items() if name in requested}
    return columns


def scores(config: VictorConfig, pages: list[LabelledPage]) -> list[float]:
    """Return the word-bag F1 of each page by models that saw no page of its site."""
    fold = splits.folds_by_site([page.site for page in pages], FOLDS, seed=SEED)
    f1 = [0.0] * len(pages)
    for left_out in range(FOLDS):
        victor = train_victor(config, [page for page, number in zip(pages, fold, strict=True) if number != left_out])
        for index, page in enumerate(pages):
            if fold[index] == left_out:
                f1[index] = judge(victor, page).words.f1
    return f1


def main() -> None:
    data = data_argument(__doc__ or "")
    victor_method.compute = compute_with_ideas  # type: ignore[assignment]  # Victor computes the features of its table by it
    pages = labelled(data, "web")[::STEP]
    sites = [page.site for page in pages]
    settings = {"web": (), **{f"with {idea}": (idea,) for idea in IDEAS}, "with all": tuple(IDEAS)}
    rows, values, before = [["configuration", "F1", "difference", "95 % of it"]], {}, np.zeros(0)
    for name, ideas in settings.items():
        f1 = np.array(scores(with_idea(ideas), pages))
        before = f1 if name == "web" else before
        values[name] = float(f1.mean())
        interval = "" if name == "web" else str(bootstrap_interval((f1 - before).tolist(), sites, seed=SEED))
        rows.append([name, f"{f1.mean():.4f}", "" if name == "web" else f"{f1.mean() - before.mean():+.4f}", interval])
        print(rows[-1], file=sys.stderr, flush=True)
    prints = {name: set_fingerprint(set_path(data, name)) for name in OPEN_SETS}
    text = (
        f"# Ideas of the thesis\n\n`python bench/victor_ideas.py DATA`, {dt.date.today()}: word-bag F1, mean over "
        f"{len(pages)} pages, {FOLDS} folds by site; sets pinned by the hashes in victor_ideas.json. Intervals of the "
        f"difference are bootstraps by site.\n\n{markdown_table(rows)}"
    )
    write_results("victor_ideas", text, {"sets": prints, "f1": values}, judges="none")


if __name__ == "__main__":
    main()
