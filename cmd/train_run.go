package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/trainers"
)

// training is a job with its experiment.
type training struct {
	job
	experiment *experiment.Experiment
}

// trainReport is the result of "sml train" as JSON.
type trainReport struct {
	Model    string          `json:"model"`
	Method   string          `json:"method"`
	Data     json.RawMessage `json:"data"`
	Training json.RawMessage `json:"training"`
	Loss     float64         `json:"loss"`
	Warnings []string        `json:"warnings"`
	Test     json.RawMessage `json:"test,omitempty"`

	Preparation json.RawMessage `json:"preparation,omitempty"` // preparation of the inputs and targets
}

// trainResult is the result of a training: its report, and its text for people.
type trainResult struct {
	trainReport
	print func(w io.Writer) error
}

// trainFromFlags trains the model that the command line describes.
func trainFromFlags(c *cli.Context, out string) (trainResult, error) {
	if err := checkModelPath(out, c.Bool("force")); err != nil {
		return trainResult{}, err
	}
	if err := checkCheckpointPath(checkpointDir(out), c.Bool("force")); err != nil {
		return trainResult{}, err
	}
	t, err := await(c.Context, func() (*training, error) { return planTraining(c) })
	if err != nil {
		return trainResult{}, err
	}
	return t.finish(c, out, nil)
}

// finish trains, writes the model, scores it on the held-out rows and writes the scores into it.
// If a step fails or is interrupted, finish keeps the results of the earlier steps, and the
// checkpoint unless resuming from it would add nothing.
func (t *training) finish(c *cli.Context, out string, states []trainers.State) (trainResult, error) {
	t.experiment.Release()
	model, hasCheckpoint, err := t.run(c, out, states)
	if err != nil {
		return trainResult{}, err
	}
	if err := model.Save(out, t.Replace); err != nil {
		return trainResult{}, t.describeUnsaved(out, err, hasCheckpoint)
	}
	scores, err := t.score(c, model)
	if err == nil && scores != nil {
		model.Scores = mustJSON(scores)
		if err := model.Save(out, true); err != nil {
			return trainResult{}, fmt.Errorf("%s is trained and written, and its test scores cannot be: %w\nMend that, then add them with \"%s\"", out, err, t.resumeCommand(out))
		}
	}
	if errors.Is(err, errInterrupted) {
		return trainResult{}, fmt.Errorf("%w: the model is trained and written, without its test scores; add them with \"%s\"", err, t.resumeCommand(out))
	}
	if err := trainers.RemoveCheckpoint(checkpointDir(out)); err != nil {
		return trainResult{}, fmt.Errorf("%s is trained and written, but %s cannot be removed: %w", out, checkpointDir(out), err)
	}
	if err != nil {
		return trainResult{}, fmt.Errorf("%s is trained and written, without its test scores: %w", out, err)
	}
	return t.result(c, out, model, scores), nil
}

// run trains the ensemble members, from their states in a checkpoint unless states is empty, and prints
// progress and warnings. hasCheckpoint reports whether the checkpoint of the complete training could be
// written. An interrupted training leaves its checkpoint as well; its error says how to continue.
func (t *training) run(c *cli.Context, out string, states []trainers.State) (m *experiment.Trained, hasCheckpoint bool, err error) {
	hasCheckpoint = len(states) > 0
	notedFailure := false      // one note is enough if several checkpoints fail
	var shownWarnings []string // warnings printed during the training, which are not printed again
	view := newTrainingProgress(c, t.job, states)
	m, err = t.experiment.Train(c.Context, trainers.Options{
		Threads:    c.Int("threads"),
		Resume:     states,
		Checkpoint: checkpointDir(out),
		Job:        mustJSON(t.job),
		Program:    programVersion(),
		EarlyWarning: func(warning string) {
			shownWarnings = append(shownWarnings, warning)
			warnAll(c, []string{warning})
		},
		AfterCheckpoint: func(err error) {
			hasCheckpoint = err == nil
			if !hasCheckpoint && !notedFailure {
				notedFailure = true
				note(c, "the checkpoint could not be written, the training goes on: %v", err)
			}
		},
		Progress:              view.show,
		AfterTrainingProgress: view.showAfter,
	})
	view.End()
	var interrupted *trainers.InterruptedError
	var missing *trainers.MissingColumnError
	switch {
	case errors.As(err, &interrupted):
		return nil, false, fmt.Errorf("%w: go on with \"%s\"", errInterrupted, t.resumeCommand(out))
	case errors.As(err, &missing):
		return nil, false, fmt.Errorf("%w with --extra %s", err, missing.Column)
	case err != nil:
		return nil, false, err
	}
	m.Versions = mustJSON(version())
	for _, warning := range m.Warnings {
		if !slices.Contains(shownWarnings, warning) {
			warnAll(c, []string{warning})
		}
	}
	return m, hasCheckpoint, nil
}

// trainingProgress shows the epochs of all members of a training.
type trainingProgress struct {
	*terminal.Progress
	c      *cli.Context
	epochs []int // epochs done by each member

	// Rows that the method's function after the training has seen, in all of its passes over the rows and in
	// the present pass.
	rows       int
	rowsInPass int
}

// newTrainingProgress returns the progress line of a training. states are the members' states in its
// checkpoint, empty for a new training.
func newTrainingProgress(c *cli.Context, j job, states []trainers.State) *trainingProgress {
	p := &trainingProgress{
		Progress: newProgress(c, fmt.Sprintf("%s on %s", j.Spec.Method, j.Table.Name)),
		c:        c,
		epochs:   make([]int, j.Training.Members),
	}
	for i, s := range states {
		p.epochs[i] = s.Epoch
		p.StepsBefore += s.Epoch
	}
	return p
}

// show shows how far the training of all members is.
func (p *trainingProgress) show(now trainers.Progress) {
	p.epochs[now.Member] = now.Epoch
	if now.Finished {
		p.epochs[now.Member] = now.Epochs // a member that stopped early has no epochs left
	}
	done := 0
	for _, e := range p.epochs {
		done += e
	}
	p.At(done, now.Epochs*now.Members, fmt.Sprintf(", epoch %d of %d, loss %.4g", now.Epoch, now.Epochs, now.Loss))
}

// showAfter counts the rows that the method's function after the training has seen, in all of its
// passes over them.
func (p *trainingProgress) showAfter(now trainers.AfterTrainingProgress) {
	if p.rows == 0 { // the first call ends the line of the epochs
		p.End()
		p.Progress = newProgress(p.c, "after the training")
	}
	if now.Done <= p.rowsInPass { // another pass has begun, whose count starts at 0 again
		p.rowsInPass = 0
	}
	p.rows += now.Done - p.rowsInPass
	p.rowsInPass = now.Done
	p.Count(p.rows, "rows")
}

// resumeCommand returns the command that continues the training of out.
func (t *training) resumeCommand(out string) string {
	command := "sml train --resume --out " + out
	if t.Table.Name == experiment.StandardInput {
		command += " --data FILE"
	}
	return command
}

// describeUnsaved returns an error for a model that could not be written. The error tells how to
// continue from the checkpoint, if there is one. hasCheckpoint reports whether the checkpoint has all
// epochs.
func (t *training) describeUnsaved(out string, err error, hasCheckpoint bool) error {
	switch {
	case hasCheckpoint:
		return fmt.Errorf("the model cannot be written: %w\nNothing is lost: mend that, then write it with \"%s\"", err, t.resumeCommand(out))
	case fileExists(checkpointDir(out)):
		return fmt.Errorf("the model cannot be written: %w\nIts last epochs are lost: mend that, then go on with \"%s\"", err, t.resumeCommand(out))
	}
	return fmt.Errorf("the model cannot be written: %w", err)
}

// score scores the model on the held-out rows. It returns nil if there are none.
func (t *training) score(c *cli.Context, m *experiment.Trained) (*evaluation.Evaluation, error) {
	test := t.experiment.Rows.Test
	if len(test) == 0 {
		return nil, nil
	}
	s := t.experiment.Sampling()
	defer showSampling(c, &s)()
	return await(c.Context, func() (*evaluation.Evaluation, error) {
		e, _, err := t.experiment.Evaluate(c.Context, m.Model, test, s)
		return &e, err
	})
}

// result returns the result of a training, and prints warnings about its scores. scores is nil if
// no rows were held out.
func (t *training) result(c *cli.Context, out string, m *experiment.Trained, scores *evaluation.Evaluation) trainResult {
	last := m.History.Rows[len(m.History.Rows)-1]
	warnings := scores.Warnings()
	warnAll(c, warnings)
	result := trainReport{
		Model:       out,
		Method:      t.Spec.Method,
		Data:        mustJSON(t.Table),
		Training:    mustJSON(t.Training),
		Loss:        last.Values[0],
		Warnings:    append(append([]string{}, m.Warnings...), warnings...),
		Test:        m.Scores,
		Preparation: m.Preparation,
	}
	return trainResult{result, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: %s trained on %d of the %d rows of %s, %d epochs of batches of %d, learning rate %g, final loss %.4g\n",
			out, t.Spec.Method, len(t.experiment.Rows.Train), t.Table.Rows, t.Table.Name, last.Number, t.Training.Batch, t.Training.LearningRate, last.Values[0])
		if scores == nil {
			return nil
		}
		fmt.Fprintf(w, "on the %s%s:\n", describeHeldOut(t.Settings, len(t.experiment.Rows.Test)), describeWeights(t.experiment.Data()))
		return writeScores(w, scores, t.Prediction.Measures)
	}}
}
