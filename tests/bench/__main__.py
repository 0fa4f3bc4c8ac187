"""``python -m tests.bench``: every budget, a line each."""

import sys

from scripts.signals import end_in_order
from tests.bench.budgets import run_bench

end_in_order()
sys.exit(run_bench())
