"""``python -m bench [PART ...]``: budgets, a line each; of every part if none is named."""

import sys
from argparse import ArgumentParser

from bench.budgets import PARTS, run_bench
from scripts.site.signals import end_in_order

parser = ArgumentParser(prog="python -m bench", description="Hold what we do against budgets.")
parser.add_argument(
    "part", nargs="*", choices=PARTS, help="what to measure; everything if not said"
)
asked = parser.parse_args()
end_in_order()
sys.exit(run_bench(asked.part))
