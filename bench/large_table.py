"""Writes a table for large.sh as CSV: inputs x1, x2, … with five decimals, and y, which depends on the first ten.

    python3 bench/large_table.py ROWS INPUTS [TEXTS HOLES]

The last TEXTS inputs are texts of five categories, and every fiftieth value of the first HOLES inputs is missing.
"""

import sys

import numpy as np

rows, inputs, texts, holes = map(int, sys.argv[1:] + ["0"] * (5 - len(sys.argv)))
random = np.random.default_rng(1)
print(",".join([f"x{j + 1}" for j in range(inputs)] + ["y"]))
for start in range(0, rows, 10_000):
    x = 30 * random.standard_normal((min(10_000, rows - start), inputs))
    y = 1998 + 5 * random.standard_normal(len(x)) + x[:, :10].sum(1) / 20
    cells = np.char.mod("%.5f", x)
    for j in range(inputs - texts, inputs):
        cells[:, j] = np.array(list("abcde"))[np.abs(x[:, j]).astype(int) % 5]
    for j in range(holes):
        cells[(start + np.arange(len(x)) + j) % 50 == 0, j] = ""
    for row, target in zip(cells, y):
        print(",".join(row), round(target), sep=",")
