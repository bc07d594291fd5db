package cmd

import (
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/cmd/internal/terminal"
	"sml/data/read"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/models"
)

// shiftFlag returns the flag --shift-from. shiftCalibration reads it.
func shiftFlag() cli.Flag {
	return &cli.StringFlag{Name: "shift-from", Usage: "correct intervals for rows whose inputs are distributed as in `FILE` (\"-\" for standard input), which needs no targets, and not as in the calibration rows"}
}

// checkCorrections returns a usage error if the flags ask for two corrections of the same intervals, or for a correction
// of a calibration that they leave out.
func checkCorrections(c *cli.Context) error {
	switch {
	case c.String("shift-from") == "":
		return nil
	case c.String("shift-from") == "-" && c.String("in") == "-":
		return usageErrorf("--in and --shift-from cannot both read standard input; name a file for one of them")
	case c.String("follow") != "":
		return usageErrorf("--follow and --shift-from are two corrections of the same intervals; choose one of them")
	case c.Bool("uncalibrated"):
		return usageErrorf("--shift-from weights the rows of the calibration, which --uncalibrated leaves out; choose one of them")
	}
	return nil
}

// shiftCalibration returns the calibration of the model in dir for rows with inputs as in the file of --shift-from. It
// prints the effective sample size, the number of rows that the weighted calibration rows count as. It returns nil
// without the flag. It returns an error if the effective sample size is too small for the intervals of converter.
func shiftCalibration(c *cli.Context, dir string, m *experiment.Model, converter *experiment.Converter) (*experiment.ShiftedCalibration, error) {
	path := c.String("shift-from")
	if path == "" {
		return nil, nil
	}
	shifted, err := newShiftedCalibration(c, dir, m, path)
	if err != nil {
		return nil, fmt.Errorf("--shift-from %s: %w", path, err)
	}
	if err := checkEffectiveRows(shifted, m.Calibration, converter); err != nil {
		return nil, fmt.Errorf("--shift-from %s: %w", path, err)
	}
	noteShift(c, path, shifted, converter.Coverage)
	return shifted, nil
}

// newShiftedCalibration returns the calibration of the model in dir for rows with inputs as in the file at path.
func newShiftedCalibration(c *cli.Context, dir string, m *experiment.Model, path string) (*experiment.ShiftedCalibration, error) {
	kept, err := models.LoadCalibrationRows(dir)
	if err != nil {
		return nil, err
	}
	if err := m.CheckCalibrationRows(kept); err != nil {
		return nil, err
	}
	columns := inputColumns(m, c.String("header"))
	columns.KeepAll = m.Settings.Table.Weight != "" // the file may have weights
	rows, err := openRows(c, path, columns)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return await(c.Context, func() (*experiment.ShiftedCalibration, error) {
		inputs, err := rowio.SampleInputs(m, rows, models.MaxCalibrationRows(len(m.Inputs), 0))
		if err != nil {
			return nil, err
		}
		return m.ShiftCalibration(kept, inputs)
	})
}

// openRows opens a file, or standard input for "-", as a stream of rows. o names the columns to read. It prints a
// message if opening a file takes long, as it may for a workbook or a remote disk.
func openRows(c *cli.Context, path string, o read.Options) (*read.Stream, error) {
	if path == "-" {
		return read.Open(c.Context, c.App.Reader, experiment.StandardInput, o)
	}
	stopNote := announce(c, "reading "+path)
	defer stopNote()
	return read.OpenFile(c.Context, path, o)
}

// checkEffectiveRows returns an error if the effective sample size is too small for the interval and the quantiles of
// converter.
func checkEffectiveRows(s *experiment.ShiftedCalibration, calibration *calibrate.Calibration, converter *experiment.Converter) error {
	kind, _ := calibrate.Lookup(calibration.Kind) // the model is open, so that its kind is known
	widest := converter.WidestCoverage()
	minRows := kind.Rows(widest)
	if s.EffectiveRows >= float64(minRows) {
		return nil
	}
	return fmt.Errorf("its rows differ so much from the %d calibration rows that these count as %.1f rows (effective sample size), and intervals of %v%% need %d: calibrate the model on rows like them, or choose a smaller coverage",
		s.CalibrationRows, s.EffectiveRows, 100*widest, minRows)
}

// noteShift prints the effective sample size, and a warning if it is small.
func noteShift(c *cli.Context, path string, s *experiment.ShiftedCalibration, coverage float64) {
	rows := terminal.Count(s.TargetRows, "row")
	if !s.DiffersFound {
		note(c, "%s: %s, which do not differ from the calibration rows as far as can be told: intervals are as without --shift-from", path, rows)
		return
	}
	note(c, "%s: %s; weighted by them, the %d calibration rows count as %.0f rows (effective sample size)", path, rows, s.CalibrationRows, s.EffectiveRows)
	const enough = 100 // rows
	if s.EffectiveRows < enough {
		variation := math.Sqrt(coverage * (1 - coverage) / (s.EffectiveRows + 2))
		warn(c, fmt.Sprintf("the coverage of intervals from so few rows varies by ±%.0f%%, and rows outside the calibration rows have no valid intervals", 100*variation))
	}
}
