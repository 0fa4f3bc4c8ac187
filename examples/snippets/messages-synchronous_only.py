import asyncio
import django
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import SynchronousOnlyOperation
from django.db import connection

engine = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
settings.configure(DATABASES={"default": engine})
django.setup()


def count():
    with connection.cursor() as cursor:
        return cursor.execute("select 42").fetchone()


async def main():
    try:
        count()
    except SynchronousOnlyOperation as error:
        print(f"SynchronousOnlyOperation: {error}")
    print(await sync_to_async(count)())  # the cure


asyncio.run(main())
