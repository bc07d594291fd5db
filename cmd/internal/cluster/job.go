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
	if missing != nil {
		j.Assumption = fmt.Sprintf("there is no Slurm here: its MaxArraySize is taken to be %d", defaultArray)
	}
	if err := refuseLive(ctx, dir); err != nil && !isMissing(err) {
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
	lock, err := safefile.Acquire(filepath.Join(dir, submissionFile+".sml-lock"))
	if held := (*safefile.HeldError)(nil); errors.As(err, &held) {
		return nil, fmt.Errorf("%s is being submitted by %s", dir, held.Holder)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	if lock != nil {
		defer lock.Release()
	}
	if err := refuseLive(ctx, dir); err != nil {
		return nil, err
	}
	s, failure := j.engine.submit(ctx, j.work)
	if s == nil {
		return nil, failure
	}
	if err := s.write(dir); err != nil {
		return nil, errors.Join(failure, fmt.Errorf("job %s is submitted, but that cannot be written down: %w", s.Job, err))
	}
	return s, failure
}

// newJob divides the remaining work of a study into tasks. If the cluster's programs are
// missing, it assumes Slurm's default for the largest number of tasks, and returns the error of
// the missing programs as missing.
func newJob(ctx context.Context, dir string, p *study.Plan, w Work) (j *Job, missing, err error) {
	if err := w.Check(); err != nil {
		return nil, nil, err
	}
	e, err := w.engine()
	if err != nil {
		return nil, nil, err
	}
	b, err := findRemaining(dir, p, w)
	if err != nil {
		return nil, nil, err
	}
	b.MaxTasks, err = e.mostTasks(ctx)
	if isMissing(err) {
		b.MaxTasks, missing, err = defaultArray-1, err, nil
	}
	if err != nil {
		return nil, nil, err
	}
	w.tasks, w.plan, w.name = b.tasks(), p.Sum, jobName(dir, p.Sum)
	script, err := e.script(w)
	if err != nil {
		return nil, nil, err
	}
	j = &Job{Script: script, Cells: b.Cells, Tasks: w.tasks, TaskLength: b.taskLength(w.tasks), work: w, engine: e}
	return j, missing, nil
}

// findRemaining returns the work of the unfinished cells, and of failed cells if w asks to run them
// again. It returns an error if there are none.
func findRemaining(dir string, p *study.Plan, w Work) (remainingWork, error) {
	status := study.Status(dir, p)
	left := status.Missing + status.Broken
	if w.RetryFailed {
		left += status.Failed
	}
	if left == 0 {
		return remainingWork{}, fmt.Errorf("nothing of %s is left to run: report with \"sml study report %s --out OUT\"", dir, dir)
	}
	total := 0.0
	for _, cell := range p.Cells {
		total += cell.Cost
	}
	return remainingWork{
		Work:     total * float64(left) / float64(status.Cells), // each share has cheap and expensive cells, so a remaining cell costs about the mean
		Cells:    left,
		CPUs:     w.CPUs,
		Length:   w.Length,
		Parallel: w.Parallel,
	}, nil
}

// refuseLive returns an error if a task of an earlier submission has not ended.
func refuseLive(ctx context.Context, dir string) error {
	s, state, err := Status(ctx, dir)
	switch {
	case s == nil:
		return err
	case err != nil:
		return fmt.Errorf("whether job %s, submitted before, still runs cannot be told: %w", s.Job, err)
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
		return nil, fmt.Errorf("nothing of %s has been submitted", dir)
	}
	return s, submittedEngine(s).cancel(ctx, s)
}
