"""Compares variants of the default of "sml train": prints their CRPS and 90 % interval score beside processor seconds, as
geometric means over random folds of six data sets, relative to XGBoost with split conformal intervals. A variant is on the
front if none has both a lower CRPS and fewer seconds.

    go build -o sml ./cmd/sml
    SML_DATA=FOLDER /usr/bin/python3 bench/front.py --sml ./sml
"""

import tables  # first: it limits the threads of the libraries

import argparse
import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from peers import PEERS
from scores import score

VARIANTS = {
    "the default": [],
    "`--patience 16`": ["--patience", "16"],
    "`--hidden 64,64,64`": ["--hidden", "64,64,64"],
    "`--hidden 256,256,256`": ["--hidden", "256,256,256"],
    "`--members 5`": ["--members", "5"],
    "`--lr 0.002`": ["--lr", "0.002"],
    "`--schedule cosine --epochs 60 --patience 0`": ["--schedule", "cosine", "--epochs", "60", "--patience", "0"],
    "`--method crps --network tabm --copies 8 --lr 0.002`": ["--method", "crps", "--network", "tabm", "--copies", "8", "--lr", "0.002"],
}
PEER = "XGBoost, split"
NAMES = {"abalone", "california", "concrete", "diabetes", "power", "wine-red"}
FOLDS, ROWS = 2, 2000


def scores_of(argument, fold, variant, sml):
    """Returns CRPS, 90 % interval score and processor seconds of a variant, or of the peer."""
    table = tables.Table(argument)
    train, test = table.fold(fold, ROWS)
    start = tables.processor_seconds()
    if variant == PEER:
        x, new = tables.features(table, train, test)
        quantiles, mean = PEERS[PEER](x, table.targets(train), table.parts(train), new)
    else:
        quantiles, mean, _ = tables.predict_sml(sml, VARIANTS[variant], table, train, test)
    seconds = tables.processor_seconds() - start
    scores = score(quantiles, mean, table.targets(test))
    return scores["crps"], scores["interval_score_90"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sml", default="./sml", help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="trainings at the same time")
    arguments = parser.parse_args()
    chosen = [table for table in tables.shared("SML_DATA", tables.DATASETS) if os.path.basename(table).split(".")[0] in NAMES]
    folds = [(table, fold) for table in chosen for fold in range(FOLDS)]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        running = {v: [pool.submit(scores_of, *fold, v, arguments.sml) for fold in folds] for v in [PEER, *VARIANTS]}
        logs = {v: np.log([done.result() for done in jobs]) for v, jobs in running.items()}
    ratios = {v: np.exp(np.mean(logs[v] - logs[PEER], axis=0)) for v in VARIANTS}
    print("| options | CRPS | 90 % interval score | processor time | on the front |")
    print("| --- | ---: | ---: | ---: | --- |")
    for variant, (crps, interval, seconds) in ratios.items():
        is_beaten = any(c < crps and s < seconds for c, _, s in ratios.values())
        print(f"| {variant} | {crps:.3f} | {interval:.3f} | {seconds:.0f} | {'no' if is_beaten else 'yes'} |")


if __name__ == "__main__":
    main()
