.PHONY: release run check short test test-long ci same size race bytes slurm fuzz bench posttraining generate

# Folders of the real data sets, of the raw tables, of small inputs that once failed and of the paper's source. Each is the value of
# the environment variable, or else a folder of ../shared. Tests without their folder skip.
export SML_DATA := $(abspath $(or $(SML_DATA),$(wildcard ../shared/datasets)))
export SML_TABLES := $(abspath $(or $(SML_TABLES),$(wildcard ../shared/tables)))
export SML_CASES := $(abspath $(or $(SML_CASES),$(wildcard ../shared/cases)))
export SML_PAPER := $(abspath $(or $(SML_PAPER),$(wildcard ../shared/paper)))

# Without cgo, as releases are built: programs start faster, and all tests share the compiled packages.
export CGO_ENABLED ?= 0

# Trains the paper's six methods on made data and compares them. It replaces the results
# of an earlier run.
run:
	go run ./cmd/sml quickstart --force

# Checks the format, vets every package and builds the program. Vetting compiles the packages that others import and checks
# the types of all; to link the programs of bench and examples, too, would take as long as everything else here.
check:
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	go vet ./...
	go build -o /dev/null ./cmd/sml

# Runs the checks and the fast tests of every package, after each edit.
short: check
	go test -short -vet=off ./...

# Runs every test. Tests on the real data sets need SML_DATA.
test:
	go test -timeout 30m ./...

# Runs every test, also the tests that take minutes: they kill studies and trainings over and
# over, fill a disk, read endless tables, train on real data to the paper's scores, and compare
# bytes between CPUs.
test-long:
	SML_LONG=1 go test -vet=off -timeout 60m ./...

# Runs every check that must pass before a change is merged.
ci:
	./ci.sh

# Builds the program for Linux, macOS and Windows, images for containers, and their checksums into the
# folder release.
release:
	go run ./bench/release

# Compares the program with an earlier one, on all scripts, pages and 300 trainings: make same OLD=PROGRAM.
same:
	OLD=$(abspath $(OLD)) go test -tags same -timeout 30m -count=1 -run TestSamePrograms ./cmd

# Prints the lines of each room beside its target.
size:
	@go run ./bench/size

# Runs packages with concurrent code under the race detector, which needs a C compiler: all fast
# tests, and slow tests whose names match RACES. Give a new slow test of concurrent code such a
# name. Each test runs once: the tests whose names match run in full.
race:
	CGO_ENABLED=1 go test -race -vet=off -short -timeout 30m -skip '$(RACES)' $(CONCURRENT)
	CGO_ENABLED=1 go test -race -vet=off -timeout 30m -run '$(RACES)' $(CONCURRENT) ./internal/kernels ./trainers/check
RACES = SameTime|AtOnce|Share|Threads|Claims|LargeFile|Jobs|Stopped|Blocks|AppendRows|Service|Lock|Strategies
CONCURRENT = ./data ./data/read ./data/internal/pages ./data/fetch ./internal/registry ./internal/safefile ./graph ./graph/internal/pool ./models ./trainers ./trainers/optimizer ./evaluation ./evaluation/experiment ./evaluation/study ./evaluation/explain ./evaluation/study/tune

# Compares every byte of trainings, predictions, scores and a study between CPUs:
# amd64 with and without fused instructions, 386, and, where there is qemu, arm64 with NEON and with
# portable kernels.
bytes:
	SML_LONG=1 go test -timeout 20m -run SameBytes -v ./cmd

# Runs studies on a real Slurm of this host, on the loopback interface, whose tasks and node
# it kills: it needs Debian's slurm-wlm and munge.
slurm:
	go test -tags slurm -timeout 45m -run Slurm -v ./cmd

# Feeds random input to every reader of outside data. FUZZ is the time or the number of inputs of
# each: make fuzz FUZZ=3000x. MINIMIZE is the time or the number of attempts to shorten an input that reaches
# new code or fails.
FUZZ ?= 60s
MINIMIZE ?= 1s
fuzz:
	@set -e; cache=$$(go env GOCACHE)/fuzz; program=$$(mktemp); trap 'rm -f "$$program"' EXIT; \
	for folder in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs dirname | sort -u); do \
		go test -c -vet=off -fuzz . -o "$$program" "$$folder"; \
		for target in $$(grep -ho '^func Fuzz[A-Za-z]*' "$$folder"/*_test.go | cut -c6-); do \
			echo "$$folder $$target"; \
			(cd "$$folder" && "$$program" -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZ) -test.fuzzminimizetime $(MINIMIZE) -test.fuzzcachedir "$$cache/$$folder"); \
		done; \
	done

# Times training steps by method, size and threads, sampling and a convolution, on the
# compiled engine, on Gorgonia's tape machine and, where a python3 has torch, in PyTorch, and
# writes bench/results.json and the tables of docs/explanation/performance.md: about eight minutes, on a
# machine with nothing else to do. "go run ./bench -case EXPRESSION" prints some cases only.
bench:
	go run ./bench -out bench/results.json
	go run ./bench -table

# Trains MC dropout networks of abalone further with the second-moment loss, as the
# paper's conclusion mentions, and prints their scores before and after.
posttraining:
	bench/posttraining.sh

# Writes the kernels' assembly anew; it must not change.
generate:
	go generate ./internal/kernels
	git diff --exit-code -- internal/kernels
