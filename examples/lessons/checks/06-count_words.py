"""Texts that let themselves be counted only in another process, and twice."""

from multiprocessing import parent_process

WORDS = 6


class CountedHere(Exception):
    pass


class Text(str):
    def split(self, *args):
        if parent_process() is None:
            raise CountedHere
        return super().split(*args)


def find_fault(program):
    texts = [Text("one two three"), Text("four five"), Text("six")]
    try:
        totals = [program.count_all(texts), program.count_all(texts)]
    except CountedHere:
        return "the main process counts the words, so the other cores idle"
    if totals[0] != WORDS:
        return f"the texts have {WORDS} words, and it found {totals[0]}"
    if totals[1] != WORDS:
        return f"it found {totals[1]} words when it counted the same texts again"
    return ""
