package cluster

import (
	"fmt"
	"strconv"

	"sml/evaluation/study"
)

// scheduler says which environment variables tell a task of an array job its shard. The name
// of a variable that the scheduler does not set is "".
type scheduler struct {
	Index string // variable with the task's index
	None  string // value of Index outside an array job, if the scheduler sets one

	First string // variable with the first index
	Begin int    // first index if First is not set
	Step  string // variable with the distance between indexes; it is 1 if Step is not set

	// Variables with the number of tasks or with the last index. If neither is set, the user
	// has to give the number of tasks.
	Count, Last string
}

// schedulers returns the schedulers whose variables are known: Slurm, Kubernetes, AWS Batch, PBS,
// Grid Engine and LSF, in this order.
func schedulers() []scheduler {
	return []scheduler{
		{Index: "SLURM_ARRAY_TASK_ID", First: "SLURM_ARRAY_TASK_MIN", Step: "SLURM_ARRAY_TASK_STEP", Count: "SLURM_ARRAY_TASK_COUNT"},
		{Index: "JOB_COMPLETION_INDEX"},
		{Index: "AWS_BATCH_JOB_ARRAY_INDEX", Count: "AWS_BATCH_JOB_ARRAY_SIZE"},
		{Index: "PBS_ARRAY_INDEX", Begin: 1},
		{Index: "SGE_TASK_ID", None: "undefined", First: "SGE_TASK_FIRST", Step: "SGE_TASK_STEPSIZE", Last: "SGE_TASK_LAST"},
		{Index: "LSB_JOBINDEX", None: "0", Begin: 1, Step: "LSB_JOBINDEX_STEP", Last: "LSB_JOBINDEX_END"},
	}
}

// lookupEnv returns the value of an environment variable, as os.LookupEnv does.
type lookupEnv func(name string) (value string, ok bool)

// Shard returns the shard of a study that belongs to this task, and the variable with the
// task's index. count is the number of tasks, or 0 to take it from the variables. Outside an
// array job the shard is zero. Shard returns an error if the variables do not say which shard
// it is of how many: a wrong guess would leave cells out.
func Shard(lookup lookupEnv, count int) (shard study.Shard, variable string, err error) {
	for _, s := range schedulers() {
		index, ok := lookup(s.Index)
		if !ok || index == "" || s.None != "" && index == s.None {
			continue
		}
		found, err := s.shard(lookup, count)
		if err != nil {
			return study.Shard{}, s.Index, err
		}
		if variable != "" && found != shard {
			return study.Shard{}, variable, fmt.Errorf("%s stands for shard %s, and %s for shard %s", variable, shard, s.Index, found)
		}
		shard, variable = found, s.Index
	}
	return shard, variable, nil
}

// shard returns the shard of a task that the scheduler runs.
func (s scheduler) shard(lookup lookupEnv, count int) (study.Shard, error) {
	a, err := s.readArray(lookup)
	if err != nil {
		return study.Shard{}, err
	}
	switch {
	case a.tasks == 0 && count == 0:
		return study.Shard{}, fmt.Errorf("%s is %d, and nothing says of how many tasks", s.Index, a.index)
	case a.tasks == 0:
		a.tasks = count
	case count > 0 && a.tasks != count:
		return study.Shard{}, fmt.Errorf("%s is for an array of %d tasks, but the study is divided into %d shards", s.Index, a.tasks, count)
	}
	position := (a.index - a.first) / a.step
	if a.index < a.first || (a.index-a.first)%a.step != 0 || position >= a.tasks {
		return study.Shard{}, fmt.Errorf("%s is %d, which is none of %d tasks from %d on", s.Index, a.index, a.tasks, a.first)
	}
	return study.Shard{I: position + 1, N: a.tasks}, nil
}

// array describes an array job and its task.
type array struct {
	index, first, step int
	tasks              int // 0 if unknown
}

func (s scheduler) readArray(lookup lookupEnv) (array, error) {
	a := array{first: s.Begin, step: 1}
	last := -1
	for _, v := range []struct {
		name  string
		value *int
	}{
		{s.Index, &a.index},
		{s.First, &a.first},
		{s.Step, &a.step},
		{s.Count, &a.tasks},
		{s.Last, &last},
	} {
		if err := readNumber(lookup, v.name, v.value); err != nil {
			return array{}, err
		}
	}
	a.step = max(1, a.step)
	if last >= a.first {
		a.tasks = (last-a.first)/a.step + 1
	}
	return a, nil
}

// readNumber reads a variable. If the variable is not set, the value stays.
func readNumber(lookup lookupEnv, name string, value *int) error {
	text, ok := lookup(name)
	if name == "" || !ok {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > study.MaxShards {
		return fmt.Errorf("%s is %q: want a number of at most %d", name, text, study.MaxShards)
	}
	*value = n
	return nil
}
