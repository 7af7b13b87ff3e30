"""Child processes with deadlines and memory limits, and the threads that own them."""
