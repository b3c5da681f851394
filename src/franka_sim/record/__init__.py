"""The flight recorder: cycles to MCAP files, and what people do with such files.

Python's business: a slow disk loses recording, never a cycle. Must not touch a cycle.
"""
