#!/bin/bash
#SBATCH --job-name=sml-grid-0123abcd
#SBATCH --array=1-3
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --chdir=/home/ada
#SBATCH --output=/home/ada/grid/slurm/%A_%a.log

export GOMAXPROCS=1

# Before the time limit this shell is sent SIGTERM and passes it on, once: the program keeps what
# it has trained and ends with 130. A signal ends "wait" as well, so that it is called again.
child= told= again=yes
trap '[ "$told" ] || { told=yes; [ "$child" ] && kill -TERM "$child"; }; again=yes' TERM
/opt/sml/bin/sml study run /home/ada/grid --shard "$SLURM_ARRAY_TASK_ID"/3 --jobs 1 --quiet &
child=$!
[ "$told" ] && kill -TERM "$child"
while [ "$again" ]; do
  again=
  wait "$child"
  code=$?
done

# Interrupted while the job is in order, not by its cancellation: the task goes on in another run.
if [ "$code" -eq 130 ] && [ "$told" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  case $(scontrol show job --oneliner "$SLURM_JOB_ID") in
  *" JobState=RUNNING "*) scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && exit ;;
  esac
fi
# Cells that failed (3) are results, with their reasons: the task is done.
[ "$code" -eq 3 ] && exit 0
exit "$code"

# When all tasks have ended: sbatch --dependency=afterany:JOB, with this script:

#!/bin/bash
#SBATCH --job-name=sml-grid-0123abcd-report
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --chdir=/home/ada
#SBATCH --output=/home/ada/grid/slurm/report-%j.log

export GOMAXPROCS=1

set -e
/opt/sml/bin/sml study report /home/ada/grid --out /home/ada/grid-report --force --quiet
