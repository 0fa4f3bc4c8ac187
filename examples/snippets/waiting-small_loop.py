import selectors
import socket
import types

selector = selectors.DefaultSelector()


@types.coroutine
def readable(sock):
    yield sock  # goes through every await up to the loop


async def receive(sock):
    while True:
        try:
            return sock.recv(100)
        except BlockingIOError:
            await readable(sock)


async def talk(name, ours, other):
    print(name, "waits")
    print(name, "reads", await receive(ours))
    other.send(b"greetings from " + name.encode())


def run(*tasks):
    ready = list(tasks)
    while ready or selector.get_map():
        for task in ready:
            try:
                sock = task.send(None)  # goes on up to the next wait
            except StopIteration:
                continue
            selector.register(sock, selectors.EVENT_READ, task)
        found = selector.select() if selector.get_map() else []
        ready = [selector.unregister(key.fileobj).data for key, _ in found]


(ann, to_ann), (bob, to_bob) = socket.socketpair(), socket.socketpair()
for sock in ann, bob:
    sock.setblocking(False)
to_bob.send(b"begin")
run(talk("Ann", ann, to_bob), talk("Bob", bob, to_ann))
for sock in ann, to_ann, bob, to_bob:
    sock.close()
selector.close()
