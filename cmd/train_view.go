package cmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/trainers"
)

// trainingView shows how far a training is: first the epochs of all members, then the rows that the
// method's function after the training has seen. It prints each warning once, also if there are two trainings.
type trainingView struct {
	*terminal.Progress
	c      *cli.Context
	epochs []int // epochs done by each member

	// Rows that the method's function after the training has seen, in all of its passes over the rows and in
	// the present pass.
	rows       int
	rowsInPass int

	warnings     []string // warnings printed so far
	notedFailure bool     // whether a note on a checkpoint that could not be written is printed
}

// begin begins the progress line of a training. states are the members' states in its checkpoint, empty for a new
// training.
func (v *trainingView) begin(s experiment.Settings, states []trainers.State) {
	v.Progress = newProgress(v.c, fmt.Sprintf("%s on %s", s.Spec.Method, s.Table.Name))
	v.epochs = make([]int, s.Training.Members)
	v.rows = 0
	v.rowsInPass = 0
	for i, s := range states {
		v.epochs[i] = s.Epoch
		v.StepsBefore += s.Epoch
	}
}

// show shows the epochs that all members together have done. now is the progress of one member.
func (v *trainingView) show(now trainers.Progress) {
	v.epochs[now.Member] = now.Epoch
	if now.Finished {
		v.epochs[now.Member] = now.Epochs // a member that stopped early has no epochs left
	}
	done := 0
	for _, memberEpochs := range v.epochs {
		done += memberEpochs
	}
	v.At(done, now.Epochs*now.Members, fmt.Sprintf(", epoch %d of %d, loss %.4g", now.Epoch, now.Epochs, now.Loss))
}

// showAfter counts the rows that the method's function after the training has seen, in all of its
// passes over them.
func (v *trainingView) showAfter(now trainers.AfterTrainingProgress) {
	isFirstCall := v.rows == 0
	if isFirstCall { // the line of the epochs ends, and another one begins
		v.End()
		v.Progress = newProgress(v.c, "after the training")
	}
	isNewPass := now.Done <= v.rowsInPass // now.Done counts the rows of the present pass only
	if isNewPass {
		v.rowsInPass = 0
	}
	v.rows += now.Done - v.rowsInPass
	v.rowsInPass = now.Done
	v.Count(v.rows, "rows")
}

// warn prints the warnings that have not been printed yet.
func (v *trainingView) warn(warnings ...string) {
	for _, warning := range warnings {
		if !slices.Contains(v.warnings, warning) {
			v.warnings = append(v.warnings, warning)
			warn(v.c, warning)
		}
	}
}

// noteCheckpoint prints a note on the first checkpoint that could not be written. err is nil for a checkpoint
// that is written.
func (v *trainingView) noteCheckpoint(err error) {
	if err == nil || v.notedFailure {
		return
	}
	v.notedFailure = true
	note(v.c, "the checkpoint could not be written, the training goes on: %v", err)
}
