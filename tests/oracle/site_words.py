"""What `dehusk.compiled.site` computes: the words of a page, and its texts with their slots."""

from typing import NamedTuple

from dehusk.base.characters import CharClass
from dehusk.blocks import Blocks
from dehusk.counts.display import normalise_attribute
from dehusk.counts.slots import LONG
from dehusk.read.page import Page
from oracle.characters import MODULUS, class_of, lower, mix, pair_key, sequence_key, text_key
from oracle.tree import lineages, tag_names


class Word(NamedTuple):
    """A word of a page."""

    text: str
    """The word as it is written."""
    start: int
    """Its offset in the text of the blocks."""
    block: int

    @property
    def lowered(self) -> str:
        """The word in lower case."""
        return "".join(map(lower, self.text))

    @property
    def is_number(self) -> bool:
        """Whether it starts and ends with a digit."""
        return class_of(self.text[0]) == class_of(self.text[-1]) == CharClass.DIGIT


def words_of(blocks: Blocks) -> list[Word]:
    """Return the runs of letters and digits in each block; each Han or kana character is a word of its own."""
    words = []
    for block, text in enumerate(blocks.texts):
        offset, run = int(blocks.start[block]), ""
        for at, character in enumerate(f"{text} "):
            is_word = class_of(character) in {CharClass.ALPHA, CharClass.DIGIT}
            is_alone = "\u3040" <= character < "\ua000" and class_of(character) == CharClass.ALPHA
            if run and (is_alone or not is_word):
                words.append(Word(run, offset + at - len(run), block))
            if is_alone:
                words.append(Word(character, offset + at, block))
            run = run + character if is_word and not is_alone else ""
    return words


def term_spans(blocks: Blocks) -> tuple[list[int], list[int], list[int]]:
    """Return the start, the end and the block of each word."""
    words = words_of(blocks)
    return (
        [word.start for word in words],
        [word.start + len(word.text) for word in words],
        [word.block for word in words],
    )


def term_columns(blocks: Blocks) -> tuple[list[int], ...]:
    """Return the key, the start, the end, the block and the text node of each word."""
    page, nodes = blocks.page, list[int]()
    for word in words_of(blocks):
        source = blocks.source[word.start]
        texts = [node for node, name in enumerate(tag_names(page)) if name == "#text"]
        nodes.append(next(node for node in texts if page.text_start[node] <= source < page.text_end[node]))
    return [text_key(word.lowered) for word in words_of(blocks)], *term_spans(blocks), nodes


def path_keys(page: Page) -> list[int]:
    """Return for each node the sum of the keys of the elements around it: of tag, first class and depth.

    The class of the body does not count.
    """
    own = []
    for node, name in enumerate(tag_names(page)):
        classes = page.class_names[int(page.class_code[node])].split() if node else []
        of_class = text_key(normalise_attribute("class", classes[0])) if classes else 0
        key = pair_key(pair_key(text_key(name), of_class), len(lineages(page)[node]) - 1)
        own.append(0 if name == "#text" else key)
    return [sum(own[outer] for outer in lineage) % MODULUS for lineage in lineages(page)]


class SlotText(NamedTuple):
    """A block with words, as a row of `SlotTexts`."""

    block: int
    words: int
    slot: int
    text: int
    without_numbers: int
    has_letters: bool


def slot_texts(blocks: Blocks) -> list[SlotText]:
    """Return the keys of the texts of a page in their slots; numbers do not count in a text of `LONG` other words."""
    rows, paths, words = [], path_keys(blocks.page), words_of(blocks)
    for block in sorted({word.block for word in words}):
        own = [word for word in words if word.block == block]
        lettered = [word for word in own if not word.is_number]
        slot = mix(paths[int(blocks.node[block])])
        key = sequence_key(text_key(word.lowered) for word in own)
        reduced = sequence_key(text_key(word.lowered) for word in lettered) if len(lettered) >= LONG else key
        rows.append(SlotText(block, key, slot, pair_key(slot, key), pair_key(slot, reduced), bool(lettered)))
    return rows
