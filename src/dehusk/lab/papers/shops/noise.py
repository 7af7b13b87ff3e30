"""The noise of a generated shop: grammars of promotions, pitches and status lines, which give new wording every time.

In a grammar, `[a|b|c]` stands for one of its alternatives (an alternative may be empty), a name in braces for a phrase
of a category, `~` for a digit from 1 to 9, and `#` for any digit.
"""

import re
from random import Random

_CHOICE = re.compile(r"\[([^\[\]]*)\]")

PROMOTIONS = """
    [Save|Take|Get] ~#% [off|on] [every|any|each] {noun} [this week|today only|until Sunday|while stocks last]
    [Looking for|Need|Shopping for] a {noun}? [See|Try|Consider] the {product}[, now $~##| from $~##|]
    {product}: [our|the] {noun} of the [day|week|month][, $~# off| after a $~# rebate|]
    [Readers|Customers|Buyers] [like|rate|recommend] the {feature} of the {product}
    New [this spring|this summer|for the holidays|in stock]: {noun} models with [{quality} |]{feature}
    [Compare|Check|See] ~# {noun} models [by price|by {feature}|side by side]
    [Free|Overnight|Next-day] [shipping|delivery] [on|for] the {product} and [all|most|many] {noun} accessories
    Trade in your old {noun} [for|and get] [$~# credit|a voucher|cash back] [toward|for] the {product}
    [Only|Just] ~ left: {product}[, {quality} {feature}|, $~##|]
    [Guide|Advice|Checklist]: {feature}, {other} and {use}, or [which|what] {noun} [fits you|pays off|to choose]
    [Click here|Go] for {noun} deals [from $~##|under $~##|up to ~#% off]: {product}
    [Win|Enter to win] a {product}, the {noun} [for|made for] {use}""".strip().splitlines()
"""Lines about one category."""

OPENINGS = """
    [Going with it|Complete your order|Don't forget|While you are here]: [a|the right|a new] {noun}.
    [Have you seen|Have you thought about|How about] the {product}?
    [This week's|Today's|Our] {noun} [pick|story|feature]: {product}.
    [From our partners|Sponsored|Advertisement]: {product}, a {noun} for {use}.""".strip().splitlines()
"""First sentences of a pitch for another category."""

STATUS = """
    [Our price|Price|Lowest price|From]: $~##.99 [— usually ships within ~# hours|— in stock|— ~ merchants|]
    [You save|Savings|Rebate]: $~# (~#%)[, offer ends ~/~#|]
    [Updated|Last update|Prices checked] ~/~#/2002, ~:~# [am|pm]
    [Cart|Your cart|Basket]: ~ items, $~##.~#
    [Viewed|Seen] ~## times [today|this week][; ~ people are looking at it now|]
    [Sales rank|Popularity]: ~##, [up|down] ~# [places|since yesterday]""".strip().splitlines()
"""Lines without words of a category, which differ from page to page."""

RANKED = (
    "{product}",
    "{product} {noun}",
    "{noun} {product}",
    "{product}, $~##",
    "{product} from $~##",
    "{product} (~#)",
)
"""Ways to name a product in a list of best-sellers."""


def digits(random: Random, text: str) -> str:
    """Replace the placeholders for digits in a text."""
    return re.sub(r"[#~]", lambda match: str(random.randint(match[0] == "~", 9)), text)


def choose(random: Random, text: str) -> str:
    """Replace each `[a|b|c]` in a text with one of its alternatives, the innermost first."""
    while match := _CHOICE.search(text):
        text = f"{text[: match.start()]}{random.choice(match[1].split('|'))}{text[match.end() :]}"
    return text
