"""Child processes with deadlines and memory limits, and the threads that own them.

All processes are spawned, never forked: a forked process inherits the locks that other threads hold at that moment, and
may wait for them forever.
"""
