package cluster

import (
	"context"
	"fmt"
	"time"
)

// Work describes a submission: where the study runs and what its tasks need. Each task runs
// one shard of the study. Paths are valid on the machines that run tasks.
type Work struct {
	Engine Engine // Slurm or Kubernetes, with their options

	Program     string   // path of sml
	Dir         string   // working directory; tables may be named relative to it
	Study       string   // the study's directory
	ShardsDir   string   // directory with the tasks' own directories, named 1 to N; "" if all tasks write to Study
	Report      string   // directory of the report; "" for no report
	RetryFailed bool     // whether failed cells run again
	Env         []string // environment variables to set, as NAME=value

	Length   time.Duration // wanted length of a task
	Parallel int           // tasks that run at the same time; 0 for any number
	CPUs     int           // cores of a task, at least 1
	Memory   string        // memory of a task, such as 4G; "" for the cluster's default

	name  string // name of the jobs, from jobName
	tasks int    // number of tasks, at least 1
}

// Check returns an error if the memory of a task or an option of Slurm is not valid. The error
// begins with mem, time or sbatch.
func (w Work) Check() error {
	if w.Memory != "" {
		if _, err := parseMebibytes(w.Memory); err != nil {
			return fmt.Errorf("mem: %w", err)
		}
	}
	if e, isSlurm := w.Engine.(Slurm); isSlurm { // Kubernetes checks its options itself
		return e.check()
	}
	return nil
}

// Engine submits work to one kind of cluster.
type Engine interface {
	// maxTasks returns the largest number of tasks of a job. If the cluster would have to be asked and
	// its programs are not installed, assumption says which number is taken; otherwise it is "".
	maxTasks(ctx context.Context) (tasks int, assumption string, err error)
	// script returns the text that submit submits, for people to read.
	script(w Work) (string, error)
	submit(ctx context.Context, w Work) (*Submission, error)
}

// Names of engines.
const (
	SlurmName      = "slurm"
	KubernetesName = "kubernetes"
)
