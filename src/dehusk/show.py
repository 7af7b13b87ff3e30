"""What a site model holds, for a person: pages, texts that they repeat, the structure tree, the cut points."""

from dehusk.methods import load_method
from dehusk.methods.structure_tree import CompressedStructureTree, StructureTree, tree_svg, tree_text
from dehusk.site.model import Site
from dehusk.site.shingles import N
from dehusk.write.json import dumps

_SHOWN = 100


def account(site: Site, *, texts: int = 20, elements: int = 60) -> str:
    """Return a readable account of a site.

    Args:
        site: with pages.
        texts: how many of the most repeated texts to tell.
        elements: how many elements of the structure tree to tell.
    """
    tables = site.tables
    lines = [
        f"site       {', '.join(site.hosts) or 'not named by its pages'}",
        f"pages      {tables.seen}, {tables.distinct} when copies count once",
    ]
    if site.warning:
        lines.append(f"beware     {site.warning}")
    lines += [
        f"shared     {len(tables.shingles)} runs of {N} words and {len(tables.texts)} texts, by two pages or more",
        "rule       method site drops blocks half of whose words are in runs that 2 pages or more have",
        f"cut point  {_cut(site)}",
        "",
        f"Texts on most of {tables.distinct} pages",
        "",
    ]
    for pages, text in tables.repeated[:texts]:
        short = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        lines.append(f"{pages:>7}  {short}")
    lines += ["", "Structure tree: Tag and Attr, tag nodes, styles or words, importance of node and path", ""]
    return "\n".join(lines) + "\n" + tree_text(tree(site), most=elements)


def record(site: Site, *, texts: int = 20, elements: int = 60) -> str:
    """Return the same as one line of JSON; the structure tree as rows with the place of their parent."""
    tables, grown = site.tables, tree(site)
    order = sorted(range(len(grown)), key=lambda row: (-int(grown.m[row]), int(grown.level[row]), row))[:elements]
    place = {row: number for number, row in enumerate(order)}
    rows = [
        {
            "element": grown.names.get(int(grown.label[row]), ""),
            "parent": place.get(int(grown.parent[row])),
            "nodes": int(grown.m[row]),
            "styles": int(grown.styles[row]),
            "words": int(grown.features[row]),
            "importance": round(float(grown.node_importance[row]), 4),
            "path-importance": round(float(grown.path_importance[row]), 4),
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
            "texts": [{"pages": pages, "text": text} for pages, text in tables.repeated[:texts]],
            "tree": rows,
        }
    )


def drawing(site: Site, *, elements: int = 60) -> str:
    """Return the structure tree as SVG."""
    return tree_svg(tree(site), most=elements)


def tree(site: Site) -> StructureTree:
    """Return a site's compressed structure tree."""
    method = load_method("cst", site=site)
    assert isinstance(method, CompressedStructureTree)  # noqa: S101 (narrows the type)
    return method.tree()


def _cut(site: Site) -> str:
    if site.cut is None:
        return "not searched for"
    n, t = site.cut
    return f"FindOptimal takes runs of {n} letters and tags that occur {t} times or more for useless"
