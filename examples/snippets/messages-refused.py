import asyncio
import socket

with socket.socket() as nobody:
    nobody.bind(("127.0.0.1", 0))  # bound, but nobody listens
    try:
        asyncio.run(asyncio.open_connection(*nobody.getsockname()))
    except ConnectionRefusedError as error:
        print(f"{type(error).__name__}: {error}".partition(" (")[0])
