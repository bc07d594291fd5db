package models_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

// keptRows returns three calibration rows of two features, one score and a weight.
func keptRows(t *testing.T) *models.CalibrationRows {
	t.Helper()
	return expect.Must(models.NewCalibrationRows(3, []float64{1, 2, 3, 4, 5, 6}, []float64{0.5, 1, 1.5}, []float64{2, 0.5, 0.5}))
}

// Calibration rows are saved with a model.
func TestCalibrationRows(t *testing.T) {
	m := example(t)
	m.CalibrationRows = keptRows(t)
	dir := filepath.Join(t.TempDir(), "m")
	expect.NoError(t, m.Save(dir, false))
	got, err := models.LoadCalibrationRows(dir)
	if err != nil || !reflect.DeepEqual(got, m.CalibrationRows) {
		t.Errorf("%+v, %v; want %+v", got, err, m.CalibrationRows)
	}
	if files, err := models.Files(dir); err != nil || !strings.Contains(strings.Join(files, " "), models.CalibrationRowsFile) {
		t.Errorf("%v, %v", files, err)
	}
}

// However many features a row has, the rows take 8 MiB of float32 at most.
func TestMaxCalibrationRows(t *testing.T) {
	for features, want := range map[int]int{5: 4096, 511: 4096, 1023: 2048, 1 << 16: 31} { // min(4096, 2²¹/(features + 1)), by hand
		if got := models.MaxCalibrationRows(features, 1); got != want {
			t.Errorf("%d features: %d rows, want %d", features, got, want)
		}
	}
}
