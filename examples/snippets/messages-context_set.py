import multiprocessing

multiprocessing.set_start_method("spawn")
try:
    multiprocessing.set_start_method("forkserver")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
context = multiprocessing.get_context("forkserver")  # the cure: of no process but yours
print(context.get_start_method())
