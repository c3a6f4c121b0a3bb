"""Where suggested values for arguments come from: one function per kind of argument.

Resources and prompts name the function of each of their arguments, so nothing lists the kinds. A
function sees what the caller sees in lists, and asks the database for at most one value too many.
"""
