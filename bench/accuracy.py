"""Compares a training of the program with XGBoost on tables: RMSE, CRPS, interval score and coverage.

    go build -o sml ./cmd/sml
    /usr/bin/python3 bench/accuracy.py --sml ./sml --folds 2 houses.csv:price mpg.csv:hwy -- --method crps-de --members 8

Each argument is a file and its target; the options after -- go to "sml train". Rows are divided into five random
folds, of which the first --folds are tested. Both programs get the same training rows and predict quantiles of the
same test rows, which the same lines score. XGBoost trains with squared errors, the number of trees that is best on
a fifth of its training rows, and gets intervals by split conformal prediction with another fifth. Texts become
indicators of all categories with two rows or more, dates the day since 1970, of the year and of the week, and the
hour. The last line has the geometric means of the ratios over the tables.
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
import time
from collections import Counter

import numpy as np
import xgboost

MISSING = {"", "NA", "."}
FOLDS = 5
LEVELS = [round(0.05 * i, 2) for i in range(1, 20)]  # of quantiles; the first and the last end the 90 % interval
COVERAGE = 0.9
BOOSTING = dict(learning_rate=0.05, max_depth=6, subsample=0.8, colsample_bytree=0.8, tree_method="hist", n_jobs=2)


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        return list(csv.DictReader(f))


def write(path, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def scores(quantiles, mean, y):
    """Returns the scores of predicted quantiles [rows, LEVELS] and means. The CRPS is twice the mean pinball loss."""
    quantiles = np.sort(quantiles, axis=1)
    error = y[:, None] - quantiles
    level = np.array(LEVELS)
    low, high = quantiles[:, 0], quantiles[:, -1]
    outside = np.maximum(low - y, 0) + np.maximum(y - high, 0)
    return {
        "rmse": float(np.sqrt(np.mean((mean - y) ** 2))),
        "crps": float(2 * np.mean(np.maximum(level * error, (level - 1) * error))),
        "interval score": float(np.mean(high - low + 2 / (1 - COVERAGE) * outside)),
        "coverage": float(np.mean((low <= y) & (y <= high))),
    }


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def predict_ours(sml, train, test, target, options):
    """Trains the program on the raw table, and predicts the test rows without their targets."""
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/train.csv", train)
        write(f"{folder}/test.csv", [{k: v for k, v in row.items() if k != target} for row in test])
        model, out = f"{folder}/model", f"{folder}/predictions.csv"
        run([sml, "train", "--data", f"{folder}/train.csv", "--target", target, "--out", model, "--quiet", *options])
        levels = ",".join(map(str, LEVELS))
        run([sml, "predict", model, "--in", f"{folder}/test.csv", "--quantiles", levels, "--out", out, "--quiet"])
        rows = read(out)
    columns = [name for name in rows[0] if name.startswith("q")]
    quantiles = np.array([[float(row[name]) for name in columns] for row in rows])
    return quantiles, np.array([float(row["mean"]) for row in rows])


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


def features(train, test, target):
    """Returns the matrices of inputs that a practitioner makes of the training and the test rows."""
    columns, new = [], []
    for name in train[0]:
        if name == target:
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


def predict_boosting(train, test, target):
    x, new = features(train, test, target)
    y = np.array([float(row[target]) for row in train])
    order = np.random.RandomState(1).permutation(len(y))
    calibration, rest = order[: len(y) // 5], order[len(y) // 5 :]
    validation, fit = rest[: len(rest) // 5], rest[len(rest) // 5 :]
    search = xgboost.XGBRegressor(n_estimators=5000, early_stopping_rounds=50, **BOOSTING)
    search.fit(x[fit], y[fit], eval_set=[(x[validation], y[validation])], verbose=False)
    model = xgboost.XGBRegressor(n_estimators=search.best_iteration + 1, **BOOSTING).fit(x[rest], y[rest])
    residuals = y[calibration] - model.predict(x[calibration])
    sizes = np.sort(np.abs(residuals))
    rank = min(len(sizes), math.ceil(COVERAGE * (len(sizes) + 1)))
    mean = model.predict(new)
    quantiles = mean[:, None] + np.quantile(residuals, LEVELS)[None]
    quantiles[:, 0], quantiles[:, -1] = mean - sizes[rank - 1], mean + sizes[rank - 1]
    return quantiles, mean


def compare(path, target, sml, folds, options):
    """Returns the ratios of the program's scores to XGBoost's, both coverages and both times, over the folds."""
    rows = [row for row in read(path) if row[target] not in MISSING]
    order = list(range(len(rows)))
    random.Random(1).shuffle(order)
    sums = {"ours": Counter(), "boosting": Counter()}
    for fold in range(folds):
        held_out = set(order[fold::FOLDS])
        train = [row for i, row in enumerate(rows) if i not in held_out]
        test = [row for i, row in enumerate(rows) if i in held_out]
        y = np.array([float(row[target]) for row in test])
        for who, predict in (
            ("ours", lambda: predict_ours(sml, train, test, target, options)),
            ("boosting", lambda: predict_boosting(train, test, target)),
        ):
            start = time.time()
            quantiles, mean = predict()
            sums[who].update(scores(quantiles, mean, y), seconds=time.time() - start)
    result = {m: sums["ours"][m] / sums["boosting"][m] for m in ("rmse", "crps", "interval score")}
    for who in sums:
        result[f"coverage, {who}"] = sums[who]["coverage"] / folds
        result[f"seconds, {who}"] = sums[who]["seconds"] / folds
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--folds", type=int, default=2, help="folds of five that are tested")
    parser.add_argument("tables", nargs="+", metavar="FILE:TARGET")
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    results = []
    for table in options.tables:
        path, target = table.rsplit(":", 1)
        results.append(compare(path, target, options.sml, options.folds, arguments[end + 1 :]))
        print(json.dumps({"table": path, **{k: round(v, 3) for k, v in results[-1].items()}}), flush=True)
    means = {m: math.exp(np.mean([math.log(r[m]) for r in results])) for m in ("rmse", "crps", "interval score")}
    means["coverage"] = float(np.mean([r["coverage, ours"] for r in results]))
    print(json.dumps({"tables": len(results), **{k: round(v, 3) for k, v in means.items()}}))


if __name__ == "__main__":
    main()
