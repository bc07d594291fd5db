package report

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Residuals are the predictions of a method for the rows of a data set.
type Residuals struct {
	Dataset, Method string
	Residual        []float64 // prediction − target of each row
	Std             []float64 // predicted standard deviation of each row
}

// ResidualGrid draws figure 11 of the paper: uncertainty over residual, a row
// for each data set and a column for each method, both in the order of first
// appearance, with the 1σ and 3σ lines; title says how a method is called, by
// its label if it is nil. Panels of one row have the same axes, which hold 99 %
// of the residuals and of the uncertainties of each method, unless that is far
// more than the other methods need; the other points are counted in the
// panel's note. A panel without predictions says so. It is an error if there
// are none at all, if a panel is given twice, or if residuals and
// uncertainties differ in number.
func ResidualGrid(predictions []Residuals, title func(method string) string) (*Figure, error) {
	var datasets, methods []string
	cells := make(map[[2]string]plotter.XYs)
	for _, r := range predictions {
		if len(r.Residual) != len(r.Std) {
			return nil, fmt.Errorf("report: residuals of %s on %s: %d residuals for %d uncertainties", r.Method, r.Dataset, len(r.Residual), len(r.Std))
		}
		key := [2]string{r.Dataset, r.Method}
		if _, twice := cells[key]; twice {
			return nil, fmt.Errorf("report: residuals of %s on %s are given twice", r.Method, r.Dataset)
		}
		points := make(plotter.XYs, len(r.Std))
		for i := range points {
			points[i] = plotter.XY{X: r.Residual[i], Y: r.Std[i]}
		}
		cells[key] = points
		datasets, methods = appendNew(datasets, r.Dataset), appendNew(methods, r.Method)
	}
	if len(datasets) == 0 {
		return nil, fmt.Errorf("report: figure of residuals has no predictions; want at least one data set and one method")
	}

	figure := &Figure{
		width:  min(overviewWidth, vg.Length(len(methods))*1.6*vg.Inch+0.9*vg.Inch),
		height: vg.Length(len(datasets))*1.35*vg.Inch + 0.75*vg.Inch,
		rows:   datasets,
		legend: [][]legendEntry{sigmaLegend},
	}
	for j, dataset := range datasets {
		var widths, heights []float64
		for _, method := range methods {
			if points := cells[[2]string{dataset, method}]; len(points) > 0 {
				widths = append(widths, widestResidual(points, 0.99))
				heights = append(heights, tallest(points, 0.99))
			}
		}
		widest, highest := largestUsual(widths), largestUsual(heights)

		var row []panel
		for i, method := range methods {
			points := cells[[2]string{dataset, method}]
			p := newPlot("", "")
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1.03*widest, 1.03*widest, 0, 1.03*highest
			p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(3), roundTicks(3)
			p.X.Padding, p.Y.Padding = 0, 2
			out := panel{Plot: p}
			if len(points) == 0 {
				p.Add(message("no predictions"))
			} else {
				p.Add(cloud{points: points, colour: cloudColour, radius: 0.9}, sigmaLines{})
				out.note = beyondNote(outside(points, p))
			}
			if j == 0 {
				out.title = titles([]string{method}, title)[0]
			}
			if j == len(datasets)-1 {
				p.X.Label.Text = "residual"
			}
			if i == 0 {
				p.Y.Label.Text = "uncertainty σ"
			} else {
				p.Y.Tick.Marker = unlabelled{p.Y.Tick.Marker}
			}
			row = append(row, out)
		}
		figure.panels = append(figure.panels, row)
	}
	return figure, nil
}

// tallest is the uncertainty that the given share does not exceed.
func tallest(points plotter.XYs, share float64) float64 {
	var stds []float64
	for _, point := range points {
		stds = append(stds, point.Y)
	}
	_, high := quantiles(stds, 2*share-1)
	return high
}

// largestUsual is the largest of the values within their fences, 1 if that is
// 0 or if there is none.
func largestUsual(values []float64) float64 {
	_, fence := fences(values)
	largest := 0.0
	for _, v := range values {
		if v <= fence {
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return 1
	}
	return largest
}
