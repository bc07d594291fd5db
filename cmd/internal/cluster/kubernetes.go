package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sml/evaluation/study"
)

// Kubernetes submits to the cluster of kubectl's context.
type Kubernetes struct {
	Namespace string // "" for the namespace of kubectl's context
	Image     string // image with the program
	Claim     string // PersistentVolumeClaim of the study's volume, which many nodes may write
	Mount     string // path of the volume in a task
}

// script returns the manifest of an Indexed Job, in YAML.
func (e Kubernetes) script(w Work) (string, error) {
	v := newJobValues(w)
	v.Pods = e
	return v.execute("job.yaml")
}

// submit creates the job. It first deletes the ended job of an earlier submission, as a job's name
// cannot be used twice. It returns an error if a job of that name has not ended. On Kubernetes no job
// writes a report when the tasks have ended.
func (e Kubernetes) submit(ctx context.Context, w Work) (*Submission, error) {
	manifest, err := e.script(w)
	if err != nil {
		return nil, err
	}
	s := newSubmission(kubernetesName, w, w.name)
	s.Namespace = e.Namespace
	earlier, err := e.state(ctx, s) // s has the name that the job of an earlier submission had
	if err != nil {
		return nil, err
	}
	if earlier.isLive() {
		return nil, fmt.Errorf("the cluster has a job %s that has not ended: %v", w.name, earlier)
	}
	ctx = context.WithoutCancel(ctx) // once created, the job has to be recorded
	if err := e.cancel(ctx, s); err != nil {
		return nil, err
	}
	if _, err := runProgram(ctx, kubernetesName, manifest, "kubectl", e.addNamespace("create", "-f", "-")...); err != nil {
		return nil, err
	}
	return s, nil
}

// addNamespace returns the arguments of kubectl with the option of the namespace, if there is one.
func (e Kubernetes) addNamespace(args ...string) []string {
	if e.Namespace != "" {
		args = append(args, "--namespace", e.Namespace)
	}
	return args
}

// jobStatus is the part of a Job (batch/v1) that state reads.
type jobStatus struct {
	Status struct {
		Active        int    `json:"active"`        // pods that run, or wait for a node
		Succeeded     int    `json:"succeeded"`     // pods that ended successfully
		FailedIndexes string `json:"failedIndexes"` // in the form that countIndexes reads
		Conditions    []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

// state asks for the job's status. A pod that waits for a node counts as running. All tasks of a job
// that does not exist are forgotten.
func (e Kubernetes) state(ctx context.Context, s *Submission) (State, error) {
	out, err := runProgram(ctx, kubernetesName, "", "kubectl", e.addNamespace("get", "job", s.Job, "--ignore-not-found", "--output=json")...)
	if err != nil {
		return State{}, err
	}
	if strings.TrimSpace(out) == "" {
		return State{Forgotten: s.Tasks}, nil
	}
	var job jobStatus
	if err := json.Unmarshal([]byte(out), &job); err != nil {
		return State{}, fmt.Errorf("kubectl: %w", err)
	}
	state, err := job.count(s.Tasks)
	if err != nil {
		return State{}, fmt.Errorf("kubectl: %w", err)
	}
	return state, nil
}

// count returns the states of a job's tasks. Tasks that neither run nor have ended are pending, unless
// the job has ended: then they will not run and, if the job failed, count as failed.
func (j jobStatus) count(tasks int) (State, error) {
	failed, err := countIndexes(j.Status.FailedIndexes)
	if err != nil {
		return State{}, err
	}
	state := State{Running: j.Status.Active, Done: j.Status.Succeeded, Failed: failed}
	// A pod that is being replaced can be counted twice, so the difference can be negative.
	remaining := max(0, tasks-state.Running-state.Done-state.Failed)
	for _, condition := range j.Status.Conditions {
		if condition.Status != "True" {
			continue
		}
		switch condition.Type {
		case "Complete":
			remaining = 0
		case "Failed":
			state.Failed += remaining
			remaining = 0
		}
	}
	state.Pending = remaining
	return state, nil
}

// countIndexes returns the number of indexes in a list such as 1,3-5,7, which has 5. It returns an
// error if the list has another form.
func countIndexes(list string) (int, error) {
	if list == "" {
		return 0, nil
	}
	count := 0
	for indexes := range strings.SplitSeq(list, ",") {
		firstText, lastText, isRange := strings.Cut(indexes, "-")
		if !isRange {
			lastText = firstText
		}
		first, firstErr := strconv.Atoi(firstText)
		last, lastErr := strconv.Atoi(lastText)
		if firstErr != nil || lastErr != nil || first < 0 || last < first || last > study.MaxShards {
			return 0, fmt.Errorf("%q is not a list of indexes such as 1,3-5,7", list)
		}
		count += last - first + 1
	}
	return count, nil
}

// cancel deletes the job and its pods, which have time to write checkpoints.
func (e Kubernetes) cancel(ctx context.Context, s *Submission) error {
	_, err := runProgram(ctx, kubernetesName, "", "kubectl", e.addNamespace("delete", "job", s.Job, "--ignore-not-found")...)
	return err
}

// maxTasks returns the largest number of shards of a study: Kubernetes allows more indexes.
func (e Kubernetes) maxTasks(context.Context) (int, error) { return study.MaxShards, nil }
