package report

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
)

// calibratedColumn returns n predictions N(mean, std²). If std is 1, they are perfectly calibrated:
// the levels of the targets are evenly spaced.
func calibratedColumn(n int, std float64) *measure.Column {
	c := &measure.Column{Protocol: data.Sound}
	for i := range n {
		mean := float64(i % 7)
		c.Mean, c.Std = append(c.Mean, mean), append(c.Std, std)
		c.Y = append(c.Y, mean+portable.NormalQuantile((float64(i)+0.5)/float64(n)))
	}
	return c
}

func TestCalibratedPredictionsAreOnTheDiagonal(t *testing.T) {
	c := calibratedColumn(1000, 1)
	curve := levelCurve(c)
	for i, below := range curve.Y {
		if math.Abs(below-curve.X[i]) > 1.0/1000 {
			t.Errorf("level %v: %v below", curve.X[i], below)
		}
	}
	for i, height := range newHistogram(c).heights {
		if math.Abs(height-1) > 1e-9 {
			t.Errorf("bar %d is %v high; want 1", i, height)
		}
	}
	// Expected of twice the σ: Φ(2 Φ⁻¹(0.1)) = 0.0052 below the quantile of 0.1.
	wide := levelCurve(calibratedColumn(10000, 2))
	if got := wide.Y[10]; math.Abs(got-0.0052) > 2e-4 {
		t.Errorf("twice the σ: %v below the quantile of 0.1; want 0.0052", got)
	}
}

func TestWeightsCountAsRows(t *testing.T) {
	c := calibratedColumn(40, 1)
	doubled := &measure.Column{Protocol: data.Sound}
	for row := range c.Y {
		w := float64(1 + row%2)
		c.Weights = append(c.Weights, w)
		for range int(w) {
			doubled.Y, doubled.Mean, doubled.Std = append(doubled.Y, c.Y[row]), append(doubled.Mean, c.Mean[row]), append(doubled.Std, c.Std[row])
		}
	}
	weighted := levelCurve(c)
	repeated := levelCurve(doubled)
	for i, below := range weighted.Y {
		if math.Abs(below-repeated.Y[i]) > 1e-12 {
			t.Errorf("level %v: %v and %v", weighted.X[i], below, repeated.Y[i])
		}
	}
	if rows := effectiveRows(c.Weights, len(c.Y)); rows != 36 { // 60²/(20 + 4·20)
		t.Errorf("effective number of rows is %d; want 36", rows)
	}
}

// The area between the two sparsification curves is the measure AUSE.
func TestSparsificationIsAUSE(t *testing.T) {
	c := calibratedColumn(500, 1)
	errors := make([]float64, len(c.Y))
	for row := range c.Y {
		c.Std[row] = float64(1 + row*7%5)
		errors[row] = math.Abs(c.Y[row] - c.Mean[row])
	}
	const steps = 20000
	leftOut := make([]float64, steps)
	for i := range leftOut {
		leftOut[i] = (float64(i) + 0.5) / steps
	}
	byError := remainingErrors(c, errors, errors, leftOut)
	area := 0.0
	for i, bySigma := range remainingErrors(c, errors, c.Std, leftOut) {
		area += (bySigma - byError[i]) / steps
	}
	ause := expect.Must(measure.Lookup("ause"))
	if want := ause.Compute(c); math.Abs(area-want) > 1e-3 {
		t.Errorf("the area is %v; want AUSE, %v", area, want)
	}
}

func TestBins(t *testing.T) {
	values := []float64{math.NaN(), 5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	number := input{Field: data.Field{Kind: data.Number}, Value: func(row int) float64 { return values[row] }}
	b := newBins(number, len(values))
	if len(b.names) != maxRanges+1 || b.names[maxRanges] != "missing" || b.ofRow[0] != maxRanges || b.ofRow[2] != 0 || b.ofRow[len(values)-1] != maxRanges-1 {
		t.Errorf("numbers are in %d parts, %q: %v", len(b.names), b.names, b.ofRow)
	}
	if !slices.Equal(b.edges, []string{"1", "3", "5", "7", "9", "11", "13", "15", "17", "19", "20"}) {
		t.Errorf("their edges are %q", b.edges)
	}
	text := input{Field: data.Field{Kind: data.Category, Categories: []string{"a", "b"}}, Value: func(row int) float64 { return float64(row % 2) }}
	if b := newBins(text, 4); !slices.Equal(b.names, []string{"a", "b"}) || !slices.Equal(b.ofRow, []int32{0, 1, 0, 1}) {
		t.Errorf("texts are in %q: %v", b.names, b.ofRow)
	}
	many := input{Field: data.Field{Kind: data.Category, Categories: strings.Split("abcdefghijklmn", "")}, Value: func(row int) float64 { return float64(row % 14) }}
	if b := newBins(many, 29); len(b.names) != maxValues || b.names[maxValues-1] != "others" || b.names[0] != "a" {
		t.Errorf("many texts are in %q", b.names)
	}
	months := input{Field: data.Field{Kind: data.Category, Categories: []string{"Apr", "Feb", "Jan"}}, Value: func(row int) float64 { return float64(row % 3) }}
	if b := newBins(months, 3); !slices.Equal(b.names, []string{"Jan", "Feb", "Apr"}) || !slices.Equal(b.ofRow, []int32{2, 1, 0}) {
		t.Errorf("months are in %q: %v", b.names, b.ofRow)
	}
	same := input{Field: data.Field{Kind: data.Number}, Value: func(row int) float64 { return float64(max(0, row-90)) / 7 }}
	if b := newBins(same, 110); len(b.names) > maxRanges || b.edges[0] != "0" {
		t.Errorf("ties are in %q of %q", b.names, b.edges)
	}
}

// pixelData matches the pixels of a picture within an SVG, which may have the letters NaN.
var pixelData = regexp.MustCompile(`base64,[^"]*`)

// infiniteQuantiles is a distribution whose intervals are infinitely wide.
type infiniteQuantiles struct{ distribution.Distribution }

func (infiniteQuantiles) Quantile(level float64) float64 { return math.Inf(2*int(level+0.5) - 1) }
func (infiniteQuantiles) CDF(float64) float64            { return 0.5 }

// Every registered plot draws any valid rows or gives a reason why not. It draws the same rows as the
// same bytes.
func TestEveryPlotDrawsAnything(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	history := models.History{Columns: []string{"loss", "validation loss"}, Rows: []models.Epoch{
		{Member: 0, Number: 1, Values: []float64{3e38, -3e38}}, {Member: 0, Number: 2, Values: []float64{math.NaN(), 1}}, {Member: 1, Number: 1, Values: []float64{1e-30, 1e-45}},
	}}
	one := &measure.Column{Mean: []float64{1}, Std: []float64{0}, Y: []float64{1}, Protocol: data.Sound}
	same := calibratedColumn(50, 0)
	huge := calibratedColumn(50, 1e308)
	for i := range huge.Y {
		huge.Y[i], huge.Mean[i] = math.Copysign(1.7e308, huge.Y[i]), -math.Copysign(1.7e308, huge.Y[i])
	}
	without := calibratedColumn(30, 1)
	without.Std = nil
	open := calibratedColumn(30, 1)
	for row, mean := range open.Mean {
		open.Distributions = append(open.Distributions, infiniteQuantiles{distribution.NewNormal(mean, open.Std[row])})
	}
	weighted := calibratedColumn(30, 1)
	weighted.Weights = make([]float64, 30)
	weighted.Weights[3] = 1
	quantiles := calibratedColumn(30, 1)
	quantiles.Levels = []float64{0.25, 0.75}
	for _, m := range quantiles.Mean {
		quantiles.Distributions = append(quantiles.Distributions, distribution.Quantiles(quantiles.Levels...).New([]float64{m - 1, m}))
	}
	lone := calibratedColumn(30, 1)
	lone.Std, lone.Levels = nil, []float64{0.3}
	for range lone.Y {
		lone.Distributions = append(lone.Distributions, distribution.Quantiles(0.3).New([]float64{0}))
	}
	for name, c := range map[string]*measure.Column{
		"one row": one, "no spread": same, "huge": huge, "no σ": without, "open": open, "a single weight": weighted, "quantiles": quantiles, "one quantile": lone, "many": calibratedColumn(30_000, 1),
	} {
		expect.NoError(t, c.Check())
		inputs := []input{
			{"a_b", data.Field{Kind: data.Number}, func(row int) float64 { return float64(row) * 1e300 }},
			{"none", data.Field{Kind: data.Date, Layout: "2006-01-02"}, func(int) float64 { return math.NaN() }},
		}
		rows := &Rows{Name: "a method", Target: "a_target", Raw: c, Inputs: inputs, Model: &experiment.Model{Model: &models.Model{History: history}}}
		both := &Rows{Name: "another", Target: "y", Raw: calibratedColumn(20, 1), Calibrated: calibratedColumn(20, 2), Inputs: inputs}
		for _, p := range Plots() {
			for _, r := range []*Rows{rows, both} {
				f, note, err := p.Draw(context.Background(), r)
				if err != nil {
					t.Fatalf("%s of %s: %v", p.Name, name, err)
				}
				if len(f.Panels) == 0 {
					if note == "" {
						t.Errorf("%s of %s is left out, and nothing says why", p.Name, name)
					}
					continue
				}
				var first, second bytes.Buffer
				for _, to := range []*bytes.Buffer{&first, &second} {
					if err := f.WriteSVG(to); err != nil {
						t.Fatalf("%s of %s: %v", p.Name, name, err)
					}
				}
				if !bytes.Equal(first.Bytes(), second.Bytes()) {
					t.Errorf("%s of %s is not drawn twice as the same", p.Name, name)
				}
				if text := pixelData.ReplaceAllString(first.String(), ""); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
					t.Errorf("%s of %s has a place that is no number", p.Name, name)
				}
				if strings.Contains(note, "NaN") {
					t.Errorf("%s of %s says %q", p.Name, name, note)
				}
			}
			if f, err := compareMethods(context.Background(), p, []*Rows{both, rows, rows, rows, rows}); err != nil {
				t.Errorf("%s of %s together: %v", p.Name, name, err)
			} else if len(f.Panels) > 0 {
				if err := f.WriteSVG(new(bytes.Buffer)); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Few rows say too little about their coverage, even if none of their targets is covered.
func TestCoverageDiffers(t *testing.T) {
	for _, c := range []struct {
		rows    int
		covered float64
		want    bool
	}{
		{29, 0, false},
		{30, 0, true},
		{30, 27, false},
		{0, 0, false},
	} {
		weights := make([]float64, c.rows)
		for i := range weights {
			weights[i] = 1
		}
		if got := newFraction(weights, c.covered).differs(); got != c.want {
			t.Errorf("%d of %v rows: %v", c.rows, c.covered, got)
		}
	}
}
