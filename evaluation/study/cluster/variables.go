package cluster

import (
	"fmt"
	"strconv"

	"sml/evaluation/study"
)

// Scheduler is what an array job's tasks learn from variables of their environment.
type Scheduler struct {
	Name  string
	Index string // variable that numbers the tasks
	None  string // its value where the job is no array, if it is set there

	First, Step string // variables with the first index and the distance of two; "": Begin and 1
	Begin       int
	Count, Last string // variables with the number of tasks, or with the last index; "": it has to be given
}

// Schedulers lists those whose variables are known.
func Schedulers() []Scheduler {
	return []Scheduler{
		{Name: "Slurm", Index: "SLURM_ARRAY_TASK_ID", First: "SLURM_ARRAY_TASK_MIN", Step: "SLURM_ARRAY_TASK_STEP", Count: "SLURM_ARRAY_TASK_COUNT"},
		{Name: "Kubernetes", Index: "JOB_COMPLETION_INDEX"},
		{Name: "AWS Batch", Index: "AWS_BATCH_JOB_ARRAY_INDEX", Count: "AWS_BATCH_JOB_ARRAY_SIZE"},
		{Name: "PBS", Index: "PBS_ARRAY_INDEX", Begin: 1},
		{Name: "Grid Engine", Index: "SGE_TASK_ID", None: "undefined", First: "SGE_TASK_FIRST", Step: "SGE_TASK_STEPSIZE", Last: "SGE_TASK_LAST"},
		{Name: "LSF", Index: "LSB_JOBINDEX", None: "0", Begin: 1, Step: "LSB_JOBINDEX_STEP", Last: "LSB_JOBINDEX_END"},
	}
}

// Shard is the share of a study that is a task's, as variables say, and the variable
// that numbers it. The number of shares is count, or, where that is 0, the number of
// tasks. Outside of array jobs it is zero. Where variables do not say which share it is
// of how many, the error says what to do: a share that is left out would be missing.
func Shard(lookup func(string) (string, bool), count int) (shard study.Shard, variable string, err error) {
	for _, s := range Schedulers() {
		text, there := lookup(s.Index)
		if !there || text == "" || s.None != "" && text == s.None {
			continue
		}
		found, err := s.shard(lookup, count)
		if err != nil {
			return study.Shard{}, s.Index, err
		}
		if variable != "" && found != shard {
			return study.Shard{}, variable, fmt.Errorf("%s stands for the share %s and %s for %s: say which with --shard I/N", variable, shard, s.Index, found)
		}
		shard, variable = found, s.Index
	}
	return shard, variable, nil
}

func (s Scheduler) shard(lookup func(string) (string, bool), count int) (study.Shard, error) {
	fail := func(format string, args ...any) (study.Shard, error) {
		return study.Shard{}, fmt.Errorf(format+`; say which share of the study is to be run with --shard I/N, or --shard 1/1 for all of it`, args...)
	}
	read := func(name string, otherwise int) (int, error) {
		text, there := lookup(name)
		if name == "" || !there {
			return otherwise, nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > study.MaxShards {
			return 0, fmt.Errorf("%s is %q: want a number of at most %d", name, text, study.MaxShards)
		}
		return n, nil
	}
	var values [5]int
	for i, v := range []struct {
		name      string
		otherwise int
	}{{s.Index, 0}, {s.First, s.Begin}, {s.Step, 1}, {s.Count, 0}, {s.Last, -1}} {
		var err error
		if values[i], err = read(v.name, v.otherwise); err != nil {
			return fail("%w", err)
		}
	}
	index, first, step, tasks, last := values[0], values[1], max(1, values[2]), values[3], values[4]
	if last >= first {
		tasks = (last-first)/step + 1
	}
	switch {
	case tasks == 0 && count == 0:
		return fail("%s is %d, and nothing says of how many tasks: give their number with --shard /N", s.Index, index)
	case tasks > 0 && count > 0 && tasks != count:
		return fail("%s tells a task of %d, and the study is cut into %d shares", s.Index, tasks, count)
	case tasks == 0:
		tasks = count
	}
	if i := (index - first) / step; index >= first && (index-first)%step == 0 && i < tasks {
		return study.Shard{I: i + 1, N: tasks}, nil
	}
	return fail("%s is %d, which is none of %d tasks from %d on", s.Index, index, tasks, first)
}
