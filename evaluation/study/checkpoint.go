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

// checkpoint describes the file that keeps the state of a cell's unfinished training.
type checkpoint struct {
	path    string
	job     json.RawMessage // hash of the cell, as JSON; the file repeats it, so that no other training continues from it
	program string          // version of the program; another version cannot continue the training
	cost    float64         // estimated time of the cell on one core, in seconds
}

// newCheckpoint returns the checkpoint of a cell in a study's directory.
func newCheckpoint(dir, program string, c PlannedCell) checkpoint {
	return checkpoint{path: checkpointPath(dir, c), job: mustJSON(c.Hash), program: program, cost: c.Cost}
}

// checkpointPath returns the path of a cell's checkpoint.
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

// writesDuringTraining reports whether the training writes checkpoints before it ends.
func (k checkpoint) writesDuringTraining() bool { return k.cost >= minCheckpointCost }

// keepStates writes the checkpoint of a training that ended with the given error, if the error is an interruption, the
// training has not written a checkpoint itself, and an epoch is finished. A checkpoint that cannot be written is no
// error: the cell then starts anew.
func (k checkpoint) keepStates(err error) {
	var interrupted *trainers.InterruptedError
	if !errors.As(err, &interrupted) || k.writesDuringTraining() {
		return
	}
	hasEpoch := slices.ContainsFunc(interrupted.States, func(s trainers.State) bool { return s.Epoch > 0 })
	if hasEpoch {
		trainers.WriteCheckpoint(k.path, k.program, k.job, interrupted.States)
	}
}

// removeCheckpoint removes the checkpoint of a finished cell, if there is one.
func removeCheckpoint(dir string, c PlannedCell) error {
	path := checkpointPath(dir, c)
	if _, err := os.Lstat(path); err != nil { // most cells never wrote one
		return nil
	}
	return trainers.RemoveCheckpoint(path)
}
