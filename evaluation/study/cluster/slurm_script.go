package cluster

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// grace is how long before its time limit a task is interrupted, so that it can write
// checkpoints.
const grace = 60 * time.Second

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

// array returns the script of the array job. Each task runs one share.
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
	run := shell(w.Program, "study", "run", w.Study) + " --shard " + index + fmt.Sprintf("/%d", w.tasks)
	if w.Shares != "" {
		run += " --out " + shell(w.Shares) + "/" + index
	}
	run += " " + shell(w.runFlags()...)
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
	if w.Shares != "" {
		lines = append(lines, shell(w.Program, "study", "collect", w.Study)+" "+shell(w.Shares)+"/*")
	}
	if w.Report != "" {
		lines = append(lines, shell(w.Program, "study", "report", w.Study, "--out", w.Report, "--force", "--quiet"))
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
		b.WriteString("export " + name + "=" + shell(value) + "\n")
	}
	return b.String(), nil
}

var optionName = regexp.MustCompile(`^--[a-z][a-z0-9-]*$`)

// directive returns an option as sbatch reads it after #SBATCH. A value with other than plain
// characters is quoted.
func directive(option string) (string, error) {
	name, value, hasValue := strings.Cut(option, "=")
	if !optionName.MatchString(name) {
		return "", fmt.Errorf("%q is no option of sbatch: want a form such as --qos=low", option)
	}
	if strings.ContainsAny(value, "\n\r\x00") {
		return "", fmt.Errorf("%q has an end of a line, which is not allowed in an option of sbatch", option)
	}
	if !hasValue {
		return name, nil
	}
	if strings.Trim(value, plain+"@:%,=") != "" {
		value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return name + "=" + value, nil
}

// plain lists characters without a meaning to a shell.
const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./"

// shell quotes words for a shell.
func shell(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.Trim(w, plain) != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

var limitForm = regexp.MustCompile(`^(?:([0-9]{1,4})-)?([0-9]{1,6})(?::([0-9]{1,4}))?(?::([0-9]{1,4}))?$`)

// parseLimit reads a time limit in a form of sbatch: minutes, minutes:seconds,
// hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds. It
// returns an error if the limit is shorter than twice grace: Slurm may send the signal, due
// grace before the limit, a minute early.
func parseLimit(text string) (time.Duration, error) {
	found := limitForm.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%q is no time limit: want minutes, hours:minutes:seconds or days-hours:minutes:seconds", text)
	}
	number := func(group int) time.Duration {
		n, _ := strconv.Atoi("0" + found[group]) // at most six digits
		return time.Duration(n)
	}
	days, hours, minutes, seconds := number(1), number(2), number(3), number(4)
	if found[1] == "" && found[4] == "" { // minutes or minutes:seconds
		hours, minutes, seconds = 0, number(2), number(3)
	}
	limit := 24*days*time.Hour + hours*time.Hour + minutes*time.Minute + seconds*time.Second
	if least := 2 * grace; limit < least {
		return 0, fmt.Errorf("a time limit of %v is too short: want at least %v, as tasks are interrupted up to %v before it", limit, least, least)
	}
	return limit, nil
}
