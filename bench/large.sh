#!/usr/bin/env bash
# Measures large tables: reading one of the shape of year,
# an epoch of training on it, its evaluation, and predictions of ten million rows of
# five columns from standard input. Prints
# seconds, seconds of the processor, and the peak of the resident memory. Takes GNU
# time, NumPy, 3 GB in the folder that is given (default /tmp/sml-large), and, on two cores,
# some five minutes; ROWS=1000000 predicts fewer rows.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD/bench
dir=${1:-/tmp/sml-large}
table() { /usr/bin/python3 "$here/large_table.py" "$@"; }
rows=${ROWS:-10000000}
mkdir -p "$dir"
go build -o "$dir/sml" ./cmd/sml
go build -o "$dir/large" ./bench/large
cd "$dir"
[ -f year.csv ] || { table 515345 90 > year.csv.part && mv year.csv.part year.csv; }
[ -f mixed.csv ] || table 500000 90 3 5 > mixed.csv
[ -f five.csv ] || table 20000 5 > five.csv
[ "$(wc -l 2>/dev/null < "ten$rows.csv")" = $((rows + 1)) ] || table "$rows" 5 > "ten$rows.csv"
rm -rf m mixed five
./sml train --data five.csv --epochs 5 --split none --quiet --out five >/dev/null

measure() { # what, command
  local what=$1
  shift
  /usr/bin/time -o time -f "%e s, %U + %S s of the processor, %M KB" "$@" > out 2> err || { cat err; exit 1; }
  printf '%-42s %s\n' "$what" "$(cat time)"
}
uptime
ls -l year.csv
cat year.csv > /dev/null
measure "read" ./large year.csv; cat out
measure "convert" ./sml data convert year.csv year.parquet --force
measure "read Parquet" ./large year.parquet; cat out
measure "train, 1 epoch" ./sml train --data year.csv --epochs 1 --split random --out m
measure "evaluate" ./sml evaluate m
measure "evaluate --on all" ./sml evaluate m --on all
measure "train with texts and holes, 1 epoch" ./sml train --data mixed.csv --epochs 1 --split random --out mixed
measure "evaluate it" ./sml evaluate mixed
for samples in 2 20 200; do
  measure "predict, $samples samples" bash -c "cat ten$rows.csv | ./sml predict five --in - --samples $samples"
done
uptime
