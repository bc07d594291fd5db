"""Coverage of 90 % intervals under shift, before and after the corrections of "sml predict --shift-from" and
"--follow", and the rows after which "sml evaluate --against calibration" raises an alarm.

    go build -o sml ./cmd/sml
    /usr/bin/python3 bench/shift.py --sml ./sml --tables FOLDER --datasets FOLDER    # prints the table of docs/results/shift.md

Each model is trained by one of METHODS with OPTIONS. The test rows of a case are all corrected together: --shift-from gets their inputs
without targets, and --follow gets them in the order of the file, or in a random order if the file has none.
"""

import argparse
import csv
import json
import math
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

METHODS = ["mc", "pu"]  # the first does not learn the noise of the data
OPTIONS = ["--calibrate", "0.2"]
COVERAGE = 0.9
DATASETS = ["concrete", "energy", "boston", "wine-red", "abalone", "power"]
KINDS = {  # of test rows: title, options of train
    "random": ("a fifth of the rows, at random", [["--split", "single-random"]]),
    "tilted": ("a quarter of these, chosen by inputs with large errors", [["--split", "single-random"]]),
    "single-pca": ("the upper half along the first principal component", [["--split", "single-pca"]]),
    "pca": ("the outermost tenths along it", [["--split", "pca", "--fold", "0"], ["--split", "pca", "--fold", "9"]]),
    "single-label": ("the upper half of the targets", [["--split", "single-label"]]),
    "label": ("the tenths with the smallest and largest targets", [["--split", "label", "--fold", "0"], ["--split", "label", "--fold", "9"]]),
}
BY_TIME = [("seattle_weather", "temp_max", "date"), ("flights_5k", "delay", "date")]
MOST = 3000  # rows of a data set
TILT = 2.0  # of the logarithm of the density ratio, for a standard deviation along the direction


def rows_of(path):
    with open(path, newline="") as f:
        header, *rows = csv.reader(f)
    return header, rows


def write(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([header, *rows])


def inputs(rows):
    return np.array([[float(v) for v in row[:-1]] for row in rows])


def tilted(rows, calibration, errors, rng):
    """A quarter of the rows, drawn with probabilities that grow along the direction of the inputs in which the errors of the
    calibration rows grow fastest: a shift of the inputs alone, but one that matters."""
    x = inputs(calibration)
    mean, std = x.mean(0), np.maximum(x.std(0), 1e-9)
    z = (x - mean) / std
    slopes = np.linalg.solve(z.T @ z + len(z) * np.eye(z.shape[1]), z.T @ (errors - errors.mean()))  # a ridge regression
    component = z @ slopes
    direction = (inputs(rows) - mean) / std @ slopes / component.std()
    keys = [-math.log(rng.random()) / math.exp(TILT * d) for d in direction]  # Efraimidis and Spirakis (2006)
    return [rows[i] for i in sorted(sorted(range(len(rows)), key=keys.__getitem__)[: len(rows) // 4])]


def sml(program, *arguments, check=True):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done


def judge(path, target):
    """Coverage, mean width, fraction without an interval, and coverage of the second half of predicted rows."""
    header, rows = rows_of(path)
    column = {name: i for i, name in enumerate(header)}
    inside, widths, infinite = [], [], 0
    for row in rows:
        if row[column["lower"]] == "":
            infinite += 1
            continue
        low, high, y = (float(row[column[name]]) for name in ("lower", "upper", target))
        inside.append(low <= y <= high)
        widths.append(high - low)
    mean = lambda values: np.mean(values) if values else math.nan
    return mean(inside), mean(widths), infinite / len(rows), mean(inside[len(inside) // 2 :])


def measure(program, folder, method, table, target, options, kind):
    header, rows = rows_of(table)
    model, test = folder / "model", folder / "test.csv"
    sml(program, "train", "--data", table, "--target", target, "--method", method, *OPTIONS, *options, "--out", model, "--quiet")
    sml(program, "evaluate", model, "--predictions", folder / "judged.csv", "--quiet")
    judged_header, judged = rows_of(folder / "judged.csv")
    kept = [rows[int(row[judged_header.index("row")]) - 1] for row in judged]
    rng = random.Random(1)
    if kind == "tilted":
        sml(program, "evaluate", model, "--on", "calibration", "--predictions", folder / "calibration.csv", "--quiet")
        names, calibration = rows_of(folder / "calibration.csv")
        error = [abs(float(row[names.index("y")]) - float(row[names.index("mean")])) for row in calibration]
        kept = tilted(kept, [rows[int(row[names.index("row")]) - 1] for row in calibration], np.array(error), rng)
    if kind != "time":
        rng.shuffle(kept)
    write(test, header, kept)
    predict = ["predict", model, "--in", test, "--coverage", COVERAGE, "--keep", target, "--quiet", "--out"]
    sml(program, *predict, folder / "usual.csv")
    result = {"usual": judge(folder / "usual.csv", target)}
    done = sml(program, *predict, folder / "weighted.csv", "--shift-from", test, "--on-error", "null", check=False)
    result["refused"] = done.returncode != 0
    if not result["refused"]:
        result["weighted"] = judge(folder / "weighted.csv", target)
    sml(program, *predict, folder / "followed.csv", "--follow", folder / "state")
    result["followed"] = judge(folder / "followed.csv", target)
    against = json.loads(sml(program, "evaluate", model, "--data", test, "--against", "calibration", "--json", "--quiet").stdout)
    result["alarm"] = against["against"]["exchangeability"].get("crossed_row")
    result["rows"] = len(kept)
    return result


HEADER = """| test rows | method | models | before | weighted: refused | none | before | coverage | width | followed | late | width | alarms | row |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def show(method, kind, results):
    usual = [r["usual"] for r in results]
    weighted = [r for r in results if not r["refused"]]
    percent = lambda values: f"{100 * np.mean(values):.0f}" if values else ""
    relative = lambda name, rs: f"{np.mean([r[name][1] / r['usual'][1] for r in rs]):.2f}" if rs else ""
    finite = [r for r in weighted if not math.isnan(r["weighted"][0])]
    alarms = [r["alarm"] for r in results if r["alarm"]]
    cells = [
        kind if method == METHODS[0] else "",
        method,
        len(results),
        percent([u[0] for u in usual]),
        len(results) - len(weighted),
        percent([r["weighted"][2] for r in weighted]),
        percent([r["usual"][0] for r in finite]),
        percent([r["weighted"][0] for r in finite]),
        relative("weighted", finite),
        percent([r["followed"][0] for r in results]),
        percent([r["followed"][3] for r in results]),
        relative("followed", results),
        len(alarms),
        f"{np.median(alarms):.0f}" if alarms else "",
    ]
    print(" ".join(f"| {cell}".rstrip() for cell in cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", required=True)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--datasets", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        scratch = Path(scratch)

        def run(number, *case):
            folder = scratch / str(number)
            folder.mkdir()
            return measure(arguments.sml, folder, *case)

        cases = {}
        number = 0

        def add(method, kind, *case):
            nonlocal number
            cases.setdefault((method, kind), []).append(pool.submit(run, number, method, *case))
            number += 1

        tables = {}
        for name in DATASETS:
            header, rows = rows_of(arguments.datasets / f"{name}.csv")
            tables[name] = scratch / f"{name}.csv", header[-1]
            write(tables[name][0], header, random.Random(1).sample(rows, min(MOST, len(rows))))
        for method in METHODS:
            for table, target in tables.values():
                for kind, (title, choices) in KINDS.items():
                    for options in choices:
                        add(method, title, table, target, options, kind)
            for name, target, column in BY_TIME:
                add(method, f"the latest fifth of {name}", arguments.tables / f"{name}.csv", target, ["--split", "time", "--time", column], "time")
        print(HEADER)
        for title in dict.fromkeys(title for _, title in cases):
            for method in METHODS:
                show(method, title, [f.result() for f in cases[method, title]])


main()
