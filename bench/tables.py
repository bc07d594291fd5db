"""Compares "sml train" with six other programs on tables, and writes a page of their scores.

    go build -o sml ./cmd/sml
    SML_TABLES=FOLDER SML_DATA=FOLDER /usr/bin/python3 bench/tables.py --sml ./sml --out docs/results/tables.md
    /usr/bin/python3 bench/tables.py --sml ./sml houses.csv:price chicks.csv:weight:animal -- --method pu-de

An argument is a file, its target and, if rows of the same group must not be divided, the column with the groups,
which is no input. Without arguments the tables of the two folders are compared. The options after -- go to "sml
train". The program reads the raw table, and the other programs read the matrix that features makes of it. All
programs predict a mean and quantiles of the same test rows, which score compares with the targets.
"""

import argparse
import csv
import datetime
import math
import os
import random
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # set before OpenMP starts: a waiting thread must not use a processor

import numpy as np
import sklearn
import xgboost
from scipy.stats import norm
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")  # of length scales at their bounds
MISSING = {"", "NA", "."}
FOLDS = 5
LEVELS = np.round(0.05 * np.arange(1, 20), 2)  # of quantiles; the first and the last end the 90 % interval
COVERAGE = 0.9
MEASURES = {"rmse": "RMSE", "crps": "CRPS", "interval score": "Interval score"}
NORMAL = norm.ppf(LEVELS)

TABLES = [
    "airquality.csv:Ozone",
    "chickweight.csv:weight:Chick",
    "flights_5k.csv:delay",
    "mpg.csv:hwy",
    "penguins.csv:Body Mass (g)",
    "quakes.csv:mag",
    "seattle_weather.csv:temp_max",
]
DATASETS = [
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


class Table:
    """The rows of a file whose target is known."""

    def __init__(self, argument):
        path, self.target, *group = argument.split(":")
        self.group = group[0] if group else None
        self.name = Path(path).stem
        with open(path, newline="", encoding="utf-8-sig") as f:
            self.rows = [row for row in csv.DictReader(f) if row[self.target] not in MISSING]

    def folds(self):
        """Yields the training and the test rows of each fold. Rows of a group are in the same fold."""
        groups = [row[self.group] for row in self.rows] if self.group else list(range(len(self.rows)))
        order = sorted(set(groups))
        random.Random(1).shuffle(order)
        for fold in range(FOLDS):
            held_out = set(order[fold::FOLDS])
            train = [row for row, group in zip(self.rows, groups) if group not in held_out]
            yield train, [row for row, group in zip(self.rows, groups) if group in held_out]

    def describe(self):
        return f"{self.name} ({len(self.rows):,} rows" + (f", each {self.group} in one fold)" if self.group else ")")

    def targets(self, rows):
        return np.array([float(row[self.target]) for row in rows])


def score(quantiles, mean, y):
    """Returns the scores of predicted quantiles [rows, LEVELS] and means. The CRPS is twice the mean pinball loss."""
    quantiles = np.sort(quantiles, axis=1)
    error = y[:, None] - quantiles
    low, high = quantiles[:, 0], quantiles[:, -1]
    outside = np.maximum(low - y, 0) + np.maximum(y - high, 0)
    return {
        "rmse": float(np.sqrt(np.mean((mean - y) ** 2))),
        "crps": float(2 * np.mean(np.maximum(LEVELS * error, (LEVELS - 1) * error))),
        "interval score": float(np.mean(high - low + 2 / (1 - COVERAGE) * outside)),
        "coverage": float(np.mean((low <= y) & (y <= high))),
    }


# The program.


def write(path, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def predict_sml(sml, options, table, train, test):
    """Trains the program on the raw table, and predicts the test rows without their targets."""
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/train.csv", train)
        write(f"{folder}/test.csv", [{k: v for k, v in row.items() if k != table.target} for row in test])
        model, out = f"{folder}/model", f"{folder}/predictions.csv"
        drop = ["--drop", table.group] if table.group else []
        run([sml, "train", "--data", f"{folder}/train.csv", "--target", table.target, "--out", model, "--quiet", *drop, *options])
        run([sml, "predict", model, "--in", f"{folder}/test.csv", "--quantiles", ",".join(map(str, LEVELS)), "--out", out, "--quiet"])
        with open(out, newline="") as f:
            rows = list(csv.DictReader(f))
    columns = [name for name in rows[0] if name.startswith("q")]
    return np.array([[float(row[name]) for name in columns] for row in rows]), np.array([float(row["mean"]) for row in rows])


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


def features(table, train, test):
    """Returns the inputs of the training and the test rows: numbers, parts of dates, and categories of two rows or more."""
    columns, new = [], []
    for name in train[0]:
        if name in (table.target, table.group):
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
    return np.array(columns).T, np.array(new).T


# The other programs. Each function returns the predicted quantiles and means of the rows new.


def divide(n, seed=1):
    """Returns a fifth of n rows to calibrate on, and the others."""
    order = np.random.RandomState(seed).permutation(n)
    return order[: n // 5], order[n // 5 :]


def conformal_rank(values, coverage):
    """Returns the ⌈(n + 1)·coverage⌉-th smallest of n values, or the largest one."""
    return np.sort(values)[min(len(values), math.ceil(coverage * (len(values) + 1) - 1e-9)) - 1]


def xgboost_conformal(x, y, new):
    """The number of trees is best on a fifth of the rows; intervals are split conformal (Lei et al. 2018)."""
    options = dict(learning_rate=0.05, max_depth=6, subsample=0.8, colsample_bytree=0.8, tree_method="hist", n_jobs=2)
    calibration, rest = divide(len(y))
    validation, fit = rest[: len(rest) // 5], rest[len(rest) // 5 :]
    search = xgboost.XGBRegressor(n_estimators=5000, early_stopping_rounds=50, **options)
    search.fit(x[fit], y[fit], eval_set=[(x[validation], y[validation])], verbose=False)
    model = xgboost.XGBRegressor(n_estimators=search.best_iteration + 1, **options).fit(x[rest], y[rest])
    residuals = y[calibration] - model.predict(x[calibration])
    size = conformal_rank(np.abs(residuals), COVERAGE)
    mean = model.predict(new)
    quantiles = mean[:, None] + np.quantile(residuals, LEVELS)[None]
    quantiles[:, 0], quantiles[:, -1] = mean - size, mean + size
    return quantiles, mean


def histogram_boosting(x, y, new):
    """Quantiles of histogram gradient boosting, conformalised in pairs on a fifth of the rows (Romano et al. 2019)."""
    stopping = dict(early_stopping=True, validation_fraction=0.2, n_iter_no_change=50)
    options = dict(learning_rate=0.05, max_iter=1000, min_samples_leaf=5, random_state=1, **stopping)
    calibration, rest = divide(len(y))
    mean = HistGradientBoostingRegressor(**options).fit(x[rest], y[rest]).predict(new)
    models = [HistGradientBoostingRegressor(loss="quantile", quantile=q, **options).fit(x[rest], y[rest]) for q in LEVELS]
    known = np.sort([m.predict(x[calibration]) for m in models], axis=0)
    quantiles = np.sort([m.predict(new) for m in models], axis=0)
    for i in range(len(LEVELS) // 2):
        outside = np.maximum(known[i] - y[calibration], y[calibration] - known[-1 - i])
        shift = conformal_rank(outside, 1 - 2 * LEVELS[i])
        quantiles[i] -= shift
        quantiles[-1 - i] += shift
    return quantiles.T, mean


def quantile_forest(x, y, new):
    """A training row counts by how often it shares a leaf with the new row (Meinshausen 2006)."""
    block = 256  # new rows whose weights are computed together
    imputer = SimpleImputer(strategy="median")
    order = np.argsort(y, kind="stable")
    x, y, new = imputer.fit_transform(x)[order], y[order], imputer.transform(new)
    forest = RandomForestRegressor(200, min_samples_leaf=5, n_jobs=2, random_state=1).fit(x, y)
    leaves, new_leaves = forest.apply(x), forest.apply(new)
    members = []  # of each tree, the training rows by leaf
    for tree in leaves.T:
        rows = np.argsort(tree, kind="stable")
        members.append(dict(zip(np.unique(tree), np.split(rows, np.flatnonzero(np.diff(tree[rows])) + 1))))
    quantiles = np.empty((len(new), len(LEVELS)))
    for start in range(0, len(new), block):
        part = new_leaves[start : start + block]
        weights = np.zeros((len(part), len(y)))
        for i, row in enumerate(part):
            for rows, leaf in zip(members, row):
                weights[i, rows[leaf]] += 1 / len(rows[leaf])
        share = np.cumsum(weights, axis=1) / part.shape[1]  # predicted distribution function at each y
        for i in range(len(part)):
            quantiles[start + i] = y[np.minimum(np.searchsorted(share[i], LEVELS - 1e-9), len(y) - 1)]
    return quantiles, forest.predict(new)


def standardised(x, new):
    steps = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return steps.fit_transform(x), steps.transform(new)


def gaussian_process(x, y, new):
    """At most 2,000 training rows; a length scale for each of at most 20 inputs, otherwise one for all."""
    x, new = standardised(x, new)
    rows = np.random.RandomState(1).permutation(len(y))[:2000]
    scales = np.ones(x.shape[1]) if x.shape[1] <= 20 else 1.0
    kernel = ConstantKernel(1.0) * RBF(scales, (1e-2, 1e4)) + WhiteKernel(0.1, (1e-6, 1e1))
    process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=1).fit(x[rows], y[rows])
    mean, std = process.predict(new, return_std=True)
    return mean[:, None] + std[:, None] * NORMAL, mean


def ridge(x, y, new):
    """The penalty is chosen by generalised cross-validation; normal quantiles with the spread of the residuals."""
    x, new = standardised(x, new)
    model = RidgeCV(np.logspace(-3, 4, 29)).fit(x, y)
    squares = np.linalg.svd(x, compute_uv=False) ** 2
    free = max(1, len(y) - 1 - np.sum(squares / (squares + model.alpha_)))
    std = math.sqrt(np.sum((y - model.predict(x)) ** 2) / free)
    mean = model.predict(new)
    return mean[:, None] + std * NORMAL, mean


def constant(x, y, new):
    """The quantiles and the mean of the training targets."""
    return np.tile(np.quantile(y, LEVELS), (len(new), 1)), np.full(len(new), y.mean())


OTHERS = {
    "XGBoost": xgboost_conformal,
    "histogram boosting": histogram_boosting,
    "quantile forest": quantile_forest,
    "Gaussian process": gaussian_process,
    "ridge": ridge,
    "constant": constant,
}
REFERENCE = "XGBoost"


def processor_seconds():
    """Returns the time that all threads of this process and of its ended children have used processors."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def compare(table, sml, folds, options):
    """Returns the mean scores and processor seconds of each program over the tested folds."""
    sums = {}
    for fold, (train, test) in enumerate(table.folds()):
        if fold == folds:
            break
        x, new = features(table, train, test)
        y = table.targets(train)
        programs = {"sml": lambda: predict_sml(sml, options, table, train, test)}
        for name, predict in OTHERS.items():
            programs[name] = lambda predict=predict: predict(x, y, new)
        for name, predict in programs.items():
            start = processor_seconds()
            quantiles, mean = predict()
            seconds = processor_seconds() - start
            sums.setdefault(name, Counter()).update(score(quantiles, mean, table.targets(test)), seconds=seconds)
            print(f"{table.name}, fold {fold + 1} of {folds}: {name}, {seconds:.1f} s", file=sys.stderr, flush=True)
    return {name: {m: v / folds for m, v in total.items()} for name, total in sums.items()}


# The page.


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def summary(results):
    """Returns the table of geometric means relative to the reference, mean coverages and mean processor seconds."""
    rows = []
    for name in ["sml", *OTHERS]:
        row = [name]
        for m in MEASURES:
            row.append(f"{math.exp(np.mean([math.log(r[name][m] / r[REFERENCE][m]) for r in results.values()])):.2f}")
        row.append(f"{100 * np.mean([r[name]['coverage'] for r in results.values()]):.1f} %")
        row.append(f"{np.mean([r[name]['seconds'] for r in results.values()]):.1f}")
        rows.append(row)
    return markdown(["", *MEASURES.values(), "90 % intervals cover", "processor seconds"], rows)


def by_table(results, cell):
    """Returns a table with a row for each table. cell returns the text for the scores of all programs and a program."""
    names = ["sml", *OTHERS]
    return markdown(["", *names], [[table, *(cell(scores, name) for name in names)] for table, scores in results.items()])


def sections(results):
    """Yields a heading and a table for each measure, for coverages and for times."""
    for measure, title in MEASURES.items():

        def ratio(scores, name):
            own, reference = scores[name][measure], scores[REFERENCE][measure]
            return f"{own:.4g}" if name == REFERENCE else f"{own / reference:.2f}"

        yield title, f"Relative to {REFERENCE}, whose column is in the target's unit:\n\n" + by_table(results, ratio)
    yield "Coverage of 90 % intervals", by_table(results, lambda scores, name: f"{100 * scores[name]['coverage']:.0f} %")
    yield "Processor seconds to train and predict", by_table(results, lambda scores, name: f"{scores[name]['seconds']:.1f}")


PAGE = """# Tables, compared with other programs

This page compares `sml train{options}` with six other programs, by the same test rows and the same formulas. `bench/tables.py` writes it:

```sh not-run: needs XGBoost, scikit-learn and the tables, and trains many models
go build -o sml ./cmd/sml
{command}
```

Without names of tables, the script compares {all_tables} tables of the folders `SML_TABLES` and `SML_DATA`. Options behind `--` go to `sml train`.

- **Rows.** {folds} of five random folds. {tables}: {rows}.
- **sml** reads the raw table. The other programs read numbers, parts of dates, and an indicator for each category.
- **XGBoost {xgboost}**: rate 0.05, depth 6, rows and columns 0.8, the number of trees that is best on a fifth of the training rows; split conformal intervals by another fifth.
- **histogram boosting**: scikit-learn {sklearn}, rate 0.05, leaves of five rows, a model for each quantile, stopped by a fifth of the training rows and conformalised by another (Romano et al. 2019).
- **quantile forest**: 200 trees with leaves of five rows (Meinshausen 2006).
- **Gaussian process**: at most 2,000 training rows; a length scale for each input, or a common one above 20 inputs.
- **ridge**: the penalty by generalised cross-validation, and normal quantiles. **constant**: the mean and the quantiles of the training targets.

CRPS: twice the mean pinball loss of the quantiles 0.05, 0.1, …, 0.95. Interval score: of the 90 % interval. Scores are means over the folds. Processor seconds are the times of all threads together, for reading, training and predicting; a program that keeps both cores busy takes half as long.

## All tables

RMSE, CRPS and interval score are geometric means relative to {reference}; less is better.

"""


def page(results, tables, arguments, options):
    text = PAGE.format(
        options="".join(" " + shlex.quote(option) for option in options),
        command=command_line(arguments, options),
        folds=arguments.folds,
        tables=f"{len(tables)} table{'s' * (len(tables) > 1)}",
        rows=", ".join(t.describe() for t in tables),
        xgboost=xgboost.__version__,
        sklearn=sklearn.__version__,
        reference=REFERENCE,
        all_tables=len(TABLES) + len(DATASETS),
    )
    return text + summary(results) + "\n" + "".join(f"\n## {title}\n\n{table}\n" for title, table in sections(results))


def command_line(arguments, options):
    """Returns the command that wrote the page, without folders."""
    folders = "" if arguments.tables else "SML_TABLES=FOLDER SML_DATA=FOLDER "
    words = [f"/usr/bin/python3 bench/tables.py --sml ./sml --folds {arguments.folds} --out docs/results/tables.md"]
    words += [shlex.quote(Path(table).name) for table in arguments.tables]
    if options:
        words += ["--", *map(shlex.quote, options)]
    return folders + " ".join(words)


def shared_tables():
    return [f"{os.environ[folder]}/{table}" for folder, names in (("SML_TABLES", TABLES), ("SML_DATA", DATASETS)) for table in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--folds", type=int, default=2, help="folds of five that are tested")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    parser.add_argument("tables", nargs="*", metavar="FILE:TARGET[:GROUP]")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:end]), words[end + 1 :]
    tables = [Table(argument) for argument in arguments.tables or shared_tables()]
    results = {table.name: compare(table, arguments.sml, arguments.folds, options) for table in tables}
    arguments.out.write_text(page(results, tables, arguments, options))


if __name__ == "__main__":
    main()
