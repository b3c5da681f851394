"""Sphinx configuration. Pages are Markdown; the tables under reference/ are generated."""

project = "franka_sim"
author = "the franka_sim developers"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "franka_sim"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
