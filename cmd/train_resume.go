package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/evaluation/experiment"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers"
)

// resumeTraining continues the interrupted training of the model directory out from its checkpoint. If the
// model is written already, it only adds the missing scores or removes the checkpoint.
func resumeTraining(c *cli.Context, out string) (trainResult, error) {
	j, states, err := readCheckpoint(c, out)
	if err != nil {
		return trainResult{}, err
	}
	written, err := j.writtenChoice(out, states)
	if err != nil {
		return trainResult{}, err
	}
	if written != nil {
		hasAllScores := written.Scores != nil || j.Training.Split == "" // without a split there are no test rows
		if hasAllScores {
			return finishWritten(out, written)
		}
		j.Replace = true // by the same model with its scores
	}
	if err := checkModelPath(out, j.Replace); err != nil {
		return trainResult{}, err
	}
	t, err := await(c.Context, func() (*training, error) { return j.resume(c) })
	if err != nil {
		return trainResult{}, err
	}
	return t.finish(c, out, states)
}

// checkResumeFlags returns a usage error for a flag that would change the result of a resumed training. --data is
// allowed here: chooseInput checks it.
func checkResumeFlags(c *cli.Context) error {
	// These flags choose files, output and speed.
	allowed := []string{"resume", "out", "force", "json", "quiet", "data-dir", "data", "track", "threads"}
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(allowed, name) {
			return usageErrorf("--%s cannot be changed by --resume: the training goes on with the settings it began with", name)
		}
	}
	return nil
}

// readCheckpoint reads the interrupted training of the model directory out. It returns the job with the
// flags of this command line that may differ, and the states of the ensemble members.
func readCheckpoint(c *cli.Context, out string) (j job, states []trainers.State, err error) {
	if err := checkResumeFlags(c); err != nil {
		return job{}, nil, err
	}
	path := checkpointDir(out)
	encodedJob, states, err := trainers.ReadCheckpoint(path, programVersion())
	if err != nil {
		return job{}, nil, describeUnreadable(out, err)
	}
	err = strict.Unmarshal(encodedJob, &j)
	if err == nil {
		err = j.check(states)
	}
	if err != nil {
		return job{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.IsSet("data-dir") {
		j.Dir = c.String("data-dir")
	}
	j.Replace = j.Replace || c.Bool("force")
	return j, states, j.chooseInput(c)
}

// chooseInput takes --data for the table of a training that began with standard input, which has no name
// to read it by again. It returns a usage error if --data is missing then, or set otherwise.
func (j *job) chooseInput(c *cli.Context) error {
	file := c.String("data")
	isUnnamed := j.Table.Name == experiment.StandardInput
	switch {
	case !isUnnamed && file != "":
		return usageErrorf("--data cannot be changed by --resume: the training goes on with the table it began with")
	case isUnnamed && file == "":
		return usageErrorf("--resume: the table of this training has no name: %w; name the same table with --data, or give it again with --data -", experiment.ErrStandardInput)
	case isUnnamed:
		j.Table.ReadStandardInput = rowio.FileSource(c.App.Reader, file)
	}
	return nil
}

// resume reads the table of an interrupted training and prepares its experiment as it began, with the scalers and
// the preparation of the job. It returns an error if the table has changed since.
func (j job) resume(c *cli.Context) (*training, error) {
	table, err := readTable(c, j.Settings, j.Dir)
	if errors.Is(err, experiment.ErrChanged) {
		return nil, fmt.Errorf("%w since the training began: train anew without --resume", err)
	}
	if err != nil {
		return nil, err
	}
	shared := experiment.NewTable(table)
	t, err := j.prepare(c, shared)
	if err != nil || j.Alternative == nil {
		return t, err
	}
	t.alternative, err = j.Alternative.prepare(c, shared)
	return t, err
}

// prepare prepares the experiment of an interrupted training on its table.
func (j job) prepare(c *cli.Context, table *experiment.Table) (*training, error) {
	e, err := experiment.Prepare(c.Context, j.Settings, table)
	if err != nil {
		return nil, err
	}
	if err := e.Resume(j.Preparation, j.Inputs, j.Targets, j.Parent); err != nil {
		return nil, fmt.Errorf("%w: train anew without --resume", err)
	}
	return &training{job: j, experiment: e}, nil
}

// writtenChoice returns the model at out if the job has written it, with either of its two methods. Otherwise it returns
// nil.
func (j job) writtenChoice(out string, states []trainers.State) (*models.Model, error) {
	written := j.writtenModel(out, states)
	if j.Alternative == nil {
		return written, nil
	}
	others, err := j.readAlternative(out)
	if err != nil {
		return nil, err
	}
	if written == nil && others != nil {
		written = j.Alternative.writtenModel(out, others)
	}
	hasChosen := written != nil && written.Choice != nil // otherwise it is a model of a chosen method, which the training replaces
	if !hasChosen {
		return nil, nil
	}
	return written, nil
}

// writtenModel returns the model at out if it is the result of the job, otherwise nil: a
// training may be killed after its model is written and before its checkpoint is removed.
//
// The model must have the settings of the job, and the weights of each member that the checkpoint has trained to its
// end. The weights of other members cannot be compared: the checkpoint is older than the model.
func (j job) writtenModel(out string, states []trainers.State) *models.Model {
	m, err := models.Load(out)
	if err != nil || len(m.Members) != len(states) {
		return nil
	}
	// The model has some of its settings as JSON, so both sides are compared as JSON.
	modelSettings := mustJSON([]any{m.Data, m.Training, m.Spec, m.Inputs, m.Targets})
	jobSettings := mustJSON([]any{j.Table, j.Training, j.Spec, j.Inputs, j.Targets})
	if !bytes.Equal(modelSettings, jobSettings) {
		return nil
	}
	for i, state := range states {
		isTrained := state.Stopped || state.Epoch >= j.Training.Epochs
		if !isTrained && j.Replace {
			return nil // the model may be an older one with the same settings, which the training replaces
		}
		if isTrained && !slices.Equal(state.Weights(), m.Members[i].Float32s()) {
			return nil
		}
	}
	return m
}

// finishWritten removes the checkpoint of a training whose model m is written at out, and returns the result of the
// training.
func finishWritten(out string, m *models.Model) (trainResult, error) {
	if err := removeCheckpoints(out); err != nil {
		return trainResult{}, err
	}
	history, err := models.LoadHistory(out)
	if err != nil {
		return trainResult{}, err
	}
	loss := lastLoss(history)
	if loss == nil || math.IsNaN(*loss) { // an empty field of the file is read as NaN
		return trainResult{}, fmt.Errorf("%s has a history without a last loss", out)
	}
	report := trainReport{
		Model:       out,
		Method:      m.Method,
		Data:        m.Data,
		Training:    m.Training,
		Loss:        loss,
		Choice:      m.Choice,
		Warnings:    []string{}, // the training printed them; not nil, which JSON would write as null
		Test:        m.Scores,
		Preparation: m.Preparation,
	}
	printText := func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: was trained and written before; its checkpoint, which was left over, is removed\n", out)
		return err
	}
	return trainResult{trainReport: report, print: printText}, nil
}
