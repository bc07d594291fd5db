package study

import (
	"context"
	"errors"

	"sml/evaluation/experiment"
	"sml/graph"
	"sml/trainers"
)

// train trains the cell's model and calls report with the fraction of the training that is done, from 0 to 1. It returns
// an error if a model that the objective reads has changed since the study was planned, and a panic as an error.
func (c Cell) train(ctx context.Context, t *experiment.Table, o trainers.Options, report func(fraction float64)) (_ *experiment.Trained, err error) {
	defer graph.Recover(&err, "the cell") // one broken cell does not end a study
	e, err := experiment.Prepare(ctx, c.Settings, t)
	if err != nil {
		return nil, err
	}
	sum, sumErr := e.Spec.FrozenSum() // the training reports a model that cannot be read
	if sumErr == nil && c.FrozenSum != "" && sum != c.FrozenSum {
		return nil, errors.New("a model that the objective reads has changed since the study was planned; restore it, or plan a new study")
	}
	progress := &memberProgress{
		epochs:  c.Training.Epochs,
		members: make([]float64, c.Training.Members),
		report:  report,
	}
	for member, state := range o.Resume {
		progress.update(member, state.Epoch)
	}
	o.Progress = func(p trainers.Progress) { progress.update(p.Member, p.Epoch) }
	return e.Train(ctx, o)
}

// memberProgress adds up the progress of an ensemble's members.
type memberProgress struct {
	epochs  int                    // number of epochs of each member
	members []float64              // by member, the part of the whole training that it has done
	total   float64                // sum of members
	report  func(fraction float64) // called with total after each update
}

// update records how many epochs a member has done, and reports the progress of all members.
func (p *memberProgress) update(member, epoch int) {
	p.total -= p.members[member]
	p.members[member] = float64(epoch) / float64(p.epochs) / float64(len(p.members))
	p.total += p.members[member]
	p.report(p.total)
}

// isInterruption reports whether an error only says that the run was stopped.
func isInterruption(err error) bool {
	var interrupted *trainers.InterruptedError
	return errors.As(err, &interrupted) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
