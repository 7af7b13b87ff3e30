"""Pages that a tool has seen before, and pages that two sets share: what makes figures look better than they are."""

from collections.abc import Iterable, Sequence
from functools import cache

from dehusk.evaluate.rivals import TOOLS
from dehusk.gold.datasets import Sample
from dehusk.methods import SHIPPED, model_folder
from dehusk.site.hashing import text_key
from dehusk.store import load_model

_LEAST = 20  # words: shorter gold texts may be equal by chance


def notes(tools: Iterable[str], samples: Sequence[Sample]) -> list[str]:
    """Return one line for each of our models and set that it was trained on, and for sets that share pages.

    Args:
        tools: titles as predictions have them, name and version.
        samples: the pages that are judged.
    """
    sets = {sample.set for sample in samples}
    said = [
        f"{tool}: trained on pages of {name}, so that its figures there are no measure"
        for tool in tools
        for name in sorted(trained_on(tool.split(" ")[0]) & sets)
    ]
    return said + shared(samples)


def trained_on(tool: str) -> frozenset[str]:
    """Return the names of the sets that one of our tools was trained on; nothing is known of others' training."""
    name = tool.removeprefix("dehusk-")
    return _sets(name) if tool in TOOLS and name in SHIPPED else frozenset()


@cache
def _sets(model: str) -> frozenset[str]:
    card, _ = load_model(model_folder(model), "victor")
    return frozenset(card.get("sets", ()))


def shared(samples: Sequence[Sample]) -> list[str]:
    """Return one line for each pair of sets that have pages in common, by address or by gold text."""
    first: dict[object, Sample] = {}
    found: dict[tuple[str, str], set[str]] = {}
    for sample in samples:
        for key in _keys(sample):
            other = first.setdefault(key, sample)
            if other.set != sample.set:
                found.setdefault((other.set, sample.set), set()).add(sample.id)
    return [f"{a} and {b} share {len(pages)} pages" for (a, b), pages in sorted(found.items())]


def _keys(sample: Sample) -> list[object]:
    """Return what a page is known by: its address without scheme and fragment, and the words of its gold text."""
    words = sample.gold_text.lower().split()
    keys: list[object] = [text_key(" ".join(words))] if len(words) >= _LEAST else []
    if sample.url:
        keys.append(sample.url.split("#")[0].rpartition("://")[2].removeprefix("www.").rstrip("/"))
    return keys
