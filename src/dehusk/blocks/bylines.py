"""Words of bylines: for the rubric's slots, the metadata of a page, and labels beside their values."""

AUTHOR_KEYS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
"""Names of the meta elements that have an author, the best first."""
BEFORE_BY = (
    "written|posted|published|reported|submitted|reviewed|edited|report|review|words|text|story|article"
    "|guide|recipe|feature|analysis|opinion|interview|geschrieben|verfasst|geschreven|écrit|rédigé|escrito|redactado"
    "|a cura|skrevet|skriven"
)
"""What is before "by" in a byline."""
BY = "by|von|par|por|di|door|av|af|od"
"""What a byline begins with, before a name."""
WRITERS = (
    "autor(?:in|es|[aei])?|author|auteur|автор|текст|tekst|szerző|írta|yazar|penulis|piše|tác giả"
    r"|(?:oleh|yazan)(?=\s*:|\s+\S+\s+\S)|بقلم|كتب|نویسنده|מאת|लेखक|เขียนโดย|โดย"
    r"|kirjoittaja|kirjoittanut|συντάκτης|scritto da"
)
"""The word for who wrote, before a name; "Oleh" and "Yazan" before one word are first names."""
CHINESE_WRITERS = "作者|撰文|记者|記者"
"""The word for who wrote, before a colon and a name."""
