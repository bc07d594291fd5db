package study

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"sml/evaluation/experiment"
	"sml/trainers"
)

// long is the estimated cost, in seconds, from which a cell's training leaves
// checkpoints while it runs, so that a kill loses little of it. One that is stopped
// in order leaves a checkpoint whatever it costs.
const long = 60

// train trains a cell, from where a run that was stopped left it.
func (r *run) train(ctx context.Context, c Planned, t *experiment.Table, tell func(share float64)) (*experiment.Trained, error) {
	path, of := r.checkpoint(c), mustJSON(c.Hash)
	o := r.cores(c)
	if job, states, err := trainers.ReadCheckpoint(path, r.plan.Version); err == nil && bytes.Equal(job, of) {
		o.Resume = states
	} // any other is replaced
	if c.Cost >= long {
		o.Checkpoint, o.Job, o.Program = path, of, r.plan.Version
	}
	trained, err := c.Cell.train(ctx, t, o, tell)
	var stopped *trainers.Interrupted
	if errors.As(err, &stopped) && o.Checkpoint == "" && slices.ContainsFunc(stopped.States, func(s trainers.State) bool { return s.Epoch > 0 }) {
		trainers.WriteCheckpoint(path, r.plan.Version, of, stopped.States) // without, the cell begins again
	}
	return trained, err
}

func (r *run) checkpoint(c Planned) string { return filepath.Join(r.dir, checkpointsDir, c.Name) }

// forget removes the checkpoint of a cell that has ended.
func (r *run) forget(c Planned) error {
	path := r.checkpoint(c)
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	return trainers.RemoveCheckpoint(path)
}
