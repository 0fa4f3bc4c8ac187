import socket

ours, theirs = socket.socketpair()
with ours, theirs:
    ours.setblocking(False)
    try:
        ours.recv(100)
    except BlockingIOError:
        print("nothing to read yet")
    theirs.send(b"answer")
    print(ours.recv(100))
