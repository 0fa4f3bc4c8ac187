"""What this project declares: each process reads it once, whatever of it its tests look at."""

from scripts.site.declare.declarations import load_declarations

DECLARED = load_declarations()
EXPERIMENTS = tuple(DECLARED.experiments.values())
CLAIMS = DECLARED.claims
