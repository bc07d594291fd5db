//go:build kubernetes

package cmd

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sml/cmd/internal/cluster"
)

// Studies run on a real control plane of Kubernetes as docs/howto/clusters.md says, and give the
// same bytes as on this machine alone.
func TestKubernetes(t *testing.T) {
	k := newKubeCluster(t)
	t.Run("Killed", func(t *testing.T) { k.in(t).testKilled() })
	t.Run("WrongUsage", func(t *testing.T) { k.in(t).testWrongUsage() })
	t.Run("FailedCells", func(t *testing.T) { k.in(t).testFailedCells() })
	t.Run("Interrupted", func(t *testing.T) { k.in(t).testInterrupted() })
	t.Run("Evicted", func(t *testing.T) { k.in(t).testEvicted() })
	t.Run("TimeLimit", func(t *testing.T) { k.in(t).testTimeLimit() })
	t.Run("Cancelled", func(t *testing.T) { k.in(t).testCancelled() })
}

// A killed pod counts as a failure of its index, and the index gets another pod.
func (k kubeCluster) testKilled() {
	whole, cost := k.plan("runs/grid", "--methods", "mc,sml,sml-de,pu,pu-de,de", "--splits", "random,pca", "--epochs", "400", "--save-predictions", "csv")
	length := time.Duration(cost / 4.5 * float64(time.Second)).String() // the number of tasks is rounded up
	script := k.sml(k.submission("runs/grid", "--task-length", length)...)
	k.call(script, "kubectl", "create", "--dry-run=server", "--validate=strict", "-f", "-")

	job := k.submit("runs/grid", "--task-length", length)
	if job.Tasks != 5 {
		k.t.Errorf("there are %d tasks, want 5", job.Tasks)
	}
	if out, err := k.command(k.program, k.submission("runs/grid", "--yes")...).CombinedOutput(); err == nil {
		k.t.Errorf("a study that runs is submitted again: %s", out)
	}
	killed := make(map[string]bool) // indexes
	for range 2 {
		const training = 300 * time.Millisecond // enough for a pod to read the plan and to begin to train
		r := k.waitForRun(job.Job, func(r kubeRun) bool { return !killed[r.index] && time.Since(r.started) > training })
		r.process.Signal(syscall.SIGKILL)
		killed[r.index] = true
	}
	status := k.waitForEnd("runs/grid")
	if status.Cells != 24 || status.Done != 24 || status.Submission.State.Done != 5 {
		k.t.Errorf("it ended as %+v; want 24 cells in 5 tasks done", status)
	}
	ends := k.ends(job.Job)
	if len(ends) != 5 {
		k.t.Errorf("pods ran for %d indexes, want 5", len(ends))
	}
	for index, got := range ends {
		want := []kubeEnd{{0, "0"}}
		if killed[index] {
			want = []kubeEnd{{128 + int(syscall.SIGKILL), "0"}, {0, "1"}}
		}
		if !slices.Equal(got, want) {
			k.t.Errorf("pods of index %s ended with %v, want %v", index, got, want)
		}
	}
	k.compare(whole, "runs/grid")
}

// A wrong call fails its index at once: it would be wrong again.
func (k kubeCluster) testWrongUsage() {
	k.plan("runs/wrong", "--methods", "mc", "--epochs", "1")
	script := k.sml(k.submission("runs/wrong")...)
	wrong := strings.Replace(script, "- --quiet\n", "- --no-such-flag\n", 1)
	job := strings.TrimPrefix(strings.TrimSpace(k.call(wrong, "kubectl", "create", "-o", "name", "-f", "-")), "job.batch/")
	k.wait("the job failed", func() bool {
		return k.call("", "kubectl", "get", "job", job, `-o=jsonpath={.status.conditions[?(@.type=="Failed")].status}`) == "True"
	})
	if failed := k.call("", "kubectl", "get", "job", job, "-o=jsonpath={.status.failedIndexes}"); failed != "0" {
		k.t.Errorf("failed indexes are %q, want 0", failed)
	}
	k.checkEnds(job, kubeEnd{2, "0"})
}

// Cells that fail fail their index at once: they are recorded, and would fail again.
func (k kubeCluster) testFailedCells() {
	k.plan("runs/failing", "--methods", "pu", "--epochs", "20", "--batch", "5000") // more rows than there are
	job := k.submit("runs/failing")
	status := k.waitForEnd("runs/failing")
	if status.Failed != status.Cells || status.Submission.State.Failed != 1 {
		k.t.Errorf("it ended as %+v; want all cells and the task failed", status)
	}
	k.checkEnds(job.Job, kubeEnd{3, "0"})
}

// An interrupted pod writes a checkpoint, from which the next pod of its index goes on. It
// does not count as a failure.
func (k kubeCluster) testInterrupted() {
	whole := k.planLong("runs/interrupted")
	job := k.submit("runs/interrupted")
	r := k.waitForTraining(job.Job, "runs/interrupted")
	r.process.Signal(syscall.SIGTERM)
	k.wait("the pod ended", func() bool { return k.node.runsOf(job.Job)[0].ended })
	k.checkCheckpoint("runs/interrupted")
	if status := k.waitForEnd("runs/interrupted"); status.Submission.State.Done != 1 {
		k.t.Errorf("it ended as %+v", status)
	}
	k.checkEnds(job.Job, kubeEnd{130, "0"}, kubeEnd{0, "0"})
	k.compare(whole, "runs/interrupted")
}

// An evicted pod does not count as a failure of its index, even if it has to be killed.
func (k kubeCluster) testEvicted() {
	whole := k.planLong("runs/evicted")
	job := k.submit("runs/evicted")
	r := k.waitForTraining(job.Job, "runs/evicted")
	r.process.Signal(syscall.SIGSTOP) // so that it does not end by itself
	eviction := map[string]any{
		"apiVersion": "policy/v1",
		"kind":       "Eviction",
		"metadata":   map[string]any{"name": r.pod},
	}
	if err := k.api.call(http.MethodPost, kubePodPath(r.pod)+"/eviction", eviction, nil); err != nil {
		k.t.Fatal(err)
	}
	r.process.Signal(syscall.SIGKILL)
	if status := k.waitForEnd("runs/evicted"); status.Submission.State.Done != 1 {
		k.t.Errorf("it ended as %+v", status)
	}
	k.checkEnds(job.Job, kubeEnd{128 + int(syscall.SIGKILL), "0"}, kubeEnd{0, "0"})
	k.compare(whole, "runs/evicted")
}

// At a time limit of the job its pods leave checkpoints, from which a second submission goes
// on, also where tasks write to folders of their own.
func (k kubeCluster) testTimeLimit() {
	whole := k.planLong("runs/limited")
	job := k.submit("runs/limited", "--shards", "runs/own")
	k.waitForTraining(job.Job, "runs/own/0")
	k.call("", "kubectl", "patch", "job", job.Job, "--type=merge", `--patch={"spec": {"activeDeadlineSeconds": 1}}`)
	if status := k.waitForEnd("runs/limited"); status.Submission.State.Failed != 1 {
		k.t.Errorf("at the time limit it ended as %+v", status)
	}
	k.checkEnds(job.Job, kubeEnd{130, "0"})
	k.checkCheckpoint("runs/own/0")
	if again := k.submit("runs/limited", "--shards", "runs/own"); again.Job != job.Job {
		k.t.Errorf("the second job is %s, want %s in the place of the first", again.Job, job.Job)
	}
	if status := k.waitForEnd("runs/limited"); status.Submission.State.Done != 1 {
		k.t.Errorf("submitted again it ended as %+v", status)
	}
	k.checkEnds(job.Job, kubeEnd{130, "0"}, kubeEnd{0, "0"})
	k.sml("study", "collect", "runs/limited", "runs/own/0")
	k.compare(whole, "runs/limited")
}

// A cancelled submission leaves checkpoints, and neither a job nor a process.
func (k kubeCluster) testCancelled() {
	k.planLong("runs/cancelled")
	job := k.submit("runs/cancelled")
	k.waitForTraining(job.Job, "runs/cancelled")
	k.sml("study", "cancel", "runs/cancelled")
	k.wait("the pod ended", func() bool { return k.node.runsOf(job.Job)[0].ended })
	k.checkEnds(job.Job, kubeEnd{130, "0"})
	k.checkCheckpoint("runs/cancelled")
	if state := k.status("runs/cancelled").Submission.State; state.Forgotten != 1 {
		k.t.Errorf("the job is %+v, want it forgotten", state)
	}
}

// command returns a command with the volume's folder as its working directory.
func (k kubeCluster) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = k.volume
	return c
}

// call runs a command and returns its standard output.
func (k kubeCluster) call(input, program string, args ...string) string {
	k.t.Helper()
	c := k.command(program, args...)
	var out, messages bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &messages
	if err := c.Run(); err != nil {
		k.t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, &out, &messages)
	}
	return out.String()
}

func (k kubeCluster) sml(args ...string) string {
	k.t.Helper()
	return k.call("", k.program, args...)
}

// plan plans a study in the volume, and the same study outside of it, to be run here. The
// cost is an estimate in seconds.
func (k kubeCluster) plan(study string, flags ...string) (whole string, cost float64) {
	k.t.Helper()
	whole = filepath.Join(k.t.TempDir(), "whole")
	var planned struct {
		Cost float64 `json:"estimated_core_seconds"`
	}
	for _, dir := range []string{whole, study} {
		out := k.sml(slices.Concat([]string{"study", "plan", dir, "--preset", "quick", "--datasets", "friedman", "--json"}, flags)...)
		if err := json.Unmarshal([]byte(out), &planned); err != nil {
			k.t.Fatal(err)
		}
	}
	return whole, planned.Cost
}

// planLong plans one training of some seconds, long enough to be interrupted.
func (k kubeCluster) planLong(study string) (whole string) {
	k.t.Helper()
	whole, _ = k.plan(study, "--methods", "mc", "--splits", "random", "--fold", "0", "--epochs", "40000")
	return whole
}

// submission returns the arguments that submit a study.
func (k kubeCluster) submission(study string, flags ...string) []string {
	return append([]string{"study", "submit", study, "--engine", "kubernetes", "--image", "sml:test",
		"--claim", kubeClaim, "--mount", k.mount, "--mem", "500M"}, flags...)
}

func (k kubeCluster) submit(study string, flags ...string) (s cluster.Submission) {
	k.t.Helper()
	out := k.sml(k.submission(study, append(flags, "--yes", "--json")...)...)
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		k.t.Fatal(err)
	}
	return s
}

// kubeStatus is what "study status" prints.
type kubeStatus struct {
	Cells, Done, Failed, Missing, Broken int
	Submission                           struct {
		State cluster.State
	}
}

func (k kubeCluster) status(study string) (s kubeStatus) {
	k.t.Helper()
	if err := json.Unmarshal([]byte(k.sml("study", "status", study, "--json")), &s); err != nil {
		k.t.Fatal(err)
	}
	return s
}

// wait waits until a condition holds.
func (k kubeCluster) wait(what string, holds func() bool) {
	k.t.Helper()
	const limit = 2 * time.Minute
	for start := time.Now(); time.Since(start) < limit; time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	k.t.Fatalf("after %v not yet: %s\n%s", limit, what, k.call("", "kubectl", "get", "jobs,pods"))
}

// waitForEnd waits until nothing of a study's submission is left to run.
func (k kubeCluster) waitForEnd(study string) (s kubeStatus) {
	k.t.Helper()
	k.wait(study+" ended", func() bool {
		s = k.status(study)
		return s.Submission.State.Pending+s.Submission.State.Running == 0
	})
	return s
}

// waitForRun waits until choose returns true for a running pod of the job.
func (k kubeCluster) waitForRun(job string, choose func(r kubeRun) bool) (found kubeRun) {
	k.t.Helper()
	k.wait("a pod of "+job+" runs", func() bool {
		runs := k.node.runsOf(job)
		i := slices.IndexFunc(runs, func(r kubeRun) bool { return r.process != nil && !r.ended && choose(r) })
		if i >= 0 {
			found = runs[i]
		}
		return i >= 0
	})
	return found
}

// waitForTraining waits until a pod of a job trains a cell of a study, or of a shard of it, and
// has had time for some epochs.
func (k kubeCluster) waitForTraining(job, study string) kubeRun {
	k.t.Helper()
	k.wait("a claim of a cell of "+study, func() bool { return len(k.files(study, "claims")) > 0 })
	time.Sleep(time.Second)
	return k.waitForRun(job, func(kubeRun) bool { return true })
}

// files lists the files in a folder of a study in the volume.
func (k kubeCluster) files(study, folder string) []string {
	list, _ := filepath.Glob(filepath.Join(k.volume, study, folder, "*"))
	return list
}

// checkCheckpoint checks that an interrupted training has left a checkpoint.
func (k kubeCluster) checkCheckpoint(study string) {
	k.t.Helper()
	if len(k.files(study, "checkpoints")) == 0 {
		k.t.Errorf("the interrupted training of %s left no checkpoint", study)
	}
}

// kubeEnd is how a pod ended.
type kubeEnd struct {
	exit     int
	failures string // number of failures of its index that were counted before
}

// ends lists how the pods of each index of a job ended.
func (k kubeCluster) ends(job string) map[string][]kubeEnd {
	ends := make(map[string][]kubeEnd)
	for _, r := range k.node.runsOf(job) {
		if !r.ended {
			k.t.Errorf("pod %s still runs", r.pod)
		}
		ends[r.index] = append(ends[r.index], kubeEnd{r.exit, r.failures})
	}
	return ends
}

// checkEnds checks how the pods of a job of one index ended.
func (k kubeCluster) checkEnds(job string, want ...kubeEnd) {
	k.t.Helper()
	if got := k.ends(job); len(got) != 1 || !slices.Equal(got["0"], want) {
		k.t.Errorf("pods ended with %v, want %v for index 0", got, want)
	}
}

// compare runs the study outside of the volume and compares all result files of both.
func (k kubeCluster) compare(whole, study string) {
	k.t.Helper()
	k.sml("study", "run", whole, "--quiet")
	want, got := studyFiles(k.t, whole), studyFiles(k.t, filepath.Join(k.volume, study))
	delete(got, "submission.json")
	if len(got) != len(want) {
		k.t.Errorf("%s has %d files, want %d", study, len(got), len(want))
	}
	for name, text := range want {
		if !bytes.Equal(got[name], text) {
			k.t.Errorf("%s of %s has %d bytes, and %d where it is run here, or they differ", name, study, len(got[name]), len(text))
		}
	}
}
