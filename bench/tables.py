"""Compares "sml train" with other programs on tables, and writes a page of their scores, and a CSV file beside it.

    go build -o sml ./cmd/sml
    SML_TABLES=FOLDER SML_DATA=FOLDER /usr/bin/python3 bench/tables.py --sml ./sml --out docs/results/tables.md
    SML_DATA=FOLDER /usr/bin/python3 bench/tables.py --sml ./sml --preset scoringbench --out docs/results/scoringbench.md
    /usr/bin/python3 bench/tables.py --sml ./sml --out page.md houses.csv:price chicks.csv:weight:group:animal -- --method pu-de

An argument is a file and its target, followed by ":group:COLUMN" if a group of rows must not be divided, or by
":time:COLUMN" if later rows are predicted by earlier ones. Without arguments the tables of the two folders are
compared. The options after -- go to "sml train". The program reads the raw table, and the other programs read the
matrix that features makes of it. All programs predict a mean and the same quantiles of the same test rows, with one
thread each.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOMAXPROCS"):  # set before the libraries start their threads
    os.environ[_name] = "1"

import argparse
import csv
import datetime
import json
import math
import multiprocessing
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.model_selection import KFold

from peers import PARTS, PEERS
from scores import LEVELS, score
from tables_page import write_page

MISSING = {"", "NA", "."}
FOLDS = 5
TABLES = [  # of the folder SML_TABLES
    "airquality.csv:Ozone",
    "insurance.csv:charges",
    "mpg.csv:hwy",
    "penguins.csv:Body Mass (g)",
    "quakes.csv:mag",
    "chickweight.csv:weight:group:Chick",
    "flights_5k.csv:delay:group:origin",
    "mpg.csv:hwy:group:model",
    "air_quality_uci.csv:CO(GT):time:Date",
    "flights_5k.csv:delay:time:date",
    "seattle_weather.csv:temp_max:time:date",
]
DATASETS = [  # of the folder SML_DATA
    "abalone.csv:rings",
    "boston.csv:medv",
    "california.csv:med_house_val",
    "concrete.csv:compressive_strength",
    "diabetes.csv:progression",
    "energy.csv:cooling_load",
    "naval.csv:gt_turbine_decay",
    "power.csv:pe",
    "protein.csv:rmsd",
    "wine-red.csv:quality",
    "yacht.csv:residuary_resistance",
]
SCORINGBENCH = ["abalone.csv:rings", "boston.csv:medv", "concrete.csv:compressive_strength"]  # of the folder SML_DATA


# Tables and their folds.


def read_rows(path):
    """Returns the rows of a CSV file. In a file with semicolons, decimal commas, days before months and -200 for a
    missing value become points, ISO dates and an empty cell."""
    with open(path, newline="", encoding="utf-8-sig") as f:
        header = f.readline()
        f.seek(0)
        if ";" not in header:
            return list(csv.DictReader(f))
        rows = [line.rstrip(",\r\n").split(";") for line in f]
    names = [name for name in rows[0] if name]
    return [dict(zip(names, map(plain_cell, row))) for row in rows[1:] if row[0]]


def plain_cell(text):
    text = re.sub(r"^(\d\d)/(\d\d)/(\d{4})$", r"\3-\2-\1", text)
    text = re.sub(r"^(-?\d+),(\d+)$", r"\1.\2", text)
    return "" if number(text) == -200 else text


class Table:
    """The rows of a file whose target is known, in the order of time if they are split by time."""

    def __init__(self, argument):
        path, self.target, *split = argument.split(":")
        self.split, self.column = split or ("random", None)
        self.name = Path(path).stem
        self.rows = [row for row in read_rows(path) if row[self.target] not in MISSING]
        if self.split == "time":
            self.rows.sort(key=lambda row: instant(row[self.column]))

    def fold(self, fold, limit):
        """Returns at most limit training rows of a fold, and half as many test rows.

        Random folds, and folds of whole groups, are a fifth. A fold by time is a fifth of the rows, and the rows before
        it train; the last fifth is fold 0.
        """
        rng = np.random.RandomState(1)
        if self.split == "time":
            start, end = (self.first_at_instant(len(self.rows) * (FOLDS - fold - k) // FOLDS) for k in (1, 0))
            train, test = self.rows[:start][-limit:], self.rows[start:end]
        else:
            keys = self.keys(self.rows)
            held_out = set(rng.permutation(sorted(set(keys)))[fold::FOLDS].tolist())
            train = sample([row for row, key in zip(self.rows, keys) if key not in held_out], limit, rng)
            test = [row for row, key in zip(self.rows, keys) if key in held_out]
        return train, sample(test, limit // 2, rng)

    def keys(self, rows):
        """Returns the group of each row, or its index if the table has no groups."""
        return [row[self.column] for row in rows] if self.split == "group" else list(range(len(rows)))

    def first_at_instant(self, i):
        """Returns the first row at the time of row i, or i behind the last row."""
        while 0 < i < len(self.rows) and self.rows[i][self.column] == self.rows[i - 1][self.column]:
            i -= 1
        return i

    def parts(self, rows):
        """Returns the part of each training row, 0 to PARTS - 1, divided as the folds are."""
        if self.split == "time":
            return np.arange(len(rows)) * PARTS // len(rows)
        keys = self.keys(rows)
        order = np.random.RandomState(2).permutation(sorted(set(keys))).tolist()
        part = {key: i % PARTS for i, key in enumerate(order)}
        return np.array([part[key] for key in keys])

    def targets(self, rows):
        return np.array([float(row[self.target]) for row in rows])


class ScoringBenchTable(Table):
    """A table with the folds of ScoringBench: a shuffled KFold with the seed 42, and its sample of the rows."""

    def fold(self, fold, limit):
        """Returns the training and the test rows of a fold, together at most limit rows."""
        train, test = list(KFold(FOLDS, shuffle=True, random_state=42).split(self.rows))[fold]
        seed = 42 * 10007 + fold
        if len(train) > limit * (FOLDS - 1) // FOLDS:
            train = np.random.default_rng(seed).choice(train, limit * (FOLDS - 1) // FOLDS, replace=False)
        if len(test) > limit // FOLDS:
            test = np.random.default_rng(seed + 1).choice(test, limit // FOLDS, replace=False)
        return [self.rows[i] for i in train], [self.rows[i] for i in test]


def sample(rows, limit, rng):
    """Returns at most limit of the rows, in their order."""
    if len(rows) <= limit:
        return rows
    return [rows[i] for i in sorted(rng.permutation(len(rows))[:limit])]


# The program.


def write(path, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def split_options(table, train, test):
    """Returns the rows for "sml train", and the options with which it trains on the training rows alone.

    All test rows have one group in common, which is larger than any other and therefore the first fold.
    """
    if table.split == "group":
        return train + [row | {table.column: "held out"} for row in test], ["--split", "group", "--group", table.column]
    if table.split == "time":
        fraction = len(test) / (len(train) + len(test))
        return train + test, ["--split", "time", "--time", table.column, "--test-fraction", repr(fraction)]
    return train, ["--split", "none"]


def predict_sml(sml, options, table, train, test):
    """Trains the program on the raw table, and predicts the test rows without their targets.

    It returns the predicted quantiles of LEVELS, the means, and the model's description.
    """
    rows, split = split_options(table, train, test)
    with tempfile.TemporaryDirectory() as folder:
        data, new, model, out = (f"{folder}/{name}" for name in ("train.csv", "test.csv", "model", "predictions.csv"))
        write(data, rows)
        write(new, [{k: v for k, v in row.items() if k != table.target} for row in test])
        report = run([sml, "train", "--data", data, "--target", table.target, "--out", model, "--quiet", *split, *options])
        trained = int(re.search(r"trained on (\d+) of", report)[1])
        if trained != len(train):
            raise RuntimeError(f"{table.name}: sml trained on {trained} rows, not on {len(train)}")
        description = json.loads(Path(model, "model.json").read_text())
        levels = calibrated_levels(description)
        run([sml, "predict", model, "--in", new, "--quantiles", ",".join(map(str, levels)), "--out", out, "--quiet"])
        with open(out, newline="") as f:
            predicted = list(csv.DictReader(f))
    quantiles = np.array([[float(row[f"q{level}"]) for level in levels] for row in predicted])
    nearest = np.clip(np.searchsorted(levels, LEVELS), 0, len(levels) - 1)
    return quantiles[:, nearest], np.array([float(row["mean"]) for row in predicted]), description


def calibrated_levels(description):
    """Returns the LEVELS that a model predicts: an interval of coverage c needs c/(1 - c) calibration rows."""
    calibration = description.get("calibration")
    if not calibration:
        return LEVELS
    rows = calibration["rows"]
    return LEVELS[np.abs(2 * LEVELS - 1) < (rows + 1e-6) / (rows + 1)]


# The matrix that the other programs read.


def number(text):
    """Returns the number that a cell holds, NaN for a missing one, and None for any other text."""
    if text in MISSING:
        return math.nan
    try:
        return float(text)
    except ValueError:
        return None


def date_parts(text):
    """Returns the numbers that a date becomes, or None if the text is no date."""
    try:
        day = datetime.datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return None
    return [day.timestamp() / 86400, day.timetuple().tm_yday, day.weekday(), day.hour + day.minute / 60]


def instant(text):
    """Returns the number that orders a date or a number in time."""
    parts = date_parts(text)
    return parts[0] if parts else number(text)


def features(table, train, test):
    """Returns the inputs of the training and the test rows: numbers, parts of dates, and categories of two rows or more."""
    columns, new = [], []
    for name in train[0]:
        if name == table.target or table.split == "group" and name == table.column:
            continue
        cells = [row[name] for row in train]
        others = [row[name] for row in test]
        counts = Counter(cells)
        if all(number(cell) is not None for cell in cells + others):
            columns.append([number(cell) for cell in cells])
            new.append([number(cell) for cell in others])
        elif all(date_parts(cell) for cell in cells + others):
            columns += zip(*map(date_parts, cells))
            new += zip(*map(date_parts, others))
        elif len(counts) <= 0.9 * len(cells):  # otherwise an identifier
            for category in sorted(c for c in counts if counts[c] > 1):
                columns.append([float(cell == category) for cell in cells])
                new.append([float(cell == category) for cell in others])
    x, new = np.array(columns).T, np.array(new).T
    known = ~np.isnan(x).all(axis=0)  # a column without a number in a training row has no median
    return x[:, known], new[:, known]


# The comparison.


def processor_seconds():
    """Returns the time that this process and its ended children have used processors."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def compare(argument, preset, fold, limit, sml, options):
    """Returns a row of scores for each program on a fold of a table."""
    warnings.filterwarnings("ignore")  # of length scales at their bounds
    table = (ScoringBenchTable if preset else Table)(argument)
    train, test = table.fold(fold, limit)
    x, new = features(table, train, test)
    y, parts = table.targets(train), table.parts(train)
    programs = {"sml": lambda: predict_sml(sml, options, table, train, test)[:2]}
    for name, predict in PEERS.items():
        programs[name] = lambda predict=predict: predict(x, y, parts, new)
    sizes = {"n_samples": len(table.rows), "n_train": len(train), "n_test": len(test), "n_features": x.shape[1]}
    rows = []
    for name, predict in programs.items():
        start = processor_seconds()
        quantiles, mean = predict()
        seconds = processor_seconds() - start
        scores = score(quantiles, mean, table.targets(test))
        cell = {"dataset": table.name, "split": table.split, "model": name, "fold": fold}
        rows.append(cell | sizes | scores | {"processor_seconds": seconds})
    print(f"{table.name}, {table.split}, fold {fold}: sml {rows[0]['processor_seconds']:.1f} s", file=sys.stderr, flush=True)
    return rows


def shared(folder, tables):
    return [f"{os.environ[folder]}/{table}" for table in tables]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--preset", choices=["scoringbench"], help="use the five folds and the 3,000 rows of ScoringBench")
    parser.add_argument("--folds", type=int, help="folds of five that are tested (default: 2, or all of ScoringBench's)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="folds that are compared at the same time")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    parser.add_argument("tables", nargs="*", metavar="FILE:TARGET[:group:COLUMN|:time:COLUMN]")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:end]), words[end + 1 :]
    if arguments.preset:
        folds, limit = arguments.folds or FOLDS, 3000
        tables = arguments.tables or shared("SML_DATA", SCORINGBENCH)
    else:
        folds, limit = arguments.folds or 2, 2000
        tables = arguments.tables or shared("SML_TABLES", TABLES) + shared("SML_DATA", DATASETS)
    with ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("spawn")) as pool:
        cells = [(table, fold) for table in tables for fold in range(folds)]
        jobs = [pool.submit(compare, table, arguments.preset, fold, limit, arguments.sml, options) for table, fold in cells]
        rows = [row for job in jobs for row in job.result()]
    write(arguments.out.with_suffix(".csv"), rows)
    write_page(arguments, rows, folds, limit, options)


if __name__ == "__main__":
    main()
