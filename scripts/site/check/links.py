"""Links of the built site, fragments included, without leaving the machine."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LYCHEE = Path(sys.executable).with_name("lychee")

_SITEMAP = re.compile(r"^Sitemap: \w+://[^/]+(/.*)sitemap\.xml$", re.MULTILINE)


def find_broken_links(site: Path) -> Iterator[str]:
    """A line for every link that leads nowhere; lychee looks for them."""
    root = site.resolve()
    argv = [str(LYCHEE), "--offline", "--include-fragments", "--no-progress", "--format", "compact"]
    argv += ["--index-files", "index.html", "--root-dir", str(root)]
    base = _read_base(root)
    if base != "/":  # the page for what is missing knows only where the site stands on its host
        argv += ["--remap", f"{re.escape(root.as_uri() + base)} {root.as_uri()}/"]
    done = subprocess.run([*argv, str(site)], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        yield from (line for line in lines if line.strip())


def _read_base(root: Path) -> str:
    """The path of its host below which the site was built to stand, by its sitemap's address."""
    robots = root / "robots.txt"
    found = _SITEMAP.search(robots.read_text(encoding="utf-8")) if robots.exists() else None
    return found[1] if found else "/"
