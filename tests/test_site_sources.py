"""All types of input that a site can learn from give the same parsed page."""

import pytest

from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.counts.sources import page_of, read_page, read_pages
from dehusk.read import parse

HTML = "<title>Tea</title><p>Green tea is bitter.</p>"


def test_bytes_text_files_pages_and_blocks_are_the_same_page(tmp_path):
    path = tmp_path / "tea.html"
    path.write_text(HTML)
    page = parse(HTML)
    sources = [HTML, HTML.encode(), path, page, segment(page)]
    assert [page_of(parsed).text for parsed in read_pages(sources)] == [page.text] * len(sources)


def test_parsed_pages_and_blocks_are_returned_unchanged():
    page = parse(HTML)
    blocks = segment(page)
    assert read_page(page) is page
    assert read_page(blocks) is blocks
    assert page_of(blocks) is page


def test_the_url_is_that_of_what_is_parsed(tmp_path):
    path = tmp_path / "tea.html"
    path.write_text(HTML)
    for source in (HTML, HTML.encode(), path):
        assert page_of(read_page(source, "https://example.org/tea")).url == "https://example.org/tea"


def test_pages_are_parsed_one_at_a_time(tmp_path):
    pages = read_pages([HTML, tmp_path / "missing.html"])
    assert page_of(next(pages)).meta.title == "Tea"
    with pytest.raises(InputError, match=r"missing\.html: cannot be read: No such file"):
        next(pages)


@pytest.mark.parametrize("single", [HTML, HTML.encode(), bytearray(HTML.encode()), parse(HTML)])
def test_a_single_page_is_an_error_at_once(single):
    with pytest.raises(TypeError, match=r"^expected several pages, not one \w+: pass a list$"):
        read_pages(single)


def test_what_is_not_a_page_is_an_error():
    with pytest.raises(TypeError, match="not int"):
        list(read_pages([42]))
