.PHONY: run test test-long race bytes slurm kubernetes fuzz bench posttraining generate

# Trains the paper's six methods on made data and compares them. It replaces the results
# of an earlier run.
run:
	go run ./cmd/sml quickstart --force

# Runs every test. Tests on the real data sets need SML_DATA.
test:
	go test -timeout 30m ./...

# Kills studies and trainings over and over, fills a disk, reads tables that
# never end, and trains on real data (needs SML_DATA).
test-long:
	SML_LONG=1 go test -timeout 30m -run 'Killed|Long|FullDisk' -v ./cmd

# Runs what runs at the same time under the race detector: it needs a C compiler.
race:
	go test -race -timeout 30m ./data ./data/fetch ./internal/registry ./internal/safefile ./graph ./graph/internal/pool ./models ./trainers ./trainers/optimizer ./evaluation ./evaluation/experiment ./evaluation/study ./evaluation/explain ./evaluation/study/tune
	go test -race -timeout 30m -run 'SameTime|AtOnce' ./internal/kernels ./trainers/check

# Compares every byte of trainings, predictions, scores and a study between CPUs:
# amd64 with and without fused instructions, 386, and arm64 where there is qemu.
bytes:
	SML_LONG=1 go test -timeout 20m -run SameBytes -v ./cmd

# Runs studies on a real Slurm of this host, on the loopback interface, whose tasks and node
# it kills: it needs Debian's slurm-wlm and munge.
slurm:
	go test -tags slurm -timeout 20m -run Slurm -v ./cmd

# Runs studies on a real control plane of Kubernetes, on the loopback interface, whose pods it
# kills: it needs Debian's etcd-server and kubernetes-client. The first time it builds the
# control plane, four minutes and 4 GiB of memory on two cores, and keeps it in KUBERNETES.
KUBERNETES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sml-kubernetes
kubernetes:
	programs=$$(bench/kubernetes/build "$(KUBERNETES)") && \
		SML_KUBERNETES=$$programs go test -tags kubernetes -timeout 20m -run Kubernetes -v ./cmd

# Feeds every reader of outside data, for so long or so many inputs each: make fuzz FUZZ=3000x.
FUZZ ?= 60s
fuzz:
	@set -e; grep -rno --include='*_test.go' '^func Fuzz[A-Za-z]*' . | sort | while IFS=: read -r file _ target; do \
		go test -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZ) -fuzzminimizetime 1s "$$(dirname "$$file")"; \
	done

# Times training steps by method, size and threads, sampling and a convolution, on the
# compiled engine, on Gorgonia's tape machine and, where a python3 has torch, in PyTorch, and
# writes bench/results.json and the tables of docs/performance.md: about eight minutes, on a
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
