"""The page that bench/tables.py writes."""

import math
import shlex
from collections import defaultdict
from pathlib import Path

import numpy as np
import sklearn
import xgboost

from peers import KERNEL_ROWS, PEERS, REFERENCE
from scores import COVERAGES, LEVELS

PROGRAMS = ["sml", *PEERS]
RATIOS = {"rmse": "RMSE", "crps": "CRPS", "interval_score_80": "IS 80", "interval_score_90": "IS 90", "interval_score_95": "IS 95"}
SCORINGBENCH_RATIOS = {
    "wcrps_left": "left",
    "wcrps_center": "center",
    "wcrps_right": "right",
    "energy_score_beta_0.5": "energy 0.5",
    "energy_score_beta_1.5": "energy 1.5",
}
BY_TABLE = {"rmse": "RMSE", "crps": "CRPS", "interval_score_90": "Interval score of 90 % intervals"}

TITLES = {"random": "Random rows", "group": "Whole groups", "time": "Order of time"}
EXPLANATIONS = {
    "random": "A test row is like the training rows.",
    "group": "Test rows are of groups without a training row. No program reads the column of the group as an input.",
    "time": "The last fifth of the rows is tested, and in the next fold the fifth before; the rows before them train.",
}

PAGE = """# {title}

This page compares `sml train{options}` with other programs, by the same test rows and the same formulas. `bench/tables.py` writes it, and the scores of each fold into `{csv}`:

```sh not-run: needs XGBoost, scikit-learn and the tables, and trains many models
go build -o sml ./cmd/sml
{command}
```

Options behind `--` go to `sml train`. The head of the script says how to name other tables.

- **Rows.** {protocol}
- **Scores.** All programs predict a mean and the quantiles at {levels} levels, 0.005, 0.01, …, 0.995. CRPS: twice the pinball loss, summed over the levels and divided by {steps}. Interval scores (IS) and coverage: of the central intervals between two of the quantiles. {more_scores}RMSE: of the mean.
- **Processor seconds** are user and system time with child processes, to read, train and predict. Every program has one thread.
- **sml** reads the raw table, and is told the column of groups or of times. It refuses quantiles that need more calibration rows than it has, 99 for 0.5 %; its outermost quantile takes their place.
- **Other programs** read numbers, parts of dates, and an indicator for each category. What they hold out is divided as the test rows are: at random, in whole groups, or in the order of time (histogram boosting stops by random rows).
- **XGBoost, split** ({xgboost}): rate 0.05, depth 6, rows and columns 0.8, the number of trees that is best on a fifth of the training rows; split conformal intervals of each coverage by another fifth (Lei et al. 2018).
- **XGBoost, cross**: the same trees, cross-validated in five parts; their mean predicts. A second cross-validated XGBoost learns the logarithm of the size of the held-out residuals. The shape of the standardised residuals is that of [sml's calibration](../reference/calibration.md).
- **histogram boosting** (scikit-learn {sklearn}): rate 0.05, leaves of five rows, a model for each of nine quantiles, stopped by a fifth of the training rows and conformalised by another (Romano et al. 2019). Other quantiles are interpolated, on the scale of the normal distribution.
- **quantile forest**: 200 trees with leaves of five rows (Meinshausen 2006).
- **Gaussian process**: a kernel with a length scale for each input, or a common one above 20 inputs, that is fitted to at most {kernel_rows} training rows; all training rows predict.
- **ridge**: the penalty by generalised cross-validation, and normal quantiles. **constant**: the mean and the quantiles of the training targets.
"""
TABLES_PROTOCOL = (
    "{folds} of five folds, with at most {limit:,} training and {test:,} test rows, drawn at random; by time, the latest "
    "training rows. {tables}."
)
SCORINGBENCH_PROTOCOL = (
    "{folds} folds of [ScoringBench](https://github.com/jonaslandsgesell/ScoringBench) (Landsgesell and Knoll "
    "2026), a shuffled KFold with the seed 42, and its sample of at most {limit:,} rows. {tables}. Of its 97 tables, "
    "abalone (here without the sex), boston and concrete are at hand; of energy and california only another target or "
    "other inputs."
)
SCORINGBENCH_SCORES = (
    "Weighted CRPS (left, center, right) and energy scores have ScoringBench's weights and exponents. A log score needs a "
    "density, which quantiles do not have. "
)


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def mean_over_folds(rows):
    """Returns the mean scores over the folds: {split: {table: {program: {measure: score}}}}."""
    folds = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        folds[row["split"]][row["dataset"]][row["model"]].append(row)
    return {
        split: {table: {name: mean_scores(own) for name, own in programs.items()} for table, programs in tables.items()}
        for split, tables in folds.items()
    }


def mean_scores(rows):
    return {name: np.mean([row[name] for row in rows]) for name, value in rows[0].items() if not isinstance(value, str)}


def geometric_mean(ratios):
    return math.exp(np.mean([math.log(ratio) for ratio in ratios]))


def summary(results, ratios):
    """Returns the table of geometric means relative to the reference, mean coverages and mean processor seconds."""
    rows = []
    for name in PROGRAMS:
        row = [name]
        row += [f"{geometric_mean([r[name][m] / r[REFERENCE][m] for r in results.values()]):.3f}" for m in ratios]
        row += [f"{100 * np.mean([r[name][f'coverage_{c}'] for r in results.values()]):.1f}" for c in COVERAGES]
        row.append(f"{np.mean([r[name]['processor_seconds'] for r in results.values()]):.1f}")
        rows.append(row)
    return markdown(["", *ratios.values(), *(f"cover {c}" for c in COVERAGES), "seconds"], rows)


def by_table(results, cell):
    """Returns a table with a row for each table. cell returns the text for the scores of all programs and a program."""
    return markdown(["", *PROGRAMS], [[table, *(cell(scores, name) for name in PROGRAMS)] for table, scores in results.items()])


def ratio_cell(measure):
    """Returns a function of the text of a score: the reference's own, or another program's relative to it."""

    def cell(scores, name):
        own, reference = scores[name][measure], scores[REFERENCE][measure]
        return f"{own:.4g}" if name == REFERENCE else f"{own / reference:.2f}"

    return cell


def describe(results):
    """Returns the names of all tables with their numbers of rows."""
    texts = {name: f"{name} ({scores['sml']['n_samples']:,.0f} rows)" for tables in results.values() for name, scores in tables.items()}
    return f"{len(texts)} table{'s' * (len(texts) > 1)}: " + ", ".join(texts.values())


def sections(results, ratios):
    """Yields the texts of each kind of split."""
    for split, tables in results.items():
        title = TITLES[split]
        yield f"## {title}\n\n{EXPLANATIONS[split]} Scores are geometric means over the tables, relative to {REFERENCE}; less is better. Coverage is in percent."
        yield summary(tables, ratios)
        for measure, name in BY_TABLE.items():
            yield f"### {name}, {title.lower()}\n\nRelative to {REFERENCE}, whose column is in the target's unit:"
            yield by_table(tables, ratio_cell(measure))
        yield f"### Processor seconds, {title.lower()}"
        yield by_table(tables, lambda scores, name: f"{scores[name]['processor_seconds']:.1f}")


def command_line(arguments, folds, options):
    """Returns the command that wrote the page, without folders."""
    words = ["/usr/bin/python3 bench/tables.py --sml ./sml"]
    words += ["--preset", arguments.preset] if arguments.preset else []
    words += ["--folds", str(folds), "--out", f"docs/results/{arguments.out.name}"]
    words += [shlex.quote(Path(table).name) for table in arguments.tables]
    words += ["--", *map(shlex.quote, options)] if options else []
    folders = "SML_DATA=FOLDER " if arguments.preset else "SML_TABLES=FOLDER SML_DATA=FOLDER "
    return ("" if arguments.tables else folders) + " ".join(words)


def write_page(arguments, rows, folds, limit, options):
    """Writes the page of the rows that compare returned."""
    results = mean_over_folds(rows)
    protocol = SCORINGBENCH_PROTOCOL if arguments.preset else TABLES_PROTOCOL
    text = PAGE.format(
        title="Tables of ScoringBench, compared with other programs" if arguments.preset else "Tables, compared with other programs",
        options="".join(" " + shlex.quote(option) for option in options),
        csv=arguments.out.with_suffix(".csv").name,
        command=command_line(arguments, folds, options),
        protocol=protocol.format(folds=folds, limit=limit, test=limit // 2, tables=describe(results)),
        more_scores=SCORINGBENCH_SCORES if arguments.preset else "",
        levels=len(LEVELS),
        steps=len(LEVELS) + 1,
        xgboost=xgboost.__version__,
        sklearn=sklearn.__version__,
        kernel_rows=KERNEL_ROWS,
    )
    ratios = RATIOS | SCORINGBENCH_RATIOS if arguments.preset else RATIOS
    arguments.out.write_text("\n\n".join([text.rstrip("\n"), *sections(results, ratios)]) + "\n")
