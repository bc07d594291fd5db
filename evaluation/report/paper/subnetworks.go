package paper

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/report/chart"
	"sml/models"
)

// SubNetworks holds the panels of the paper's figure 1. Each shows the functions that 200 sub-networks of one network
// compute, and the data that the network was trained on. There is a row for each of the first two Toys and a column for
// each of the curveMethods, MC and SML: SubNetworks[row][column] is a panel. The zero value has no panels; Add adds them.
type SubNetworks [2][2]curve

// curveMethods are the columns of SubNetworks.
var curveMethods = []string{"mc", "sml"}

// curve is a panel of SubNetworks.
type curve struct {
	title       string
	dataset     string      // name of the row
	x           []float64   // inputs, ascending
	truth       []float64   // true function over x; nil if the data have noise
	dataX       []float64   // inputs of the rows with noise; nil if the data have none
	dataY       []float64   // targets of these rows
	subNetworks [][]float64 // outputs of each sub-network over x
}

// Add computes the sub-networks' outputs of m, the model that e trained, and stores them as the panel of its data set
// and method. It does nothing if the figure does not show the data set or the method. Different panels may be
// added concurrently.
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
	const samples = 200 // sub-networks, as in the paper's figure
	panel, firstRows := newCurve(method.Title, e.Data())
	sampling := evaluation.Sampling{Samples: samples, Seed: e.Training.Seed}
	outputs, err := evaluation.SubNetworkOutputs(ctx, m, e.Gather(m, firstRows), sampling)
	if err != nil {
		return err
	}
	for _, standardised := range outputs {
		panel.subNetworks = append(panel.subNetworks, toUnit(standardised, m.Targets[0]))
	}
	f[row][column] = panel
	return nil
}

// toUnit returns standardised outputs in the unit of the target.
func toUnit(standardised []float32, target data.Scaler) []float64 {
	y := make([]float64, len(standardised))
	for i, v := range standardised {
		y[i] = float64(float64(v)*target.Std) + target.Mean // float64 keeps the compiler from fusing product and sum
	}
	return y
}

// newCurve returns a panel without sub-networks, and for each different input of the table the first row with it.
// The table must have one input column, ascending. If rows share an input, their targets differ by noise: the panel shows
// the rows. Otherwise it shows the targets as the true function.
func newCurve(title string, t *data.Table) (c curve, firstRows []int) {
	c = curve{title: title, dataset: t.Name}
	for i, x := range t.X {
		if i == 0 || x > t.X[i-1] {
			firstRows = append(firstRows, i)
			c.x = append(c.x, x)
		}
	}
	hasNoise := len(firstRows) < len(t.X)
	if hasNoise {
		c.dataX = t.X
		c.dataY = t.Y
	} else {
		c.truth = t.Y
	}
	return c, firstRows
}

// subNetworks trains MC and SML on the data of figure 1, on all cores, and draws the figure. It needs no study.
func subNetworks(ctx context.Context, _ *part) (f chart.Figure, caption string, err error) {
	var networks SubNetworks
	trainings, ctx := errgroup.WithContext(ctx)
	trainings.SetLimit(runtime.GOMAXPROCS(0))
	for _, toy := range Toys[:len(networks)] {
		for _, method := range curveMethods {
			trainings.Go(func() error { return networks.train(ctx, toy, method) })
		}
	}
	if err := trainings.Wait(); err != nil {
		return f, "", err
	}
	f, err = networks.Figure()
	caption = "200 sub-networks of a network trained with MC dropout (left) and with the second-moment loss (right), on a curve without noise (above) and on noise with standard deviation exp(−0.02 x²) (below). " +
		"The spread of SML's sub-networks follows the noise, except at the edges, where it exceeds the small noise."
	return f, caption, err
}

// train trains a method on the data of a toy and adds its panel. Panels may be trained concurrently.
func (f *SubNetworks) train(ctx context.Context, toy Toy, method string) error {
	e, m, err := toy.Train(ctx, method)
	if err != nil {
		return err
	}
	return f.Add(ctx, e, m)
}

// Figure draws the sub-networks of each panel as thin grey lines, with the true function in red above them, and data as
// red dots. Panels of a row have the same y axis, which holds all their values. Figure returns an error if a panel is
// missing, or if a value is not finite.
func (f *SubNetworks) Figure() (chart.Figure, error) {
	figure := chart.Figure{Columns: len(f[0]), PanelHeight: 173}
	for rowIndex, row := range f {
		low, high, err := f.rowLimits(rowIndex)
		if err != nil {
			return figure, err
		}
		for _, c := range row {
			p := c.panel()
			p.Y.Min = low
			p.Y.Max = high
			figure.Panels = append(figure.Panels, p)
		}
		figure.Rows = append(figure.Rows, row[0].dataset)
	}
	figure.LeaveOutRepeatedLabels()
	return figure, nil
}

// rowLimits returns the limits of the y axis of a row of panels, which hold all values of its panels. It returns
// an error if the row lacks a panel, or if a value is not finite.
func (f *SubNetworks) rowLimits(row int) (low, high float64, err error) {
	const border = 0.03 // space at either end, as a fraction of the range
	low = math.Inf(1)
	high = math.Inf(-1)
	for column, c := range f[row] {
		if len(c.subNetworks) == 0 {
			return 0, 0, fmt.Errorf("paper: figure 1 has no panel of %s on %s", curveMethods[column], Toys[row].Dataset)
		}
		for _, y := range c.values() {
			if !chart.IsDrawable(y) {
				return 0, 0, fmt.Errorf("paper: %s on %s has a value %v; want finite ones of at most 1e300", c.title, c.dataset, y)
			}
			low = min(low, y)
			high = max(high, y)
		}
	}
	low, high = chart.Widen(low, high)
	low, high = chart.AddBorder(low, high, border)
	return low, high, nil
}

// values returns the y values of all lines and data.
func (c curve) values() []float64 {
	return slices.Concat(slices.Concat(c.subNetworks...), c.truth, c.dataY)
}

// panel returns the panel without the limits of its y axis.
func (c curve) panel() chart.Panel {
	p := chart.Panel{
		Title: c.title,
		X:     chart.Axis{Label: "x", Min: c.x[0], Max: c.x[len(c.x)-1]},
		Y:     chart.Axis{Label: "y"},
	}
	if len(c.dataX) > 0 {
		p.Layers = append(p.Layers, chart.Layer{
			Name:   "data with noise",
			Kind:   chart.Cloud,
			X:      c.dataX,
			Y:      c.dataY,
			Radius: 0.5,
			Colour: chart.Red,
		})
	}
	for _, y := range c.subNetworks {
		p.Layers = append(p.Layers, chart.Layer{
			Name:   "sub-networks",
			X:      c.x,
			Y:      y,
			Width:  0.4,
			Colour: chart.Pale(chart.Grey),
		})
	}
	if len(c.truth) > 0 {
		p.Layers = append(p.Layers, chart.Layer{Name: "ground truth", X: c.x, Y: c.truth, Width: 1.4, Colour: chart.Red})
	}
	return p
}
