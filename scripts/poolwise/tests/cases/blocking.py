"""Coroutines that never let the loop turn."""

import asyncio
import subprocess
import time


async def sleep(number):
    time.sleep(0.01)
    return number * 2


async def run(number):
    return subprocess.run(["sleep", "0.02"], check=True).returncode + number


async def mixed(number):
    await asyncio.sleep(0)
    time.sleep(0.01)
    return number * 2


async def honest(number):
    await asyncio.sleep(0.01)
    return number * 2
