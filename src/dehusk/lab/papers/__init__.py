"""The main experiment of each paper, in a minute or so: its table beside the paper's figures, a floor and a rival.

`dehusk paper NAME` runs one. Without DATA it uses pages that are generated here (`shops`), whose content is known; with
a folder of the open sets (docs/data.md), the real pages that come nearest to the paper's.

An `Experiment` says what was run, in tables, and what follows from the figures, in sentences that are made from them.
"""
