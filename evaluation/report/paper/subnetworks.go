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
type SubNetworks [2][2]chart.Panel

// curveMethods are the columns of SubNetworks.
var curveMethods = []string{"mc", "sml"}

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
	table := e.Data()
	firstRows, below, above := dataLayers(table)
	sampling := evaluation.Sampling{Samples: samples, Seed: e.Training.Seed}
	outputs, err := evaluation.SubNetworkOutputs(ctx, m, e.Gather(m, firstRows), sampling)
	if err != nil {
		return err
	}
	x := slices.Compact(slices.Clone(table.X)) // inputs of the first rows
	panel := chart.Panel{
		Title:  method.Title,
		X:      chart.Axis{Label: "x", Min: x[0], Max: x[len(x)-1]},
		Y:      chart.Axis{Label: "y"},
		Layers: below,
	}
	for _, standardised := range outputs {
		panel.Layers = append(panel.Layers, chart.Layer{
			Name:   "sub-networks",
			X:      x,
			Y:      toUnit(standardised, m.Targets[0]),
			Width:  0.4,
			Colour: chart.Pale(chart.Grey),
		})
	}
	panel.Layers = append(panel.Layers, above...)
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

// dataLayers returns the layers of a table with one ascending input, below and above the sub-networks, and the first row
// with each input. If rows share an input, their targets differ by noise: the rows are drawn below. Otherwise the targets
// are the true function, which is drawn above.
func dataLayers(t *data.Table) (firstRows []int, below, above []chart.Layer) {
	for row, x := range t.X {
		if row == 0 || x > t.X[row-1] {
			firstRows = append(firstRows, row)
		}
	}
	if len(firstRows) < len(t.X) {
		noise := chart.Layer{Name: "data with noise", Kind: chart.Cloud, X: t.X, Y: t.Y, Radius: 0.5, Colour: chart.Red}
		return firstRows, []chart.Layer{noise}, nil
	}
	truth := chart.Layer{Name: "ground truth", X: t.X, Y: t.Y, Width: 1.4, Colour: chart.Red}
	return firstRows, nil, []chart.Layer{truth}
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
	for row, panels := range f {
		low, high, err := f.rowLimits(row)
		if err != nil {
			return figure, err
		}
		for _, p := range panels {
			p.Y.Min = low
			p.Y.Max = high
			figure.Panels = append(figure.Panels, p)
		}
		figure.Rows = append(figure.Rows, Toys[row].Dataset)
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
	for column, p := range f[row] {
		if len(p.Layers) == 0 {
			return 0, 0, fmt.Errorf("paper: figure 1 has no panel of %s on %s", curveMethods[column], Toys[row].Dataset)
		}
		for _, l := range p.Layers {
			for _, y := range l.Y {
				if !chart.IsDrawable(y) {
					return 0, 0, fmt.Errorf("paper: %s on %s has a value %v; want finite ones of at most 1e300", p.Title, Toys[row].Dataset, y)
				}
				low = min(low, y)
				high = max(high, y)
			}
		}
	}
	low, high = chart.Widen(low, high)
	low, high = chart.AddBorder(low, high, border)
	return low, high, nil
}
