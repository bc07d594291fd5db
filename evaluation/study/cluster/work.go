package cluster

import (
	"context"
	"fmt"
)

// Work describes the tasks of a submission. Each task runs one share of the study. Paths are
// as tasks see them.
type Work struct {
	Name     string     // name of the jobs, from JobName
	Plan     string     // checksum of the study's plan
	Program  string     // path of sml
	Dir      string     // working directory; tables may be named relative to it
	Study    string     // the study's directory
	Shares   string     // directory with the tasks' own directories, named 1 to Tasks; "" if all tasks write to Study
	Report   string     // directory of the report; "" for no report
	Flags    []string   // further flags of "study run"
	Env      []Variable // environment variables to set
	Tasks    int        // at least 1
	Parallel int        // tasks that run at the same time; 0 for any number
	CPUs     int        // cores of a task, at least 1
	Memory   Bytes      // of a task; 0 for the cluster's default
}

// Variable is an environment variable.
type Variable struct {
	Name, Value string
}

// Engine submits work to one kind of cluster.
type Engine interface {
	// Script returns the text that Submit submits, for people to read.
	Script(w Work) (string, error)
	// Submit submits work. If only the job that reports could not be submitted, Submit
	// returns the submission together with the error.
	Submit(ctx context.Context, w Work) (*Submission, error)
	// State asks for the states of a submission's tasks.
	State(ctx context.Context, s *Submission) (State, error)
	// Cancel ends the remaining jobs of a submission.
	Cancel(ctx context.Context, s *Submission) error
}

// Names of engines.
const (
	SlurmName      = "slurm"
	KubernetesName = "kubernetes"
)

// Names returns the names of the engines.
func Names() []string { return []string{SlurmName, KubernetesName} }

// EngineOf returns the engine of a submission.
func EngineOf(s *Submission) (Engine, error) {
	switch s.Engine {
	case SlurmName:
		return Slurm{}, nil
	case KubernetesName:
		return Kubernetes{Namespace: s.Namespace}, nil
	}
	return nil, fmt.Errorf("the submission has engine %q: there is %v", s.Engine, Names())
}
