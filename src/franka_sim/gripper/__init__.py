"""The gripper's port and its Python face: TCP sessions, requests to the core, inputs for tests.

What a hand or a pump does is decided in the core; nothing here touches a cycle.
"""
