package experiment

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models/distribution"
)

// calibrationSettingsBySplit returns settings with calibration rows for every kind of split, by name.
func calibrationSettingsBySplit(t *testing.T) map[string]Settings {
	t.Helper()
	splits := ownSplits(t)
	for name, s := range splits {
		s.Training.Calibrate, s.Calibration = 0.3, calibrate.Options{Coverage: 0.7}
		splits[name] = s
	}
	return splits
}

// Calibration rows are neither training nor test rows: whole groups in a split by group, and the
// latest rows before the test rows in a split by time.
func TestCalibrationRows(t *testing.T) {
	for name, s := range calibrationSettingsBySplit(t) {
		e, trained := train(t, s)
		own, held, test := e.Rows.Train, e.Rows.Calibration, e.Rows.Test
		if all := slices.Sorted(slices.Values(slices.Concat(own, held, test))); len(all) != e.Data().Rows() || len(slices.Compact(all)) != len(all) || len(held) < 10 {
			t.Errorf("%s: %d rows to train, %d to calibrate, %d to test on, of %d", name, len(own), len(held), len(test), e.Data().Rows())
		}
		m := decodeModel(t, trained.Model)
		if c := m.Calibration; c.Rows != len(held) {
			t.Errorf("%s: calibrated on %+v; want %d rows", name, c, len(held))
		}
		b := e.Data().SplitValues
		switch name {
		case "group":
			for _, r := range held {
				if slices.ContainsFunc(own, func(o int) bool { return b[o] == b[r] }) {
					t.Errorf("group %v is on both sides", b[r])
				}
			}
		case "time":
			for _, r := range held {
				if slices.ContainsFunc(own, func(o int) bool { return b[o] > b[r] }) || slices.ContainsFunc(test, func(o int) bool { return b[o] < b[r] }) {
					t.Errorf("a row of %v is calibrated on", b[r])
				}
			}
		}
		if rows, err := m.Settings.Rows(t.Context(), NewTable(e.Data())); err != nil || !slices.Equal(rows.Train, own) || !slices.Equal(rows.Calibration, held) || !slices.Equal(rows.Test, test) {
			t.Errorf("%s: by the model, the rows are %v, %v", name, rows, err)
		}
	}
}

// Nothing of the rows to calibrate on comes into weights, preparation or scale, and
// their targets into the calibration.
func TestCalibrationIsOfItsRows(t *testing.T) {
	s := calibrationSettingsBySplit(t)["random"]
	e, before := train(t, s)
	lines := rawTableLines()
	for i, r := range e.Rows.Calibration {
		fields := strings.Split(lines[1+r], ",")
		fields[1], fields[6] = "12345", fmt.Sprint(1000*i)
		lines[1+r] = strings.Join(fields, ",")
	}
	writeLines(t, filepath.Dir(s.Table.Name), "train.csv", lines)
	_, after := train(t, s)
	if !bytes.Equal(fittedState(t, before.Model), fittedState(t, after.Model)) {
		t.Error("what is fitted follows from rows to calibrate on")
	}
	if bytes.Equal(before.Calibration, after.Calibration) {
		t.Error("the calibration does not follow from them")
	}
}

// Through a transform, intervals are mapped back by their limits: those of a logarithm
// are positive, and cover as many rows as those of the logarithm do.
func TestCalibratedTransform(t *testing.T) {
	s := calibrationSettingsBySplit(t)["random"]
	s.Table.Transform = "log1p"
	s.Prediction.Measures = []string{"ace", "ece"}
	e, trained := train(t, s)
	found, p, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
	expect.NoError(t, err)
	if found.Uncalibrated == nil || distribution.IsNormal(p.Values[0].Distribution) {
		t.Fatal("predictions are not calibrated")
	}
	for _, name := range []string{"ace", "ece"} {
		if a, b := found.Standardised.Get(name), found.Original.Get(name); a != b {
			t.Errorf("%s is %v of the logarithm and %v of the target", name, a, b)
		}
	}
}
