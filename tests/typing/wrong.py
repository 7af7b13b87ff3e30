"""Wrong uses of the public interface: type checkers report every marked line, and no other."""

from pathlib import Path

import dehusk
from dehusk.many.corpus import CorpusJob, run
from dehusk.many.crawl import CrawlPlan, crawl, fetch
from dehusk.many.files.inputs import find_inputs

PAGE = b"<p>tea"
JOB = CorpusJob()
FILES = find_inputs(["crawl/"])

dehusk.clean()  # wrong: no page
dehusk.clean(3)  # wrong
dehusk.clean(open("page.html"))  # wrong: a stream
dehusk.clean(PAGE, "https://tea.example/")  # wrong: url is a keyword argument
dehusk.clean(PAGE, stile="body")  # wrong
dehusk.clean(PAGE, style="artcle")  # wrong
dehusk.clean(PAGE, favour="high")  # wrong
dehusk.clean(PAGE, method=3)  # wrong
dehusk.clean(PAGE, method=dehusk.Victor)  # wrong: the class
dehusk.clean(PAGE, site=3)  # wrong
dehusk.clean(PAGE, site=[PAGE])  # wrong: pages, but not a site
dehusk.clean(PAGE, limits=5)  # wrong
dehusk.clean(PAGE, explain="html")  # wrong
dehusk.clean(PAGE, rules={"tea.example": ".menu"})  # wrong
dehusk.clean(PAGE, options="df")  # wrong
dehusk.clean(PAGE, headers="text/html")  # wrong
dehusk.clean_file(PAGE)  # wrong: a page, but not a path
dehusk.clean_file("page.html", stile="body")  # wrong
dehusk.clean_file("page.html", style="artcle")  # wrong
dehusk.clean_url("https://tea.example/", url="https://tea.example/")  # wrong
dehusk.clean_url("https://tea.example/", plan={"timeout": 3})  # wrong
dehusk.clean_url("https://tea.example/", favour="high")  # wrong

document = dehusk.clean(PAGE)
document.status = dehusk.Status.OK  # wrong: read-only
document.txt  # wrong
document.render(1)  # wrong
document.blocks[0].propability  # wrong
document.blocks[0].kept = True  # wrong: read-only
dehusk.Status.OKAY  # wrong

dehusk.load_method(3)  # wrong
dehusk.load_method("united", stile="body")  # wrong
dehusk.load_method("united", style="artcle")  # wrong
dehusk.load_method("united", favour="high")  # wrong
dehusk.load_method("united", "web")  # wrong: model is a keyword argument
dehusk.load_method("united").lable  # wrong
dehusk.load_method("united").label(PAGE)  # wrong: bytes, but not blocks

dehusk.Site("host")  # wrong: by is a keyword argument
dehusk.Site(by="hots")  # wrong
dehusk.Site(mixed="yes")  # wrong
dehusk.Site().fit(3)  # wrong
dehusk.Site().add(PAGE, adress="https://tea.example/")  # wrong
dehusk.Site().merge("other.site")  # wrong: a path, but not a site
dehusk.Site().save("tea.site", True)  # wrong: complete is a keyword argument
dehusk.Wisdom().fit(3)  # wrong

CorpusJob(by="hots")  # wrong
CorpusJob(style="artcle")  # wrong
CorpusJob(sample="50")  # wrong
run(JOB)  # wrong: no inputs
run(JOB, ["crawl/"], Path("out"))  # wrong: paths, but not inputs
run(JOB, FILES, Path("out"), worker=2)  # wrong
run(JOB, FILES, Path("out"), shard=1)  # wrong
crawl(3, "job")  # wrong
crawl("https://tea.example/")  # wrong: no folder
crawl("https://tea.example/", "job", pages=20)  # wrong: a setting of the plan
crawl("https://tea.example/", "job", plan={"pages": 20})  # wrong
CrawlPlan(page=20)  # wrong
CrawlPlan(hosts="tea.example")  # wrong
fetch(["https://tea.example/"])  # wrong
fetch("https://tea.example/").text  # wrong
