package study

import (
	"context"
	"errors"

	"sml/evaluation/experiment"
	"sml/graph"
	"sml/trainers"
)

// train trains the cell's model and reports the fraction done, from 0 to 1. It returns an
// error if a model that the objective reads has changed since the study was planned.
func (c Cell) train(ctx context.Context, t *experiment.Table, o trainers.Options, report func(fraction float64)) (_ *experiment.Trained, err error) {
	defer graph.Recover(&err, "the cell") // one broken cell does not end a study
	e, err := experiment.Prepare(ctx, c.Settings, t)
	if err != nil {
		return nil, err
	}
	if frozen, err := e.Spec.FrozenSum(); err == nil && c.FrozenSum != "" && frozen != c.FrozenSum {
		return nil, errors.New("a model that the objective looks at is not the one with which the study was planned: put that back, or plan another study")
	}
	progress := &memberProgress{epochs: c.Training.Epochs, members: make([]float64, c.Training.Members), report: report}
	for member, state := range o.Resume {
		progress.update(member, state.Epoch)
	}
	o.Progress = func(p trainers.Progress) { progress.update(p.Member, p.Epoch) }
	return e.Train(ctx, o)
}

// memberProgress adds up the progress of an ensemble's members.
type memberProgress struct {
	epochs  int
	members []float64 // fraction of the whole training that each member has done
	total   float64   // sum of members
	report  func(fraction float64)
}

func (p *memberProgress) update(member, epoch int) {
	p.total -= p.members[member]
	p.members[member] = float64(epoch) / float64(p.epochs) / float64(len(p.members))
	p.total += p.members[member]
	p.report(p.total)
}

// isInterruption reports whether an error only says that the run was stopped.
func isInterruption(err error) bool {
	var stopped *trainers.InterruptedError
	return errors.As(err, &stopped) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
