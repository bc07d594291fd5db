package cluster

import (
	"fmt"
	"path/filepath"
	"strings"
)

// maxRestarts bounds the runs of a task: without a bound, a task that never finishes a cell would be
// requeued for ever.
const maxRestarts = 100

// logs is the folder for the output of tasks, in the study's directory.
const logs = "slurm"

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

// array returns the script of the array job. Each task runs one shard.
func (e Slurm) array(w Work) (string, error) {
	tasks := fmt.Sprintf("1-%d", w.tasks)
	if w.Parallel > 0 {
		tasks += fmt.Sprintf("%%%d", w.Parallel)
	}
	head, err := e.head(w, w.name, "%A_%a.log", "--array="+tasks, "--requeue", "--open-mode=append", fmt.Sprintf("--signal=B:TERM@%d", int(grace.Seconds())))
	if err != nil {
		return "", err
	}
	const index = `"$SLURM_ARRAY_TASK_ID"`
	run := quoteWords(w.Program, "study", "run", w.Study) + " --shard " + index + fmt.Sprintf("/%d", w.tasks)
	if w.ShardsDir != "" {
		run += " --out " + quoteWords(w.ShardsDir) + "/" + index
	}
	run += " " + quoteWords(w.runFlags()...)
	return head + fmt.Sprintf(`
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
`, run, maxRestarts), nil
}

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
	head, err := e.head(w, w.name+"-report", "report-%j.log")
	return head + "\nset -e\n" + strings.Join(lines, "\n") + "\n", err
}

// head returns the beginning of a script: the options of sbatch and the environment.
func (e Slurm) head(w Work, name, log string, options ...string) (string, error) {
	output := filepath.Join(w.Study, logs)
	if strings.Contains(output, `\`) {
		return "", fmt.Errorf("%s: Slurm gives a backslash in a log's path a meaning of its own: plan into another folder", output)
	}
	output = filepath.Join(strings.ReplaceAll(output, "%", "%%"), log)
	options = append([]string{"--job-name=" + name}, options...)
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
	options = append(options, "--chdir="+w.Dir, "--output="+output)
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
	for _, v := range w.Env {
		name, value, _ := strings.Cut(v, "=")
		b.WriteString("export " + name + "=" + quoteWords(value) + "\n")
	}
	return b.String(), nil
}
