"""What `dehusk.compiled.net` computes: words of names and of texts as rows of tables."""

from dehusk.base.characters import CharClass
from dehusk.blocks import Blocks
from oracle.characters import class_of, lower, mix, pair_key, text_key
from oracle.features_names import PART
from oracle.net_inputs import innermost_levels
from oracle.site_words import words_of

NAME_ROWS, TEXT_ROWS = 4096, 8192
FAR, START, END, PAIR, LENGTH = range(1, 6)


def name_bags(blocks: Blocks) -> list[list[int]]:
    """Return for each block the rows of the words in the classes, then in the ids, of the ten elements around it.

    Words have two letters or more. Those beyond the three innermost elements have other rows.
    """
    page, bags = blocks.page, list[list[int]]()
    for levels in innermost_levels(blocks):
        bag = []
        for code, names in ((page.class_code, page.class_names), (page.id_code, page.id_names)):
            for level, node in enumerate(levels):
                for part in PART.findall(names[int(code[node])]) if node >= 0 else ():
                    key = text_key(part.lower())
                    bag += [(key if level < 3 else mix(key + FAR)) % NAME_ROWS] if len(part) > 1 else []
        bags.append(bag)
    return bags


def chains(blocks: Blocks) -> list[tuple[tuple[int, int], ...]]:
    """Return for each block the numbers of the classes and the ids of the ten elements around it."""
    page = blocks.page
    return [
        tuple((int(page.class_code[e]), int(page.id_code[e])) if e >= 0 else (0, 0) for e in levels)
        for levels in innermost_levels(blocks)
    ]


def word_key(word: str) -> int:
    """Return the key of a word, in which all digits are zeros."""
    return text_key("".join("0" if class_of(each) == CharClass.DIGIT else lower(each) for each in word))


def text_bags(blocks: Blocks) -> list[list[int]]:
    """Return for each block the rows of its words: the first eight, then the first as such.

    Then come the last two of a text of more than 80 characters, the first two as a pair, and the length in tens of
    characters, up to 120.
    """
    bags, words = list[list[int]](), words_of(blocks)
    for block, text in enumerate(blocks.texts):
        keys = [word_key(word.text) for word in words if word.block == block]
        found = keys[:8]
        found += [mix(key + START) for key in keys[:1]]
        found += [mix(key + END) for key in keys[-2:]] if len(text) > 80 else []
        found += [pair_key(keys[0] + PAIR, keys[1])] if len(keys) > 1 else []
        found.append(mix(min(len(text) // 10, 12) + (LENGTH << 32)))
        bags.append([key % TEXT_ROWS for key in found])
    return bags
