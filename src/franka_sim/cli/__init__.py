"""The programs: franka-sim, and the names under which people know a simulator like this one.

Arguments in, exit code out: 0 fine, 1 "no", 2 "cannot be used like this", 130 after Ctrl-C.
"""
