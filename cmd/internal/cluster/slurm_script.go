package cluster

import (
	"fmt"
	"path/filepath"
	"strings"
)

// maxRestarts bounds the runs of a task: without a bound, a task that never finishes a cell would be
// requeued for ever.
const maxRestarts = 100

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

// array returns the script of the array job, of which each task runs one shard. The script passes the
// signal before the time limit on to the program, and asks Slurm to run an interrupted task again.
func (e Slurm) array(w Work) (string, error) {
	indexes := fmt.Sprintf("1-%d", w.tasks)
	if w.Parallel > 0 {
		indexes += fmt.Sprintf("%%%d", w.Parallel) // at most Parallel tasks at the same time
	}
	const log = "%A_%a.log" // numbers of the job and the task
	head, err := e.head(w, w.name, log,
		"--array="+indexes,
		"--requeue",
		"--open-mode=append", // a requeued task continues its log
		fmt.Sprintf("--signal=B:TERM@%d", int(gracePeriod.Seconds())),
	)
	if err != nil {
		return "", err
	}
	return head + fmt.Sprintf(arrayScript, taskCommand(w), maxRestarts), nil
}

// taskCommand returns the shell command that runs the shard of a task.
func taskCommand(w Work) string {
	const index = `"$SLURM_ARRAY_TASK_ID"`
	command := quoteWords(w.Program, "study", "run", w.Study) + " --shard " + index + fmt.Sprintf("/%d", w.tasks)
	if w.ShardsDir != "" {
		command += " --out " + quoteWords(w.ShardsDir) + "/" + index
	}
	return command + " " + quoteWords(w.runFlags()...)
}

// arrayScript is the body of the array job's script, a format of fmt.Sprintf: %s is the command of a task,
// and %d is maxRestarts. Variable child is the process of the program, told says that it was interrupted,
// and again that it has to be waited for again.
const arrayScript = `
# Before the time limit this shell is sent SIGTERM and passes it on, once: the program keeps what
# it has trained and ends with 130. A signal ends "wait" as well, so that it is called again.
child= told= again=yes
trap '[ "$told" ] || { told=yes; [ "$child" ] && kill -TERM "$child"; }; again=yes' TERM
%s &
child=$!
[ "$told" ] && kill -TERM "$child"
while [ "$again" ]; do
  again=
  wait "$child"
  code=$?
done

# Interrupted while the job is in order, not by its cancellation: the task goes on in another run.
if [ "$code" -eq 130 ] && [ "$told" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt %d ]; then
  case $(scontrol show job --oneliner "$SLURM_JOB_ID") in
  *" JobState=RUNNING "*) scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit ;;
  esac
fi
# Cells that failed (3) are results, with their reasons: the task is done.
[ "$code" -eq 3 ] && exit 0
exit "$code"
`

// report returns the script of the job that collects and reports, "" if it would do nothing.
func (e Slurm) report(w Work) (string, error) {
	var lines []string
	if w.ShardsDir != "" {
		lines = append(lines, quoteWords(w.Program, "study", "collect", w.Study)+" "+quoteWords(w.ShardsDir)+"/*")
	}
	if w.Report != "" {
		lines = append(lines, quoteWords(w.Program, "study", "report", w.Study, "--out", w.Report, "--force", "--quiet"))
	}
	if len(lines) == 0 {
		return "", nil
	}
	const log = "report-%j.log" // number of the job
	head, err := e.head(w, w.name+reportSuffix, log)
	return head + "\nset -e\n" + strings.Join(lines, "\n") + "\n", err
}

// head returns the beginning of a job's script: the options of sbatch and the environment. log is the
// name of the job's log with the placeholders of sbatch, such as %j. head returns an error if an option
// or the log's path cannot be passed to sbatch.
func (e Slurm) head(w Work, jobName, log string, options ...string) (string, error) {
	options, err := e.addOptions(w, jobName, log, options)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("#!/bin/bash\n")
	for _, o := range options {
		line, err := directive(o)
		if err != nil {
			return "", err
		}
		b.WriteString("#SBATCH " + line + "\n")
	}
	if len(w.Env) > 0 {
		b.WriteByte('\n')
	}
	for _, assignment := range w.Env {
		name, value, _ := strings.Cut(assignment, "=")
		b.WriteString("export " + name + "=" + quoteWords(value) + "\n")
	}
	return b.String(), nil
}

// addOptions returns all options of sbatch for a job: its name, the given options, what a task needs,
// the user's options and the path of the log. It returns an error if Slurm would misread that path.
func (e Slurm) addOptions(w Work, jobName, log string, options []string) ([]string, error) {
	logs := filepath.Join(w.Study, logsDir)
	if strings.Contains(logs, `\`) {
		return nil, fmt.Errorf("%s: Slurm gives a backslash in a log's path a meaning of its own: plan into another folder", logs)
	}
	output := filepath.Join(strings.ReplaceAll(logs, "%", "%%"), log) // a % in the folder's name is no placeholder
	options = append([]string{"--job-name=" + jobName}, options...)
	options = append(options, "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", w.CPUs))
	if w.Memory != "" {
		options = append(options, fmt.Sprintf("--mem=%dM", w.mebibytes()))
	}
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
	return append(options, "--chdir="+w.Dir, "--output="+output), nil
}
