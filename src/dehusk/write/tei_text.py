"""Text, attributes and lines in TEI: what XML allows, styles as `hi`, links as `ref`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from dehusk.write.references import References
from dehusk.write.tokens import Run, RunKind, Style

_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow, lone surrogates, and carriage returns, which are read back as line ends."""
_RENDITIONS = {Style.STRONG: "bold", Style.EMPHASIS: "italic", Style.STRIKE: "strike"}
_SIGNS = r"A-Za-z0-9_.~!$&'()*+,;=\x80-\U0010ffff\-"
_PATH = rf"[{_SIGNS}:@/]|%[0-9A-Fa-f]{{2}}"
_ADDRESS = re.compile(
    rf"""(?:[A-Za-z][A-Za-z0-9+.-]*: | (?![^/?\#]*:))                  # a scheme, or no colon that looks like one
         (?://(?:\[[0-9A-Fa-f:.]+\]
               |(?:(?:[{_SIGNS}:]|%[0-9A-Fa-f]{{2}})*@)?(?:[{_SIGNS}]|%[0-9A-Fa-f]{{2}})*)(?::[0-9]{{1,5}})?(?![^/?\#])
            | (?!//))
         (?:{_PATH})*
         (?:\?(?:{_PATH}|\?)*)?
         (?:\#(?:{_PATH}|\?)*)?""",
    re.VERBOSE,
)
_EMPTY_PORT = re.compile(r"\A([A-Za-z]+://[^/?#]*?):(?![^/?#])")


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

    def write(self, runs: Sequence[Run]) -> str:
        """Return the runs as mixed content; "" if there is nothing to show."""
        links = {run.link for run in runs if run.link >= 0}
        targets = {link: target_attribute("target", self.references.link(link)) for link in sorted(links)}
        out = []
        for target, group in groupby(runs, lambda run: targets.get(run.link, "")):
            inside = self._styled(list(group))
            out.append(f"<ref{target}>{inside}</ref>" if target and inside else inside)
        return "".join(out)

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
        """Return the content of a figure; "" if the image has no address, as in Markdown."""
        url = target_attribute("url", self.references.image(run.node))
        description = f"<figDesc>{xml_text(run.text)}</figDesc>" if run.text.strip() else ""
        return f"<graphic{url}/>{description}" if url else ""


def _is_picture(run: Run) -> bool:
    return run.kind in (RunKind.IMAGE, RunKind.BREAK) or (run.kind is RunKind.TEXT and not run.text.strip())
