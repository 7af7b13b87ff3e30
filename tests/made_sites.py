"""Small generated sites: the same menu and footer on every page, around articles with different words."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

HOST = "tea.example"
MENU = ("Home page of the site", "All our teas and cups", "Letters from readers of the site", "How to find the shop")
FOOTER = "Copyright of the tea room since it was opened, all rights reserved, write to us before you copy any of it."


def words(seed: int, count: int) -> str:
    """Return words of five to nine letters; each seed gives different words."""
    random = Random(seed)  # noqa: S311 (nothing secret)
    return " ".join("".join(random.choices("abdefgiklmnoprstuvw", k=random.randint(5, 9))) for _ in range(count))


def article(seed: int) -> list[str]:
    """Return two paragraphs of thirty words each, which no article of another seed contains."""
    return [words(2 * seed, 30), words(2 * seed + 1, 30)]


def page(paragraphs: list[str], *, host: str = HOST, name: str = "page", extra: str = "") -> str:
    """Return a page of the site; `extra` is HTML between menu and article."""
    address = f'<link rel="canonical" href="https://{host}/{name}.html">' if host else ""
    menu = "".join(f'<li><a href="/{number}">{entry}</a></li>' for number, entry in enumerate(MENU))
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<html><head><title>{name}</title>{address}</head><body><ul class=menu>{menu}</ul>{extra}"
        f"<div class=main>{text}</div><div class=foot><p>{FOOTER}</p></div></body></html>"
    )


def site(count: int, *, first: int = 0, host: str = HOST) -> list[str]:
    """Return pages, each with its own article."""
    return [page(article(number), host=host, name=f"page{number}") for number in range(first, first + count)]


def write(folder: Path, pages: list[str]) -> Path:
    """Write pages to a folder, as page0.html, page1.html and so on."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(pages):
        (folder / f"page{number}.html").write_text(text, "utf-8")
    return folder


def folder_bytes(folder: Path) -> dict[str, bytes]:
    """Return file name -> content for a model folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def change_card(folder: Path, **changes: object) -> None:
    """Change values of a model's card; None removes a key."""
    card = json.loads((folder / "card.json").read_text("utf-8")) | changes
    kept = {key: value for key, value in card.items() if value is not None}
    (folder / "card.json").write_text(json.dumps(kept), "utf-8")


def change_arrays(folder: Path, **changes: Callable[[np.ndarray], object] | None) -> None:
    """Apply functions to arrays of a model, and take their digest out of the card; None removes an array."""
    with np.load(folder / "arrays.npz") as stored:
        content = {name: stored[name] for name in stored.files}
    for name, change in changes.items():
        old = content.pop(name)
        if change is not None:
            content[name] = change(old)
    np.savez(folder / "arrays.npz", **content)
    change_card(folder, **{"arrays-sha256": None})
