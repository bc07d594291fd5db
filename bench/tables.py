"""Compares methods of the program with a linear model, gradient boosting and a Gaussian process on raw tables.

    go build -o sml ./cmd/sml
    /usr/bin/python3 bench/tables.py --sml ./sml --tables FOLDER    # prints the scores of docs/results/tables.md

Folds are written as files, a training and a test table each. The program is given the raw files, and
scikit-learn what somebody makes of them by hand. Whoever predicts gives a mean, a σ and an interval for
each test row, and all are scored here, by the same lines.
"""

import argparse
import csv
import datetime
import json
import math
import random
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

warnings.filterwarnings("ignore")  # of length scales at their bounds
MISSING = {"", "NA", "."}
COVERAGE = 0.9
Z = 1.6448536269514722  # of a normal distribution's 95 %
EARLY = ["--validation", "0.2", "--patience", "50"]


class Case:
    """A table, its target, and what one knows of its columns."""

    def __init__(self, name, target, unit, numbers, texts, folds, *, drop=(), categorical=(), date=None, log=False, seeds=1):
        self.name, self.target, self.unit, self.numbers, self.texts, self.folds = name, target, unit, numbers, texts, folds
        self.drop, self.categorical, self.date, self.log, self.seeds = drop, categorical, date, log, seeds

    def flags(self):
        flags = ["--target", self.target]
        for name in self.drop:
            flags += ["--drop", name]
        for name in self.categorical:
            flags += ["--categorical", name]
        return flags


def random_folds(count):
    def folds(rows):
        order = list(range(len(rows)))
        random.Random(1).shuffle(order)
        return [set(order[k::count]) for k in range(count)]

    return folds


def group_folds(count, column):
    def folds(rows):
        groups = sorted({row[column] for row in rows})
        random.Random(1).shuffle(groups)
        return [{i for i, row in enumerate(rows) if row[column] in groups[k::count]} for k in range(count)]

    return folds


def last_rows(share, column):
    def folds(rows):
        order = sorted(range(len(rows)), key=lambda i: rows[i][column])
        return [set(order[len(rows) - round(share * len(rows)) :])]

    return folds


CASES = [
    Case(
        "mpg", "hwy", "miles per gallon", ["displ", "year", "cyl", "cty"], ["manufacturer", "model", "trans", "drv", "fl", "class"], random_folds(10)
    ),
    Case(
        "penguins", "Body Mass (g)", "g", ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)"], ["Species", "Island", "Sex"], random_folds(10)
    ),
    Case(
        "seattle_weather", "temp_max", "°C", ["precipitation", "temp_min", "wind"], ["weather"], last_rows(0.2, "date"), date="date", seeds=3
    ),
    Case(
        "chickweight", "weight", "g", ["Time"], ["Diet"], group_folds(10, "Chick"), drop=["Chick"], categorical=["Diet"], log=True
    ),
]


def read(path, target):
    with open(path, newline="", encoding="utf-8-sig") as f:
        rows = [row for row in csv.DictReader(f)]
    return [row for row in rows if row[target] not in MISSING]


def write(path, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


class Predictions:
    """Of the test rows: means, deviations, and intervals that should hold 90 % of them."""

    def __init__(self, mean, std, lower=None, upper=None):
        self.mean, self.std = np.asarray(mean), np.asarray(std)
        self.lower = self.mean - Z * self.std if lower is None else np.asarray(lower)
        self.upper = self.mean + Z * self.std if upper is None else np.asarray(upper)

    def scores(self, y):
        residual = y - self.mean
        nll = 0.5 * math.log(2 * math.pi) + np.log(self.std) + residual**2 / (2 * self.std**2)
        inside = (self.lower <= y) & (y <= self.upper)
        return [math.sqrt(np.mean(residual**2)), np.mean(nll), np.mean(inside), np.mean(self.upper - self.lower)]


def write_tables(folder, case, train, test):
    """Writes a training and a test table, and the latter without its targets."""
    Path(folder).mkdir()
    write(f"{folder}/train.csv", train)
    write(f"{folder}/test.csv", test)
    write(f"{folder}/inputs.csv", [{name: cell for name, cell in row.items() if name != case.target} for row in test])


def ours(sml, folder, case, method, flags, seed):
    """Trains on the raw file, predicts the raw file of the test rows; without its targets, to be safe."""
    model = tempfile.mkdtemp(dir=folder) + "/model"
    train = [sml, "train", "--data", f"{folder}/train.csv", "--method", method, "--out", model, "--seed", str(seed), "--quiet"]
    run(train + case.flags() + flags)
    text = run([sml, "predict", model, "--in", f"{folder}/inputs.csv", "--coverage", str(COVERAGE), "--quiet"])
    rows = list(csv.DictReader(text.splitlines()))
    of = lambda name: [float(row[name]) for row in rows]
    p = Predictions(of("mean"), of("std"), of("lower"), of("upper"))

    evaluated = json.loads(run([sml, "evaluate", model, "--data", f"{folder}/test.csv", "--json", "--quiet"]))
    y = [float(row[case.target]) for row in read(f"{folder}/test.csv", case.target)]
    rmse, nll, _, _ = p.scores(np.array(y))
    assert math.isclose(rmse, evaluated["original"]["rmse"], rel_tol=1e-6), "evaluate has another RMSE"
    if "--transform" not in flags:
        offset = 0.5 * math.log(2 * math.pi)
        assert math.isclose(nll, evaluated["original"]["nll"] + offset, rel_tol=1e-6, abs_tol=1e-6), "evaluate has another NLL"
    return p


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def circle(date):
    angle = 2 * math.pi * datetime.date.fromisoformat(date).timetuple().tm_yday / 365.25
    return math.sin(angle), math.cos(angle)


def by_hand(case, row):
    """The row with its date as the others are given it."""
    row = dict(row)
    row["sine"], row["cosine"] = circle(row.pop(case.date))
    return row


def matrix(case, rows):
    """What a practitioner makes of the rows before the pipeline: numbers, the day of the year on a circle, texts."""
    number = lambda cell: math.nan if cell in MISSING else float(cell)
    columns = [[number(row[name]) for row in rows] for name in case.numbers]
    if case.date:
        columns += zip(*(circle(row[case.date]) for row in rows))
    numbers = len(columns)
    columns += [["missing" if row[name] in MISSING else row[name] for row in rows] for name in case.texts]
    return np.array(columns, dtype=object).T, numbers


def pipeline(model, numbers, columns):
    return make_pipeline(
        ColumnTransformer([
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), list(range(numbers))),
            ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=False), list(range(numbers, columns))),
        ]),
        model,
    )


def theirs(case, train, test):
    x, numbers = matrix(case, train)
    new, _ = matrix(case, test)
    y = np.array([float(row[case.target]) for row in train])
    fit = lambda model: pipeline(model, numbers, x.shape[1]).fit(x, y)

    linear = fit(Ridge(1.0))  # texts can say the same, and least squares alone then has no bound
    features = linear[:-1].transform(x)
    squares = np.linalg.svd(features - features.mean(axis=0), compute_uv=False) ** 2
    free = len(y) - 1 - np.sum(squares / (squares + 1.0))
    sigma = math.sqrt(np.sum((y - linear.predict(x)) ** 2) / free)
    mean = linear.predict(new)
    yield "linear", Predictions(mean, np.full(len(new), sigma))

    boosted = lambda **o: fit(GradientBoostingRegressor(random_state=1, **o)).predict(new)
    ends = np.sort([boosted(loss="quantile", alpha=0.05), boosted(loss="quantile", alpha=0.95)], axis=0)
    sigma = np.maximum(ends[1] - ends[0], 1e-3 * np.std(y)) / (2 * Z)
    yield "boosting", Predictions(boosted(), sigma, *ends)

    kernel = ConstantKernel(1.0) * RBF(np.ones(features.shape[1]), (1e-2, 1e4)) + WhiteKernel(0.1, (1e-6, 1e1))
    process = fit(GaussianProcessRegressor(kernel, normalize_y=True, random_state=1))
    yield "gaussian process", Predictions(*process.predict(new, return_std=True))


def variants(case):
    """Trainings of the program: a label, the method, flags, the tables."""
    for method in ["sml", "pu-de", "sml-de"]:
        for label, flags in [("", ["--validation", "0"]), (", early stopping", EARLY)]:
            yield method + label, method, flags, "raw"
            if case.log:
                yield f"{method}{label}, log", method, [*flags, "--transform", "log"], "raw"
            if case.date:
                yield f"{method}{label}, date by hand", method, flags, "by-hand"


def compare(case, sml, tables, workers):
    rows = read(tables / f"{case.name}.csv", case.target)
    scores = {}

    def add(label, predictions, y):
        scores.setdefault(label, []).append(predictions.scores(y))

    folds = case.folds(rows)
    for fold, held_out in enumerate(folds):
        print(f"{case.name}: fold {fold + 1} of {len(folds)}", file=sys.stderr, flush=True)
        train = [row for i, row in enumerate(rows) if i not in held_out]
        test = [row for i, row in enumerate(rows) if i in held_out]
        y = np.array([float(row[case.target]) for row in test])
        for label, predictions in theirs(case, train, test):
            add(label, predictions, y)
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
            write_tables(f"{folder}/raw", case, train, test)
            if case.date:
                write_tables(f"{folder}/by-hand", case, *([by_hand(case, row) for row in side] for side in (train, test)))

            def one(job):
                (label, method, flags, which), seed = job
                return label, ours(sml, f"{folder}/{which}", case, method, flags, seed)

            for label, predictions in pool.map(one, [(v, 1 + s) for v in variants(case) for s in range(case.seeds)]):
                add(label, predictions, y)
    return len(rows), len(folds), scores


def show(case, rows, folds, scores):
    print(f"### {case.name}\n\n{rows} rows, {folds} fold{'s' * (folds > 1)}; `{case.target}` in {case.unit}\n")
    print("| | RMSE | NLL | in the 90 % interval | its width |\n| --- | ---: | ---: | ---: | ---: |")
    for label, all_folds in scores.items():
        values = np.array(all_folds)
        mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1) if len(values) > 1 else [math.nan] * 4
        spread = lambda j, digits: f"{mean[j]:.{digits}f}" + (f" ± {deviation[j]:.{digits}f}" if len(values) > 1 else "")
        digits = 0 if mean[0] > 100 else 1 if mean[0] > 10 else 2
        print(f"| {label} | {spread(0, digits)} | {spread(1, 2)} | {100 * mean[2]:.0f} % | {mean[3]:.{digits}f} |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--tables", type=Path, required=True, help="folder with the CSV files")
    parser.add_argument("--only", help="one table's name")
    parser.add_argument("--workers", type=int, default=1, help="trainings of the program at a time")
    o = parser.parse_args()
    for case in CASES:
        if o.only in (None, case.name):
            show(case, *compare(case, o.sml, o.tables, o.workers))


if __name__ == "__main__":
    main()
