"""The engine: run the example programs, measure, judge and show them.

The folders are the stages, in the order in which data flows through them:
``measure`` → ``records`` → ``judge`` → ``render`` → ``page``.
"""
