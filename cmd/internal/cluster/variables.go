package cluster

import (
	"fmt"
	"strconv"

	"sml/evaluation/study"
)

// scheduler has the names of the environment variables by which a scheduler tells a task of an array
// job its index. The tasks of an array job have the indexes first, first + step, first + 2 step and so on.
// The name of a variable that the scheduler does not set is "".
type scheduler struct {
	Index        string // variable with the task's index
	OutsideArray string // value of Index outside an array job; "" if the variable is not set there

	First        string // variable with the first index
	DefaultFirst int    // first index if First is not set
	Step         string // variable with the distance between indexes; it is 1 if Step is not set

	// Count is a variable with the number of tasks, and Last one with the last index. Schedulers set at
	// most one of them. If neither is set, the user has to give the number of tasks.
	Count, Last string
}

// schedulers returns the schedulers whose variables are known: Slurm, Kubernetes, AWS Batch, PBS,
// Grid Engine and LSF, in this order.
func schedulers() []scheduler {
	return []scheduler{
		{
			Index: "SLURM_ARRAY_TASK_ID",
			First: "SLURM_ARRAY_TASK_MIN",
			Step:  "SLURM_ARRAY_TASK_STEP",
			Count: "SLURM_ARRAY_TASK_COUNT",
		},
		{
			Index: "JOB_COMPLETION_INDEX",
		},
		{
			Index: "AWS_BATCH_JOB_ARRAY_INDEX",
			Count: "AWS_BATCH_JOB_ARRAY_SIZE",
		},
		{
			Index:        "PBS_ARRAY_INDEX",
			DefaultFirst: 1,
		},
		{
			Index:        "SGE_TASK_ID",
			OutsideArray: "undefined",
			First:        "SGE_TASK_FIRST",
			Step:         "SGE_TASK_STEPSIZE",
			Last:         "SGE_TASK_LAST",
		},
		{
			Index:        "LSB_JOBINDEX",
			OutsideArray: "0",
			DefaultFirst: 1,
			Step:         "LSB_JOBINDEX_STEP",
			Last:         "LSB_JOBINDEX_END",
		},
	}
}

// lookupEnv returns the value of an environment variable, as os.LookupEnv does.
type lookupEnv func(name string) (value string, ok bool)

// Shard returns the shard of a study that belongs to this task of an array job, and the variable with
// the task's index. tasks is the number of tasks, or 0 to take it from the variables. Outside an
// array job the shard is zero and the variable is "".
//
// Shard returns an error if the variables do not have the number of tasks, if they contradict tasks, or
// if two schedulers' variables name different shards: a wrong guess would leave cells out.
func Shard(lookup lookupEnv, tasks int) (shard study.Shard, variable string, err error) {
	for _, s := range schedulers() {
		if !s.runsTask(lookup) {
			continue
		}
		found, err := s.shard(lookup, tasks)
		if err != nil {
			return study.Shard{}, s.Index, err
		}
		if variable != "" && found != shard {
			return study.Shard{}, variable, fmt.Errorf("%s stands for shard %s, and %s for shard %s", variable, shard, s.Index, found)
		}
		shard = found
		variable = s.Index
	}
	return shard, variable, nil
}

// runsTask reports whether the scheduler's variables say that this process is a task of an array job.
func (s scheduler) runsTask(lookup lookupEnv) bool {
	index, isSet := lookup(s.Index)
	return isSet && index != "" && index != s.OutsideArray
}

// shard returns the shard of a task that the scheduler runs. tasks is the number of tasks, or 0 to take it
// from the variables. shard returns an error if the number is not known, if both are known and differ, or
// if the task's index is not an index of that many tasks.
func (s scheduler) shard(lookup lookupEnv, tasks int) (study.Shard, error) {
	v := variables{lookup: lookup}
	index := v.number(s.Index, 0)
	first := v.number(s.First, s.DefaultFirst)
	step := max(1, v.number(s.Step, 1)) // a step of 0 would divide by 0
	count := v.number(s.Count, 0)
	last := v.number(s.Last, -1)
	if last >= first {
		count = (last-first)/step + 1
	}
	switch {
	case v.err != nil:
		return study.Shard{}, v.err
	case count == 0 && tasks == 0:
		return study.Shard{}, fmt.Errorf("%s is %d, but no variable has the number of tasks", s.Index, index)
	case count > 0 && tasks > 0 && count != tasks:
		return study.Shard{}, fmt.Errorf("%s is for an array of %d tasks, but the study is divided into %d shards", s.Index, count, tasks)
	}
	count = max(count, tasks) // either number may be unknown, which is 0
	distance := index - first
	position := distance / step // of this task among all tasks, from 0
	if distance < 0 || distance%step != 0 || position >= count {
		return study.Shard{}, fmt.Errorf("%s is %d, outside the indexes of %d tasks that begin with %d", s.Index, index, count, first)
	}
	return study.Shard{I: position + 1, N: count}, nil // shards count from 1
}

// variables reads numbers in environment variables, and keeps the first error.
type variables struct {
	lookup lookupEnv
	err    error // nil if all numbers so far are valid
}

// number returns the number in a variable, or defaultNumber if the variable is not set or name is "". The number must be from
// 0 to study.MaxShards.
func (v *variables) number(name string, defaultNumber int) int {
	text, isSet := v.lookup(name)
	if name == "" || !isSet {
		return defaultNumber
	}
	n, err := strconv.Atoi(text)
	isValid := err == nil && n >= 0 && n <= study.MaxShards
	if !isValid && v.err == nil {
		v.err = fmt.Errorf("%s is %q: want a whole number from 0 to %d", name, text, study.MaxShards)
	}
	return n
}
