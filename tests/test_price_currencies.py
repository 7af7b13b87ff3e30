"""The price of a product stays, whatever its currency and however that is written."""

import re
from pathlib import Path

import pytest

import dehusk
from dehusk.read import parse
from dehusk.read.signs import is_of_shop

SHOP = (Path(__file__).parent / "page_engines" / "magento.html").read_text("utf-8")
DECLARED = re.compile(r'<meta property="product:price[^>]*>')
PRICES = {
    "12,50 €": "12.50",
    "1.299,00 €": "1299.00",
    "12 500 Ft": "12500",
    "1,250円": "1250",
    "￥1,250": "1250",
    "₹1,250.00": "1250.00",
    "Rs.1,250": "1250",
    "12,50 zł": "12.50",
    "125 kr": "125",
    "125,00 TL": "125.00",
    "₺125,00": "125",
    "1.250.000₫": "1250000",
    "₩12,500": "12500",
    "₦12,500": "12500",
    "₱125.00": "125",
    "₪125": "125",
    "125 ر.س": "125",
    "12.50 лв": "12.50",
    "CHF 12.50": "12.50",
}


def shown(price: str) -> str:
    return SHOP.replace("$12.50", price).replace("$15.00", price)


@pytest.mark.parametrize(("price", "declared"), PRICES.items())
def test_a_price_stays(price: str, declared: str) -> None:
    page = shown(price)
    assert price in dehusk.clean(page.replace('content="12.5"', f'content="{declared}"')).text
    assert price in dehusk.clean(DECLARED.sub("", page)).text, "the page calls itself a product"


@pytest.mark.parametrize("price", ["R 125,00", "125,- Taler"])
def test_a_declared_amount_in_an_element_named_a_price_needs_no_known_currency(price: str) -> None:
    amount = re.sub(r"\D", "", price.removesuffix(",00"))
    page = shown(price).replace('content="12.5"', f'content="{amount}"')
    assert price in dehusk.clean(page).text
    assert price not in dehusk.clean(page.replace(f'content="{amount}"', 'content="99"')).text


@pytest.mark.parametrize(
    ("head", "sells"),
    [('<meta property="og:type" content="product">', True), ('<meta property="og:type" content="website">', False)],
)
def test_what_a_page_calls_itself(head: str, sells: bool) -> None:
    assert is_of_shop(parse(f"{head}<p>Tea")) is sells
