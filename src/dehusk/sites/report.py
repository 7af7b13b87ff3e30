"""Describe site models to people: pages, repeated texts, structure tree and cut point, as text, JSON or SVG."""

from dehusk.counts.model import SiteModel
from dehusk.counts.shingles import N
from dehusk.label import load_method
from dehusk.label.united.declaration import ShippedOdds
from dehusk.sites.structure_tree import CompressedStructureTree, StructureTree, tree_svg, tree_text
from dehusk.write.json import dumps

_MAX_SHOWN = 100  # characters of a repeated text


def site_text(site: SiteModel, *, texts: int = 20, elements: int = 60) -> str:
    """Return a description of a site model.

    Args:
        site: the model, learned with its structure.
        texts: number of texts to list, most repeated first.
        elements: number of elements of the structure tree to list.
    """
    tables = site.tables
    lines = [
        f"site       {', '.join(site.hosts) or 'unnamed'}",
        f"pages      {tables.seen}, {tables.distinct} not counting copies",
    ]
    if site.warning:
        lines.append(f"warning    {site.warning}")
    lines += [
        f"shared     {len(tables.shingles)} runs of {N} words and {len(tables.texts)} texts, on at least 2 pages each",
        "rule       method site drops blocks with at least half of their words in these runs",
        f"elements   {_elements(site)}",
        f"cut point  {_cut(site)}",
        "",
        f"Most repeated texts, and on how many of {tables.distinct} pages",
        "",
    ]
    for pages, text in tables.repeated[:texts]:
        short = text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
        lines.append(f"{pages:>7}  {short}")
    lines += ["", "Structure tree: tag and attributes, tag nodes, styles or words, importance of node and path", ""]
    return "\n".join(lines) + "\n" + tree_text(structure_tree(site), most=elements)


def site_json(site: SiteModel, *, texts: int = 20, elements: int = 60) -> str:
    """Return the content of `site_text` as one line of JSON; elements of the tree refer to their parent by index."""
    tables, tree = site.tables, structure_tree(site)
    order = sorted(range(len(tree)), key=lambda row: (-int(tree.m[row]), int(tree.level[row]), row))[:elements]
    index_of = {row: index for index, row in enumerate(order)}
    rows = [
        {
            "element": tree.names.get(int(tree.label[row]), ""),
            "parent": index_of.get(int(tree.parent[row])),
            "nodes": int(tree.m[row]),
            "styles": int(tree.styles[row]),
            "words": int(tree.features[row]),
            "importance": round(float(tree.node_importance[row]), 4),
            "path-importance": round(float(tree.path_importance[row]), 4),
        }
        for row in order
    ]
    return dumps(
        {
            "hosts": site.hosts,
            "pages": tables.seen,
            "distinct": tables.distinct,
            "warning": site.warning,
            "shingles": len(tables.shingles),
            "cut": None if site.cut is None else {"n": site.cut[0], "t": site.cut[1]},
            "elements": None if (odds := site.find_counts(ShippedOdds)) is None else odds.tally(),
            "texts": [{"pages": pages, "text": text} for pages, text in tables.repeated[:texts]],
            "tree": rows,
        }
    )


def site_svg(site: SiteModel, *, elements: int = 60) -> str:
    """Return the structure tree as SVG."""
    return tree_svg(structure_tree(site), most=elements)


def structure_tree(site: SiteModel) -> StructureTree:
    """Return a site's compressed structure tree."""
    method = load_method("cst", site=site)
    assert isinstance(method, CompressedStructureTree)  # noqa: S101 (narrows the type)
    return method.tree()


def _elements(site: SiteModel) -> str:
    odds = site.find_counts(ShippedOdds)
    if odds is None:
        return "not counted"
    tally = odds.tally()
    rest = tally["shared"] - tally["content"] - tally["noise"]
    parts = f"{tally['content']} content, {tally['noise']} noise, {rest} between, for the default method"
    labelled = f"; {tally['labelled']} with labels" if tally["labelled"] else ""
    return f"{tally['shared']} on at least 2 pages: {parts}{labelled}"


def _cut(site: SiteModel) -> str:
    if site.cut is None:
        return "not computed"
    n, t = site.cut
    return f"FindOptimal treats runs of {n} letters and tags as useless, the most frequent ones, from {t} times on"
