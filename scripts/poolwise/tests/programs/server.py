"""A load server that does as MODE says: ready, words, crash or silent."""

import json
import os
import sys
import time

mode = os.environ["MODE"]
if mode == "crash":
    sys.exit("no port is free")
if mode == "ready":
    addresses = {"http": "http://127.0.0.1:1", "https": "https://127.0.0.1:2", "ca": "/ca.pem"}
    print(json.dumps(addresses | {"pid": os.getpid()}), flush=True)
    while time.process_time() < 0.2:
        pass
if mode == "words":
    print(f"http://127.0.0.1:1/?argv={','.join(sys.argv[1:])} answers after a while", flush=True)
if mode == "silent":
    print("still loading", file=sys.stderr, flush=True)
time.sleep(600)
