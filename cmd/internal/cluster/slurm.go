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

// Slurm submits to the cluster of sbatch. It asks the controller for states (squeue,
// scontrol), since not every site has accounting.
type Slurm struct {
	Time      string   // time limit of a task, as parseLimit reads it; "" for the partition's
	Partition string   // "" for the cluster's default
	Account   string   // "" for the user's default
	Options   []string // further options of sbatch, such as --qos=low
}

// defaultArray is Slurm's default of MaxArraySize.
const defaultArray = 1001

// mostTasks asks for the largest number of tasks of an array job. Indexes start at 1, and
// MaxArraySize is the first index that the cluster refuses. The number is at most
// study.MaxShards.
func (e Slurm) mostTasks(ctx context.Context) (int, error) {
	text, err := ask(ctx, slurmName, "", "scontrol", "show", "config")
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

// submit submits the array job, and a job that collects and reports once all tasks have ended,
// successfully or not.
func (e Slurm) submit(ctx context.Context, w Work) (*Submission, error) {
	array, err := e.array(w)
	if err != nil {
		return nil, err
	}
	report, err := e.report(w)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(w.Study, logs), 0o777); err != nil { // Slurm does not make folders
		return nil, err
	}
	id, err := e.sbatch(ctx, array)
	if err != nil {
		return nil, err
	}
	s := newSubmission(slurmName, w, id)
	if report == "" {
		return s, nil
	}
	if s.Report, err = e.sbatch(ctx, report, "--dependency=afterany:"+id); err != nil {
		return s, fmt.Errorf("job %s is submitted, and the job that reports is not: %w", id, err)
	}
	return s, nil
}

// sbatch submits a script and returns the job's number.
func (e Slurm) sbatch(ctx context.Context, script string, options ...string) (string, error) {
	// Submitting is not interrupted: the job's number would be lost.
	out, err := ask(context.WithoutCancel(ctx), slurmName, script, "sbatch", append([]string{"--parsable"}, options...)...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // a cluster's name may follow
	if !slurmID.MatchString(id) {
		return "", fmt.Errorf("sbatch printed %q, and no number of a job", out)
	}
	return id, nil
}

// stateWords translates the states that squeue prints. Any other state, such as
// COMPLETING, belongs to a running job.
var stateWords = map[string]string{
	"PENDING": pending, "REQUEUED": pending, "REQUEUE_HOLD": pending, "REQUEUE_FED": pending, "RESV_DEL_HOLD": pending, "SPECIAL_EXIT": pending,
	"COMPLETED": done,
	"BOOT_FAIL": failed, "DEADLINE": failed, "FAILED": failed, "NODE_FAIL": failed, "OUT_OF_MEMORY": failed, "PREEMPTED": failed, "REVOKED": failed, "TIMEOUT": failed,
	"CANCELLED": cancelled,
}

// state asks squeue, which forgets ended jobs after MinJobAge, five minutes by default.
func (e Slurm) state(ctx context.Context, s *Submission) (State, error) {
	var state State
	if err := e.count(ctx, job{s.Job, s.Name, s.Tasks}, &state); err != nil {
		return state, err
	}
	if s.Report == "" {
		return state, nil
	}
	var report State
	if err := e.count(ctx, job{s.Report, s.Name + "-report", 1}, &report); err != nil {
		return state, err
	}
	state.Report = report.word()
	return state, nil
}

// job is a job whose tasks are counted.
type job struct {
	id, name string
	tasks    int
}

// count adds the states of a job's tasks. A job of another name is ignored: it has the number
// of a forgotten one. A line with the job's number alone stands for all tasks without their own
// line, such as tasks that were cancelled before they started.
func (e Slurm) count(ctx context.Context, j job, state *State) error {
	out, err := ask(ctx, slurmName, "", "squeue", "--noheader", "--array", "--states=all", "--jobs="+j.id, "--format=%i %T %j")
	if err != nil && !strings.Contains(err.Error(), "Invalid job id") {
		return err
	}
	rest := forgotten
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != j.name {
			continue
		}
		word, ok := stateWords[fields[1]]
		if !ok {
			word = running
		}
		if fields[0] == j.id {
			rest = word
			continue
		}
		state.count(word, 1)
		j.tasks--
	}
	state.count(rest, max(0, j.tasks))
	return nil
}

// cancel cancels the job that reports, then the array job.
func (e Slurm) cancel(ctx context.Context, s *Submission) error {
	if s.Report != "" {
		if err := e.cancelJob(ctx, s.Report, s.Name+"-report"); err != nil {
			return err
		}
	}
	return e.cancelJob(ctx, s.Job, s.Name)
}

func (e Slurm) cancelJob(ctx context.Context, id, name string) error {
	_, err := ask(ctx, slurmName, "", "scancel", "--quiet", "--jobname="+name, id)
	return err
}
