"""The pure domain: what a table is, what the games' rules are, what each viewer may see.

It imports the standard library and msgspec, does no I/O, and takes time and chance as arguments.
"""
