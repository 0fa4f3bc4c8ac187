"""The exit: what may follow MkDocs builds the same pages, or how many differ; ``make exit`` runs it.

ProperDocs, a fork, takes all of our configuration. Without our hooks, plug-ins and templates it gets what
any builder can take, as Zensical does: pages, the extensions of Markdown, and fences. Pages are compared by
the text of their articles without digits: each build looks at this machine anew.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from mkdocs.config import load_config

from bench.benchmark import Benchmark, print_findings
from scripts.site.declare.texts import list_languages
from scripts.site.page.hooks import locate_config
from scripts.site.paths import ROOT

BUILDERS = {"ProperDocs": "properdocs build --quiet", "Zensical": "zensical build"}
NOTEBOOK = "notebook"
# What an article has of our hooks and templates, and of no author or fence.
ADDED = "script, style, .headerlink, .page-twin, .claim-link > [aria-hidden]"


def compare_builders(folder: Path) -> Iterator[Benchmark]:
    """Build the pages of every language by MkDocs and by the others."""
    for language in list_languages():
        config = locate_config(language)
        texts = _build("mkdocs build --quiet", config, folder / "mkdocs")
        built = _build(BUILDERS["ProperDocs"], config, folder / "properdocs")
        yield _compare(f"ProperDocs, {language}", texts, built)
        del texts[NOTEBOOK]
        for name, command in BUILDERS.items():
            built = _build(command, _write_plain(folder / name, config), folder / name / "site")
            yield _compare(f"{name} without hooks, {language}", texts, built)


def _write_plain(folder: Path, config: Path) -> Path:
    """Write a project with the pages of a language and what any builder takes; return its configuration."""
    loaded = load_config(str(config))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(loaded.docs_dir, folder / "docs", ignore=shutil.ignore_patterns("*.ipynb"))
    extensions = [{name: loaded.mdx_configs.get(name, {})} for name in loaded.markdown_extensions]
    plain = {
        "site_name": loaded.site_name,
        "theme": {"name": "material", "language": loaded.theme["language"]},
        "markdown_extensions": extensions,
        "plugins": [{"markdown-exec": {"ansi": "off", "languages": ["python"]}}],
    }
    path = folder / "mkdocs.yml"
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def _build(command: str, config: Path, site: Path) -> dict[str, str]:
    """Build the pages of a configuration; return the text of each, by its address."""
    argv = [sys.executable, "-m", *command.split(), "--config-file", str(config)]
    if config.parent == ROOT:
        argv += ["--site-dir", str(site)]
    subprocess.run(argv, cwd=config.parent, env=os.environ | {"MEASURE": "0"}, check=True)
    texts = {}
    for path in site.rglob("index.html"):
        article = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find("article")
        if article:  # what has none leads on
            for added in article.select(ADDED):
                added.decompose()
            text = re.sub(r"\d+", "0", article.get_text())
            texts[path.parent.relative_to(site).as_posix()] = " ".join(text.split())
    return texts


def _compare(builder: str, texts: dict[str, str], built: dict[str, str]) -> Benchmark:
    """Count the pages whose text differs or that are missing, and name the first of them."""
    others = [address for address, text in texts.items() if built.get(address) != text]
    first = f", as {', '.join(sorted(others)[:3])}" if others else ""
    return Benchmark(
        what=f"pages whose text differs from that of MkDocs, {builder}",
        value=f"{len(others)} of {len(texts)}{first}",
        budget="0",
        kept=not others,
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.exit(print_findings(compare_builders(Path(name))))
