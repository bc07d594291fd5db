package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/statistics"
	"sml/models"
	"sml/trainers"
)

// training is a training that is ready to run.
type training struct {
	dataDir     string                 // directory of downloaded data sets; "" for the default
	experiment  *experiment.Experiment // the table's rows, prepared and split by the settings
	alternative *experiment.Experiment // quantile networks that may be trained, too (experiment.TrainBetter); nil if there are none
	states      []trainers.State       // states of the ensemble members in the checkpoint; nil for a new training
}

// startedTraining is what a checkpoint keeps of a training beside the states of its members, so that --resume needs no
// other flags.
type startedTraining struct {
	Settings    experiment.Settings  `json:"settings"`
	DataDir     string               `json:"data_dir,omitempty"`
	Alternative *experiment.Settings `json:"alternative,omitempty"`
	Origin      *origin              `json:"origin,omitempty"` // nil if the training starts from no model
}

// origin is what a training takes over from the model that it starts from. A resumed training keeps it, even if that
// model has changed since.
type origin struct {
	Preparation *preparation.Preparation `json:"preparation,omitempty"`
	Inputs      data.Scalers             `json:"inputs"`
	Targets     data.Scalers             `json:"targets"`
	Parent      *experiment.Parent       `json:"parent"`
}

// started returns the part of the training's checkpoint that resumeTraining reads.
func (t *training) started() startedTraining {
	e := t.experiment
	s := startedTraining{Settings: e.Settings, DataDir: t.dataDir}
	if t.alternative != nil {
		s.Alternative = &t.alternative.Settings
	}
	if e.InitFrom != "" {
		s.Origin = &origin{
			Preparation: e.Preparation(),
			Inputs:      e.Inputs,
			Targets:     e.Targets,
			Parent:      e.Parent,
		}
	}
	return s
}

// trainReport is the result of "sml train" and "sml posthoc".
type trainReport struct {
	Model    string          `json:"model"`
	Method   string          `json:"method"`
	Data     json.RawMessage `json:"data"`
	Training json.RawMessage `json:"training"`
	Loss     *float64        `json:"loss,omitempty"`          // loss of the last epoch, as the mean over the members; nil if there was none
	Choice   json.RawMessage `json:"method_choice,omitempty"` // an experiment.MethodChoice; empty if there was no choice
	Warnings []string        `json:"warnings"`
	Test     json.RawMessage `json:"test,omitempty"` // scores on the held-out rows; empty if there are none

	Baselines []experiment.BaselineScores `json:"baselines,omitempty"` // on the held-out rows

	Preparation json.RawMessage `json:"preparation,omitempty"` // preparation of the inputs and targets

	trained *experiment.Trained
	judged  *judgement // the scores in Test and Baselines; nil if there are none
}

// trainInto trains the model that plan describes and writes it into the folder out, which it locks: two trainings of one
// model would overwrite each other's files. The checks of the folder come before plan, since reading a table may take
// long.
func trainInto(c *cli.Context, out string, plan func() (*training, error)) (*trainReport, error) {
	release, err := lockOutput(c, "out", out, out+lockSuffix)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := checkOut(c, out); err != nil {
		return nil, err
	}
	t, err := await(c.Context, plan)
	if err != nil {
		return nil, err
	}
	return t.finish(c, out)
}

// finish trains, scores the model on the held-out rows, and writes it into the folder out, where it takes the place of
// the training's checkpoint and of the model that it replaces. It does so in one step, so that the folder has either a
// checkpoint or the complete model. After an error, the checkpoint stays unless it is of no use.
func (t *training) finish(c *cli.Context, out string) (*trainReport, error) {
	t.experiment.Release() // a large table is in memory once: the inputs as read go, their prepared copies stay
	if t.alternative != nil {
		t.alternative.Release()
	}
	m, err := t.run(c, out)
	if err != nil {
		os.Remove(out) // fails unless the folder is empty: a training that diverged leaves no checkpoint
		return nil, t.describeFailure(out, err)
	}
	scores, scoreErr := score(c, m)
	if errors.Is(scoreErr, errInterrupted) {
		return nil, fmt.Errorf("%w: %s", scoreErr, t.howToGoOn(out))
	}
	if scoreErr == nil && scores != nil {
		m.Scores = mustJSON(scores)
	}
	if err := m.SaveOver(out, ownFiles); err != nil {
		return nil, fmt.Errorf("the model cannot be written: %w\nMend that, then %s", err, t.howToGoOn(out))
	}
	if scoreErr != nil {
		return nil, fmt.Errorf("%s is trained and written, without its test scores: %w", out, scoreErr)
	}
	if scores == nil {
		return newTrainReport(out, m, nil), nil
	}
	judged, err := judge(c, m.Experiment, m.Model, scores)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is trained and written, with its scores", err, out)
	}
	warnings := scores.Warnings()
	warn(c, warnings...)
	m.Warnings = slices.Concat(m.Warnings, warnings, judged.remarks())
	return newTrainReport(out, m, judged), nil
}

// run trains the ensemble members, from their states in the checkpoint if there are any, and prints progress and
// warnings.
func (t *training) run(c *cli.Context, out string) (*experiment.Trained, error) {
	if t.states == nil { // the new training may be discarding one that had an alternative
		if err := trainers.RemoveCheckpoint(alternativeDir(out)); err != nil {
			return nil, err
		}
	}
	view := &trainingView{c: c}
	first := t.options(view, t.experiment, checkpointDir(out), t.states)
	var m *experiment.Trained
	var err error
	if t.alternative == nil {
		m, err = t.experiment.Train(c.Context, first)
	} else {
		m, err = t.experiment.TrainBetter(c.Context, t.alternative, first, func() (trainers.Options, error) {
			view.End()
			_, states, err := readCheckpoint(alternativeDir(out))
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return t.options(view, t.alternative, alternativeDir(out), states), err
		})
	}
	view.End()
	if err != nil {
		return nil, err
	}
	m.Versions = mustJSON(version())
	view.warn(m.Warnings...)
	return m, nil
}

// options returns the options of the training of e, which is t.experiment or t.alternative, and begins to show its
// progress. states are the members' states in the directory checkpoint, nil if there are none.
func (t *training) options(view *trainingView, e *experiment.Experiment, checkpoint string, states []trainers.State) trainers.Options {
	view.begin(e.Settings, states)
	return trainers.Options{
		Threads:               view.c.Int("threads"),
		Resume:                states,
		Checkpoint:            checkpoint,
		Job:                   mustJSON(t.started()),
		Program:               programVersion(),
		EarlyWarning:          func(warning string) { view.warn(warning) },
		AfterCheckpoint:       view.noteCheckpoint,
		Progress:              view.show,
		AfterTrainingProgress: view.showAfter,
	}
}

// describeFailure returns an error for a training that failed or was interrupted. It adds the command or the
// flag that helps, if there is one.
func (t *training) describeFailure(out string, err error) error {
	var interrupted *trainers.InterruptedError
	var missing *trainers.MissingColumnError
	switch {
	case errors.As(err, &interrupted):
		return fmt.Errorf("%w: %s", errInterrupted, t.howToGoOn(out))
	case errors.As(err, &missing):
		return fmt.Errorf("%w with --extra %s", err, missing.Column)
	}
	return err
}

// howToGoOn says how to continue the training of out. If the table came from standard input, it cannot be read again, and
// the command asks for a file. A training that keeps the weights has no epochs and no checkpoint.
func (t *training) howToGoOn(out string) string {
	if t.experiment.Training.KeepWeights {
		return "repeat the command"
	}
	command := "sml train --resume --out " + out
	if t.experiment.Table.Name == experiment.StandardInput {
		command += " --data FILE"
	}
	return fmt.Sprintf("go on with \"%s\"", command)
}

// score scores the model on the held-out rows and shows its progress. It returns nil if no rows were held
// out.
func score(c *cli.Context, m *experiment.Trained) (*evaluation.Evaluation, error) {
	test := m.Experiment.Rows.Test
	if len(test) == 0 {
		return nil, nil
	}
	return awaitWithProgress(c, samplingAction, func(progress func(done, total int)) (*evaluation.Evaluation, error) {
		s := m.Experiment.Sampling()
		s.Progress = progress
		e, _, err := m.Experiment.Evaluate(c.Context, m.Model, test, s)
		return &e, err
	})
}

// judge compares the scores of a model of an experiment on the held-out rows with the scores of the baselines.
func judge(c *cli.Context, e *experiment.Experiment, m *models.Model, scores *evaluation.Evaluation) (*judgement, error) {
	decoded, err := experiment.Decode(m)
	if err != nil {
		return nil, err
	}
	chosen := e.Prediction.Measures
	baselines, err := scorePredicted(c, comparedMeasures(decoded, chosen), func() ([]experiment.Baseline, error) { return e.Baselines(e.Rows.Test) })
	return &judgement{
		model:     decoded,
		scores:    scores,
		baselines: baselines,
		measures:  chosen,
	}, err
}

// newTrainReport returns the report on the model at out. judged is nil if no rows were held out.
func newTrainReport(out string, m *experiment.Trained, judged *judgement) *trainReport {
	r := &trainReport{
		Model:       out,
		Method:      m.Method,
		Data:        mustJSON(m.Experiment.Table),
		Training:    mustJSON(m.Experiment.Training),
		Choice:      m.Model.Choice,
		Warnings:    append([]string{}, m.Warnings...), // not nil, which JSON would write as null
		Test:        m.Scores,
		Preparation: m.Preparation,
		trained:     m,
		judged:      judged,
	}
	if judged != nil {
		r.Baselines = judged.baselines
	}
	if ends := lastEpochs(m.History); len(ends) > 0 {
		r.Loss = new(meanLoss(ends))
	}
	return r
}

// print writes the result for people.
func (r *trainReport) print(w io.Writer) {
	r.printSummary(w)
	if r.judged == nil {
		return
	}
	e := r.trained.Experiment
	fmt.Fprintf(w, "on the %s%s:\n", describeHeldOut(e.Settings, len(e.Rows.Test)), describeWeights(e.Data()))
	r.judged.print(w)
}

// lastEpochs returns the last epoch of each member in a history. It is empty if there is no epoch.
func lastEpochs(h models.History) []models.Epoch {
	var last []models.Epoch
	for i, epoch := range h.Rows {
		isLast := i == len(h.Rows)-1 || h.Rows[i+1].Member != epoch.Member
		if isLast {
			last = append(last, epoch)
		}
	}
	return last
}

// meanLoss returns the mean loss of epochs, the first of their values.
func meanLoss(epochs []models.Epoch) float64 {
	var losses []float64
	for _, epoch := range epochs {
		losses = append(losses, epoch.Values[0])
	}
	return statistics.Mean(losses)
}

// printSummary writes a line on a complete training: its model, method, rows, settings, and its epochs and the loss of the
// last epoch, as means over the members. A line on the choice of the method precedes it if there were two to choose from.
func (r *trainReport) printSummary(w io.Writer) {
	e := r.trained.Experiment
	rows := len(e.Rows.Train)
	if r.Loss == nil {
		fmt.Fprintf(w, "%s: %s computed with the weights of %s and %d of the %d rows of %s\n",
			r.Model, r.Method, e.InitFrom, rows, e.Table.Rows, e.Table.Name)
		return
	}
	if choice := r.trained.Choice; choice != nil && choice.ComparesMethods() {
		fmt.Fprintf(w, "method: %s\n", choice)
	}
	ends := lastEpochs(r.trained.History)
	epochs := 0
	for _, end := range ends {
		epochs += end.Number
	}
	ofMembers := ""
	if len(ends) > 1 {
		ofMembers = fmt.Sprintf(" (mean of %d members)", len(ends))
	}
	fmt.Fprintf(w, "%s: %s trained on %d of the %d rows of %s, %.4g epochs%s of batches of %d, learning rate %g, final loss %.4g%s\n",
		r.Model, r.Method, rows, e.Table.Rows, e.Table.Name, float64(epochs)/float64(len(ends)), ofMembers, e.Training.Batch, e.Training.LearningRate, *r.Loss, ofMembers)
}
