package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
)

// With the defaults of the program, tobit learns y = 2a + b with a noise of 0.2 from a table in which half of the
// targets are lower bounds: the predictions of rows without bounds have no bias, and hardly more error than the
// noise. The loss chooses the epoch, since the CRPS takes bounds for targets.
func TestTobitByDefault(t *testing.T) {
	dir := t.TempDir()
	table := func(name string, rows int, isCensored bool) string {
		random := rand.New(rand.NewPCG(uint64(rows), 1))
		text := "a,b,y,censored\n"
		for range rows {
			a, b := 4*random.Float64()-2, 4*random.Float64()-2
			y, bound := 2*a+b+0.2*portable.NormFloat64(random), 6*random.Float64()-3
			if isCensored && y > bound {
				text += fmt.Sprintf("%.5f,%.5f,%.5f,1\n", a, b, bound)
				continue
			}
			text += fmt.Sprintf("%.5f,%.5f,%.5f,0\n", a, b, y)
		}
		return writeFile(t, name, text)
	}
	model, predictions := filepath.Join(dir, "model"), filepath.Join(dir, "p.csv")
	run(t, strings.Fields("train --data "+table("t.csv", 1000, true)+" --target y --extra censored --method tobit --out "+model)...)
	report, _ := run(t, strings.Fields("evaluate "+model+" --data "+table("truth.csv", 500, false)+" --json --predictions "+predictions)...)
	var scores struct {
		Original map[string]float64 `json:"original"`
	}
	expect.NoError(t, json.Unmarshal([]byte(report), &scores))
	if rmse := scores.Original["rmse"]; !(rmse < 0.3) {
		t.Errorf("the RMSE is %v; the noise is 0.2", rmse)
	}
	report, _ = run(t, strings.Fields("evaluate "+model+" --measures concordance --json")...)
	expect.NoError(t, json.Unmarshal([]byte(report), &scores))
	if index := scores.Original["concordance"]; !(index > 0.9) {
		t.Errorf("the concordance index of held-out rows is %v", index)
	}
	bias, columns := 0.0, readColumns(t, readFile(t, predictions))
	for row, y := range columns["y"] {
		bias += (columns["mean"][row] - y) / float64(len(columns["y"]))
	}
	if !(math.Abs(bias) < 0.1) {
		t.Errorf("the bias is %v", bias)
	}
}

// The loss of ten rows is the mean of the nine smallest squared errors, and a wrong target changes it only
// until its error is the largest.
func TestTrimmedLeavesOutTheLargestError(t *testing.T) {
	const rows = 10
	s := expect.Must(models.NewSpec("trimmed", nil, models.Architecture{Inputs: 1, Targets: 1}))
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	r := newRunner(t, b, lossOf(t, s, rows)(b))
	for _, name := range r.Inputs() {
		r.Input64(name) // zeros
	}
	var squares []float64 // of the errors: all parameters are zeros, and so are all predictions
	for i := range r.Input64(models.InputY) {
		y := math.Sin(float64(5 * i))
		r.Input64(models.InputY)[i] = y
		squares = append(squares, y*y)
	}
	for _, wrong := range []float64{3, 1e6} {
		r.Input64(models.InputY)[4] = wrong
		squares[4] = wrong * wrong
		expect.NoError(t, r.Run())
		sorted := slices.Sorted(slices.Values(squares))
		want := 0.0
		for _, v := range sorted[:rows-1] {
			want += v / (rows - 1)
		}
		if got := r.Output64(0)[0]; !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("loss %v with a target of %v, want %v", got, wrong, want)
		}
	}
}
