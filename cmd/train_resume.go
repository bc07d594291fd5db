package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	if m := j.writtenModel(out, states); m != nil {
		if m.Scores != nil || j.Training.Split == "" {
			return finishWritten(out, m)
		}
		j.Replace = true // only its scores are missing
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

// checkResumeFlags returns a usage error for a flag that would change the result of a resumed training.
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
func readCheckpoint(c *cli.Context, out string) (job, []trainers.State, error) {
	if err := checkResumeFlags(c); err != nil {
		return job{}, nil, err
	}
	path := checkpointDir(out)
	text, states, err := trainers.ReadCheckpoint(path, programVersion())
	switch {
	case errors.Is(err, fs.ErrNotExist) && fileExists(out):
		return job{}, nil, fmt.Errorf("there is no interrupted training to resume: %s exists, and %s does not", out, path)
	case errors.Is(err, fs.ErrNotExist):
		return job{}, nil, fmt.Errorf("there is no interrupted training to resume: %w", err)
	case err != nil:
		return job{}, nil, fmt.Errorf("%w; to train anew instead, leave out --resume and discard it with --force", err)
	}
	var j job
	err = strict.Unmarshal(text, &j)
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
	unnamed := j.Table.Name == experiment.StandardInput
	switch {
	case !unnamed && file != "":
		return usageErrorf("--data cannot be changed by --resume: the training goes on with the table it began with")
	case unnamed && file == "":
		return usageErrorf("--resume: the table of this training has no name: %w; name the same table with --data, or give it again with --data -", experiment.ErrStandardInput)
	case unnamed:
		j.Table.ReadStandardInput = rowio.FileSource(c.App.Reader, file)
	}
	return nil
}

// resume reads the table of an interrupted training and prepares its experiment as it began. It returns an
// error if the table has changed since.
func (j job) resume(c *cli.Context) (*training, error) {
	table, err := readTable(c, j.Settings, j.Dir)
	if errors.Is(err, experiment.ErrChanged) {
		return nil, fmt.Errorf("%w since the training began: train anew without --resume", err)
	}
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, j.Settings, experiment.NewTable(table))
	if err != nil {
		return nil, err
	}
	if err := e.Resume(j.Preparation, j.Inputs, j.Targets, j.Parent); err != nil {
		return nil, fmt.Errorf("%w: train anew without --resume", err)
	}
	return &training{job: j, experiment: e}, nil
}

// writtenModel returns the model at out if it is the result of the job, otherwise nil: a
// training may be killed after its model is written and before its checkpoint is removed.
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
	for i, s := range states {
		done := s.Stopped || s.Epoch >= j.Training.Epochs
		switch {
		case !done && j.Replace:
			return nil // it may be the model that the training replaces
		case done && !slices.Equal(s.Weights(), m.Members[i].Float32s()):
			return nil
		}
	}
	return m
}

// finishWritten removes the checkpoint of a training whose model is written.
func finishWritten(out string, m *models.Model) (trainResult, error) {
	if err := trainers.RemoveCheckpoint(checkpointDir(out)); err != nil {
		return trainResult{}, err
	}
	h, err := models.LoadHistory(out)
	if err != nil {
		return trainResult{}, err
	}
	last := len(h.Rows) - 1
	if last < 0 || math.IsNaN(h.Rows[last].Values[0]) {
		return trainResult{}, fmt.Errorf("%s has a history without a last loss", out)
	}
	result := trainReport{
		Model:       out,
		Method:      m.Method,
		Data:        m.Data,
		Training:    m.Training,
		Loss:        h.Rows[last].Values[0],
		Warnings:    []string{},
		Test:        m.Scores,
		Preparation: m.Preparation,
	}
	printText := func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: was trained and written before; its checkpoint, which was left over, is removed\n", out)
		return err
	}
	return trainResult{trainReport: result, print: printText}, nil
}
