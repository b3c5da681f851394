"""What the program says: structured lines on stderr, each kind at most once where it could repeat.

The real-time thread never logs; it emits events, and the Python side speaks for it.
"""
