"""Child processes with deadlines and memory limits, and the threads that own them.

No process is forked from one with several threads: it would inherit the locks that other threads hold at that moment,
and may wait for them forever. Processes are new interpreters, or are forked from a process with a single thread: from
this one if it has no other thread, else from a server process.
"""
