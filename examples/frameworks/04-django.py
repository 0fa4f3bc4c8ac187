"""Make the calls of a Django view with `sync_to_async`: one thread for each request."""

import asyncio

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, JsonResponse
from django.urls import path
from tasks import CALLS, call, report, send_requests, timed


async def view(_: HttpRequest) -> JsonResponse:
    calls = [sync_to_async(call)() for _ in range(CALLS)]
    return JsonResponse({"answer": sum(await asyncio.gather(*calls))})


urlpatterns = [path("", view)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["localhost"])
app = get_asgi_application()

if __name__ == "__main__":
    with timed():
        print(report(asyncio.run(send_requests(app))))
