"""What Kadu says of itself: one markdown file per document and language, and what reads them.

A figure in a text is a `$name`, filled in from the constant that the code obeys (figures.py).
"""
