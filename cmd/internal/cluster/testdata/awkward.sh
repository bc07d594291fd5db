#!/bin/bash
#SBATCH --job-name=sml-x-0123abcd
#SBATCH --array=1-1000%50
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=4097M
#SBATCH --time=30:00
#SBATCH --partition=short
#SBATCH --account="lab 7"
#SBATCH --qos=low
#SBATCH --exclusive
#SBATCH --comment="say \"hi\" \\o/"
#SBATCH --chdir=/w
#SBATCH --output="/w/a \"b\" #c, %%d `e`/slurm/%A_%a.log"

export GOMAXPROCS=4
export SML_DATA='/data/it'\''s $(here)'

# Before the time limit this shell is sent SIGTERM and passes it on, once: the program keeps what
# it has trained and ends with 130. A signal ends "wait" as well, so that it is called again.
child= told= again=yes
trap '[ "$told" ] || { told=yes; [ "$child" ] && kill -TERM "$child"; }; again=yes' TERM
'/w/it'\''s 100% $HOME/sml' study run '/w/a "b" #c, %d `e`' --shard "$SLURM_ARRAY_TASK_ID"/1000 --out '/w/own shards'/"$SLURM_ARRAY_TASK_ID" --jobs 4 --quiet --retry-failed &
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
#SBATCH --job-name=sml-x-0123abcd-report
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=4097M
#SBATCH --time=30:00
#SBATCH --partition=short
#SBATCH --account="lab 7"
#SBATCH --qos=low
#SBATCH --exclusive
#SBATCH --comment="say \"hi\" \\o/"
#SBATCH --chdir=/w
#SBATCH --output="/w/a \"b\" #c, %%d `e`/slurm/report-%j.log"

export GOMAXPROCS=4
export SML_DATA='/data/it'\''s $(here)'

set -e
'/w/it'\''s 100% $HOME/sml' study collect '/w/a "b" #c, %d `e`' '/w/own shards'/*
'/w/it'\''s 100% $HOME/sml' study report '/w/a "b" #c, %d `e`' --out '/w/r;' --force --quiet
