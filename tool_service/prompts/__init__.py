"""One file per prompt: its name, its blanks, the tools that it drives and its script in both languages.

A script is fixed text that names its arguments; their values follow it as quoted data. It names
every tool that it drives and no other (tests hold it to that).
"""
