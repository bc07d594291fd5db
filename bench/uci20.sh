#!/usr/bin/env bash
# Trains the methods on the published divisions of UCI data sets in four ways, and the default for tables, and writes the tables and figures of
# docs/results/uci20.md: bench/uci20.sh STUDIES, a folder in which an interrupted run goes on. Needs the data sets.
set -euo pipefail
cd "$(dirname "$0")/.."
studies=$1
out=docs/results/uci20
mkdir -p "$studies" "$out"
go build -o "$studies/sml" ./cmd/sml

# All methods of the preset but swag and swag-pu, which need the weights of the last epochs.
stoppable=mc,mc-ll,sml,w-dropout,mc-pu,concrete,bayes,laplace-ll,laplace-kron,pu,beta-nll,crps,student-t,evidential,mdn,quantiles,de,pu-de,crps-de

run() { # name of the study, options
  [ -f "$studies/$1/plan.json" ] || "$studies/sml" study plan "$studies/$1" --splits uci "${@:2}"
  "$studies/sml" study run "$studies/$1" --quiet
}
# Naval is left out, since it takes as long as all others together and has another target than the publications.
run epochs-4000 --preset uci20 --datasets boston,concrete,energy,power,protein,wine-red,yacht
run epochs-40 --preset uci20 --epochs 40
run epochs-40-lr-0.01 --preset uci20 --epochs 40 --lr 0.01
# Patience in epochs: an epoch of the large data sets has many steps.
run stopped-small --preset uci20 --methods $stoppable --validation 0.2 --patience 500 --datasets boston,concrete,energy,wine-red,yacht
run stopped-large --preset uci20 --methods $stoppable --validation 0.2 --patience 50 --datasets power,naval,protein

# Not the benchmark's network, but the one that "sml train" gives a table.
run default --preset beyond --methods crps-de --measures rmse,nll-full --datasets boston,concrete,energy,wine-red,yacht

report() { # name of the tables, studies
  local name=$1 dirs=()
  shift
  for study in "$@"; do dirs+=("$studies/$study"); done
  "$studies/sml" study report "${dirs[@]}" --out "$studies/report-$name" --force
  cp "$studies/report-$name/tables/uci20.md" "$out/$name.md"
  local ranks=$studies/report-$name/figures/ranks.svg
  [ ! -f "$ranks" ] || cp "$ranks" "$out/$name.svg"
}
report epochs-4000 epochs-4000
report epochs-40 epochs-40
report epochs-40-lr-0.01 epochs-40-lr-0.01
report stopped stopped-small stopped-large
report default default

# Seconds of all trainings and evaluations, each on one core.
for study in "$studies"/*/plan.json; do
  study=$(dirname "$study")
  echo "$(basename "$study"): $(grep -oh '"seconds":[0-9.]*' "$study"/log/*.jsonl | awk -F: '{ sum += $2 } END { printf "%.0f", sum }') core seconds"
done
