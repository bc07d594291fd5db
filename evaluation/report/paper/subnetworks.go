package paper

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/models"
)

// SubNetworks is figure 1: the functions that 200 sub-networks of one network
// compute, of MC beside SML, and what the network was to learn. Its rows are the
// Toys that are curves.
type SubNetworks [2][2]curve

// curveMethods are its columns.
var curveMethods = []string{"mc", "sml"}

// curve is a panel: what was to be learnt is a function, or data that scatter.
type curve struct {
	title   string
	dataset string      // at the left of the row
	x       []float64   // the inputs of all lines, in increasing order
	truth   []float64   // the true function over x, or
	data    plotter.XYs // rows with noise
	lines   [][]float64 // one per sub-network, each over x
}

// Add adds the panel of a trained Toy; others than the figure's are left out.
// Panels may be added at the same time.
func (f *SubNetworks) Add(ctx context.Context, e *experiment.Experiment, m *models.Model) error {
	row := slices.IndexFunc(Toys[:len(f)], func(t Toy) bool { return t.Dataset == e.Table.Name })
	column := slices.Index(curveMethods, m.Method)
	if row < 0 || column < 0 {
		return nil
	}
	method, err := models.Lookup(m.Method)
	if err != nil {
		return err
	}
	t := e.Data()
	c := curve{title: method.Title, dataset: t.Name}
	var first []int // row of each x
	for i, x := range t.X {
		if i == 0 || x > t.X[i-1] {
			first, c.x = append(first, i), append(c.x, x)
		}
		c.data = append(c.data, plotter.XY{X: x, Y: t.Y[i]})
	}
	if len(first) == len(t.X) {
		c.truth, c.data = t.Y, nil
	}
	lines, err := evaluation.SubNetworkOutputs(ctx, m, e.Gather(m, first), evaluation.Sampling{Samples: 200, Seed: e.Training.Seed}, true)
	if err != nil {
		return err
	}
	unit := m.Targets[0]
	for _, line := range lines {
		y := make([]float64, len(line))
		for i, v := range line {
			y[i] = float64(float64(v)*unit.Std) + unit.Mean
		}
		c.lines = append(c.lines, y)
	}
	f[row][column] = c
	return nil
}

// subNetworks trains MC and SML on the curves of figure 1, on all cores.
func subNetworks(ctx context.Context, _ *part) (*drawing.Figure, string, error) {
	var f SubNetworks
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, toy := range Toys[:len(f)] {
		for _, method := range curveMethods {
			group.Go(func() error {
				e, m, err := toy.Train(ctx, method)
				if err != nil {
					return err
				}
				return f.Add(ctx, e, m)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, "", err
	}
	figure, err := f.Figure()
	return figure, "200 sub-networks of a network trained with MC dropout and with the second-moment loss: above on a curve without noise, below on noise whose spread is exp(−0.02 x²). " +
		"SML's sub-networks spread as the noise does; at the edges, where there is hardly any, they overshoot.", err
}

const (
	curveHeight = 2.4 * vg.Inch // of a row
	curveFoot   = 0.5 * vg.Inch

	// resolution is the detail, in points, below which a line is thinned: half
	// a pixel of the PNG.
	resolution = 0.12
)

var (
	truthLine      = draw.LineStyle{Color: drawing.Red, Width: 1.4}
	subNetworkLine = draw.LineStyle{Color: drawing.TranslucentGrey, Width: 0.4}

	// A single translucent line is too faint for the legend.
	subNetworkSample = draw.LineStyle{Color: drawing.Grey, Width: 0.8}
)

// Figure draws the sub-networks of each panel as thin grey lines, the truth in red
// on top, data as red dots. Panels of a row have one y range, which shows all of them
// whole. It is an error if a panel is missing, or if a value is not finite.
func (f *SubNetworks) Figure() (*drawing.Figure, error) {
	figure := &drawing.Figure{
		Width: drawing.PageWidth, Height: curveFoot + curveHeight*vg.Length(len(f)),
		Legend: [][]drawing.Entry{{
			drawing.LineEntry("sub-networks", subNetworkSample), drawing.LineEntry("ground truth", truthLine), dotsEntry("data with noise"),
		}},
	}
	for j, row := range f {
		low, high := math.Inf(1), math.Inf(-1)
		for i, c := range row {
			if len(c.lines) == 0 {
				return nil, fmt.Errorf("paper: figure 1 has no panel of %s on %s", curveMethods[i], Toys[j].Dataset)
			}
			values := slices.Concat(append(c.lines[:len(c.lines):len(c.lines)], c.truth)...)
			for _, point := range c.data {
				values = append(values, point.Y)
			}
			for _, y := range values {
				if !axes.IsDrawable(y) {
					return nil, fmt.Errorf("paper: %s on %s has a value %v; want finite ones of at most 1e300", c.title, c.dataset, y)
				}
				low, high = min(low, y), max(high, y)
			}
		}
		low, high = axes.Widen(low, high)
		border := 0.03 * (high - low)
		var panels []drawing.Panel
		for i, c := range row {
			p := drawing.Panel{Plot: c.plot(low-border, high+border, drawing.PageWidth/vg.Length(len(row)))}
			if j == 0 {
				p.Title = c.title
			}
			if i > 0 {
				p.Y.Label.Text = "" // said once, at the left
			}
			if j < len(f)-1 {
				p.X.Label.Text = "" // said once, below
			}
			panels = append(panels, p)
		}
		figure.Panels, figure.Rows = append(figure.Panels, panels), append(figure.Rows, row[0].dataset)
	}
	return figure, nil
}

func (c curve) plot(low, high float64, width vg.Length) *plot.Plot {
	p := drawing.NewPlot("x", "y")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.x[0], c.x[len(c.x)-1], low, high
	if len(c.data) > 0 {
		p.Add(shape.Cloud{Points: c.data, Colour: drawing.Red, Radius: 0.5})
	}
	dx, dy := resolution*(p.X.Max-p.X.Min)/float64(width), resolution*(high-low)/float64(curveHeight)
	for _, line := range c.lines {
		p.Add(&plotter.Line{XYs: shape.Thin(c.x, line, dx, dy), LineStyle: subNetworkLine})
	}
	if len(c.truth) > 0 {
		p.Add(&plotter.Line{XYs: shape.Thin(c.x, c.truth, dx, dy), LineStyle: truthLine})
	}
	return p
}

// dotsEntry explains a cloud of data.
func dotsEntry(text string) drawing.Entry {
	return drawing.Entry{Text: text, Width: 14, Sample: func(c draw.Canvas, left vg.Point) {
		for _, at := range []vg.Point{{X: 2, Y: -1.5}, {X: 7, Y: 1.5}, {X: 12, Y: -0.5}} {
			dot.Draw(c, left.Add(at), 1.3, drawing.Red, false)
		}
	}}
}

// dot is a small mark.
var dot = shape.Polygon(12, 1, 1, 0)
