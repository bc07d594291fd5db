"""Compares all methods on data sets and raw tables, on held-out rows like the training rows, under shift and by time, with
what they cost, and writes a page of their scores.

    go build -o sml ./cmd/sml
    SML_TABLES=FOLDER SML_DATA=FOLDER /usr/bin/python3 bench/beyond.py --sml ./sml --dir beyond --out docs/results/beyond.md

The studies are in --dir. The same command continues a run that was interrupted. The page's folder also gets the scores
of all trainings, as beyond.csv, and the figure of the mean ranks.
"""

import argparse
import csv
import json
import math
import os
import platform
import resource
import shutil
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

REFERENCE = "crps-de"
DATASETS = ["yacht", "diabetes", "boston", "energy", "concrete", "wine-red", "abalone", "power", "naval", "california", "protein"]
SHIFTED = ["yacht", "diabetes", "boston", "energy", "concrete", "wine-red", "abalone", "power"]
STUDIES = {
    "data sets": ["--preset", "beyond", "--skip-missing"],
    "shift": ["--preset", "beyond", "--splits", "pca,label", "--fold", "0", "--datasets", ",".join(SHIFTED)],
    "tables": ["--config", Path(__file__).resolve().parent / "beyond.yaml"],
}
COST_DATASET, COST_ROWS = "california", 20640  # the costs are of one training on this data set
LIKE_TRAINING = {"test", "group"}  # splits whose test rows are like the training rows


def run(command, folder=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stderr}")
    return done.stdout


def run_studies(sml, directory):
    """Plans and runs the studies, and returns the description of each: cells and seconds."""
    described = {}
    for name, options in STUDIES.items():
        study = directory / name.replace(" ", "-")
        folder = os.environ["SML_TABLES"] if name == "tables" else None  # beyond.yaml names files of this folder
        if not (study / "plan.json").exists():
            run([sml, "study", "plan", study, *options], folder)
        run([sml, "study", "run", study, "--quiet"], folder)
        described[name] = json.loads(run([sml, "study", "status", study, "--json"]))
    return described


def read_folds(path):
    """Returns the scores of each training: {(data set, label, split): [{measure: score}]}."""
    trainings = defaultdict(lambda: defaultdict(dict))
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            if row["split"] != "train":
                key = (row["dataset"], row["method"], row["split"])
                trainings[key][row["fold"]][row["measure"]] = float(row["score"])
    return {key: list(folds.values()) for key, folds in trainings.items()}


def mean(values):
    values = [v for v in values if not math.isnan(v)]
    return sum(values) / len(values) if values else math.nan


class Scores:
    """Mean scores over folds, by data set, label and split."""

    def __init__(self, trainings):
        self.means = {key: {m: mean(f.get(m, math.nan) for f in folds) for m in folds[0]} for key, folds in trainings.items()}
        self.labels = list(dict.fromkeys(label for _, label, _ in self.means))

    def of(self, label, splits):
        """Yields the data set, the scores of a label and those of the reference, wherever both exist on a split."""
        for (dataset, other, split), scores in self.means.items():
            reference = self.means.get((dataset, REFERENCE, split))
            if other == label and split in splits and reference:
                yield dataset, scores, reference

    def ratio(self, label, measure, splits):
        """The geometric mean over data sets of a score relative to the reference."""
        logarithms = []
        for _, scores, reference in self.of(label, splits):
            own, other = scores.get(measure, math.nan), reference[measure]
            if not (own > 0 and other > 0):
                return math.nan
            logarithms.append(math.log(own / other))
        return math.exp(mean(logarithms)) if logarithms else math.nan

    def mean(self, label, measure, splits, datasets=None):
        return mean(scores.get(measure, math.nan) for name, scores, _ in self.of(label, splits) if datasets is None or name in datasets)

    def growth(self, label, split):
        """The geometric mean of the width of intervals on shifted rows, relative to rows like the training rows."""
        logarithms = []
        for dataset, scores, _ in self.of(label, {split}):
            usual = self.means[dataset, label, "test"]["width90"]
            if scores["width90"] > 0 and usual > 0:
                logarithms.append(math.log(scores["width90"] / usual))
        return math.exp(mean(logarithms))


def seconds_of(command):
    """Runs a command and returns the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure_costs(sml, labels, directory):
    """Returns processor seconds to train on the data set, and to predict its rows, by label. A file keeps them."""
    kept = directory / "costs.json"
    costs = json.loads(kept.read_text()) if kept.exists() else {}
    data = Path(os.environ["SML_DATA"]) / f"{COST_DATASET}.csv"
    for label in labels:
        if label in costs:
            continue
        method, *settings = label.split()
        options = [f"--{key}={value}" for key, value in (s.split("=") for s in settings)]
        with tempfile.TemporaryDirectory() as folder:
            train = [sml, "train", "--data", data, "--split", "random", "--method", method, *options, "--out", f"{folder}/m", "--quiet"]
            predict = [sml, "predict", f"{folder}/m", "--in", data, "--out", f"{folder}/p.csv", "--quiet"]
            costs[label] = [seconds_of(train), seconds_of(predict)]
        kept.write_text(json.dumps(costs))
    return costs


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def text(x, decimals=2):
    return "–" if math.isnan(x) else "∞" if math.isinf(x) else f"{x:.{decimals}f}"


def percent(x):
    return "–" if math.isnan(x) else f"{100 * x:.0f} %"


def usual_rows(scores, costs):
    labels = sorted(scores.labels, key=lambda label: scores.ratio(label, "crps", LIKE_TRAINING))
    for label in labels:
        ratios = [text(scores.ratio(label, m, LIKE_TRAINING)) for m in ("crps", "rmse", "interval-score90", "width90")]
        train, predict = costs[label]
        yield [f"`{label}`", *ratios, percent(scores.mean(label, "coverage90", LIKE_TRAINING)), text(train, 1), text(predict, 1)]


def shifted_rows(scores):
    labels = sorted(scores.labels, key=lambda label: scores.ratio(label, "crps", {"pca-extrapolate"}))
    for label in labels:
        row = [f"`{label}`", percent(scores.mean(label, "coverage90", {"test"}, SHIFTED))]
        for split in ("pca-extrapolate", "label-extrapolate"):
            row += [text(scores.ratio(label, "crps", {split})), percent(scores.mean(label, "coverage90", {split})), text(scores.growth(label, split), 1)]
        row += [text(scores.ratio(label, "crps", {"time"})), percent(scores.mean(label, "coverage90", {"time"}))]
        yield row


PAGE = """# All methods, compared

On this page you see how the methods compare on {datasets} data sets and {tables} raw tables, each trained as `sml train` trains your own table. [Which method for which need](../howto/choose-method.md) draws conclusions. `bench/beyond.py` writes the page:

```sh not-run: trains {cells} models
go build -o sml ./cmd/sml
SML_TABLES=FOLDER SML_DATA=FOLDER /usr/bin/python3 bench/beyond.py --sml ./sml --dir beyond --out docs/results/beyond.md
```

{times} Processor: {processor}. All scores of all trainings: [beyond.csv](beyond.csv).

- **Methods** have the [defaults of tables](../reference/defaults.md#your-own-table): three layers of 128 units with 32 bins (two of 50 for `concrete` and `bayes`, whose networks have no bins), early stopping by a tenth of the training rows, or by a cross-validation in ensembles, which have eight networks and calibrated intervals. `calibrate=0.2` holds out a fifth of the training rows to calibrate.
- **Rows**: two of ten random folds, or one of tables with 5,000 rows or more; chickweight by whole animals.

## Rows like the training rows

CRPS, RMSE, interval score and width (of 90 % intervals) are geometric means over the {usual} data sets and tables, relative to `{reference}`; less is better. Seconds are processor seconds to train on {cost_dataset} ({cost_train:,} rows) and to predict {cost_rows:,} rows.

{usual_table}

Mean ranks over the data sets and tables with random folds. Two methods differ significantly at 5 % if their bars do not overlap (Nemenyi test):

![Mean ranks of the methods with critical differences](figures/beyond-ranks.svg)

## Rows unlike the training rows

- **pca**: the outermost tenth of the rows along the first principal component of the inputs. **label**: the tenth with the smallest targets. Both on {shifted} data sets.
- **time**: the latest fifth of seattle_weather and of flights_5k.
- **wider**: how much wider the intervals are than on rows like the training rows. A method that knows what it does not know has wide intervals there.

{shifted_table}

No method keeps its coverage under shift. [Coverage under shift](shift.md) shows what corrections mend.
"""


def describe_times(directory):
    """Returns sentences on the seconds that the studies took, by their logs."""
    seconds = 0.0
    trained = 0
    for name in STUDIES:
        for log in (directory / name.replace(" ", "-") / "log").glob("*.jsonl"):
            for line in log.read_text().splitlines():
                seconds += json.loads(line).get("seconds", 0)
                trained += 1
    return f"{trained:,} trainings with their evaluations took {seconds / 3600:.1f} hours on one core."


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{os.cpu_count()} cores of {line.split(':')[1].strip()}"
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--dir", type=Path, required=True, help="the folder of the studies")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    arguments = parser.parse_args()
    sml = Path(arguments.sml).resolve()
    directory = arguments.dir.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    studies = run_studies(sml, directory)
    report = directory / "report"
    run([sml, "study", "report", *(directory / name.replace(" ", "-") for name in STUDIES), "--out", report, "--force"])
    scores = Scores(read_folds(report / "folds.csv"))
    costs = measure_costs(sml, scores.labels, directory)
    shutil.copy(report / "folds.csv", arguments.out.parent / "beyond.csv")
    shutil.copy(report / "figures" / "ranks.svg", arguments.out.parent / "figures" / "beyond-ranks.svg")
    usual = [name for name, _, _ in scores.of(REFERENCE, LIKE_TRAINING)]
    page = PAGE.format(
        datasets=len(set(usual) & set(DATASETS)),
        tables=len(set(usual) - set(DATASETS)),
        usual=len(usual),
        cells=f"{sum(s['cells'] for s in studies.values()):,}",
        times=describe_times(directory),
        processor=processor(),
        reference=REFERENCE,
        cost_dataset=COST_DATASET,
        cost_train=COST_ROWS * 9 // 10,
        cost_rows=COST_ROWS,
        usual_table=table(["method", "CRPS", "RMSE", "interval score", "width", "90 % intervals cover", "s to train", "s to predict"], usual_rows(scores, costs)),
        shifted=len(SHIFTED),
        shifted_table=table(
            ["method", "cover, no shift", "pca: CRPS", "cover", "wider", "label: CRPS", "cover", "wider", "time: CRPS", "cover"],
            shifted_rows(scores),
        ),
    )
    arguments.out.write_text(page)


if __name__ == "__main__":
    main()
