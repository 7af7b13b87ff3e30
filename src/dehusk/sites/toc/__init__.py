"""Tables of contents of pages: WISDOM's blocks from saved pages and files of pages, as JSON, text, HTML and OPML.

Everything that is written about a page is one record of plain values (`page_records`), so that rows of a corpus and the
output of `dehusk toc` say the same, and every format is written from it.

Modules, in order: `page_records` a page as plain values, also as stored · `inputs` the pages that arguments name ·
`sites` what is learned of each site · `formats` · `information_nodes` the information coverage tree of a page.
"""
