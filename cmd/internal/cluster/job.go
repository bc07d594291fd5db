package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sml/evaluation/study"
)

// Job is the remaining work of a study, divided into tasks for a cluster.
type Job struct {
	Script     string        // script or manifest to submit
	Cells      int           // remaining cells
	Tasks      int           // number of tasks
	TaskLength time.Duration // estimated length of a task
	Assumption string        // what Draft assumes because the cluster's programs are missing; "" if nothing

	work Work
}

// Draft returns the job of the remaining work of the study in dir, and submits nothing. Work.Check must have accepted w. It
// returns an error if nothing is left to run, or if the cluster does not answer.
func Draft(ctx context.Context, dir string, p *study.Plan, w Work) (*Job, error) {
	remaining, err := findRemainingWork(dir, p, w)
	if err != nil {
		return nil, err
	}
	var assumption string
	remaining.MaxTasks, assumption, err = w.Engine.maxTasks(ctx)
	if err != nil {
		return nil, err
	}
	w.tasks = remaining.divide()
	w.name = jobName(dir, p.Sum)
	script, err := w.Engine.script(w)
	if err != nil {
		return nil, err
	}
	return &Job{
		Script:     script,
		Cells:      remaining.Cells,
		Tasks:      w.tasks,
		TaskLength: remaining.taskLength(w.tasks),
		Assumption: assumption,
		work:       w,
	}, nil
}

// Submit submits the job. An earlier job of the same study need not have ended: no cell runs twice. If
// only the job that reports could not be submitted, Submit returns an error with the number of the job
// that was.
func (j *Job) Submit(ctx context.Context) (*Submission, error) {
	return j.work.Engine.submit(ctx, j.work)
}

// Submission has the jobs that were submitted, and shell commands for them.
type Submission struct {
	Engine    string `json:"engine"`              // SlurmName or KubernetesName
	Name      string `json:"name"`                // name of the tasks' job
	Namespace string `json:"namespace,omitempty"` // namespace of Kubernetes; "" for the namespace of kubectl's context
	Job       string `json:"job"`                 // identifier that the cluster gave to the tasks' job
	Report    string `json:"report,omitempty"`    // identifier of the job that reports; "" if there is none
	Tasks     int    `json:"tasks"`
	Watch     string `json:"watch"`  // shell command that shows the states of the jobs
	Cancel    string `json:"cancel"` // shell command that ends the jobs
}

// findRemainingWork returns the work of the cells without a result, and of failed cells if w asks to
// run them again. It returns an error if there are no such cells. MaxTasks stays 0.
func findRemainingWork(dir string, p *study.Plan, w Work) (remainingWork, error) {
	status := study.Status(dir, p)
	cells := status.Missing + status.Broken
	if w.RetryFailed {
		cells += status.Failed
	}
	if cells == 0 {
		return remainingWork{}, fmt.Errorf("all cells of %s have run; report with \"sml study report %s --out OUT\"", dir, dir)
	}
	totalCost := 0.0
	for _, cell := range p.Cells {
		totalCost += cell.Cost
	}
	return remainingWork{
		Work: w,
		// Each shard has cheap and expensive cells, so a remaining cell costs about the mean.
		Seconds: totalCost * float64(cells) / float64(status.Cells),
		Cells:   cells,
	}, nil
}

// jobName returns the name of a study's jobs, such as sml-grid-1a2b3c4d: the name of its directory and
// the beginning of its plan's checksum, so that no other job is mistaken for one of them. It is a label
// of RFC 1123, which Kubernetes wants: lower-case letters, digits and dashes.
func jobName(studyDir, planSum string) string {
	const ( // Kubernetes allows 63 characters for the job's name and a task's index together
		maxDirChars = 32
		sumChars    = 8
	)
	dirName := strings.ToLower(filepath.Base(studyDir))
	dirName = strings.Map(func(r rune) rune {
		isAllowed := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if isAllowed {
			return r
		}
		return '-'
	}, dirName)
	dirName = dirName[:min(len(dirName), maxDirChars)] // ASCII now, so that no character is split
	dirName = strings.Trim(dirName, "-")
	if dirName != "" {
		dirName += "-"
	}
	return "sml-" + dirName + planSum[:min(len(planSum), sumChars)]
}
