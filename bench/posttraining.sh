#!/usr/bin/env bash
# Measures what the paper's conclusion only mentions: an MC dropout network that is
# trained further with the second-moment loss. Prints the test RMSE, ECE and WS of
# abalone's five folds for MC, trained as the paper trains it, and after some epochs
# of SML from there: SEED (default 1), EPOCHS (default 30). Needs abalone's file; takes
# half a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${SEED:-1} epochs=${EPOCHS:-30}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/sml" ./cmd/sml

score() { # measure, file: the first is the standardised one
  grep -o "\"$1\": *[-0-9.e+]*" "$2" | head -1 | sed 's/.*: *//'
}
for fold in 0 3 5 7 9; do
  "$dir/sml" train --data abalone --split random --fold "$fold" --seed "$seed" --method mc --json --quiet --out "$dir/mc$fold" > "$dir/before"
  "$dir/sml" posthoc "$dir/mc$fold" --kind sml --epochs "$epochs" --json --quiet --out "$dir/sml$fold" > "$dir/after"
  echo "$fold $(for name in rmse ece ws; do echo "$(score $name "$dir/before") $(score $name "$dir/after")"; done | tr '\n' ' ')"
done | awk -v epochs="$epochs" '
  BEGIN { printf "fold  RMSE  MC → SML      ECE  MC → SML      WS  MC → SML      (%d epochs)\n", epochs }
  { printf "%-5s %.3f → %.3f      %.3f → %.3f      %.3f → %.3f\n", $1, $2, $3, $4, $5, $6, $7; for (i = 2; i <= 7; i++) sum[i] += $i; n++ }
  END { printf "mean  %.3f → %.3f      %.3f → %.3f      %.3f → %.3f\n", sum[2]/n, sum[3]/n, sum[4]/n, sum[5]/n, sum[6]/n, sum[7]/n }'
