"""Small helpers for words."""


def word_set(words: str) -> frozenset[str]:
    """The words of a list written as one line."""
    return frozenset(words.split())


def collapsed(words: str) -> str:
    """Words with every run of white space as one space."""
    return " ".join(words.split())
