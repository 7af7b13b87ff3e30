"""What every module may use: errors, files, hashing, child processes, remote paths."""
