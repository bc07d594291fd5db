package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers"
)

// interruptedJob reads the interrupted training of a model directory.
func interruptedJob(c *cli.Context, out string) (job, []trainers.State, error) {
	fail := func(err error) (job, []trainers.State, error) { return job{}, nil, err }
	for _, name := range c.LocalFlagNames() {
		switch name {
		case "resume", "out", "force", "json", "quiet", "data-dir", "data", "track", "threads":
		default:
			return fail(usage("--%s cannot be changed by --resume: the training goes on with the settings it began with", name))
		}
	}
	path := checkpointOf(out)
	text, states, err := trainers.ReadCheckpoint(path, programVersion())
	switch {
	case errors.Is(err, fs.ErrNotExist) && exists(out):
		return fail(fmt.Errorf("there is no interrupted training to resume: %s exists, and %s does not", out, path))
	case errors.Is(err, fs.ErrNotExist):
		return fail(fmt.Errorf("there is no interrupted training to resume: %w", err))
	case err != nil:
		return fail(fmt.Errorf("%w; to train anew instead, leave out --resume and discard it with --force", err))
	}
	var j job
	if err = strict.Unmarshal(text, &j); err == nil {
		err = j.check(states)
	}
	if err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	switch from := c.String("data"); {
	case j.Table.Name != experiment.StandardInput && from != "":
		return fail(usage("--data cannot be changed by --resume: the training goes on with the table it began with"))
	case j.Table.Name == experiment.StandardInput && from == "":
		return fail(usage("--resume: the table of this training has no name: %w; name the same table with --data, or give it again with --data -", experiment.ErrStandardInput))
	case from != "":
		j.Table.From = readerOf(c, from)
	}
	if c.IsSet("data-dir") {
		j.Dir = c.String("data-dir")
	}
	j.Replace = j.Replace || c.Bool("force")
	return j, states, nil
}

// check tells whether a job that was read is one that could have been written.
func (j job) check(states []trainers.State) error {
	if err := j.Settings.Check(); err != nil {
		return err
	}
	if a := j.Spec.Architecture; len(j.Inputs) != a.Inputs || len(j.Targets) != a.Targets {
		return fmt.Errorf("it has %d input and %d target columns, and its network %d and %d", len(j.Inputs), len(j.Targets), a.Inputs, a.Targets)
	}
	for _, c := range slices.Concat(j.Inputs, j.Targets) {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if (j.InitFrom == "") != (j.Parent == nil) {
		return errors.New("it does not identify the model that it starts from")
	}
	if len(states) != j.Training.Members {
		return fmt.Errorf("it has %d members, and its settings %d", len(states), j.Training.Members)
	}
	return nil
}

// resume reads the table of a job that goes on.
func (j job) resume(c *cli.Context, out string) (*training, error) {
	ctx, stop := showReading(c.Context, c, j.Table.Name)
	defer stop()
	table, err := readTable(ctx, j.Settings, j.Dir)
	if errors.Is(err, experiment.ErrChanged) {
		return nil, fmt.Errorf("%w since the training began: train anew without --resume", err)
	}
	if err != nil {
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, j.Settings, experiment.Share(table))
	if err != nil {
		return nil, interruption(err)
	}
	if err := e.GoOn(j.Preparation, j.Inputs, j.Targets, j.Parent); err != nil {
		return nil, fmt.Errorf("%w: train anew without --resume", err)
	}
	return &training{j, e}, nil
}

// written returns the model at out if it is the one that the job comes to: a
// training may be killed when its model is written and its checkpoint not yet
// removed.
func (j job) written(out string, states []trainers.State) *models.Model {
	m, err := models.Load(out)
	if err != nil || len(m.Members) != len(states) {
		return nil
	}
	if !bytes.Equal(mustJSON([]any{m.Data, m.Training, m.Spec, m.Inputs, m.Targets}), mustJSON([]any{j.Table, j.Training, j.Spec, j.Inputs, j.Targets})) {
		return nil
	}
	for i, s := range states {
		done := s.Stopped || s.Epoch >= j.Training.Epochs
		switch {
		case !done && j.Replace:
			return nil // it may be the one that is to be replaced
		case done && !slices.Equal(s.Weights(), m.Members[i].Float32s()):
			return nil
		}
	}
	return m
}

// tellWritten finishes a training whose model is written already.
func tellWritten(c *cli.Context, out string, m *models.Model) error {
	if err := trainers.RemoveCheckpoint(checkpointOf(out)); err != nil {
		return err
	}
	if !c.Bool("json") {
		_, err := fmt.Fprintf(c.App.Writer, "%s: was trained and written before; its checkpoint, which was left over, is removed\n", out)
		return err
	}
	h, err := models.LoadHistory(out)
	if err != nil {
		return err
	}
	last := len(h.Rows) - 1
	if last < 0 || math.IsNaN(h.Rows[last].Values[0]) {
		return fmt.Errorf("%s has a history without a last loss", out)
	}
	return writeJSON(c, trained{out, m.Method, m.Data, m.Training, h.Rows[last].Values[0], []string{}, m.Scores, m.Preparation})
}

// unwritten says what is left of a training whose model could not be written.
func unwritten(out, again string, err error, kept bool) error {
	switch {
	case kept:
		return fmt.Errorf("the model cannot be written: %w\nNothing is lost: mend that, then write it with \"%s\"", err, again)
	case exists(checkpointOf(out)):
		return fmt.Errorf("the model cannot be written: %w\nIts last epochs are lost: mend that, then go on with \"%s\"", err, again)
	}
	return fmt.Errorf("the model cannot be written: %w", err)
}
