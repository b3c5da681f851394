"""``franka-sim bench``: measures the server beside plain C loops that run alternately with it.

One module a question (realtime, lockstep, inside, start, footprint); `report` holds what a figure
and its bound are. Nothing here asserts: a bound that is missed is reported. Must not be imported by
anything that serves.
"""
