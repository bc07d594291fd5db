package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sml/evaluation/study"
	"sml/internal/safefile"
)

// Job is the remaining work of a study, divided into tasks for a cluster.
type Job struct {
	Script     string        // script or manifest to submit
	Cells      int           // remaining cells
	Tasks      int           // number of tasks
	TaskLength time.Duration // estimated length of a task
	Assumption string        // what Draft assumes because the cluster's programs are missing; "" if nothing

	work   Work
	engine engine
}

// Draft returns the job that Submit would submit for the study in dir. It returns an error if
// nothing is left to run, or if an earlier submission has not ended.
func Draft(ctx context.Context, dir string, p *study.Plan, w Work) (*Job, error) {
	j, missing, err := newJob(ctx, dir, p, w)
	if err != nil {
		return nil, err
	}
	if missing != nil { // only Slurm has to be asked for its largest number of tasks
		j.Assumption = fmt.Sprintf("Slurm is not installed here: its MaxArraySize is taken to be %d", defaultMaxArraySize)
	}
	if err := checkNoLiveJob(ctx, dir); err != nil && !isMissingProgram(err) {
		return nil, err
	}
	return j, nil
}

// Submit submits the remaining work of the study in dir, and records the submission in dir. It
// returns an error if another process submits the same study. If only the job that reports could
// not be submitted, Submit records the submission and returns it together with an error.
func Submit(ctx context.Context, dir string, p *study.Plan, w Work) (*Submission, error) {
	j, missing, err := newJob(ctx, dir, p, w)
	if err != nil {
		return nil, err
	}
	if missing != nil {
		return nil, missing
	}
	lock, err := acquireSubmitLock(dir)
	if err != nil {
		return nil, err
	}
	if lock != nil {
		defer lock.Release()
	}
	if err := checkNoLiveJob(ctx, dir); err != nil {
		return nil, err
	}
	s, submitErr := j.engine.submit(ctx, j.work)
	if s == nil { // nothing was submitted; with an error, s may also be the first of two jobs
		return nil, submitErr
	}
	if err := s.write(dir); err != nil {
		return nil, errors.Join(submitErr, fmt.Errorf("job %s is submitted, but it cannot be recorded: %w", s.Job, err))
	}
	return s, submitErr
}

// acquireSubmitLock locks the study in dir, so that two processes do not submit it at the same time.
// It returns an error if another process has the lock. The lock is nil if the file system has no
// locks.
func acquireSubmitLock(dir string) (*safefile.Lock, error) {
	lock, err := safefile.Acquire(filepath.Join(dir, submissionFile+".sml-lock"))
	var held *safefile.HeldError
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s is being submitted by %s", dir, held.Holder)
	case errors.Is(err, errors.ErrUnsupported):
		return nil, nil
	}
	return lock, err
}

// newJob divides the remaining work of a study into tasks. If the cluster's programs are not
// installed, it assumes Slurm's default for the largest number of tasks, and returns the
// missingProgramError as missing.
func newJob(ctx context.Context, dir string, p *study.Plan, w Work) (j *Job, missing, err error) {
	if err := w.Check(); err != nil {
		return nil, nil, err
	}
	e, err := w.engine()
	if err != nil {
		return nil, nil, err
	}
	remaining, err := findRemainingWork(dir, p, w)
	if err != nil {
		return nil, nil, err
	}
	remaining.MaxTasks, err = e.maxTasks(ctx)
	switch {
	case isMissingProgram(err):
		missing = err
		remaining.MaxTasks = defaultMaxArraySize - 1 // indexes start at 1, and MaxArraySize is refused
	case err != nil:
		return nil, nil, err
	}
	w.tasks = remaining.tasks()
	w.plan = p.Sum
	w.name = jobName(dir, p.Sum)
	script, err := e.script(w)
	if err != nil {
		return nil, nil, err
	}
	j = &Job{
		Script:     script,
		Cells:      remaining.Cells,
		Tasks:      w.tasks,
		TaskLength: remaining.taskLength(w.tasks),
		work:       w,
		engine:     e,
	}
	return j, missing, nil
}

// findRemainingWork returns the work of the cells without a result, and of failed cells if w asks to
// run them again. It returns an error if there are no such cells. MaxTasks stays 0.
func findRemainingWork(dir string, p *study.Plan, w Work) (remainingWork, error) {
	status := study.Status(dir, p)
	cells := status.Missing + status.Broken
	if w.RetryFailed {
		cells += status.Failed
	}
	if cells == 0 {
		return remainingWork{}, fmt.Errorf("all cells of %s have run; report with \"sml study report %s --out OUT\"", dir, dir)
	}
	totalCost := 0.0
	for _, cell := range p.Cells {
		totalCost += cell.Cost
	}
	return remainingWork{
		// Each shard has cheap and expensive cells, so a remaining cell costs about the mean.
		Work:     totalCost * float64(cells) / float64(status.Cells),
		Cells:    cells,
		CPUs:     w.CPUs,
		Length:   w.Length,
		Parallel: w.Parallel,
	}, nil
}

// checkNoLiveJob returns an error if a job of an earlier submission of the study in dir has not
// ended, or if the cluster does not say so.
func checkNoLiveJob(ctx context.Context, dir string) error {
	s, state, err := Status(ctx, dir)
	switch {
	case s == nil: // nothing was submitted, or the submission cannot be read
		return err
	case err != nil:
		return fmt.Errorf("cannot ask whether job %s of an earlier submission still runs: %w", s.Job, err)
	case state.isLive():
		return fmt.Errorf("%s is submitted already: job %s of %s, %v; end it with \"sml study cancel %s\"", dir, s.Job, s.Submitted.Local().Format(time.DateTime), state, dir)
	}
	return nil
}

// Status returns the last submission of the study in dir and asks the cluster for its state.
// The submission is nil if nothing was submitted. If the cluster does not answer, Status
// returns the submission together with the error.
func Status(ctx context.Context, dir string) (*Submission, State, error) {
	s, err := readSubmission(dir)
	if s == nil {
		return nil, State{}, err
	}
	state, err := submittedEngine(s).state(ctx, s)
	return s, state, err
}

// Cancel ends the remaining jobs of the last submission of the study in dir. It returns an
// error if nothing was submitted.
func Cancel(ctx context.Context, dir string) (*Submission, error) {
	s, err := readSubmission(dir)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("%s has not been submitted; see \"sml study submit -h\"", dir)
	}
	return s, submittedEngine(s).cancel(ctx, s)
}
