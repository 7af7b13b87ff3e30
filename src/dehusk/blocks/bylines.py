"""Words of bylines: for the rubric's slots, the metadata of a page, and labels beside their values."""

AUTHOR_KEYS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
"""Names of the meta elements that have an author, the best first."""
BEFORE_BY = (
    "written|posted|published|reported|submitted|reviewed|edited|report|review|words|text|story|article"
    "|guide|recipe|feature|analysis|opinion|interview"
)
"""What is before "by" in a byline."""
BY = "by|von|par|por|di|door|av|af|od"
"""What a byline begins with, before a name."""
