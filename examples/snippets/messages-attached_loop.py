import asyncio

elsewhere = asyncio.new_event_loop()


async def main():
    future = elsewhere.create_future()  # as a client has that was made for another loop
    try:
        await future
    except RuntimeError as error:
        print(f"RuntimeError: {error}")


asyncio.run(main())
elsewhere.close()
