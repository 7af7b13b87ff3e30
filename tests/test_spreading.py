"""Labels of some pages of a site label its other pages, block by block as their owner would."""

from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pytest

import tea_pages
from dehusk.blocks.labels import OTHER
from dehusk.cli.train import train_command
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.spreading import spread_labels
from dehusk.lab.train.teaching import Teaching

HOSTS = list(tea_pages.SITES)


def site(host: str) -> list[LabelledPage]:
    return [tea_pages.labelled(page) for page in tea_pages.SITES[host]]


def unlabelled(page: LabelledPage) -> LabelledPage:
    return replace(page, codes=np.full_like(page.codes, -1))


@pytest.mark.parametrize("host", HOSTS)
def test_two_pages_label_the_rest_of_their_site_as_its_owner_would(host: str) -> None:
    pages = site(host)
    (spread,) = spread_labels(pages[:2], map(unlabelled, pages[2:]))
    assert spread.site == pages[0].site
    assert len(spread.pages) == len(pages) - 2
    wrong = known = total = 0
    for said, true in zip(spread.pages, pages[2:], strict=True):
        labelled = said.codes >= 0
        wrong += int(((said.codes == OTHER) != (true.codes == OTHER))[labelled].sum())
        known, total = known + int(labelled.sum()), total + len(labelled)
    assert wrong <= 0.02 * known
    assert known >= 0.6 * total


def test_pages_of_other_sites_are_left_out() -> None:
    pages, others = site(HOSTS[0]), site(HOSTS[1])
    assert spread_labels(pages, map(unlabelled, others)) == []


def test_labels_that_contradict_each_other_label_no_other_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = site(HOSTS[0])
    monkeypatch.setattr("dehusk.lab.train.spreading.teach", lambda _site, taught: Teaching(len(taught), 0.9, 0.8))
    (spread,) = spread_labels(pages[:4], map(unlabelled, pages[4:]))
    assert spread.pages == []
    assert "labels spread to 0 other pages (not taught by 4 pages" in str(spread)


def test_the_command_trains_on_a_folder_without_addresses_of_which_two_pages_are_labelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tea_pages.SITES[HOSTS[0]]
    for number, page in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(page.html, "utf-8")
        if number < 2:
            (tmp_path / f"{number}.txt").write_text("\n".join(page.wanted), "utf-8")
    start = ("--start", "none", "--width", "8", "--epochs", "1")

    def train(name: str, *options: str) -> tuple[bytes, str]:
        model = tmp_path / name
        arguments = [str(tmp_path / "*.html"), "-o", str(model), *options]
        assert train_command.main(arguments, standalone_mode=False) == 0
        return (model / "arrays.npz").read_bytes(), capsys.readouterr().err

    (alone, said), (spread, said_with_site) = train("alone", *start), train("spread", *start, "--site")
    assert "trained on 2 pages of" in said
    assert f"labels spread to {len(pages) - 2} other pages (taught by 2 pages" in said_with_site
    assert f"trained on {len(pages)} pages of" in said_with_site
    assert alone != spread
    with pytest.raises(click.UsageError, match="--site is not an option of method victor"):
        train("victor", "--method", "victor", "--site")
