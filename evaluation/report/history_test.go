package report

import (
	"errors"
	"io"
	"math"
	"testing"
)

func TestHistory(t *testing.T) {
	figure, err := History([]Curve{
		{"loss", [][]float64{{1, 0.1, 0.01}, {2, 0.2, 0.02}}},
		{"negative", [][]float64{{1, math.NaN(), -1}}},
		{"never finite", [][]float64{{math.NaN(), math.NaN(), math.NaN()}}}, // a term of weight 0 may be
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(figure.Panels[0]) != 3 {
		t.Errorf("%d panels, want 3", len(figure.Panels[0]))
	}
	if err := errors.Join(figure.WriteSVG(io.Discard), figure.WritePNG(io.Discard)); err != nil {
		t.Error(err)
	}
	for name, curves := range map[string][]Curve{"none": nil, "no value": {{"loss", [][]float64{{math.NaN()}}}}} {
		if _, err := History(curves); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Losses at the ends of float32 and beyond are drawn. A long history has a picture of bounded size.
func TestHistoryOfExtremes(t *testing.T) {
	for _, values := range [][]float64{
		{math.MaxFloat32, -math.MaxFloat32}, {1e-45, 1e-44}, {1e-38, 3e38}, {0, 0}, {1, 1.0000001}, {5e-324, 1e-320}, {1e308, -1e308},
	} {
		figure, err := History([]Curve{{"loss", [][]float64{values}}})
		if err == nil {
			err = figure.WriteSVG(io.Discard)
		}
		if err != nil {
			t.Errorf("%v: %v", values, err)
		}
	}
}
