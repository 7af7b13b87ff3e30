"""E-mail addresses that Cloudflare hides are written as they are, in texts and links."""

import pytest

import dehusk
from dehusk.write.content.emails import decoded_email

CODE = bytes([0x4C, *(byte ^ 0x4C for byte in b"ann@tea.example")]).hex()
LINK = f'<a href="/cdn-cgi/l/email-protection#{CODE}">'
HIDDEN = f'<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="{CODE}">[email&#160;protected]</a>'


def document(line: str) -> dehusk.Document:
    return dehusk.clean(f"<h1>Tea</h1><p>{line}</p>", url="https://tea.example/p", method="keep-all")


def test_an_address_is_text() -> None:
    found = document(f"Write to {HIDDEN} or <span data-cfemail={CODE}>[email protected]</span>.")
    assert found.text == "Tea\n\nWrite to ann@tea.example or ann@tea.example.\n"
    assert "Write to ann@tea.example or ann@tea.example." in found.render("tei")
    assert found.markdown == "# Tea\n\nWrite to ann@tea.example or ann@tea.example.\n"
    assert found.chunks()[0].text.count("ann@tea.example") == 2


def test_an_address_in_code_leaves_the_white_space() -> None:
    page = f"<h1>Tea</h1><pre><code>send(\n    to='{HIDDEN}',\n    by=5)</code></pre>"
    found = dehusk.clean(page, method="keep-all")
    assert found.text == "Tea\n\nsend(\n    to='ann@tea.example',\n    by=5)\n"
    assert "```\nsend(\n    to='ann@tea.example',\n    by=5)\n```" in found.markdown


def test_a_link_leads_to_the_address() -> None:
    assert document(f"Write to {LINK}Ann</a>.").markdown == "# Tea\n\nWrite to [Ann](mailto:ann@tea.example).\n"
    assert (
        document("Write to <a href='/cdn-cgi/l/email-protection#xyz'>Ann</a>.").markdown == "# Tea\n\nWrite to Ann.\n"
    )


@pytest.mark.parametrize("code", ["", "4", "4c", "zz", "4c80", "é" * 900])
def test_what_is_no_code_has_no_address(code: str) -> None:
    assert decoded_email(code) == ""
    page = document(f"Write to <a data-cfemail='{code}'>[email protected]</a>.")
    assert page.text == "Tea\n\nWrite to [email protected].\n"
