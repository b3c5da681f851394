"""The TCP half of the FCI: framing, session, the one client slot, the asyncio thread.

Nothing here knows whether a command is possible now (the core decides) or what a state looks like.
"""
