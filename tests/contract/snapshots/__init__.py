"""The golden files: what clients see of every tool, and the OpenAPI document. A change of them is a change of the face.

`make snapshots` writes them; reviewers read the difference.
"""
