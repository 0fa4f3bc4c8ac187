import asyncio

loop = asyncio.new_event_loop()
loop.close()
try:
    loop.call_soon(print, "hello")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
