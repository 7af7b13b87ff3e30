"""Text, attributes and lines in TEI: what XML allows, styles as `hi`, links as `ref`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from dehusk.base.lazy import pattern
from dehusk.write.references import References
from dehusk.write.tokens import Run, RunKind, Style

_FORBIDDEN = pattern("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow, lone surrogates, and carriage returns, which are read back as line ends."""
_RENDITIONS = {Style.STRONG: "bold", Style.EMPHASIS: "italic", Style.STRIKE: "strike"}
_SIGNS = r"A-Za-z0-9_.~!$&'()*+,;=\x80-\U0010ffff\-"
_PATH = rf"[{_SIGNS}:@/]|%[0-9A-Fa-f]{{2}}"
_ADDRESS = pattern(
    rf"""(?:[A-Za-z][A-Za-z0-9+.-]*: | (?![^/?\#]*:))                  # a scheme, or no colon that looks like one
         (?://(?:\[[0-9A-Fa-f:.]+\]
               |(?:(?:[{_SIGNS}:]|%[0-9A-Fa-f]{{2}})*@)?(?:[{_SIGNS}]|%[0-9A-Fa-f]{{2}})*)(?::[0-9]{{1,5}})?(?![^/?\#])
            | (?!//))
         (?:{_PATH})*
         (?:\?(?:{_PATH}|\?)*)?
         (?:\#(?:{_PATH}|\?)*)?""",
    re.VERBOSE,
)
_EMPTY_PORT = pattern(r"\A([A-Za-z]+://[^/?#]*?):(?![^/?#])")


def xml_text(text: str) -> str:
    """Return a text as XML, without the characters that XML does not allow."""
    return _FORBIDDEN.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def xml_attribute(name: str, value: str | None) -> str:
    """Return an attribute with a space before it; "" if it has no value."""
    return f' {name}="{xml_text(" ".join(value.split())).replace(chr(34), "&quot;")}"' if value else ""


def target_attribute(name: str, address: str | None) -> str:
    """Return an attribute that is an address; "" unless the address is one by RFC 3986, with letters of any script."""
    address = _EMPTY_PORT.sub(r"\1", address or "")
    return xml_attribute(name, address) if _ADDRESS.fullmatch(address) else ""


class NoteLinks:
    """The ids of a page's footnotes and of the first reference to each."""

    def __init__(self, notes: Iterable[str], references: Iterable[str]) -> None:
        self._number: dict[str, int] = {}
        for label in notes:
            self._number.setdefault(label, len(self._number) + 1)
        self._referred = set(references)
        self._written: set[tuple[str, str]] = set()

    def note(self, label: str) -> str:
        """Return the attributes of a footnote, with an id for the first of its label."""
        target = f' target="#ref-{self._number[label]}"' if label in self._referred else ""
        return f'{self._id("note", label)} place="foot"{xml_attribute("n", label)}{target}'

    def reference(self, label: str) -> str:
        """Return the attributes of a reference; "" if there is no such footnote."""
        if label not in self._number:
            return ""
        return f'{self._id("ref", label)} type="note" target="#note-{self._number[label]}"'

    def _id(self, kind: str, label: str) -> str:
        if (kind, label) in self._written:
            return ""
        self._written.add((kind, label))
        return f' xml:id="{kind}-{self._number[label]}"'


class LineWriter:
    """Writes the runs of a line."""

    def __init__(self, references: References, notes: NoteLinks) -> None:
        self.references, self.notes = references, notes
        self._urls: dict[int, str] = {}

    def write(self, runs: Sequence[Run]) -> str:
        """Return the runs as mixed content; "" if there is nothing to show."""
        runs = self._shown(runs)
        parts: list[tuple[str, list[Run]]] = [("", [])]
        for link, group in groupby(zip(_links(runs), runs, strict=True), itemgetter(0)):
            target = target_attribute("target", self.references.link(link)) if link >= 0 else ""
            if target or parts[-1][0]:
                parts.append((target, []))
            parts[-1][1].extend(run for _, run in group)
        written = [(target, self._styled(inside)) for target, inside in parts]
        return "".join(f"<ref{target}>{inside}</ref>" if target and inside else inside for target, inside in written)

    def _shown(self, runs: Sequence[Run]) -> Sequence[Run]:
        """Return the runs without images that have no address, as in Markdown, and without double spaces there."""
        if all(run.kind is not RunKind.IMAGE or self._url(run) for run in runs):
            return runs
        shown: list[Run] = []
        for run in runs:
            if run.kind is RunKind.IMAGE and not self._url(run):
                continue
            after_space = not shown or shown[-1].kind is RunKind.BREAK or shown[-1].text.endswith(" ")
            if run.kind is not RunKind.TEXT:
                shown.append(run)
            elif text := run.text.removeprefix(" " if after_space else ""):
                shown.append(replace(run, text=text))
        if shown and shown[-1].kind is RunKind.TEXT:
            shown[-1] = replace(shown[-1], text=shown[-1].text.removesuffix(" "))
        return shown

    def _url(self, run: Run) -> str:
        """Return the attribute with the address of an image, "" if it has none."""
        if run.node not in self._urls:
            self._urls[run.node] = target_attribute("url", self.references.image(run.node))
        return self._urls[run.node]

    def pictures(self, runs: Sequence[Run]) -> str | None:
        """Return the content of a figure for runs that are only images and the space between them; None for others."""
        if any(run.link >= 0 or not _is_picture(run) for run in runs):
            return None
        return "".join(self._picture(run) for run in runs if run.kind is RunKind.IMAGE)

    def _styled(self, runs: list[Run]) -> str:
        """Return the runs inside or outside of a link; adjacent ones of the same style are in one `hi`."""
        out = []
        for style, group in groupby(runs, lambda run: run.style & ~Style.CODE):
            inside = "".join(map(self._run, group))
            rend = " ".join(name for each, name in _RENDITIONS.items() if each & style)
            out.append(f'<hi rend="{rend}">{inside}</hi>' if rend and inside.strip() else inside)
        return "".join(out)

    def _run(self, run: Run) -> str:
        if run.kind is RunKind.BREAK:
            return "<lb/>"
        if run.kind is RunKind.IMAGE:
            picture = self._picture(run)
            return f"<figure>{picture}</figure>" if picture else ""
        text = xml_text(run.text)
        if run.kind is RunKind.FORMULA:
            return f'<formula notation="TeX" rend="{"display" if run.display else "inline"}">{text}</formula>'
        if run.kind is RunKind.REFERENCE:
            attributes = self.notes.reference(run.text)
            return f"<ref{attributes}>{text}</ref>" if attributes else f'<hi rend="superscript">{text}</hi>'
        return f"<code>{text}</code>" if run.style & Style.CODE and text.strip() else text

    def _picture(self, run: Run) -> str:
        """Return the content of a figure; "" if the image has no address."""
        url = self._url(run)
        description = f"<figDesc>{xml_text(run.text)}</figDesc>" if run.text.strip() else ""
        return f"<graphic{url}/>{description}" if url else ""


def _links(runs: Sequence[Run]) -> list[int]:
    """Return the link around each run; a line end inside of a link is part of it."""
    links = [run.link for run in runs]
    for index in range(1, len(runs) - 1):
        if runs[index].kind is RunKind.BREAK and links[index - 1] == links[index + 1]:
            links[index] = links[index - 1]
    return links


def _is_picture(run: Run) -> bool:
    return run.kind in (RunKind.IMAGE, RunKind.BREAK) or (run.kind is RunKind.TEXT and not run.text.strip())
