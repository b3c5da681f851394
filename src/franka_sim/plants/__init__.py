"""Physics behind the engine. Must not know FCI words."""
