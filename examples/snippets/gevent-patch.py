from gevent import monkey

monkey.patch_all()  # before any other import

import urllib.request
from gevent.pool import Pool


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as page:
        return len(page.read())


print(Pool(20).map(fetch, ["https://example.org"] * 5))
