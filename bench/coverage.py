"""Coverage and width of 90 % intervals: every method of the program, raw and calibrated, beside a Gaussian
process, a quantile forest and conformalised gradient boosting, on raw tables and data sets.

    go build -o sml ./cmd/sml
    /usr/bin/python3 bench/coverage.py --sml ./sml --tables FOLDER --datasets FOLDER    # prints the scores of docs/results/coverage.md

All are given the same training and test rows; the program and the boosting keep a fifth of the training
rows to calibrate on. Large sets are cut to their first MOST rows in a random order.

    /usr/bin/python3 bench/coverage.py --shift report/scores.csv    # of a study that varies calibrate: by kind of test rows
"""

import argparse
import csv
import json
import math
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from tables import COVERAGE, MISSING, Case, Predictions, Z, group_folds, last_rows, matrix, pipeline, random_folds, read, run, write_tables

FOLDS, MOST, SHARE = 2, 5000, 0.2
GAUSSIAN = 1000  # rows that a Gaussian process is trained on at most
LENGTHS = 30  # inputs that each have a length scale of their own; with more they share one


def one_in(folds):
    """The first FOLDS of more folds."""
    return lambda rows: folds(rows)[:FOLDS]


RAW = [
    Case("airquality", "Ozone", "", ["Solar.R", "Wind", "Temp", "Month", "Day"], [], random_folds(4)),
    Case("mpg", "hwy", "", ["displ", "year", "cyl", "cty"], ["manufacturer", "model", "trans", "drv", "fl", "class"], one_in(random_folds(10))),
    Case("msleep", "sleep_total", "", ["sleep_rem", "sleep_cycle", "brainwt", "bodywt"], ["vore", "order", "conservation"], random_folds(4), drop=["awake"]),
    Case("penguins", "Body Mass (g)", "", ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)"], ["Species", "Island", "Sex"], one_in(random_folds(10))),
    Case("seattle_weather", "temp_max", "", ["precipitation", "temp_min", "wind"], ["weather"], last_rows(0.2, "date"), date="date"),
    Case("flights_5k", "delay", "", ["distance"], ["origin", "destination"], one_in(random_folds(10))),
    Case("chickweight", "weight", "", ["Time"], ["Diet"], one_in(group_folds(10, "Chick")), drop=["Chick"], categorical=["Diet"]),
    Case("quakes", "mag", "", ["lat", "long", "depth", "stations"], [], one_in(random_folds(10))),
]


def cases(tables, datasets):
    for case in RAW:
        rows = read(tables / f"{case.name}.csv", case.target)
        yield case, rows
    for path in sorted(datasets.glob("*.csv")):
        with open(path, newline="") as f:
            names = next(csv.reader(f))
        rows = read(path, names[-1])
        random.Random(1).shuffle(rows)
        yield Case(path.stem, names[-1], "", names[:-1], [], one_in(random_folds(10))), rows[:MOST]


def methods(sml):
    """Every method that has a σ or quantiles: a classifier has neither."""
    return [m["name"] for m in json.loads(run([sml, "methods", "--json"])) if m["name"] != "softmax"]


def ours(sml, folder, case, method, fold):
    model = tempfile.mkdtemp(dir=folder) + "/model"
    train = [sml, "train", "--data", f"{folder}/train.csv", "--method", method, "--out", model, "--seed", str(1 + fold), "--calibrate", str(SHARE), "--calibrate-coverage", str(COVERAGE), "--quiet"]
    run(train + case.flags())
    for label, flags in [(method, []), (method + ", raw", ["--uncalibrated"])]:
        text = run([sml, "predict", model, "--in", f"{folder}/inputs.csv", "--coverage", str(COVERAGE), "--quiet", *flags])
        rows = list(csv.DictReader(text.splitlines()))
        of = lambda name: np.array([float(row[name]) for row in rows])
        yield label, Predictions(of("mean"), (of("upper") - of("lower")) / (2 * Z), of("lower"), of("upper"))


def forest(x, y, new):
    """Meinshausen 2006: quantiles of the training targets by how often they share a leaf with a new row."""
    model = RandomForestRegressor(200, min_samples_leaf=5, random_state=1).fit(x, y)
    leaves, found = model.apply(x), model.apply(new)
    order = np.argsort(y, kind="stable")
    ends = np.empty((2, len(new)))
    for row in range(len(new)):
        same = leaves == found[row]
        weights = (same / same.sum(axis=0)).mean(axis=1)[order].cumsum()
        ends[:, row] = y[order][np.searchsorted(weights, [0.05 - 1e-12, 0.95 - 1e-12]).clip(max=len(y) - 1)]
    return Predictions(model.predict(new), np.ones(len(new)), *ends)


def conformalised(x, y, new):
    """Romano et al. 2019."""
    order = np.random.default_rng(1).permutation(len(y))
    kept, own = np.split(order, [round(SHARE * len(y))])
    fit = lambda **o: GradientBoostingRegressor(random_state=1, **o).fit(x[own], y[own])
    low, high = (fit(loss="quantile", alpha=a) for a in (0.05, 0.95))
    outside = np.sort(np.maximum(low.predict(x[kept]) - y[kept], y[kept] - high.predict(x[kept])))
    shift = outside[min(len(kept), math.ceil((len(kept) + 1) * COVERAGE)) - 1]
    return Predictions(fit().predict(new), np.ones(len(new)), low.predict(new) - shift, high.predict(new) + shift)


def theirs(case, train, test):
    x, numbers = matrix(case, train)
    new, _ = matrix(case, test)
    y = np.array([float(row[case.target]) for row in train])
    pipe = pipeline("passthrough", numbers, x.shape[1]).fit(x, y)
    x, new = pipe.transform(x).astype(float), pipe.transform(new).astype(float)
    few = np.random.default_rng(1).permutation(len(y))[:GAUSSIAN]
    lengths = np.ones(x.shape[1] if x.shape[1] <= LENGTHS else 1)
    kernel = ConstantKernel(1.0) * RBF(lengths, (1e-2, 1e4)) + WhiteKernel(0.1, (1e-6, 1e1))
    process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=1).fit(x[few], y[few])
    yield "Gaussian process", Predictions(*process.predict(new, return_std=True))
    yield "quantile forest", forest(x, y, new)
    yield "conformalised boosting", conformalised(x, y, new)


def judge(predictions, y, unit):
    """RMSE, coverage, and mean width; lengths in standard deviations of the training targets."""
    rmse, _, covered, width = predictions.scores(y)
    return [rmse / unit, covered, width / unit]


def compare(case, rows, sml, names, workers):
    scores = {}
    for fold, held_out in enumerate(case.folds(rows)):
        print(f"{case.name}: fold {fold + 1}", file=sys.stderr, flush=True)
        train = [row for i, row in enumerate(rows) if i not in held_out]
        test = [row for i, row in enumerate(rows) if i in held_out]
        y = np.array([float(row[case.target]) for row in test])
        unit = np.std([float(row[case.target]) for row in train])
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
            write_tables(f"{folder}/t", case, train, test)
            jobs = [pool.submit(lambda m: list(ours(sml, f"{folder}/t", case, m, fold)), name) for name in names]
            others = list(theirs(case, train, test))
            for label, predictions in [pair for job in jobs for pair in job.result()] + others:
                scores.setdefault(label, []).append([*judge(predictions, y, unit), len(y)])
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--tables", type=Path, help="folder of the raw tables")
    parser.add_argument("--datasets", type=Path, help="folder of the data sets")
    parser.add_argument("--shift", type=Path, help="scores of a study's report, in place of all else")
    parser.add_argument("--only", nargs="*", help="names of tables")
    parser.add_argument("--methods", nargs="*", help="names of methods")
    parser.add_argument("--workers", type=int, default=2, help="trainings of the program at a time")
    parser.add_argument("--out", type=Path, help="keeps the scores of finished tables in this file, and goes on from there")
    o = parser.parse_args()
    if o.shift:
        show_shift(o.shift)
        return
    done = json.loads(o.out.read_text()) if o.out and o.out.exists() else {}
    for case, rows in cases(o.tables, o.datasets):
        if case.name in done or o.only and case.name not in o.only:
            continue
        done[case.name] = compare(case, rows, o.sml, o.methods or methods(o.sml), o.workers)
        if o.out:
            o.out.write_text(json.dumps(done))
    show(done)


def show_shift(path):
    scores = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            if row["split"] != "train":
                scores.setdefault(row["method"], {}).setdefault(row["split"], {}).setdefault(row["measure"], []).append(float(row["mean"]))
    splits = list(next(iter(scores.values())))
    print("| |", " | ".join(splits), "|\n| --- |", " | ".join("---:" for _ in splits), "|")
    for method, of in scores.items():
        print("|", method, "|", " | ".join(f"{100 * np.mean(of[s]['coverage90']):.0f} % {np.mean(of[s]['width90']):.2f}" for s in splits), "|")


def show(done):
    tables = list(done)
    labels = [label for label in done[tables[0]] if not label.endswith(", raw")]
    mean = lambda label, table, j: float(np.average([fold[j] for fold in done[table][label]], weights=[fold[3] for fold in done[table][label]]))
    over = lambda label, j: np.array([mean(label, table, j) for table in tables])
    print("| | coverage | error | least | most | raw coverage | width | raw width | RMSE |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for label in labels:
        covered, raw = over(label, 1), label + ", raw"
        own = [f"{100 * np.mean(over(raw, 1)):.1f} %", f"{np.mean(over(raw, 2)):.2f}"] if raw in done[tables[0]] else ["", ""]
        error = np.std(covered, ddof=1) / math.sqrt(len(covered)) if len(covered) > 1 else math.nan
        print(f"| {label} | {100 * covered.mean():.1f} % | {100 * error:.1f} | {100 * covered.min():.0f} % | {100 * covered.max():.0f} % | {own[0]} "
              f"| {np.mean(over(label, 2)):.2f} | {own[1]} | {np.mean(over(label, 0)):.3f} |")
    print("\nCoverage in percent and, behind it, width, by table:\n")
    print("| |", " | ".join(tables), "|\n| --- |", " | ".join("---:" for _ in tables), "|")
    for label in labels:
        print("|", label, "|", " | ".join(f"{100 * mean(label, t, 1):.0f} {mean(label, t, 2):.2f}" for t in tables), "|")


if __name__ == "__main__":
    main()
