import sqlite3
from concurrent.futures import ThreadPoolExecutor

connection = sqlite3.connect(":memory:")
with ThreadPoolExecutor() as pool:
    error = pool.submit(connection.execute, "select 1").exception()
print(f"{type(error).__name__}: {error}".partition(" The object")[0])
connection.close()
