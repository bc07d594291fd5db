#!/usr/bin/env bash
# Runs every check. Start it by "make ci", which sets the folders of the real data. A check whose
# program is not installed prints SKIPPED.
set -euo pipefail
cd "$(dirname "$0")"
export CGO_ENABLED=0 # as in the Makefile
part() { echo "== $* (after $SECONDS s)"; }
have() { PATH=$PATH:/usr/sbin command -v "$1" >/dev/null; }
has_module() { /usr/bin/python3 -c "import $1" 2>/dev/null; }
install() { command -v apt-get >/dev/null && apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 || true; }

part "format, vet, build, other platforms, generated code"
make check
go vet -tags same,slurm,pytorch ./cmd ./evaluation/study ./bench
# TestSameBytes and TestSameBytesNothingFuses build for linux/386 and linux/arm64. No file is for windows/arm64 alone.
for platform in darwin/arm64 windows/amd64; do
  GOOS=${platform%/*} GOARCH=${platform#*/} go build -o /dev/null ./cmd/sml
done
make generate

part "programs for the checks"
missing=() # Debian packages
for tool in chromium:chromium gcc:gcc qemu-aarch64-static:qemu-user-static slurmctld:slurm-wlm munged:munge; do
  have "${tool%:*}" || missing+=("${tool#*:}")
done
has_module onnx || missing+=(python3-onnx)
has_module torch || missing+=(python3-torch libopenblas0-pthread)
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
  apt-get update >/dev/null 2>&1 || true
  install libc6-dev
  for package in "${missing[@]}"; do # one at a time: a missing package does not prevent the others
    install "$package"
  done
fi
have qemu-aarch64-static || echo "SKIPPED: bytes are not compared with those of arm64: install qemu-user-static"
if [ -z "${SML_ONNXRUNTIME:-}" ]; then
  runtime=${TMPDIR:-/tmp}/sml-onnxruntime
  if command -v npm >/dev/null && mkdir -p "$runtime" &&
    { [ -d "$runtime/node_modules/onnxruntime-node" ] || npm install --prefix "$runtime" --ignore-scripts --no-audit --no-fund onnxruntime-node@1.30.0 >/dev/null 2>&1; }; then
    export SML_ONNXRUNTIME=$runtime/node_modules
  else
    echo "SKIPPED: ONNX files are run in onnxruntime-node, and there is none"
  fi
fi
if [ -z "${SML_ONNX_PYTHON:-}" ]; then
  if has_module onnx; then
    export SML_ONNX_PYTHON=/usr/bin/python3
  else
    echo "SKIPPED: ONNX's checker needs a Python with onnx"
  fi
fi

part "the report in a browser"
go test -tags browser -run Browser ./evaluation/report

part "the steps that the benchmark times, in PyTorch"
if has_module torch; then
  PYTHON=/usr/bin/python3 go test -tags pytorch -run PyTorch ./bench
else
  echo "SKIPPED: no Python with torch can be had"
fi

part "every fuzz target"
# Numbers of inputs, since a target can fail at the end of a time limit. With a second for each input that reaches new code,
# most of the time would go into shortening inputs.
make fuzz FUZZ=3000x MINIMIZE=20x

part "as nobody"
# Root may write to a protected directory, so the user nobody runs the test of one.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  plain=$(mktemp -d)
  chmod 755 "$plain"
  go test -c -o "$plain/safefile.test" ./internal/safefile
  (cd "$plain" && TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups ./safefile.test -test.run ProtectedDir -test.v | tee run.log)
  grep -q -- '--- PASS: TestProtectedDir' "$plain/run.log"
  rm -rf "$plain"
fi

# A real Slurm, on the loopback interface. Its tests wait most of the time, so they run beside
# the race detector.
if have slurmctld && have munged; then
  slurm_log=$(mktemp)
  make slurm >"$slurm_log" 2>&1 &
  slurm=$!
  trap 'kill "$slurm" 2>/dev/null || true' EXIT
fi

part "race detector"
if have gcc; then
  make race
else
  echo "SKIPPED: the race detector needs a C compiler"
fi

part "Slurm"
if [ -n "${slurm:-}" ]; then
  status=0
  wait "$slurm" || status=$?
  cat "$slurm_log"
  rm -f "$slurm_log"
  [ "$status" = 0 ]
else
  echo "SKIPPED: studies are run on a Slurm, and there is none: install slurm-wlm and munge"
fi

part "modules of their own"
for module in cmd/internal/cluster/schema internal/kernels/gen; do
  (cd "$module" && go vet . && go test .)
done

part "every test, with kills, full disks, ONNX's runtime and the bytes of all platforms"
make test-long
