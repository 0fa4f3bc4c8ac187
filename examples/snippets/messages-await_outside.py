import ast

source = "def load():\n    return await fetch()"
try:
    compile(source, "work.py", "exec")
except SyntaxError as error:
    print(f"{type(error).__name__}: {error.msg}")
compile("page = await fetch()", "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)  # Jupyter
