{{- /* The script of the array job, of which each task runs one shard. It passes the signal before the time
limit on to the program, and asks Slurm to run an interrupted task again. Variable child is the process of the
program, told says that it was interrupted, and again that it has to be waited for again. */ -}}
{{define "array" -}}
#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=1-{{.Tasks}}{{with .Parallel}}%{{.}}{{end}}
#SBATCH --requeue
{{- /* A task that runs again continues its log. */}}
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@{{.Grace}}
{{- template "options" .}}

# Before the time limit this shell is sent SIGTERM and passes it on, once: the program keeps what
# it has trained and ends with 130. A signal ends "wait" as well, so that it is called again.
child= told= again=yes
trap '[ "$told" ] || { told=yes; [ "$child" ] && kill -TERM "$child"; }; again=yes' TERM
{{quote .Program "study" "run" .Study}} --shard "$SLURM_ARRAY_TASK_ID"/{{.Tasks}}
{{- with .ShardsDir}} --out {{quote .}}/"$SLURM_ARRAY_TASK_ID"{{end}} --jobs {{.CPUs}} --quiet
{{- if .RetryFailed}} --retry-failed{{end}} &
child=$!
[ "$told" ] && kill -TERM "$child"
while [ "$again" ]; do
  again=
  wait "$child"
  code=$?
done

# Interrupted while the job is in order, not by its cancellation: the task goes on in another run.
{{- /* Without a bound, a task that never finishes a cell would run again for ever. */}}
if [ "$code" -eq 130 ] && [ "$told" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  case $(scontrol show job --oneliner "$SLURM_JOB_ID") in
  *" JobState=RUNNING "*) scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit ;;
  esac
fi
# Cells that failed (3) are results, with their reasons: the task is done.
[ "$code" -eq 3 ] && exit 0
exit "$code"
{{end}}

{{- /* The script of the job that collects and reports. */ -}}
{{define "report" -}}
#!/bin/bash
#SBATCH --job-name={{.Name}}
{{- template "options" .}}

set -e
{{- with .ShardsDir}}
{{quote $.Program "study" "collect" $.Study}} {{quote .}}/*
{{- end}}
{{- with .Report}}
{{quote $.Program "study" "report" $.Study "--out" . "--force" "--quiet"}}
{{- end}}
{{end}}

{{- /* What both jobs need. */ -}}
{{define "options"}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.CPUs}}
{{- with .Mebibytes}}
#SBATCH --mem={{.}}M
{{- end}}
{{- range .Options}}
#SBATCH {{.}}
{{- end}}
{{- with .Variables}}
{{range .}}
export {{.Name}}={{quote .Value}}
{{- end}}
{{- end}}
{{- end -}}
