package cluster

import (
	"context"
	"fmt"
)

// Work is what an engine has a cluster do: a study's shares, one a task.
type Work struct {
	Name     string     // of jobs: JobName's
	Plan     string     // the sum of the study's plan
	Program  string     // path of sml, as tasks see it; so are the other paths
	Dir      string     // where commands run, as tables may be named relative to it
	Study    string     // folder
	Shares   string     // folder of folders that tasks write to, called 1 to Tasks; "": all write to Study
	Report   string     // folder that a report is written into; "": none
	Flags    []string   // of "study run", beside those that say which share
	Env      []Variable // that programs have beside what the cluster gives them
	Tasks    int        // from 1
	Parallel int        // tasks at the same time; 0: as many as there is room for
	CPUs     int        // of a task, from 1
	Memory   Bytes      // of a task; 0: the cluster's default
}

// Variable is one of the environment.
type Variable struct {
	Name, Value string
}

// Engine is a way to a cluster.
type Engine interface {
	// Script is what Submit hands to the cluster, for people to read.
	Script(w Work) (string, error)
	// Submit hands work to the cluster. If only the report could not be submitted,
	// it returns the submission beside the error.
	Submit(ctx context.Context, w Work) (*Submission, error)
	// State asks for the tasks of a submission.
	State(ctx context.Context, s *Submission) (State, error)
	// Cancel ends what is left of a submission.
	Cancel(ctx context.Context, s *Submission) error
}

// Names of engines.
const (
	SlurmName      = "slurm"
	KubernetesName = "kubernetes"
)

// Names lists the engines.
func Names() []string { return []string{SlurmName, KubernetesName} }

// EngineOf returns the engine that knows of a submission.
func EngineOf(s *Submission) (Engine, error) {
	switch s.Engine {
	case SlurmName:
		return Slurm{}, nil
	case KubernetesName:
		return Kubernetes{Namespace: s.Namespace}, nil
	}
	return nil, fmt.Errorf("the submission has engine %q: there is %v", s.Engine, Names())
}
