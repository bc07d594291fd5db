package cluster

import (
	"strings"
	"testing"
)

// What the schedulers' documentation says of their variables.
func TestShard(t *testing.T) {
	for _, c := range []struct {
		variables string
		count     int
		want      string // a shard and its variable, or a part of the error
	}{
		{"", 0, "0/0 "},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8", 0, "3/8 SLURM_ARRAY_TASK_ID"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0", 8, "1/8 SLURM_ARRAY_TASK_ID"},
		{"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=4", 0, "3/3 SLURM_ARRAY_TASK_ID"},
		{"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1", 0, "SLURM_ARRAY_TASK_ID is 9, outside the indexes of 3 tasks that begin with 1"}, // --array=1,5,9
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3", 100, "for an array of 2 tasks, but the study is divided into 100 shards"},        // part of an array, again
		{"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=2", 0, `SLURM_ARRAY_TASK_ID is "x"`},
		{"JOB_COMPLETION_INDEX=0", 4, "1/4 JOB_COMPLETION_INDEX"},
		{"JOB_COMPLETION_INDEX=4", 4, "JOB_COMPLETION_INDEX is 4, outside the indexes of 4 tasks that begin with 0"},
		{"JOB_COMPLETION_INDEX=0", 0, "no variable has the number of tasks"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=3", 0, "3/3 AWS_BATCH_JOB_ARRAY_INDEX"},
		{"PBS_ARRAY_INDEX=2", 2, "2/2 PBS_ARRAY_INDEX"},
		{"PBS_ARRAY_INDEX=0", 2, "PBS_ARRAY_INDEX is 0, outside the indexes of 2 tasks that begin with 1"},
		{"SGE_TASK_ID=undefined SGE_TASK_FIRST=undefined", 0, "0/0 "},
		{"SGE_TASK_ID=7 SGE_TASK_FIRST=3 SGE_TASK_LAST=9 SGE_TASK_STEPSIZE=2", 0, "3/4 SGE_TASK_ID"},
		{"LSB_JOBINDEX=0", 0, "0/0 "},
		{"LSB_JOBINDEX=5 LSB_JOBINDEX_END=10 LSB_JOBINDEX_STEP=1", 0, "5/10 LSB_JOBINDEX"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 JOB_COMPLETION_INDEX=0", 8, "SLURM_ARRAY_TASK_ID stands for shard 3/8, and JOB_COMPLETION_INDEX for shard 1/8"},
	} {
		lookup := func(name string) (string, bool) {
			for _, v := range strings.Fields(c.variables) {
				if text, ok := strings.CutPrefix(v, name+"="); ok {
					return text, true
				}
			}
			return "", false
		}
		shard, variable, err := Shard(lookup, c.count)
		got := shard.String() + " " + variable
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s of %d: %s; want %s", c.variables, c.count, got, c.want)
		}
	}
}
