package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/strict"
	"sml/models"
	"sml/trainers"
)

// interruptedJob reads the interrupted training of a model directory.
func interruptedJob(c *cli.Context, out string) (job, []trainers.State, error) {
	fail := func(err error) (job, []trainers.State, error) { return job{}, nil, err }
	for _, name := range c.LocalFlagNames() {
		switch name {
		case "resume", "out", "force", "json", "quiet", "data-dir":
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
	if err := strict.Unmarshal(text, &j); err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	if err := j.check(states); err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	if c.IsSet("data-dir") {
		j.Dir = c.String("data-dir")
	}
	j.Replace = j.Replace || c.Bool("force")
	return j, states, nil
}

// check tells whether a job that was read is one that could have been written.
func (j job) check(states []trainers.State) error {
	spec, err := models.NewSpec(j.Spec.Method, j.Spec.Hyperparameters, j.Spec.Architecture)
	if err != nil {
		return err
	}
	if !bytes.Equal(mustJSON(spec), mustJSON(j.Spec)) {
		return errors.New("its network and hyperparameters are not those of its method")
	}
	resolved, err := trainers.Resolve(spec, j.Settings)
	if err != nil {
		return err
	}
	if !bytes.Equal(mustJSON(resolved), mustJSON(j.Settings)) {
		return errors.New("its settings are not complete")
	}
	switch data.Header(j.Source.Header) {
	case data.HeaderAuto, data.HeaderYes, data.HeaderNo:
	default:
		return fmt.Errorf("there is no header %q", j.Source.Header)
	}
	if j.Source.Data == "" {
		return errors.New("it names no data")
	}
	if _, err := data.ParseProtocol(j.Source.Mode); err != nil {
		return err
	}
	if j.Source.Split != noSplit {
		kind, err := data.LookupSplit(j.Source.Split)
		if err != nil {
			return err
		}
		if err := kind.CheckFold(j.Source.Fold); err != nil {
			return err
		}
	} else if j.Source.Fold != 0 {
		return fmt.Errorf("there is no fold %d without a split", j.Source.Fold)
	}
	if j.Settings.Split != strings.TrimPrefix(j.Source.Split, noSplit) || j.Settings.Fold != j.Source.Fold {
		return fmt.Errorf("its rows are of fold %d of a split %q, and its randomness of fold %d of %q", j.Source.Fold, j.Source.Split, j.Settings.Fold, j.Settings.Split)
	}
	if j.Settings.Seed != j.Source.Seed || string(j.Settings.Protocol) != j.Source.Mode {
		return fmt.Errorf("its rows are of seed %d and mode %s, and its settings of seed %d and mode %s", j.Source.Seed, j.Source.Mode, j.Settings.Seed, j.Settings.Protocol)
	}
	if len(j.Inputs) != spec.Architecture.Inputs || len(j.Targets) != spec.Architecture.Targets {
		return fmt.Errorf("it has %d input and %d target columns, and its network %d and %d", len(j.Inputs), len(j.Targets), spec.Architecture.Inputs, spec.Architecture.Targets)
	}
	for _, c := range slices.Concat(j.Inputs, j.Targets) {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if len(states) != j.Settings.Members {
		return fmt.Errorf("it has %d members, and its settings %d", len(states), j.Settings.Members)
	}
	return nil
}

// resume reads the table of a job that goes on.
func (j job) resume(c *cli.Context, out string) (*training, error) {
	stop := meanwhile(c, "reading "+j.Source.Data)
	defer stop()
	table, err := readTable(c.Context, j.Source, j.Dir)
	if err != nil {
		return nil, err
	}
	sum, err := table.Checksum(c.Context)
	if err != nil {
		return nil, interruption(err)
	}
	if sum != j.Source.Checksum {
		return nil, fmt.Errorf("%s has changed since the training began: train anew without --resume", j.Source.Data)
	}
	if layout := table.FileLayout(); j.Source.Rows != table.Rows() || !bytes.Equal(mustJSON(j.Source.Layout), mustJSON(layout)) {
		return nil, fmt.Errorf("%s: the rows and columns of the interrupted training do not stand in %s as they did", checkpointOf(out), j.Source.Data)
	}
	if !slices.Equal(names(j.Inputs), table.Columns) || !slices.Equal(names(j.Targets), table.Targets) {
		return nil, fmt.Errorf("%s: the columns of the interrupted training are not those of %s", checkpointOf(out), j.Source.Data)
	}
	return load(c, j, table)
}

// written returns the model at out if it is the one that the job comes to: a
// training may be killed when its model is written and its checkpoint not yet
// removed.
func (j job) written(out string, states []trainers.State) *models.Model {
	m, err := models.Load(out)
	if err != nil || len(m.Members) != len(states) {
		return nil
	}
	for _, same := range [][2]json.RawMessage{
		{m.Data, mustJSON(j.Source)}, {m.Training, mustJSON(j.Settings)}, {mustJSON(m.Spec), mustJSON(j.Spec)},
		{mustJSON(m.Inputs), mustJSON(j.Inputs)}, {mustJSON(m.Targets), mustJSON(j.Targets)},
	} {
		var compact bytes.Buffer
		if json.Compact(&compact, same[0]) != nil || !bytes.Equal(compact.Bytes(), same[1]) {
			return nil
		}
	}
	for i, s := range states {
		done := s.Stopped || s.Epoch >= j.Settings.Epochs
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
	loss := math.NaN()
	if n := len(h.Rows); n > 0 && len(h.Rows[n-1].Values) > 0 {
		loss = h.Rows[n-1].Values[0]
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return fmt.Errorf("%s has a history without a last loss", out)
	}
	return writeJSON(c, struct {
		Model    string          `json:"model"`
		Method   string          `json:"method"`
		Data     json.RawMessage `json:"data"`
		Training json.RawMessage `json:"training"`
		Loss     float64         `json:"loss"`
		Test     json.RawMessage `json:"test,omitempty"`
	}{out, m.Method, m.Data, m.Training, loss, m.Scores})
}

// unwritten says what is left of a training whose model could not be written.
func unwritten(out string, err error, kept bool) error {
	switch {
	case kept:
		return fmt.Errorf("the model cannot be written: %w\nNothing is lost: mend that, then write it with \"sml train --resume --out %s\"", err, out)
	case exists(checkpointOf(out)):
		return fmt.Errorf("the model cannot be written: %w\nIts last epochs are lost: mend that, then go on with \"sml train --resume --out %s\"", err, out)
	}
	return fmt.Errorf("the model cannot be written: %w", err)
}
