"""The picture of the engine in ARCHITECTURE.md, made of the imports, and what each room is for."""

import ast
from collections.abc import Mapping
from pathlib import Path

from grimp import build_graph

from scripts.harness.paths import ROOT

ARCHITECTURE = ROOT / "ARCHITECTURE.md"
START, END = "<!-- What follows is made by `make architecture`. -->\n", "<!-- Until here. -->\n"


def write_architecture() -> None:
    """Put picture and table into ARCHITECTURE.md, in place of those there."""
    before, _, after = split_page(ARCHITECTURE.read_text(encoding="utf-8"))
    made = draw_architecture(ROOT / "scripts")
    ARCHITECTURE.write_text(before + made + after, encoding="utf-8")


def split_page(text: str) -> tuple[str, str, str]:
    """A page's text before, in and after the part that is made; the marks belong to the outside."""
    before, _, rest = text.partition(START)
    made, _, after = rest.partition(END)
    return before + START, made, END + after


def draw_architecture(package: Path) -> str:
    """The rooms of an importable package, its folders and modules, as Mermaid and as a table.

    Arrows lead from what is imported to what imports it; one that a chain of others implies is
    left out. The table has the first paragraph of each room's docstring.
    """
    imports = read_imports(package.name)
    arrows = [
        f"  {name} --> {importer}"
        for importer, names in sorted(imports.items())
        for name in sorted(names)
        if not any(_reaches(imports, other, name) for other in names)
    ]
    table = [f"| `{room}` | {_read_purpose(package, room)} |" for room in sorted(imports)]
    picture = ["```mermaid", "flowchart LR", *arrows, "```"]
    return "\n".join([*picture, "", "| room | what it is |", "|---|---|", *table, "", ""])


def read_imports(package: str) -> dict[str, set[str]]:
    """What each room imports directly of the other rooms, which may be nothing."""
    graph = build_graph(package, cache_dir=None)
    imports: dict[str, set[str]] = {}
    for module in graph.modules - {package}:
        imported = graph.find_modules_directly_imported_by(module) - {package}
        imports.setdefault(_name_room(module), set()).update(map(_name_room, imported))
    return {room: names - {room} for room, names in imports.items()}


def _name_room(module: str) -> str:
    """``judge`` of ``scripts.judge.floors``."""
    return module.split(".")[1]


def _reaches(imports: Mapping[str, set[str]], room: str, name: str) -> bool:
    """Whether a room imports another through any chain; there are no circles between rooms."""
    return name in imports[room] or any(_reaches(imports, other, name) for other in imports[room])


def _read_purpose(package: Path, room: str) -> str:
    folder = package / room
    path = folder / "__init__.py" if folder.is_dir() else package / f"{room}.py"
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(told.partition("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
