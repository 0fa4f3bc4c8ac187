import dis

dis.dis("counter += 1")
