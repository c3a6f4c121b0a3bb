"""The whole product on one machine: `python -m tool_service local`, which is what `make run` starts.

Demo data, ready tokens and the text that a newcomer reads live here and nowhere else, so that an
operator who runs `serve` and `worker` meets none of it.
"""
