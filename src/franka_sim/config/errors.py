"""The one exception a wrong configuration ends in. Its text is the whole message to the user."""


class ConfigError(ValueError):
    """A setting cannot be used. The text names option, value and what is allowed."""
