from time import perf_counter, process_time

wall_start, cpu_start = perf_counter(), process_time()
while perf_counter() - wall_start < 1:  # the answer comes after a second
    pass
wall_s, cpu_s = perf_counter() - wall_start, process_time() - cpu_start
print(f"wall time {wall_s:.1f} s, CPU time {cpu_s:.1f} s")
