from contextlib import ExitStack
from sqlalchemy import QueuePool, create_engine, exc

engine = create_engine("sqlite://", poolclass=QueuePool, pool_timeout=0.1)  # usually 30 seconds
with ExitStack() as connections:
    try:
        for _ in range(16):
            connections.enter_context(engine.connect())
    except exc.TimeoutError as error:
        print(f"TimeoutError: {error}")
