package cluster

import (
	"context"
	"fmt"
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

// submit creates the job. It returns an error if the cluster has a job of that name, ended or not: a
// job's name cannot be used twice. On Kubernetes no job writes a report when the tasks have ended.
func (e Kubernetes) submit(ctx context.Context, w Work) (*Submission, error) {
	manifest, err := e.script(w)
	if err != nil {
		return nil, err
	}
	cancel := quoteWords(e.kubectl("delete", "job", w.name)...)
	create := e.kubectl("create", "-f", "-") // from the standard input
	ctx = context.WithoutCancel(ctx)         // if the submission were interrupted, nobody would know whether the job exists
	_, err = runProgram(ctx, KubernetesName, manifest, create[0], create[1:]...)
	if err != nil && strings.Contains(err.Error(), "AlreadyExists") {
		return nil, fmt.Errorf("%w; delete the earlier job first: %s", err, cancel)
	}
	if err != nil {
		return nil, err
	}
	return &Submission{
		Engine:    KubernetesName,
		Name:      w.name,
		Namespace: e.Namespace,
		Job:       w.name,
		Tasks:     w.tasks,
		Watch:     quoteWords(e.kubectl("get", "job", w.name)...),
		Cancel:    cancel,
	}, nil
}

// kubectl returns the words of a command of kubectl, with the option of the namespace if there is one.
func (e Kubernetes) kubectl(args ...string) []string {
	words := append([]string{"kubectl"}, args...)
	if e.Namespace != "" {
		words = append(words, "--namespace", e.Namespace)
	}
	return words
}

// maxTasks returns the largest number of shards of a study: Kubernetes allows more indexes.
func (e Kubernetes) maxTasks(context.Context) (tasks int, assumption string, err error) {
	return study.MaxShards, "", nil
}
