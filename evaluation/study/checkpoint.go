package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"sml/trainers"
)

// minCheckpointCost is the estimated cost, in seconds, from which a training writes
// checkpoints while it runs, so that a kill loses little of it. An interrupted training
// always writes a checkpoint.
const minCheckpointCost = 60

// checkpoint is the place where a cell's training is kept when it stops early.
type checkpoint struct {
	path    string
	job     json.RawMessage // identifies the cell
	program string          // version that alone may continue the training
	cost    float64         // estimated cost of the cell, in seconds
}

func newCheckpoint(dir, program string, c PlannedCell) checkpoint {
	return checkpoint{path: checkpointPath(dir, c), job: mustJSON(c.Hash), program: program, cost: c.Cost}
}

func checkpointPath(dir string, c PlannedCell) string {
	return filepath.Join(dir, checkpointsDir, c.Name)
}

// configure sets the options that resume a training from the checkpoint and that write
// checkpoints during a long training. A checkpoint of another cell or program is ignored.
func (k checkpoint) configure(o *trainers.Options) {
	job, states, err := trainers.ReadCheckpoint(k.path, k.program)
	if err == nil && bytes.Equal(job, k.job) {
		o.Resume = states
	}
	if k.writesDuringTraining() {
		o.Checkpoint, o.Job, o.Program = k.path, k.job, k.program
	}
}

func (k checkpoint) writesDuringTraining() bool { return k.cost >= minCheckpointCost }

// keepStates writes the checkpoint of an interrupted training, unless the training has
// written it or has not finished an epoch. If it cannot be written, the cell starts again.
func (k checkpoint) keepStates(failure error) {
	var stopped *trainers.InterruptedError
	if !errors.As(failure, &stopped) || k.writesDuringTraining() {
		return
	}
	if slices.ContainsFunc(stopped.States, func(s trainers.State) bool { return s.Epoch > 0 }) {
		trainers.WriteCheckpoint(k.path, k.program, k.job, stopped.States)
	}
}

// removeCheckpoint removes the checkpoint of a finished cell, if there is one.
func removeCheckpoint(dir string, c PlannedCell) error {
	path := checkpointPath(dir, c)
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	return trainers.RemoveCheckpoint(path)
}
