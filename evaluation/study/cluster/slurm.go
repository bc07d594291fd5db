package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sml/evaluation/study"
)

// Slurm submits to the cluster that sbatch speaks to. It asks the controller alone
// (squeue, scontrol), as a site may have no accounting.
type Slurm struct {
	Time      string   // limit of a task, in a form of ParseLimit; "": the partition's
	Partition string   // "": the cluster's default
	Account   string   // "": the user's default
	Options   []string // of sbatch beside these, such as --qos=low
}

// DefaultArray is MaxArraySize of a Slurm that is not told another one.
const DefaultArray = 1001

// MostTasks is how many tasks an array may have: it counts from 1, and the cluster's
// MaxArraySize is the first index that it refuses. No study has more than study.MaxShards.
func (e Slurm) MostTasks(ctx context.Context) (int, error) {
	text, err := ask(ctx, SlurmName, "", "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(name) != "MaxArraySize" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			return 0, fmt.Errorf("scontrol: MaxArraySize is %q", strings.TrimSpace(value))
		}
		if n < 2 {
			return 0, fmt.Errorf("MaxArraySize of this cluster is %d, so that it has no array jobs: ask its administrators for one of at least 2", n)
		}
		return min(n-1, study.MaxShards), nil
	}
	return 0, errors.New("scontrol: its configuration has no MaxArraySize")
}

// Submit submits the array, and a job that collects and reports when all its tasks
// have ended, however they did.
func (e Slurm) Submit(ctx context.Context, w Work) (*Submission, error) {
	array, err := e.array(w)
	if err != nil {
		return nil, err
	}
	report, err := e.report(w)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(w.Study, logs), 0o777); err != nil { // Slurm does not
		return nil, err
	}
	id, err := e.sbatch(ctx, array)
	if err != nil {
		return nil, err
	}
	s := newSubmission(SlurmName, w, id)
	if report == "" {
		return s, nil
	}
	if s.Report, err = e.sbatch(ctx, report, "--dependency=afterany:"+id); err != nil {
		return s, fmt.Errorf("job %s is submitted, and the one that reports is not: %w", id, err)
	}
	return s, nil
}

// sbatch submits a script and returns the job's number.
func (e Slurm) sbatch(ctx context.Context, script string, options ...string) (string, error) {
	// A submission that was begun is heard to its end, or its number would be lost.
	out, err := ask(context.WithoutCancel(ctx), SlurmName, script, "sbatch", append([]string{"--parsable"}, options...)...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // a cluster's name may follow
	if !slurmID.MatchString(id) {
		return "", fmt.Errorf("sbatch printed %q, and no number of a job", out)
	}
	return id, nil
}

// words of states, as squeue prints them. Others are of jobs on their way from one to
// another, such as COMPLETING.
var words = map[string]string{
	"PENDING": pending, "REQUEUED": pending, "REQUEUE_HOLD": pending, "REQUEUE_FED": pending, "RESV_DEL_HOLD": pending, "SPECIAL_EXIT": pending,
	"COMPLETED": done,
	"BOOT_FAIL": failed, "DEADLINE": failed, "FAILED": failed, "NODE_FAIL": failed, "OUT_OF_MEMORY": failed, "PREEMPTED": failed, "REVOKED": failed, "TIMEOUT": failed,
	"CANCELLED": cancelled,
}

// State asks squeue, which knows of jobs that ended for MinJobAge only, five
// minutes unless a site has another.
func (e Slurm) State(ctx context.Context, s *Submission) (State, error) {
	var state State
	if err := e.count(ctx, s.Job, s.Name, s.Tasks, &state); err != nil {
		return state, err
	}
	if s.Report == "" {
		return state, nil
	}
	var report State
	if err := e.count(ctx, s.Report, s.Name+"-report", 1, &report); err != nil {
		return state, err
	}
	state.Report = report.word()
	return state, nil
}

// count counts the tasks of a job. A job of another name has the number of one that
// was forgotten. A line of the job as a whole, whose number has no task's behind it, is of
// all that have no line of their own: such as those that were cancelled before they began.
func (e Slurm) count(ctx context.Context, id, name string, tasks int, state *State) error {
	out, err := ask(ctx, SlurmName, "", "squeue", "--noheader", "--array", "--states=all", "--jobs="+id, "--format=%i %T %j")
	if err != nil && !strings.Contains(err.Error(), "Invalid job id") {
		return err
	}
	rest := forgotten
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != name {
			continue
		}
		word, ended := words[fields[1]]
		if !ended {
			word = running
		}
		if fields[0] == id {
			rest = word
			continue
		}
		state.count(word, 1)
		tasks--
	}
	state.count(rest, max(0, tasks))
	return nil
}

// Cancel cancels the job that reports, then the array.
func (e Slurm) Cancel(ctx context.Context, s *Submission) error {
	if s.Report != "" {
		if err := e.cancel(ctx, s.Report, s.Name+"-report"); err != nil {
			return err
		}
	}
	return e.cancel(ctx, s.Job, s.Name)
}

func (e Slurm) cancel(ctx context.Context, id, name string) error {
	_, err := ask(ctx, SlurmName, "", "scancel", "--quiet", "--jobname="+name, id)
	return err
}
