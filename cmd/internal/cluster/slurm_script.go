package cluster

import (
	"fmt"
	"path/filepath"
	"strings"
)

// logsDir is the folder for the output of tasks, in the study's directory.
const logsDir = "slurm"

// reportSuffix is added to the name of the array job for the name of the job that reports.
const reportSuffix = "-report"

// script returns the script of the array job, followed by the script of the job that reports.
func (e Slurm) script(w Work) (string, error) {
	array, err := e.array(w)
	if err != nil {
		return "", err
	}
	report, err := e.report(w)
	if err != nil || report == "" {
		return array, err
	}
	return array + "\n# When all tasks have ended: sbatch --dependency=afterany:JOB, with this script:\n\n" + report, nil
}

// array returns the script of the array job. Each of its tasks runs one shard.
func (e Slurm) array(w Work) (string, error) {
	v := newJobValues(w)
	options, err := e.directives(w, "%A_%a.log") // numbers of the job and the task
	if err != nil {
		return "", err
	}
	v.Options = options
	return v.execute("array")
}

// report returns the script of the job that collects and reports, "" if it would do nothing.
func (e Slurm) report(w Work) (string, error) {
	if w.ShardsDir == "" && w.Report == "" {
		return "", nil
	}
	v := newJobValues(w)
	v.Name += reportSuffix
	options, err := e.directives(w, "report-%j.log") // number of the job
	if err != nil {
		return "", err
	}
	v.Options = options
	return v.execute("report")
}

// directives returns the user's options of sbatch, the working directory and the path of the log, as they stand
// after #SBATCH. log is the name of the log with placeholders of sbatch. directives returns an error if an option
// or the log's path cannot be passed to sbatch.
func (e Slurm) directives(w Work, log string) ([]string, error) {
	logs := filepath.Join(w.Study, logsDir)
	if strings.Contains(logs, `\`) {
		return nil, fmt.Errorf("%s: Slurm gives a backslash in a log's path a meaning of its own: plan into another folder", logs)
	}
	var options []string
	if e.Time != "" {
		options = append(options, "--time="+e.Time)
	}
	if e.Partition != "" {
		options = append(options, "--partition="+e.Partition)
	}
	if e.Account != "" {
		options = append(options, "--account="+e.Account)
	}
	options = append(options, e.Options...)
	output := filepath.Join(strings.ReplaceAll(logs, "%", "%%"), log) // a % in the folder's name is no placeholder
	options = append(options, "--chdir="+w.Dir, "--output="+output)
	for i, option := range options {
		line, err := directive(option)
		if err != nil {
			return nil, err
		}
		options[i] = line
	}
	return options, nil
}
