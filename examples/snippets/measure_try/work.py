import time


def handle(page):
    time.sleep(0.02)  # stands for a request
    return f"page {page}"
