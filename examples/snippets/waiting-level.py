import select
import socket


def look(mode):
    """Whether a socket is reported each time; who is told of it reads three of its six bytes."""
    ours, theirs = socket.socketpair()
    with ours, theirs, select.epoll() as poll:
        poll.register(ours, select.EPOLLIN | mode)
        theirs.send(b"answer")
        for _ in range(3):
            found = poll.poll(timeout=0)
            if found:
                ours.recv(3)
            yield bool(found)


print("level:", *look(0))
print("edge: ", *look(select.EPOLLET))
