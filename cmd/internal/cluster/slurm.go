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
	Time      string   // time limit of a task, as parseTimeLimit reads it; "" for the partition's
	Partition string   // "" for the cluster's default
	Account   string   // "" for the user's default
	Options   []string // further options of sbatch, such as --qos=low
}

// defaultMaxArraySize is Slurm's default of MaxArraySize, a bound of the indexes of an array job.
const defaultMaxArraySize = 1001

// maxTasks asks the cluster for the largest number of tasks of an array job, which is at most
// study.MaxShards. It returns an error if the cluster does not answer, or allows no array jobs.
func (e Slurm) maxTasks(ctx context.Context) (int, error) {
	config, err := runProgram(ctx, slurmName, "", "scontrol", "show", "config")
	if err != nil {
		return 0, fmt.Errorf("Slurm's controller does not answer; run this on a login node of the cluster: %w", err)
	}
	maxArraySize, err := findMaxArraySize(config)
	if err != nil {
		return 0, err
	}
	// MaxArraySize is the first index that the cluster refuses, and the indexes of our jobs start at 1.
	tasks := maxArraySize - 1
	if tasks < 1 {
		return 0, fmt.Errorf("this cluster has no array jobs: its MaxArraySize is %d; ask the administrators for at least 2", maxArraySize)
	}
	return min(tasks, study.MaxShards), nil
}

// findMaxArraySize returns the setting MaxArraySize in the configuration that scontrol prints: a line
// "NAME = VALUE" for each setting.
func findMaxArraySize(config string) (int, error) {
	for line := range strings.Lines(config) {
		name, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(name) != "MaxArraySize" {
			continue
		}
		value = strings.TrimSpace(value)
		size, err := strconv.Atoi(value)
		if err != nil {
			return 0, fmt.Errorf("scontrol: MaxArraySize is %q", value)
		}
		return size, nil
	}
	return 0, errors.New("scontrol: the configuration has no MaxArraySize")
}

// submit submits the array job, and a job that collects and reports once all tasks have ended,
// successfully or not. If only the second cannot be submitted, it returns the submission of the first
// together with an error.
func (e Slurm) submit(ctx context.Context, w Work) (*Submission, error) {
	array, err := e.array(w)
	if err != nil {
		return nil, err
	}
	report, err := e.report(w)
	if err != nil {
		return nil, err
	}
	// Without the folder of the logs, tasks would fail: Slurm does not make it.
	if err := os.MkdirAll(filepath.Join(w.Study, logsDir), 0o777); err != nil {
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
	s.Report, err = e.sbatch(ctx, report, "--dependency=afterany:"+id)
	if err != nil {
		return s, fmt.Errorf("job %s is submitted, but not the job that reports: %w", id, err)
	}
	return s, nil
}

// sbatch submits a script and returns the job's number.
func (e Slurm) sbatch(ctx context.Context, script string, options ...string) (string, error) {
	ctx = context.WithoutCancel(ctx) // if the submission were interrupted, the job's number would be lost
	options = append([]string{"--parsable"}, options...)
	out, err := runProgram(ctx, slurmName, script, "sbatch", options...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // NUMBER or NUMBER;CLUSTER
	if !slurmID.MatchString(id) {
		return "", fmt.Errorf("sbatch printed %q; want a job number", out)
	}
	return id, nil
}

// stateWords translates the states that squeue prints. Any other state, such as
// COMPLETING, belongs to a running job.
var stateWords = map[string]string{
	"PENDING":       pending,
	"REQUEUED":      pending,
	"REQUEUE_HOLD":  pending,
	"REQUEUE_FED":   pending,
	"RESV_DEL_HOLD": pending,
	"SPECIAL_EXIT":  pending,
	"COMPLETED":     done,
	"BOOT_FAIL":     failed,
	"DEADLINE":      failed,
	"FAILED":        failed,
	"NODE_FAIL":     failed,
	"OUT_OF_MEMORY": failed,
	"PREEMPTED":     failed,
	"REVOKED":       failed,
	"TIMEOUT":       failed,
	"CANCELLED":     cancelled,
}

// state asks squeue for the states of a submission's tasks and of the job that reports. squeue forgets
// ended jobs after MinJobAge, five minutes by default; their tasks count as forgotten.
func (e Slurm) state(ctx context.Context, s *Submission) (State, error) {
	state, err := e.jobState(ctx, slurmJob{id: s.Job, name: s.Name, tasks: s.Tasks})
	if err != nil || s.Report == "" {
		return state, err
	}
	report, err := e.jobState(ctx, slurmJob{id: s.Report, name: s.Name + reportSuffix, tasks: 1})
	if err != nil {
		return state, err
	}
	state.Report = report.word()
	return state, nil
}

// slurmJob is a submitted job.
type slurmJob struct {
	id    string // number that Slurm gave to the job
	name  string
	tasks int // number of tasks
}

// jobState asks squeue for the states of a job's tasks. Slurm answers for a job that it has forgotten with
// an error; then all tasks count as forgotten.
func (e Slurm) jobState(ctx context.Context, j slurmJob) (State, error) {
	const format = "%i %T %j" // number, state and name of the job
	lines, err := runProgram(ctx, slurmName, "", "squeue", "--noheader", "--array", "--states=all", "--jobs="+j.id, "--format="+format)
	isForgotten := err != nil && strings.Contains(err.Error(), "Invalid job id")
	if err != nil && !isForgotten {
		return State{}, err
	}
	return j.countStates(lines), nil
}

// countStates counts the states of the job's tasks in the lines "NUMBER STATE NAME" of squeue. Tasks
// without a line are forgotten, unless a line of the whole job says otherwise.
func (j slurmJob) countStates(lines string) State {
	var state State
	counted := 0            // tasks with a line of their own
	otherTasks := forgotten // state of the tasks without one
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != j.name {
			continue // a job of another name has the number of a forgotten one
		}
		word, isKnown := stateWords[fields[1]]
		if !isKnown {
			word = running
		}
		if fields[0] == j.id {
			// The job's own number, without an index, stands for all tasks without a line, such as
			// tasks that were cancelled before they started.
			otherTasks = word
			continue
		}
		*state.count(word)++
		counted++
	}
	*state.count(otherTasks) += max(0, j.tasks-counted)
	return state
}

// cancel cancels the job that reports, then the array job: in the other order, the end of the array job
// would start the report.
func (e Slurm) cancel(ctx context.Context, s *Submission) error {
	if s.Report != "" {
		if err := e.cancelJob(ctx, s.Report, s.Name+reportSuffix); err != nil {
			return err
		}
	}
	return e.cancelJob(ctx, s.Job, s.Name)
}

// cancelJob cancels the job with a number, but only if it also has the name: Slurm gives numbers of
// forgotten jobs to others.
func (e Slurm) cancelJob(ctx context.Context, id, name string) error {
	_, err := runProgram(ctx, slurmName, "", "scancel", "--quiet", "--jobname="+name, id)
	return err
}
