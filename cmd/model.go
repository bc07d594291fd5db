package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/safefile"
	"sml/models"
)

// openModel opens a model. It returns an error if a file of the model was changed since it was written. With --force it
// reads the file and prints a note.
func openModel(c *cli.Context, dir string) (*experiment.Model, error) {
	dir = safefile.ResolveDotDot(dir)
	if c.Bool("force") {
		m, changed, err := experiment.OpenChanged(dir)
		for _, path := range changed {
			note(c, "%s %v: it is read as it is", path, models.ErrChanged)
		}
		return m, err
	}
	m, err := experiment.Open(dir)
	if errors.Is(err, fs.ErrNotExist) && fileExists(checkpointDir(dir)) {
		err = fmt.Errorf("%w: its training is not finished; go on with \"sml train --resume --out %s\"", err, dir)
	}
	if errors.Is(err, models.ErrChanged) {
		err = fmt.Errorf("%w: restore it, or train the model again", err)
		if lookupFlag(c.Command.Flags, "force") != nil {
			err = fmt.Errorf("%w; --force reads it anyway", err)
		}
	}
	return m, err
}

// readChanged adds to the help of a flag --force that a changed model is read.
func readChanged(force *cli.BoolFlag) *cli.BoolFlag {
	force.Usage += "; read a model although its files were changed"
	return force
}

// inputColumns returns options that find a model's input columns in a table of rows to predict: by name, and in a
// file without a header by their places in the training table's file. header says whether a file has a header, ""
// for a guess.
func inputColumns(m *experiment.Model, header string) read.Options {
	o := read.Options{
		Inputs:   m.Inputs.Names(),
		Targets:  m.Targets.Names(),
		NoTarget: true,
		Header:   read.Header(header),
		Layout:   m.Settings.Table.Layout,
	}
	if p := m.Preparation; p != nil {
		// The network's inputs are prepared columns, such as one for each category: read the columns of the table.
		o.Inputs, o.Fields = p.Inputs()
		o.Layout = p.Layout(o.Layout)
	}
	return o
}

// judgedColumns returns options that find a model's inputs, targets, extra columns and weights in a table of rows
// that the model is judged on. header says whether a file has a header, "" for a guess.
func judgedColumns(m *experiment.Model, header string) read.Options {
	o := inputColumns(m, header)
	o.NoTarget = false // unlike rows to predict, judged rows need their targets
	o.TargetFields = m.TargetFields()
	o.Extra = m.Settings.Table.Extra
	o.Weight = m.Settings.Table.Weight
	return o
}

// samplesFlag returns the flag --samples.
func samplesFlag() cli.Flag {
	return &cli.IntFlag{Name: "samples", Value: evaluation.DefaultSamples, Usage: "predict each row with this `NUMBER` of sub-networks",
		Action: func(_ *cli.Context, n int) error {
			if in := models.Limits.Samples; !in.Contains(float64(n)) {
				return usageErrorf("--samples %d: want %v: a spread needs at least 2 sub-networks", n, in)
			}
			return nil
		},
	}
}

// momentsFlag returns the flag --moments.
func momentsFlag() cli.Flag {
	names := evaluation.MomentNames()
	return choiceFlag("moments", "compute the mean and the standard deviation over sub-networks from drawn ones, or in a formula for all of them: `"+strings.Join(names, "|")+"`", names...)
}

// samplingSeedFlag returns the flag --seed of commands that predict.
func samplingSeedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Usage: "draw the dropout masks from the seed `NUMBER`", DefaultText: "the model's"}
}

// loadRest reads the parts of the model in dir that experiment.Open leaves out, its history and its training rows,
// so that the model can be saved again.
func loadRest(m *experiment.Model, dir string) (err error) {
	m.History, err = models.LoadHistory(dir)
	if err != nil {
		return err
	}
	m.TrainingRows, err = models.LoadTrainingRows(dir)
	return err
}

// describeCalibration describes a calibration for people, such as "scale, for intervals of up to 95%".
func describeCalibration(c *calibrate.Calibration) string {
	text := fmt.Sprintf("%s, for intervals of up to %v%%", c.Kind, 100*c.Coverage)
	if c.HasSets() {
		text = fmt.Sprintf("%s, for sets of up to %v%%", c.Kind, 100*c.Coverage)
	}
	temperature := c.Groups[0].Targets[0].Temperature // 0 unless the targets are classes, which have no intervals
	if temperature > 0 {
		text = fmt.Sprintf("%s %.3g", c.Kind, temperature)
	}
	if c.GroupColumn != "" {
		values := len(c.Groups) - 1 // one group is for rows with another value
		text += fmt.Sprintf(", each of %s of %s by itself", terminal.Count(values, "value"), c.GroupColumn)
	}
	if c.MeanGroups > 0 {
		text += fmt.Sprintf(", each of %s by the predicted mean by itself", terminal.Count(c.MeanGroups, "group"))
	}
	return text
}

// maxValues is the number of values of a column that a message lists.
const maxValues = 10

// noteUnknownGroups prints the values of the calibration's group column that no calibration row has, if there are
// any. Rows with such a value get the calibration of all rows together.
func noteUnknownGroups(c *cli.Context, calibration *calibrate.Calibration, unknown []string) {
	if len(unknown) > 0 {
		note(c, "%s: %s: not among the rows calibrated on; calibrated as all rows together", calibration.GroupColumn, terminal.First(unknown, maxValues))
	}
}

// uncalibratedFlag returns the flag --uncalibrated.
func uncalibratedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "uncalibrated", Usage: "ignore the model's calibration"}
}

// checkMoments returns the source of moments that --moments chooses. It returns a usage error if the model's predictions
// cannot have it, or if --moments or another flag about sub-networks would do nothing.
func checkMoments(c *cli.Context, m *experiment.Model) (evaluation.MomentSource, error) {
	if err := m.Settings.CheckRead(c.LocalFlagNames()); err != nil {
		return "", usageError{err}
	}
	source, err := evaluation.ParseMoments(c.String("moments"))
	if err != nil || source == evaluation.SampledMoments {
		return source, err
	}
	if c.IsSet("samples") {
		return source, usageErrorf("--samples goes with --moments sampled: %s moments draw no sub-networks", source)
	}
	if err := source.Check(m.Spec); err != nil {
		return source, usageErrorf("%w; use --moments sampled", err)
	}
	return source, nil
}

// openToSample opens the model in dir and returns how its sub-networks are sampled: as the flags --samples, --moments,
// --seed and --engine choose, and otherwise as the model says. It returns a usage error for moments that the model's
// predictions cannot have.
func openToSample(c *cli.Context, dir string) (*experiment.Model, evaluation.Sampling, error) {
	m, err := openModel(c, dir)
	if err != nil {
		return nil, evaluation.Sampling{}, err
	}
	sampling := m.Sampling
	sampling.Samples = c.Int("samples")
	sampling.Engine = graph.Engine(c.String("engine"))
	if c.IsSet("seed") {
		sampling.Seed = c.Uint64("seed")
	}
	sampling.Moments, err = checkMoments(c, m)
	return m, sampling, err
}
