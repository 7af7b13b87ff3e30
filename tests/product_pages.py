"""Pages of a made-up shop, whose fields are known: some are optional and shift the others."""

ROWS = [
    ("Green Hill Sencha", "Aki Mori", "Hill Press", 2004, "9780000000017", "12.50", ["leaf", "Japan"]),
    ("White Needle", "Jun Wei", "River House", 2009, "9780000000024", "31.00", ["leaf"]),
    ("Smoked Pine", "Lin Bo", "River House", 1998, "9780000000031", "8.75", ["black", "China", "smoked"]),
    ("First Flush", "Asha Rai", "Hill Press", 2011, "9780000000048", "19.90", []),
    ("Roasted Stem", "Ken Abe", "North & Sons", 2015, "9780000000055", "7.20", ["Japan"]),
    ("Mountain Oolong", "Mei Lin", "River House", 2001, "9780000000062", "22.40", ["leaf", "Taiwan"]),
    ("Evening Mint", "Sara Haddad", "Hill Press", 2018, "9780000000079", "5.10", ["herbal"]),
    ("Old Brick", "Tao Chen", "North & Sons", 1987, "9780000000086", "64.00", ["black", "China"]),
]
"""Title, author, publisher, year, code, price and tags of each product."""

HEAD = "<header><a href=/>Leaf Shop</a><ul><li><a href=/new>New</a><li><a href=/sale>Sale</a></ul></header>"
FOOT = "<footer><p>Leaf Shop, 1 Kettle Lane</p><p>Send us a letter</p></footer>"


def product(number: int) -> str:
    """Return the page of a product; every third has an offer, every second no edition."""
    title, author, publisher, year, code, price, tags = ROWS[number % len(ROWS)]
    offer = f"<p class=offer>Order {number + 10} or more for less.</p>" if number % 3 == 0 else ""
    edition = f"<b>Edition:</b> {number + 1}<br>" if number % 2 else ""
    listed = "".join(f"<a class=tag href=/t>{tag}</a>, " for tag in tags)
    return (
        f"<html lang=en><title>{title}</title><body>{HEAD}<h1>{title}</h1>{offer}"
        f"<div class=byline>By: <a href=/a>{author}</a></div>"
        f"<div class=imprint>{publisher} / {year} / Paperback{number % 2}</div>"
        f"<span class=price>${price}</span><h2>Details</h2><table><tr><td>"
        f"{edition}<b>Publisher:</b> {publisher}<br><b>Published:</b> {year}<br>"
        f"<b>Code:</b> {code}<br>Shipping: {number + 2} days"
        f"</td></tr></table><h2>Tags</h2><p>Tags: {listed}</p>{FOOT}"
    )


def products(number: int = len(ROWS)) -> list[str]:
    """Return the pages of so many products."""
    return [product(index) for index in range(number)]


def catalogue(page: int, rows: int = 6) -> str:
    """Return a list of products as a table."""
    body = ""
    for index in range(rows):
        title, author, _, year, _, price, _ = ROWS[(page + index) % len(ROWS)]
        body += (
            f"<tr><td><a href=/p{index}>{title} {page}</a></td><td>{author}</td><td>{year}</td><td>€{price}</td></tr>"
        )
    header = "<tr><th>Title</th><th>Author</th><th>Year</th><th>Price</th></tr>"
    return f"<html lang=en><title>All</title><body>{HEAD}<h1>All teas</h1><table class=all>{header}{body}</table>{FOOT}"
