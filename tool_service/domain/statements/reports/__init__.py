"""What is said of an analysis: a short text, data, a Markdown report and a CSV table.

One module for each report, over the two formats and the wording that they share. Text from files is data:
it is escaped wherever it could become markup, a link or a formula.
"""
