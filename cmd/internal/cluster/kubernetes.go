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

// submit creates the job. It first deletes the ended job of an earlier submission, which
// would not run again. It returns an error if a job of that name has not ended. No job writes
// a report when the tasks have ended.
func (e Kubernetes) submit(ctx context.Context, w Work) (*Submission, error) {
	text, err := e.script(w)
	if err != nil {
		return nil, err
	}
	s := newSubmission(kubernetesName, w, w.name)
	s.Namespace = e.Namespace
	former, err := e.state(ctx, s)
	if err != nil {
		return nil, err
	}
	if former.isLive() {
		return nil, fmt.Errorf("the cluster has a job %s that has not ended: %v", w.name, former)
	}
	ctx = context.WithoutCancel(ctx) // once created, the job has to be recorded
	if err := e.cancel(ctx, s); err != nil {
		return nil, err
	}
	if _, err := ask(ctx, kubernetesName, text, "kubectl", e.namespaced("create", "-f", "-")...); err != nil {
		return nil, err
	}
	return s, nil
}

// namespaced adds the namespace, if there is one, to the arguments of kubectl.
func (e Kubernetes) namespaced(args ...string) []string {
	if e.Namespace != "" {
		args = append(args, "--namespace", e.Namespace)
	}
	return args
}

// jobStatus is the part of a Job that state reads.
type jobStatus struct {
	Status struct {
		Active        int    `json:"active"`
		Succeeded     int    `json:"succeeded"`
		FailedIndexes string `json:"failedIndexes"`
		Conditions    []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

// state asks for the job's status. A pod that waits for a node counts as running.
func (e Kubernetes) state(ctx context.Context, s *Submission) (State, error) {
	out, err := ask(ctx, kubernetesName, "", "kubectl", e.namespaced("get", "job", s.Job, "--ignore-not-found", "--output=json")...)
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

// count returns the states of a job's tasks. The remaining tasks of an ended job will not run:
// if the job failed, they count as failed.
func (j jobStatus) count(tasks int) (State, error) {
	failed, err := countIndexes(j.Status.FailedIndexes)
	if err != nil {
		return State{}, err
	}
	state := State{Running: j.Status.Active, Done: j.Status.Succeeded, Failed: failed}
	rest := max(0, tasks-state.Running-state.Done-state.Failed)
	for _, c := range j.Status.Conditions {
		if c.Status != "True" {
			continue
		}
		switch c.Type {
		case "Complete":
			rest = 0
		case "Failed":
			state.Failed += rest
			rest = 0
		}
	}
	state.Pending = rest
	return state, nil
}

// countIndexes counts the indexes of a list such as 1,3-5,7.
func countIndexes(list string) (int, error) {
	n := 0
	if list == "" {
		return 0, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(first)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(last)
		}
		if err != nil || a < 0 || b < a || b > study.MaxShards {
			return 0, fmt.Errorf("%q is no list of indexes", list)
		}
		n += b - a + 1
	}
	return n, nil
}

// cancel deletes the job and its pods, which have time to write checkpoints.
func (e Kubernetes) cancel(ctx context.Context, s *Submission) error {
	_, err := ask(ctx, kubernetesName, "", "kubectl", e.namespaced("delete", "job", s.Job, "--ignore-not-found")...)
	return err
}

// mostTasks returns the largest number of shards of a study: Kubernetes allows more indexes.
func (e Kubernetes) mostTasks(context.Context) (int, error) { return study.MaxShards, nil }
