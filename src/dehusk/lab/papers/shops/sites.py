"""Five fictitious shops and magazines of about 2002: their layouts, and everything on a page except the product.

Each represents one site of Yi & Liu's table 1 and has its number of pages. A layout is an HTML page with names in
braces for the parts that `pages` generates. The navigation on every page names all categories.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shop:
    """One site."""

    name: str
    stands_for: str
    counts: tuple[int, int, int, int, int]
    """Numbers of pages about cameras, notebooks, mobiles, printers and TVs (table 1)."""
    layouts: tuple[str, ...]
    navigation: str
    """Labels of the navigation, separated by bars."""
    footer: str
    headings: str
    """Headings of description, specifications, opinions, related products and best-sellers."""
    frames: str
    """Sentences, one per line, with {feature}, {other}, {quality} and {use}."""
    related: int
    """Maximum number of related products of any category per page."""
    sentences: tuple[int, int]
    """Minimum and maximum number of sentences of a description: catalogues are short, reviews long."""
    tools: str
    """Labels of actions on a page, separated by bars: one list for stores, one for magazines."""


_STORE = (
    "Add to shopping cart|Add to wish list|Buy now with one click|View cart|Checkout|Shipping rates|Shipping information|"
    "Return policy|Order status|Track your order|Gift wrap available|Secure ordering guarantee|Safe shopping|"
    "E-mail a friend about this item|Write a review|Customer service|Usually ships within 24 hours|In stock|"
    "Your recently viewed items|Customers also bought"
)
_MAGAZINE = (
    "Compare latest prices|Where to buy|Check prices|Editors' rating|User rating|Read user opinions|Post your opinion|"
    "E-mail this review|Printer-friendly version|More reviews|Buying guides|Latest news headlines|Free downloads|"
    "Sign up for free newsletters|Discussion forums|Site map|About us|Advertise with us|Terms of service|Privacy policy"
)

ORINOCO = Shop(
    name="orinoco",
    stands_for="Amazon",
    counts=(402, 434, 45, 767, 719),
    layouts=(
        """<body bgcolor="#FFFFFF" link="#003399"><table width="100%" cellspacing="0"><tr><td><img src="/g/logo.gif" width="140"></td>
<td bgcolor="#E0E8C0">{navigation}</td></tr></table><table width="100%" border="0"><tr><td width="170" valign="top">
<table bgcolor="#EEEECC" width="160"><tr><td>{section}{bestsellers}</td></tr></table>{ads}</td><td valign="top"><b><font size="+1">{title}</font></b>
<br><img src="/p/1.jpg" align="left" width="120"><font size="2">{price}</font><hr noshade size="1">{description}<hr noshade size="1">
{specifications}{opinions}<table bgcolor="#FFFFDD"><tr><td>{related}</td></tr></table></td></tr></table><center><font size="1">{footer}</font></center></body>""",
        """<body bgcolor="#FFFFFF" link="#003399"><table width="100%" cellspacing="0"><tr><td><img src="/g/logo.gif" width="140"></td>
<td bgcolor="#E0E8C0">{navigation}</td></tr></table><table width="100%" border="0"><tr><td valign="top"><b><font size="+1">{title}</font></b>
<table bgcolor="#FFFFDD"><tr><td>{related}</td></tr></table>{specifications}<font size="2">{price}</font>{description}{opinions}</td>
<td width="170" valign="top"><table bgcolor="#EEEECC" width="160"><tr><td>{section}{bestsellers}</td></tr></table>{ads}</td></tr></table>
<center><font size="1">{footer}</font></center></body>""",
    ),
    navigation="Welcome|Your Store|Books|Music|DVD|Video|Electronics|Computers|Camera & Photo|Digital Cameras|Camcorders|"
    "Notebooks|Laptops|Printers|Inkjet Printers|Laser Printers|Cell Phones & Service|TV & Home Theater|Televisions|"
    "DVD Players|Software|Toys & Games|Kitchen|Tools & Hardware|Outdoor Living|Auctions|zShelves|Gift Certificates|"
    "Wish List|Your Account|Shopping Cart|Help|Sell Your Stuff|Friends & Favorites|Free e-Cards|Corporate Accounts",
    footer="Where's My Stuff? Track your recent orders. Use your account to view or change orders. Shipping & Returns: see "
    "our shipping rates and policies. Return an item, here is our returns policy. Need Help? Forgot your password? Click "
    "here. Redeem or buy a gift certificate. Visit our help department. Conditions of Use, Updated Privacy Notice. "
    "Copyright 1996-2002, Orinoco, Inc. or its affiliates. All rights reserved.",
    headings="Editorial Review|Technical Details|All Customer Reviews|Customers who shopped for this item also shopped for|"
    "Top Sellers in Electronics",
    frames="""Customers will find the {feature} {quality}.
With {quality} {feature} and {quality} {other}, it suits {use}.
This model's {feature} makes it a favorite for {use}.
From {feature} to {other}, everything here is made for {use}.
You'll love the {quality} {feature}.
Also included: {feature}, {other}.
I bought it for {use} and the {feature} is {quality}.
My only complaint is the {feature}, the {other} is {quality}.""",
    related=9,
    sentences=(14, 40),
    tools=_STORE,
)

BITREVIEW = Shop(
    name="bitreview",
    stands_for="CNet",
    counts=(219, 480, 109, 500, 449),
    layouts=(
        """<body text="#000000" bgcolor="#FFFFFF"><table width="760" border="0" cellpadding="0"><tr><td colspan="2" bgcolor="#FFCC00">{navigation}</td></tr>
<tr><td colspan="2" align="center">{ads}</td></tr><tr><td width="560" valign="top"><h2>{title}</h2><p><b>{price}</b></p>{description}
<table bgcolor="#EEEEEE" width="540"><tr><td>{specifications}</td></tr></table>{opinions}</td><td width="200" valign="top" bgcolor="#F0F0E0">{section}{bestsellers}
<hr>{related}</td></tr></table><font face="arial" size="1">{footer}</font></body>""",
        """<body text="#000000" bgcolor="#FFFFFF"><table width="760" border="0" cellpadding="0"><tr><td colspan="2" bgcolor="#FFCC00">{navigation}</td></tr>
<tr><td width="200" valign="top" bgcolor="#F0F0E0">{related}<hr>{ads}</td><td width="560" valign="top"><h2>{title}</h2>{opinions}
<p><b>{price}</b></p>{description}{section}{bestsellers}<table bgcolor="#EEEEEE" width="540"><tr><td>{specifications}</td></tr></table></td></tr></table>
<font face="arial" size="1">{footer}</font></body>""",
    ),
    navigation="BitReview.com|Price comparisons|Product reviews|Tech news|Downloads|Site map|Desktops|Notebooks|Handhelds|"
    "Printers|Scanners|Monitors|Digital cameras|Camcorders|Home video|Televisions|Home audio|Portable audio|Cell phones|"
    "Wireless|Networking|Storage|Graphics and sound|Web building|Games|Internet services|Hosting|Newsletters|Advice|"
    "Top 5 lists|Editors' choice|Latest prices|Message boards|Compare products|All manufacturers|Weekly specials",
    footer="Search tips, how to advertise, support, all services. Featured services: Back to school center, digital living, "
    "broadband providers, career center, tech jobs, virus alerts. BitReview Networks: builder, download, gamestation, "
    "mysimple, news. Copyright 1995-2002 BitReview Networks, Inc. All rights reserved. Privacy policy, terms of use. Our "
    "editors' ratings follow lab tests; merchants pay for store listings.",
    headings="Full review|Specs at a glance|User opinions|Related products|Most popular this week",
    frames="""In our lab tests, {feature} proved {quality}.
The good: {quality} {feature}. The bad: {other}.
We rated {feature} as {quality}, but {other} held it back.
Buyers after {use} should look at the {feature}.
While the {other} is {quality}, the {feature} makes this unit worthwhile for {use}.
BitReview editors praised its {feature}, calling it {quality} for {use}.
Compared with rivals, the {feature} looks {quality}.
Bottom line: {quality} {feature} for {use}.""",
    related=7,
    sentences=(16, 44),
    tools=_MAGAZINE,
)

HKWORLD = Shop(
    name="hkworld",
    stands_for="J&R",
    counts=(80, 51, 9, 104, 199),
    layouts=(
        """<body background="/i/bg.gif" vlink="#660000"><center><table width="600" border="1"><tr><td bgcolor="#CC0000">{navigation}</td></tr>
<tr><td><font face="verdana" size="3" color="#CC0000">{title}</font><br>{price}</td></tr><tr><td><font face="verdana" size="2">{description}</font></td></tr>
<tr><td bgcolor="#FFFFCC">{specifications}</td></tr><tr><td>{related}</td></tr><tr><td>{section}{bestsellers}</td></tr><tr><td>{ads}</td></tr></table>
<small>{footer}</small></center></body>""",
        """<body background="/i/bg.gif" vlink="#660000"><center><table width="600" border="1"><tr><td bgcolor="#CC0000">{navigation}</td></tr>
<tr><td>{ads}</td></tr><tr><td bgcolor="#FFFFCC">{specifications}</td></tr><tr><td><font face="verdana" size="3" color="#CC0000">{title}</font><br>{price}
<font face="verdana" size="2">{description}</font></td></tr><tr><td>{opinions}{related}</td></tr><tr><td>{section}{bestsellers}</td></tr></table>
<small>{footer}</small></center></body>""",
    ),
    navigation="H&K Music and Computer World|Store hours|Order status|Catalog request|Audio separates|Stereo systems|"
    "Televisions|Plasma TVs|VCRs|DVD players|Camcorders|Digital cameras|Film cameras|Telephones|Cellular phones|"
    "Answering machines|PC notebooks|Mac notebooks|Desktops|Printers|Ink & toner|Scanners|Software|Video games|CDs|"
    "Movies|Headphones|Car stereo|Housewares|Clearance|Gift registry|Park Row locations",
    footer="Call toll free 1-800-555-0199, 24 hours a day, 7 days a week. Prices and items online may differ from our stores. "
    "Not responsible for typographical errors. New York residents add sales tax. Restocking fee may apply to opened "
    "computers. H&K Music and Computer World, Park Row, New York City. Authorized dealer of all brands sold. Copyright "
    "2002 H&K.",
    headings="Product Description|Features & Specs|Staff says|You may also need|Hot Deals at H&K",
    frames="""Featuring {feature} and {other}.
{quality} {feature} for {use}!
Equipped with {feature}, {other}.
Enjoy {quality} {feature} in {use}.
Designed for {use}: {feature}.
Our staff likes the {feature}, and so will {use}.""",
    related=6,
    sentences=(3, 10),
    tools=_STORE,
)

PCPAGES = Shop(
    name="pcpages",
    stands_for="PCMag",
    counts=(137, 144, 43, 107, 0),
    layouts=(
        """<body bgcolor="#CCCCCC"><table width="780" bgcolor="#FFFFFF"><tr><td width="130" valign="top" bgcolor="#003366">{navigation}</td>
<td valign="top" width="500"><h1>{title}</h1><p><i>{price}</i></p>{description}{opinions}<table border="1">{specifications}</table></td>
<td width="150" valign="top">{ads}<table bgcolor="#99CCFF"><tr><td>{related}</td></tr></table>{section}{bestsellers}</td></tr></table><p align="center">{footer}</p></body>""",
        """<body bgcolor="#CCCCCC"><table width="780" bgcolor="#FFFFFF"><tr><td width="130" valign="top" bgcolor="#003366">{navigation}{ads}</td>
<td valign="top" width="650"><h1>{title}</h1><table border="1" align="right">{specifications}</table>{description}<p><i>{price}</i></p>{opinions}
<table bgcolor="#99CCFF"><tr><td>{related}</td><td>{section}{bestsellers}</td></tr></table></td></tr></table><p align="center">{footer}</p></body>""",
    ),
    navigation="PC Pages|First Looks|Product Guides|Notebooks & Tablets|Desktops|Servers|Printers|Scanners|Digital Cameras|"
    "Cell Phones|PDAs|Monitors|Home Entertainment|Networking|Storage|Software|Security Watch|Utilities|Opinions|Columns|"
    "Tips & Solutions|Ask Neil|Internet Business|Developer|Shop & Compare|Subscribe|Digital Edition|Back Issues|"
    "Top 100 Web Sites|Extreme Machines|Discussions|Feedback",
    footer="Subscribe to PC Pages and save. Customer service, reprints, permissions, media kit, contact us. Use of this site is "
    "governed by our terms of use. PC Pages Labs tests products independently. Other sites of our group: Extreme Machines, "
    "Micro Weekly, Baseline Monthly, Game Unit. Copyright 1996-2002 Pages Media. Reproduction in whole or in part in any "
    "form without express written permission is prohibited.",
    headings="Review|Spec Data|Readers' Talkback|Also in this roundup|Most read on PC Pages",
    frames="""On our benchmark, the {feature} came out {quality}.
Its {feature} and {other} should please {use}.
We tested the {feature} and saw {quality} results against last year's entry.
For {use}, the {quality} {feature} is worth the premium.
The {other} is {quality}; the {feature} less so.
PC Pages Labs found {feature} {quality}, with {other} in the middle of the pack.
Although aimed at {use}, it skimps on {feature}.""",
    related=5,
    sentences=(10, 30),
    tools=_MAGAZINE,
)

ZEDTECH = Shop(
    name="zedtech",
    stands_for="ZDnet",
    counts=(151, 143, 97, 80, 0),
    layouts=(
        """<body marginwidth="0" marginheight="0"><div align="center">{ads}</div><table width="100%"><tr bgcolor="#990000"><td>{navigation}</td></tr></table>
<table><tr><td valign="top" width="65%"><font size="5">{title}</font>{specifications}<p>{price}</p>{description}{opinions}</td><td valign="top" bgcolor="#FFFFEE">{related}</td></tr>
<tr><td colspan="2">{section}{bestsellers}</td></tr></table><hr><font size="1">{footer}</font></body>""",
        """<body marginwidth="0" marginheight="0"><table width="100%"><tr bgcolor="#990000"><td>{navigation}</td></tr></table>
<table><tr><td colspan="2">{section}{bestsellers}</td></tr><tr><td valign="top" bgcolor="#FFFFEE">{related}{ads}</td><td valign="top" width="65%"><font size="5">{title}</font><p>{price}</p>
{description}{specifications}{opinions}</td></tr></table><hr><font size="1">{footer}</font></body>""",
    ),
    navigation="ZedTech Home|News|Tech Update|Reviews|Anchordesk|Mobile phones|Handhelds|Notebook PCs|Desktop PCs|Printers|"
    "Cameras|Camcorders|TVs and DVD|MP3 players|CD burners|Hard drives|Monitors|Modems|Small business|Enterprise|Linux|"
    "Windows XP help|Downloads|Shareware|Power search|Prices|Auctions|E-learning|Careers|Talkback|Alerts|Free mail",
    footer="About ZedTech, feedback, contact our editors, e-mail this, printer friendly format, save this page. Member services "
    "and newsletters: update your profile, join now. ZedTech is a service of Zed Interactive. Read our privacy statement "
    "before you send us personal data. Copyright 2002 Zed Interactive. Trademarks belong to their owners.",
    headings="What we think|Specifications|Talkback|Similar items|ZedTech Top 10",
    frames="""What's hot is {feature}; what's not, {other}.
You get {feature} that we'd call {quality}.
For {use} there's {quality} {feature}.
Don't expect miracles from its {feature}, yet {other} is {quality}.
If {use} matter to you, note the {feature}.
Our verdict on {feature}: {quality}.
We liked the {feature}, disliked the {other}.""",
    related=6,
    sentences=(6, 18),
    tools=_MAGAZINE,
)

SHOPS = (ORINOCO, BITREVIEW, HKWORLD, PCPAGES, ZEDTECH)
