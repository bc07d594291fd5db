package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SubNetworks is one panel of figure 1: the functions that the sub-networks
// of one network compute, and the true function.
type SubNetworks struct {
	Title string
	X     []float64   // the inputs of all lines, in increasing order
	Truth []float64   // the true function over X; none is drawn if it is empty
	Lines [][]float64 // one per sub-network, each over X
}

const (
	figure1Height = 2.9 * vg.Inch

	// resolution is the detail, in points, below which a line is thinned: half
	// a pixel of the PNG.
	resolution = 0.12
)

// Figure1 draws the paper's first figure: the sub-networks of each panel as
// thin grey lines, the truth in red on top. Panels stand side by side with
// one y range, which shows every line whole. It is an error if there is no
// panel, if a line and its X differ in length, if X does not increase, or if
// a value is not finite.
func Figure1(panels []SubNetworks) (*Figure, error) {
	if len(panels) == 0 {
		return nil, fmt.Errorf("report: figure 1 has no panels; want at least one")
	}
	low, high := math.Inf(1), math.Inf(-1)
	var lines, truths bool
	for _, s := range panels {
		if err := s.check(); err != nil {
			return nil, err
		}
		lines, truths = lines || len(s.Lines) > 0, truths || len(s.Truth) > 0
		for _, line := range s.all() {
			for _, y := range line {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	if low == high {
		around := max(1, math.Abs(low)/2)
		low, high = low-around, high+around
	}
	border := 0.03 * (high - low)
	low, high = low-border, high+border

	row := make([]panel, len(panels))
	width := pageWidth / vg.Length(len(panels))
	for i, s := range panels {
		row[i] = panel{title: s.Title, Plot: s.plot(low, high, width)}
		if i > 0 {
			row[i].Y.Label.Text = "" // said once, at the left
		}
	}
	figure := &Figure{width: pageWidth, height: figure1Height, panels: [][]panel{row}}
	var legend []legendEntry
	if lines {
		legend = append(legend, lineEntry("sub-networks", subNetworkSample))
	}
	if truths {
		legend = append(legend, lineEntry("ground truth", truthLine))
	}
	figure.legend = [][]legendEntry{legend}
	return figure, nil
}

var (
	truthLine      = draw.LineStyle{Color: red, Width: 1.4}
	subNetworkLine = draw.LineStyle{Color: veil, Width: 0.4}

	// A single translucent line is too faint for the legend.
	subNetworkSample = draw.LineStyle{Color: grey, Width: 0.8}
)

// all returns every line of the panel in the order of drawing.
func (s SubNetworks) all() [][]float64 {
	lines := append([][]float64(nil), s.Lines...)
	if len(s.Truth) > 0 {
		lines = append(lines, s.Truth)
	}
	return lines
}

func (s SubNetworks) check() error {
	if len(s.X) < 2 {
		return fmt.Errorf("report: panel %q has %d inputs; want at least two", s.Title, len(s.X))
	}
	if len(s.all()) == 0 {
		return fmt.Errorf("report: panel %q has no lines and no truth to draw", s.Title)
	}
	for i, x := range s.X {
		if !drawn(x) || i > 0 && x <= s.X[i-1] {
			return fmt.Errorf("report: panel %q: input %d is %v; want finite inputs in increasing order", s.Title, i, x)
		}
	}
	for i, line := range s.all() {
		name := fmt.Sprintf("line %d", i)
		if i == len(s.Lines) {
			name = "truth"
		}
		if len(line) != len(s.X) {
			return fmt.Errorf("report: panel %q: %s has %d values for %d inputs", s.Title, name, len(line), len(s.X))
		}
		for j, y := range line {
			if !drawn(y) {
				return fmt.Errorf("report: panel %q: %s is %v at input %d; want a finite value of at most 1e300", s.Title, name, y, j)
			}
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (s SubNetworks) plot(low, high float64, width vg.Length) *plot.Plot {
	p := newPlot("x", "y")
	p.X.Min, p.X.Max = s.X[0], s.X[len(s.X)-1]
	p.Y.Min, p.Y.Max = low, high
	dx := resolution * (p.X.Max - p.X.Min) / float64(width)
	dy := resolution * (high - low) / float64(figure1Height)
	for i, line := range s.all() {
		style := subNetworkLine
		if i == len(s.Lines) {
			style = truthLine
		}
		p.Add(&plotter.Line{XYs: thin(s.X, line, dx, dy), LineStyle: style})
	}
	return p
}
