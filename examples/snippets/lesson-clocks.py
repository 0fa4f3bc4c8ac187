from time import perf_counter, process_time, sleep


def read_clocks(task):
    wall_start, cpu_start = perf_counter(), process_time()
    task()
    wall_s, cpu_s = perf_counter() - wall_start, process_time() - cpu_start
    print(f"{task.__name__}: wall time {wall_s:.1f} s, CPU time {cpu_s:.1f} s")


def wait():
    sleep(1)  # the network


def compute():
    sum(number * number for number in range(5_000_000))


read_clocks(wait)
read_clocks(compute)
