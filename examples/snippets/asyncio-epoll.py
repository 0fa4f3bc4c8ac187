import selectors
import socket

pairs = [socket.socketpair() for _ in range(3)]
with selectors.DefaultSelector() as selector:
    for number, (ours, _) in enumerate(pairs):
        selector.register(ours, selectors.EVENT_READ, number)
    for number in 2, 0:  # two of the three answer
        pairs[number][1].send(b"answer")
    for key, _ in selector.select():  # sleeps until something can be read
        print(type(selector).__name__, "says: read", key.data, key.fileobj.recv(100))
for pair in pairs:
    for end in pair:
        end.close()
