"""Compares the default ensemble of "sml train" with quantile networks, and prints what residuals of the ensemble have to do with
it: the study behind the choice of the method.

    go build -o sml ./cmd/sml
    /usr/bin/python3 bench/choice.py --sml ./sml insurance.csv:charges visits.csv:visits:group:person

An argument is as for tables.py. Each half of a table, of at most 2,500 rows, trains, and the other half is predicted. The CRPS and
the 90 % interval score of the quantile networks are divided by those of the ensemble, and so is the CRPS of the means of their
quantiles. "kept" says which of the two "sml train" keeps without --method, or that it trains the ensemble alone.
"""

import tables  # first: it limits the threads of the libraries

import argparse
import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from scores import score

QUANTILES = "0.01,0.025,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,0.975,0.99"
METHODS = {  # options that train one of the methods
    "crps-de": ["--method", "crps-de"],
    "quantiles": ["--method", "quantiles", "--set", f"levels={QUANTILES}", "--members", "8", "--transform", "none"],
}
ROWS = 2500


def halves(table):
    """Returns the two halves of a table's rows, without dividing a group."""
    rng = np.random.RandomState(1)
    keys = table.keys(table.rows)
    names = sorted(set(keys))
    first = set(rng.permutation(names)[: len(names) // 2].tolist())
    parts = [[row for row, key in zip(table.rows, keys) if (key in first) == wanted] for wanted in (True, False)]
    return [tables.sample(part, ROWS, rng) for part in parts]


def compare(sml, argument, half):
    """Returns a line of the table: see the top of this file."""
    table = tables.Table(argument)
    train, test = halves(table)[:: 1 if half == 0 else -1]
    y = table.targets(test)

    def run(options):
        start = tables.processor_seconds()
        quantiles, mean, description = tables.predict_sml(sml, options, table, train, test)
        return quantiles, mean, description, tables.processor_seconds() - start

    *_, description, _ = run([])
    choice = description["method_choice"]
    found = {name: run(options) for name, options in METHODS.items()}
    found["both"] = [np.mean([found[name][k] for name in METHODS], axis=0) for k in (0, 1)]
    scores = {name: score(quantiles, mean, y) for name, (quantiles, mean, *_) in found.items()}
    ratio = lambda method, name: scores[method][name] / scores["crps-de"][name]
    residuals = choice.get("residuals", {"skewness": float("nan"), "tail_weight": float("nan")})
    held_out = choice.get("held_out_crps_quantiles", float("nan")) / choice.get("held_out_crps", float("nan"))
    kept = choice["method"] if "held_out_crps" in choice else "not compared"
    seconds = found["quantiles"][-1] / found["crps-de"][-1]
    return (
        f"| {table.name} | {len(train)} | {residuals['skewness']:.2f} | {residuals['tail_weight']:.1f} | {held_out:.3f} "
        f"| {ratio('quantiles', 'crps'):.3f} | {ratio('quantiles', 'interval_score_90'):.3f} | {ratio('both', 'crps'):.3f} | {seconds:.1f} | {kept} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="halves that are compared at the same time")
    parser.add_argument("tables", nargs="+", metavar="FILE:TARGET[:group:COLUMN]")
    arguments = parser.parse_args()
    print("| table | rows | skewness | tails | held-out CRPS | CRPS | 90 % interval score | CRPS of both | processor time | kept |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    with ProcessPoolExecutor(arguments.jobs) as pool:
        lines = [pool.submit(compare, arguments.sml, table, half) for table in arguments.tables for half in (0, 1)]
        for line in lines:
            print(line.result(), flush=True)


if __name__ == "__main__":
    main()
