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
// of one network compute, and what the network was to learn: the true function,
// or data that scatter.
type SubNetworks struct {
	Title   string
	Dataset string       // at the left of the row
	X       []float64    // the inputs of all lines, in increasing order
	Truth   []float64    // the true function over X; none is drawn if it is empty
	Lines   [][]float64  // one per sub-network, each over X
	Data    [][2]float64 // x and y of rows with noise; those outside X are not drawn
}

const (
	figure1Height = 2.4 * vg.Inch // of a row
	figure1Foot   = 0.5 * vg.Inch

	// resolution is the detail, in points, below which a line is thinned: half
	// a pixel of the PNG.
	resolution = 0.12
)

// Figure1 draws the paper's first figure: the sub-networks of each panel as
// thin grey lines, the truth in red on top, data as red dots. Panels of a row
// stand side by side with one y range, which shows all of them whole; rows
// stand below one another, with titles above the first. It is an error if a
// row has no panel or not as many as the others, if a line and its X differ in
// length, if X does not increase, or if a value is not finite.
func Figure1(rows ...[]SubNetworks) (*Figure, error) {
	figure := &Figure{width: pageWidth, height: figure1Foot}
	var lines, truths, data bool
	for j, panels := range rows {
		if len(panels) != len(rows[0]) {
			return nil, fmt.Errorf("report: row %d of figure 1 has %d panels, the first %d; want as many", j+1, len(panels), len(rows[0]))
		}
		for _, s := range panels {
			lines, truths, data = lines || len(s.Lines) > 0, truths || len(s.Truth) > 0, data || len(s.Data) > 0
		}
		row, err := figure1Row(panels, j == len(rows)-1)
		if err != nil {
			return nil, err
		}
		for i := range row {
			if j > 0 {
				row[i].title = ""
			}
		}
		figure.panels = append(figure.panels, row)
		figure.height += figure1Height
		if len(rows) > 1 {
			figure.rows = append(figure.rows, panels[0].Dataset)
		}
	}
	if len(figure.panels) == 0 {
		return nil, fmt.Errorf("report: figure 1 has no panels; want at least one")
	}
	var legend []legendEntry
	if lines {
		legend = append(legend, lineEntry("sub-networks", subNetworkSample))
	}
	switch {
	case truths:
		legend = append(legend, lineEntry("ground truth", truthLine))
	case data:
		legend = append(legend, dotsEntry("ground truth"))
	}
	if truths && data {
		legend = append(legend, dotsEntry("data with noise"))
	}
	figure.legend = [][]legendEntry{legend}
	return figure, nil
}

// figure1Row makes panels with one y range.
func figure1Row(panels []SubNetworks, last bool) ([]panel, error) {
	if len(panels) == 0 {
		return nil, fmt.Errorf("report: figure 1 has no panels; want at least one")
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range panels {
		if err := s.check(); err != nil {
			return nil, err
		}
		for _, line := range s.all() {
			for _, y := range line {
				low, high = min(low, y), max(high, y)
			}
		}
		for _, point := range s.Data {
			low, high = min(low, point[1]), max(high, point[1])
		}
	}
	low, high = widened(low, high)
	border := 0.03 * (high - low)
	low, high = low-border, high+border

	row := make([]panel, len(panels))
	width := pageWidth / vg.Length(len(panels))
	for i, s := range panels {
		row[i] = panel{title: s.Title, Plot: s.plot(low, high, width)}
		if i > 0 {
			row[i].Y.Label.Text = "" // said once, at the left
		}
		if !last {
			row[i].X.Label.Text = "" // said once, below
		}
	}
	return row, nil
}

var (
	truthLine      = draw.LineStyle{Color: red, Width: 1.4}
	subNetworkLine = draw.LineStyle{Color: veil, Width: 0.4}

	dataColour = red // as ground truth is; under the lines

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
	for i, point := range s.Data {
		if !drawn(point[0]) || !drawn(point[1]) {
			return fmt.Errorf("report: panel %q: row %d of the data is %v; want finite values of at most 1e300", s.Title, i, point)
		}
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

func (s SubNetworks) plot(low, high float64, width vg.Length) *plot.Plot {
	p := newPlot("x", "y")
	p.X.Min, p.X.Max = s.X[0], s.X[len(s.X)-1]
	p.Y.Min, p.Y.Max = low, high
	if len(s.Data) > 0 {
		dots := cloud{colour: dataColour, radius: 0.5}
		for _, point := range s.Data {
			dots.points = append(dots.points, plotter.XY{X: point[0], Y: point[1]})
		}
		p.Add(dots)
	}
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
