package cmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// training is a training that is ready to run.
type training struct {
	job                               // its settings
	experiment *experiment.Experiment // the table's rows, prepared and split by these settings

	alternative *training // of job.Alternative; nil if there is none
}

// trainReport is the result of "sml train" as JSON.
type trainReport struct {
	Model    string          `json:"model"`
	Method   string          `json:"method"`
	Data     json.RawMessage `json:"data"`
	Training json.RawMessage `json:"training"`
	Loss     *float64        `json:"loss,omitempty"`          // loss of the last epoch; nil if there was none
	Choice   json.RawMessage `json:"method_choice,omitempty"` // an experiment.MethodChoice; empty if there was no choice
	Warnings []string        `json:"warnings"`
	Test     json.RawMessage `json:"test,omitempty"` // scores on the held-out rows; empty if there are none

	Baselines []experiment.BaselineScores `json:"baselines,omitempty"` // on the held-out rows

	Preparation json.RawMessage `json:"preparation,omitempty"` // preparation of the inputs and targets
}

// trainResult is the result of a training.
type trainResult struct {
	trainReport                         // the result as JSON
	print       func(w io.Writer) error // writes the result as text for people
}

// trainFromFlags trains the model that the command line describes and saves it in the directory out. Its first
// checks come before reading the table, which may take long.
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
	var noStates []trainers.State // every member starts with its first epoch
	return t.finish(c, out, noStates)
}

// finish trains, writes the model, scores it on the held-out rows and writes the scores into it. states are
// the members' states in the checkpoint, empty for a new training. If a step fails or is interrupted, finish
// keeps the results of the earlier steps, and the checkpoint unless resuming from it would add nothing.
func (t *training) finish(c *cli.Context, out string, states []trainers.State) (trainResult, error) {
	t.experiment.Release() // a large table is in memory once: the inputs as read go, their prepared copies stay
	if t.alternative != nil {
		t.alternative.experiment.Release()
	}
	model, hasCheckpoint, err := t.run(c, out, states)
	if err != nil {
		return trainResult{}, err
	}
	if err := model.Save(out, t.Replace); err != nil {
		return trainResult{}, t.describeUnsaved(out, err, hasCheckpoint)
	}
	scores, scoreErr := t.score(c, model)
	if errors.Is(scoreErr, errInterrupted) {
		return trainResult{}, fmt.Errorf("%w: the model is trained and written, without its test scores; add them with \"%s\"", scoreErr, t.resumeCommand(out))
	}
	if scoreErr == nil && scores != nil {
		if err := t.saveScores(out, model, scores); err != nil {
			return trainResult{}, err
		}
	}
	// The checkpoint has served: resuming from it could only repeat a scoring that failed.
	if err := removeCheckpoints(out); err != nil {
		return trainResult{}, fmt.Errorf("%s is trained and written, but its checkpoint cannot be removed: %w", out, err)
	}
	if scoreErr != nil {
		return trainResult{}, fmt.Errorf("%s is trained and written, without its test scores: %w", out, scoreErr)
	}
	if scores == nil {
		return t.result(out, model, nil, nil), nil
	}
	baselines, err := scorePredicted(c, t.Prediction.Measures, func() ([]experiment.Baseline, error) {
		return t.experiment.Baselines(t.experiment.Rows.Test)
	})
	if err != nil {
		return trainResult{}, fmt.Errorf("%w: %s is trained and written, with its scores", err, out)
	}
	decoded, err := experiment.Decode(model.Model)
	if err != nil {
		return trainResult{}, err
	}
	warnings := append(scores.Warnings(), decoded.Verdict(scores, baselines)...)
	warnAll(c, warnings)
	model.Warnings = append(model.Warnings, warnings...)
	return t.result(out, model, scores, baselines), nil
}

// run trains the ensemble members, from their states in a checkpoint unless states is empty, and prints
// progress and warnings. Afterwards t is the training of the returned model, which may be the alternative's.
// hasCheckpoint reports whether the checkpoint of the complete training could be written. An interrupted training
// leaves its checkpoint as well; its error says how to continue.
func (t *training) run(c *cli.Context, out string, states []trainers.State) (m *experiment.Trained, hasCheckpoint bool, err error) {
	messages := trainingMessages{c: c}
	var view *trainingProgress
	options := func(s experiment.Settings, checkpoint string, states []trainers.State) trainers.Options {
		messages.hasCheckpoint = len(states) > 0 // states of a complete training: no later checkpoint follows
		view = newTrainingProgress(c, s, states)
		return trainers.Options{
			Threads:               c.Int("threads"),
			Resume:                states,
			Checkpoint:            checkpoint,
			Job:                   mustJSON(t.job),
			Program:               programVersion(),
			EarlyWarning:          messages.warnEarly,
			AfterCheckpoint:       messages.noteCheckpoint,
			Progress:              view.show,
			AfterTrainingProgress: view.showAfter,
		}
	}
	first := options(t.Settings, checkpointDir(out), states)
	if t.alternative == nil {
		m, err = t.experiment.Train(c.Context, first)
	} else {
		m, err = t.experiment.TrainBetter(c.Context, t.alternative.experiment, first, func() (trainers.Options, error) {
			view.End()
			states, err := t.readAlternative(out)
			return options(t.Alternative.Settings, alternativeDir(out), states), err
		})
	}
	view.End()
	if err != nil {
		return nil, false, t.describeFailure(out, err)
	}
	m.Versions = mustJSON(version())
	messages.warnRest(m.Warnings)
	t.Settings = m.Experiment.Settings
	t.experiment = m.Experiment
	return m, messages.hasCheckpoint, nil
}

// describeFailure returns an error for a training that failed or was interrupted. It adds the command or the
// flag that helps, if there is one.
func (t *training) describeFailure(out string, err error) error {
	var interrupted *trainers.InterruptedError
	var missing *trainers.MissingColumnError
	switch {
	case errors.As(err, &interrupted):
		return fmt.Errorf("%w: go on with \"%s\"", errInterrupted, t.resumeCommand(out))
	case errors.As(err, &missing):
		return fmt.Errorf("%w with --extra %s", err, missing.Column)
	}
	return err
}

// trainingMessages prints the warnings of a training and a note if its checkpoint cannot be written, each
// once.
type trainingMessages struct {
	c             *cli.Context
	earlyWarnings []string // warnings printed before the first step
	hasCheckpoint bool     // whether the latest checkpoint could be written
	notedFailure  bool     // whether a note on a failed checkpoint is printed
}

// warnEarly prints a warning about the settings before the first step. Of two trainings, the second does not repeat it.
func (m *trainingMessages) warnEarly(warning string) {
	if slices.Contains(m.earlyWarnings, warning) {
		return
	}
	m.earlyWarnings = append(m.earlyWarnings, warning)
	warnAll(m.c, []string{warning})
}

// warnRest prints the warnings of a complete training that warnEarly has not printed.
func (m *trainingMessages) warnRest(warnings []string) {
	for _, warning := range warnings {
		if !slices.Contains(m.earlyWarnings, warning) {
			warnAll(m.c, []string{warning})
		}
	}
}

// noteCheckpoint prints a note on the first checkpoint that could not be written. err is nil for a checkpoint
// that is written.
func (m *trainingMessages) noteCheckpoint(err error) {
	m.hasCheckpoint = err == nil
	if err == nil || m.notedFailure {
		return
	}
	m.notedFailure = true
	note(m.c, "the checkpoint could not be written, the training goes on: %v", err)
}

// trainingProgress shows how far a training is: first the epochs of all members, then the rows that the
// method's function after the training has seen.
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
func newTrainingProgress(c *cli.Context, s experiment.Settings, states []trainers.State) *trainingProgress {
	p := &trainingProgress{
		Progress: newProgress(c, fmt.Sprintf("%s on %s", s.Spec.Method, s.Table.Name)),
		c:        c,
		epochs:   make([]int, s.Training.Members),
	}
	for i, s := range states {
		p.epochs[i] = s.Epoch
		p.StepsBefore += s.Epoch
	}
	return p
}

// show shows the epochs that all members together have done. now is the progress of one member.
func (p *trainingProgress) show(now trainers.Progress) {
	p.epochs[now.Member] = now.Epoch
	if now.Finished {
		p.epochs[now.Member] = now.Epochs // a member that stopped early has no epochs left
	}
	done := 0
	for _, memberEpochs := range p.epochs {
		done += memberEpochs
	}
	p.At(done, now.Epochs*now.Members, fmt.Sprintf(", epoch %d of %d, loss %.4g", now.Epoch, now.Epochs, now.Loss))
}

// showAfter counts the rows that the method's function after the training has seen, in all of its
// passes over them.
func (p *trainingProgress) showAfter(now trainers.AfterTrainingProgress) {
	isFirstCall := p.rows == 0
	if isFirstCall { // the line of the epochs ends, and another one begins
		p.End()
		p.Progress = newProgress(p.c, "after the training")
	}
	isNewPass := now.Done <= p.rowsInPass // now.Done counts the rows of the present pass only
	if isNewPass {
		p.rowsInPass = 0
	}
	p.rows += now.Done - p.rowsInPass
	p.rowsInPass = now.Done
	p.Count(p.rows, "rows")
}

// resumeCommand returns the command that continues the training of out. If the table came from standard input, it cannot be
// read again, and the command asks for a file. A training that keeps the weights has no epochs and no checkpoint, so that
// the command starts it again.
func (t *training) resumeCommand(out string) string {
	command := "sml train --resume --out " + out
	if t.Training.KeepWeights {
		command = fmt.Sprintf("sml posthoc %s --kind %s --force --out %s", t.InitFrom, t.Spec.Method, out)
	}
	if t.Table.Name == experiment.StandardInput {
		command += " --data FILE"
	}
	return command
}

// describeUnsaved returns an error for a model that could not be written. The error tells how to continue from
// the checkpoint, if there is one. hasAllEpochs says whether this checkpoint has the complete training.
func (t *training) describeUnsaved(out string, err error, hasAllEpochs bool) error {
	switch {
	case hasAllEpochs:
		return fmt.Errorf("the model cannot be written: %w\nNothing is lost: mend that, then write it with \"%s\"", err, t.resumeCommand(out))
	case fileExists(checkpointDir(out)):
		return fmt.Errorf("the model cannot be written: %w\nIts last epochs are lost: mend that, then go on with \"%s\"", err, t.resumeCommand(out))
	}
	return fmt.Errorf("the model cannot be written: %w", err)
}

// score scores the model on the held-out rows and shows its progress. It returns nil if no rows were held
// out.
func (t *training) score(c *cli.Context, m *experiment.Trained) (*evaluation.Evaluation, error) {
	test := t.experiment.Rows.Test
	if len(test) == 0 {
		return nil, nil
	}
	s := t.experiment.Sampling()
	endProgress := showSampling(c, &s)
	defer endProgress()
	return await(c.Context, func() (*evaluation.Evaluation, error) {
		e, _, err := t.experiment.Evaluate(c.Context, m.Model, test, s)
		return &e, err
	})
}

// saveScores writes the model in the directory out once more, with its scores on the held-out rows.
func (t *training) saveScores(out string, m *experiment.Trained, scores *evaluation.Evaluation) error {
	const replace = true // run has written the model without scores
	m.Scores = mustJSON(scores)
	if err := m.Save(out, replace); err != nil {
		return fmt.Errorf("%s is trained and written, and its test scores cannot be: %w\nMend that, then add them with \"%s\"", out, err, t.resumeCommand(out))
	}
	return nil
}

// result returns the result of a training: its report for --json and its text for people. scores are those
// on the held-out rows, nil if no rows were held out.
func (t *training) result(out string, m *experiment.Trained, scores *evaluation.Evaluation, baselines []experiment.BaselineScores) trainResult {
	warnings := append([]string{}, m.Warnings...) // not nil, which JSON would write as null
	report := trainReport{
		Model:       out,
		Method:      t.Spec.Method,
		Data:        mustJSON(t.Table),
		Training:    mustJSON(t.Training),
		Loss:        lastLoss(m.History),
		Choice:      m.Model.Choice,
		Warnings:    warnings,
		Test:        m.Scores,
		Baselines:   baselines,
		Preparation: m.Preparation,
	}
	printText := func(w io.Writer) error {
		if err := t.printSummary(w, out, m); err != nil || scores == nil {
			return err
		}
		return cmp.Or(t.printScores(w, scores), writeBaselines(w, baselines))
	}
	return trainResult{trainReport: report, print: printText}
}

// lossColumn is the index of the loss in the values of an epoch. The terms of the loss and the logged values
// follow it.
const lossColumn = 0

// lastLoss returns the loss of the last epoch in a history, or nil if there is no epoch.
func lastLoss(h models.History) *float64 {
	if len(h.Rows) == 0 {
		return nil
	}
	return &h.Rows[len(h.Rows)-1].Values[lossColumn]
}

// printSummary writes a line on a complete training: its model, method, rows, settings and the loss of its
// last epoch. A line on the choice of the method precedes it if there were two to choose from.
func (t *training) printSummary(w io.Writer, out string, m *experiment.Trained) error {
	rows := len(t.experiment.Rows.Train)
	h := m.History
	loss := lastLoss(h)
	if loss == nil {
		_, err := fmt.Fprintf(w, "%s: %s computed with the weights of %s and %d of the %d rows of %s\n",
			out, t.Spec.Method, t.InitFrom, rows, t.Table.Rows, t.Table.Name)
		return err
	}
	if m.Choice != nil && m.Choice.ComparesMethods() {
		if _, err := fmt.Fprintf(w, "method: %s\n", m.Choice); err != nil {
			return err
		}
	}
	last := h.Rows[len(h.Rows)-1]
	_, err := fmt.Fprintf(w, "%s: %s trained on %d of the %d rows of %s, %d epochs of batches of %d, learning rate %g, final loss %.4g\n",
		out, t.Spec.Method, rows, t.Table.Rows, t.Table.Name, last.Number, t.Training.Batch, t.Training.LearningRate, *loss)
	return err
}

// printScores writes the scores on the held-out rows, below a line that describes these rows.
func (t *training) printScores(w io.Writer, scores *evaluation.Evaluation) error {
	heldOut := describeHeldOut(t.Settings, len(t.experiment.Rows.Test))
	if _, err := fmt.Fprintf(w, "on the %s%s:\n", heldOut, describeWeights(t.experiment.Data())); err != nil {
		return err
	}
	return writeScores(w, scores, t.Prediction.Measures)
}
