"""Texts that let themselves be counted only in another process, and twice."""

from multiprocessing import parent_process

from checks.words import say

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
        return say("the main process counts the words, so the other cores idle")
    if totals[0] != WORDS:
        return say("the texts have {} words, and it found {}", WORDS, totals[0])
    if totals[1] != WORDS:
        return say("it found {} words when it counted the same texts again", totals[1])
    return ""
