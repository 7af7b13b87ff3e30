"""What `dehusk.compiled.features` computes: characters, tokens, sentences, duplicates and the title."""

from collections import Counter

from dehusk.base.characters import CharClass
from dehusk.blocks import Blocks
from oracle.characters import class_of, is_letter, is_white, lower

Columns = dict[str, list[float]]

CLASSES = {
    "alpha": CharClass.ALPHA,
    "num": CharClass.DIGIT,
    "punct": CharClass.PUNCT,
    "white": CharClass.WHITE,
    "other": CharClass.OTHER,
}
TOKENS = ("other", "alpha", "num", "mix")
ENDERS = ".!?。！？｡．…؟۔।॥։።។"
CLOSERS = "\"'»“”‘’)]}）」』"
MIN_TITLE = 8


def character_features(blocks: Blocks) -> Columns:
    """Return the share of each class among the characters of each block, and their number."""
    counts = [Counter(map(class_of, text)) for text in blocks.texts]
    columns: Columns = {
        f"char.{name}-rel": [count[number] / count.total() for count in counts] for name, number in CLASSES.items()
    }
    return columns | {"char.count": list(map(len, blocks.texts))}


def token_class(token: str) -> str:
    """Return whether a token has letters, digits, both or neither."""
    classes = set(map(class_of, token))
    has_letters, has_digits = CharClass.ALPHA in classes, CharClass.DIGIT in classes
    return "mix" if has_letters and has_digits else "alpha" if has_letters else "num" if has_digits else "other"


def tokens_of(text: str) -> list[str]:
    """Return the runs of characters between white space."""
    return "".join(" " if is_white(character) else character for character in text).split(" ")


def token_features(blocks: Blocks) -> Columns:
    """Return the number and the share of tokens of each class, and each block's share of the page's words."""
    counts = [Counter(map(token_class, filter(None, tokens_of(text)))) for text in blocks.texts]
    total = max(sum(count["alpha"] for count in counts), 1)
    return {
        **{f"token.{name}-abs": [count[name] for count in counts] for name in TOKENS},
        **{f"token.{name}-rel": [count[name] / max(count.total(), 1) for count in counts] for name in TOKENS},
        "word-ratio": [count["alpha"] / total for count in counts],
    }


def sentence_count(text: str) -> int:
    """Return how many stops are at the end, before white space or a closing mark, or wide enough for no space."""
    count = 0
    for at, character in enumerate(text):
        following = text[at + 1 : at + 2]
        is_end = not following or is_white(following) or following in CLOSERS or character > "\u2fff"
        count += character in ENDERS and is_end
    return count


def starts_sentence(text: str) -> bool:
    """Return whether the first letter is not in lower case; false without letters."""
    letters = list(filter(is_letter, text))
    return bool(letters) and not letters[0].islower()


def sentence_features(blocks: Blocks) -> Columns:
    """Return the sentences of each block and of the page, their length in words, and whether the block starts one."""
    counts = list(map(sentence_count, blocks.texts))
    return {
        "sentence.count": counts,
        "document.sentence-count": [sum(counts)] * len(blocks),
        "sentence.avg-length": [
            words / max(count, 1) for words, count in zip(blocks.words.tolist(), counts, strict=True)
        ],
        "sentence-begin": list(map(starts_sentence, blocks.texts)),
    }


def ends_sentence(text: str) -> bool:
    """Return whether the last character of a text is a stop, without up to three closing marks after it."""
    for _ in range(3):
        if len(text) > 1 and text[-1] in CLOSERS:
            text = text[:-1]
    return text[-1] in ENDERS


def sentence_end_features(blocks: Blocks) -> Columns:
    """Return whether each block ends a sentence."""
    return {"sentence-end": [ends_sentence(text) for text in blocks.texts]}


def duplicate_features(blocks: Blocks) -> Columns:
    """Return how many blocks have the same letters, and which is the first of two or more; without letters, none."""
    letters = ["".join(map(lower, filter(is_letter, text))) for text in blocks.texts]
    counts = [letters.count(text) if text else 1 for text in letters]
    is_first = [counts[block] > 1 and letters.index(text) == block for block, text in enumerate(letters)]
    return {"duplicate-count": [*counts], "first-duplicate": [*is_first]}


def match_title(blocks: Blocks) -> list[int]:
    """Return 2 for each block that is part of the title, 1 for one that contains it, else 0.

    Case does not count; short titles and blocks match nothing, nor does a block much longer than the title.
    """
    title, matches = " ".join(blocks.page.meta.title[:500].lower().split()), []
    for text in blocks.texts:
        is_compared = len(title) >= MIN_TITLE and MIN_TITLE <= len(text) <= 2 * len(title)
        is_part, is_whole = text.lower() in title, title in text.lower()
        matches.append((2 if is_part else int(is_whole)) if is_compared else 0)
    return matches


def title_features(blocks: Blocks) -> Columns:
    """Return how each block matches the title, and whether a part of the title has come by then."""
    match = match_title(blocks)
    return {"title.match": list(match), "title.seen": [2 in match[: block + 1] for block in range(len(match))]}
