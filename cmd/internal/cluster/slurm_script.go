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
	return e.execute("array", w.name, "%A_%a.log", w) // numbers of the job and the task
}

// report returns the script of the job that collects and reports, "" if it would do nothing.
func (e Slurm) report(w Work) (string, error) {
	if w.ShardsDir == "" && w.Report == "" {
		return "", nil
	}
	return e.execute("report", w.name+reportSuffix, "report-%j.log", w) // number of the job
}

// execute returns the text of a template for the job with a name. log is the name of its log, with placeholders of sbatch.
func (e Slurm) execute(template, name, log string, w Work) (string, error) {
	v := newJobValues(w)
	v.Name = name
	var err error
	v.Options, err = e.directives(w, log)
	if err != nil {
		return "", err
	}
	return v.execute(template)
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
