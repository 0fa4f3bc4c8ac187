"""Functions whose work is what they change, not what they return; in another process it is lost."""

import os
import time
from collections import Counter, defaultdict, deque

TOTALS = {}
FOUND = []
SEEN = set()
GROUPS = defaultdict(list)
COUNTS = Counter()
LAST = deque(maxlen=1000)
SUM = 0
NESTED = {"deep": {"list": []}}


class Store:
    rows = []

    def __init__(self):
        self.total = 0

    def add(self, item):
        time.sleep(0.005)
        self.total += item["price"]


store = Store()


def total(item):
    time.sleep(0.005)
    TOTALS[item["name"]] = item["price"]


def append(item):
    time.sleep(0.005)
    FOUND.append(item["price"])


def note(item):
    time.sleep(0.005)
    SEEN.add(item["name"])
    return True


def group(item):
    time.sleep(0.005)
    GROUPS[item["name"][-1]].append(item["price"])


def count(item):
    time.sleep(0.005)
    COUNTS[item["name"]] += 1


def remember(item):
    time.sleep(0.005)
    LAST.append(item["name"])


def add(item):
    global SUM
    time.sleep(0.005)
    SUM += item["price"]


def dig(item):
    time.sleep(0.005)
    _bury(item)


def _bury(item):
    NESTED["deep"]["list"].append(item["price"])


def enrich(item):
    """Writes into its item, as code that cleans records does."""
    time.sleep(0.005)
    item["gross"] = item["price"] * 2


def enrich_and_return(item):
    time.sleep(0.005)
    item.setdefault("tags", []).append("clean")
    return None


def keep(item):
    time.sleep(0.005)
    Store.rows.append(item["price"])


def attribute(item):
    time.sleep(0.005)
    attribute.total += item["price"]


attribute.total = 0


def default(item, cache=[]):  # noqa: B006 - the mistake is the case
    time.sleep(0.005)
    cache.append(item["price"])


def set_variable(item):
    time.sleep(0.005)
    os.environ[f"CASE_{item['name']}"] = str(item["price"])


def _make_counter():
    total = 0

    def count_up(item):
        nonlocal total
        time.sleep(0.005)
        total += item["price"]

    return count_up


closure = _make_counter()
