"""The site uses of the tool what it documents, and takes the repository for the project."""

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import poolwise
from scripts.site.paths import ROOT

DOCUMENTED = set(re.findall(r"``(\w+)``(?=[,:])", poolwise.__doc__ or ""))
HOOKS = f"""
import importlib.util, os
spec = importlib.util.spec_from_file_location("hooks", "{ROOT}/scripts/site/page/hooks.py")
spec.loader.exec_module(importlib.util.module_from_spec(spec))
from poolwise import paths
print(paths.ROOT, os.getcwd(), sep="\\n")
"""


def list_imports(path: Path) -> set[tuple[str, str]]:
    """The modules of the tool that a file imports, each with a name that it takes of it."""
    imports = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "poolwise":
            imports |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poolwise."):
            module = (node.module or "").partition(".")[2]
            imports |= {(module, alias.name) for alias in node.names}
    return imports


def test_the_site_imports_public_names_of_documented_modules_alone() -> None:
    imports = set().union(*map(list_imports, (ROOT / "scripts" / "site").rglob("*.py")))
    assert imports
    assert {module for module, _ in imports} <= DOCUMENTED
    assert not [name for _, name in imports if name.startswith("_")]
    assert all(find_spec(f"poolwise.{module}") for module in DOCUMENTED)


@pytest.mark.slow
def test_mkdocs_may_be_started_in_another_folder(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOOKS], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(ROOT), str(tmp_path)]


def test_readme_and_map_name_each_module_of_the_tool() -> None:
    stems = {path.stem for path in Path(poolwise.__path__[0]).glob("[!_]*.py")}
    for name in ("ARCHITECTURE.md", "scripts/poolwise/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [stem for stem in sorted(stems) if f"`{stem}`" not in text] == [], name
