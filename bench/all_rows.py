"""Intervals that are calibrated on all training rows, beside intervals that are calibrated on a fifth of them: coverage,
width and RMSE on test rows, for the table of docs/results/coverage.md#from-all-rows.

    go build -o sml ./cmd/sml
    SML_DATA=FOLDER SML_TABLES=FOLDER python3 bench/all_rows.py --sml ./sml

Every way has the same folds of the split random.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

CHOSEN = ["--members", "8", "--hidden", "50", "--transform", "none", "--support", "none"]
METHODS = ["pu-de", "quantiles"]
TABLES = {
    "yacht": ("SML_DATA", "yacht.csv", "residuary_resistance"),
    "boston": ("SML_DATA", "boston.csv", "medv"),
    "mpg": ("SML_TABLES", "mpg.csv", "hwy"),
}
WAYS = {
    "cross-validation": ["--cross-validation", "true"],
    "bootstrap": ["--bootstrap", "true"],
    "a fifth of the rows": ["--calibrate", "0.2"],
}
MEASURES = ["coverage90", "width90", "rmse"]


def train(sml, table, fold, flags):
    """Returns the number of test rows of a fold and their measures, in standard deviations of the training targets."""
    folder, file, target = TABLES[table]
    with tempfile.TemporaryDirectory() as out:
        command = [sml, "train", "--data", os.path.join(os.environ[folder], file), "--target", target, "--out", f"{out}/model",
                   "--split", "random", "--fold", str(fold), "--measures", ",".join(MEASURES), "--json", "--quiet", *CHOSEN, *flags]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    test = json.loads(done.stdout)["test"]
    return test["rows"], [test["standardised"][name] for name in MEASURES]


def describe(folds):
    """Returns the means of the measures over the test rows of all folds, as a cell of the table."""
    rows = sum(n for n, _ in folds)
    coverage, width, rmse = (sum(n * scores[i] for n, scores in folds) / rows for i in range(len(MEASURES)))
    return f"{100 * coverage:.1f}, {width:.3f}, {rmse:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--epochs", default="100", help="epochs of each training")
    parser.add_argument("--folds", type=int, default=10, help="number of folds")
    o = parser.parse_args()
    print("| |", " | ".join(TABLES), "|\n| --- |" + " ---: |" * len(TABLES))
    for method in METHODS:
        for way, flags in WAYS.items():
            cells = []
            for table in TABLES:
                print(method, way, table, file=sys.stderr, flush=True)
                scores = [train(o.sml, table, fold, ["--method", method, "--epochs", o.epochs, *flags]) for fold in range(o.folds)]
                cells.append(describe(scores))
            print(f"| {method}, {way} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
