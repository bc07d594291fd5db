package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sml/evaluation/study"
)

// Slurm submits to the cluster of sbatch.
type Slurm struct {
	Time      string   // time limit of a task, as parseTimeLimit reads it; "" for the partition's
	Partition string   // "" for the cluster's default
	Account   string   // "" for the user's default
	Options   []string // further options of sbatch, such as --qos=low
}

// check returns an error if the time limit or an option is not valid. The error begins with the name of the option.
func (e Slurm) check() error {
	if e.Time != "" {
		if _, err := parseTimeLimit(e.Time); err != nil {
			return fmt.Errorf("time: %w", err)
		}
	}
	for _, option := range e.Options {
		if _, err := directive(option); err != nil {
			return fmt.Errorf("sbatch: %w", err)
		}
	}
	return nil
}

// defaultMaxArraySize is Slurm's default of MaxArraySize, a bound of the indexes of an array job.
const defaultMaxArraySize = 1001

// maxTasks asks the cluster for the largest number of tasks of an array job, which is at most
// study.MaxShards. Without Slurm's programs it assumes Slurm's default. It returns an error if the
// cluster does not answer, or allows no array jobs.
func (e Slurm) maxTasks(ctx context.Context) (tasks int, assumption string, err error) {
	// MaxArraySize is the first index that the cluster refuses, and the indexes of our jobs start at 1.
	if !isInstalled("scontrol") {
		return defaultMaxArraySize - 1, fmt.Sprintf("Slurm is not installed here: its MaxArraySize is taken to be %d", defaultMaxArraySize), nil
	}
	config, err := runProgram(ctx, SlurmName, "", "scontrol", "show", "config")
	if err != nil {
		return 0, "", fmt.Errorf("Slurm's controller does not answer; run this on a login node of the cluster: %w", err)
	}
	maxArraySize, err := findMaxArraySize(config)
	if err != nil {
		return 0, "", err
	}
	tasks = maxArraySize - 1
	if tasks < 1 {
		return 0, "", fmt.Errorf("this cluster has no array jobs: its MaxArraySize is %d; ask the administrators for at least 2", maxArraySize)
	}
	return min(tasks, study.MaxShards), "", nil
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
// successfully or not. If only the second cannot be submitted, submit returns an error with the number of
// the first.
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
	s := &Submission{
		Engine: SlurmName,
		Name:   w.name,
		Job:    id,
		Tasks:  w.tasks,
		Watch:  "squeue -n " + w.name,
		Cancel: "scancel -n " + w.name,
	}
	if report == "" {
		return s, nil
	}
	s.Report, err = e.sbatch(ctx, report, "--dependency=afterany:"+id)
	if err != nil {
		return nil, fmt.Errorf("job %s is submitted, but not the job that reports; end it with \"%s\": %w", id, s.Cancel, err)
	}
	reportName := w.name + reportSuffix
	s.Watch += "," + reportName
	// The job that reports ends first: the end of the array job would start it.
	s.Cancel = "scancel -n " + reportName + "; " + s.Cancel
	return s, nil
}

// slurmID matches the number of a job.
var slurmID = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)

// sbatch submits a script and returns the job's number.
func (e Slurm) sbatch(ctx context.Context, script string, options ...string) (string, error) {
	ctx = context.WithoutCancel(ctx) // if the submission were interrupted, the job's number would be lost
	options = append([]string{"--parsable"}, options...)
	out, err := runProgram(ctx, SlurmName, script, "sbatch", options...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // NUMBER or NUMBER;CLUSTER
	if !slurmID.MatchString(id) {
		return "", fmt.Errorf("sbatch printed %q; want a job number", out)
	}
	return id, nil
}
