package paper

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/evaluation/study"
)

// residualGrid is figure 11, of one fold: the rows of three data sets, by method.
func residualGrid(_ context.Context, p *part) (*drawing.Figure, string, error) {
	datasets, note := p.fillSlots(func(dataset string) bool {
		return slices.ContainsFunc(p.methods, func(label string) bool {
			_, cell := p.cellWithRows(dataset, label)
			return cell != nil
		})
	}, []string{"naval"}, []string{"abalone"}, []string{"superconduct", "protein"}) // the file of superconduct is hard to come by
	points := make(map[[2]string]plotter.XYs)
	for _, dataset := range datasets {
		for _, label := range p.methods {
			in, cell := p.cellWithRows(dataset, label)
			if cell == nil {
				continue
			}
			rows, err := study.ReadPredictions(in.Dir, in.Plan, *cell)
			if err != nil {
				return nil, "", err
			}
			for _, row := range rows {
				if row.Target == 0 && !math.IsNaN(row.Std) {
					key := [2]string{dataset, label}
					points[key] = append(points[key], plotter.XY{X: row.Mean - row.Y, Y: row.Std})
				}
			}
		}
	}
	if len(points) == 0 {
		return nil, "", nil
	}
	return drawResiduals(points, datasets, p.methods),
		"Residuals and uncertainties on the test rows of one fold. Realistic uncertainties lie mostly above the 3σ lines." + note, nil
}

// drawResiduals shows uncertainty over residual, a row for each data set and a column
// for each method. Panels of one row have the same axes, which hold 99 % of the
// residuals and of the uncertainties of each method, unless that is far more than the
// other methods need; the other points are counted in the panel's note. A panel
// without predictions says so.
func drawResiduals(points map[[2]string]plotter.XYs, datasets, methods []string) *drawing.Figure {
	figure := &drawing.Figure{
		Width:  min(drawing.WideWidth, vg.Length(len(methods))*1.6*vg.Inch+0.9*vg.Inch),
		Height: vg.Length(len(datasets))*1.35*vg.Inch + 0.75*vg.Inch,
		Rows:   datasets,
		Legend: [][]drawing.Entry{sigmaLegend},
	}
	for j, dataset := range datasets {
		var widths, heights []float64
		for _, method := range methods {
			if points := points[[2]string{dataset, method}]; len(points) > 0 {
				widths = append(widths, widestResidual(points, 0.99))
				heights = append(heights, tallest(points, 0.99))
			}
		}
		widest, highest := 1.03*largestUsual(widths), 1.03*largestUsual(heights)

		var row []drawing.Panel
		for i, method := range methods {
			points := points[[2]string{dataset, method}]
			p := residualPlot(points, widest, highest, 0.9)
			out := drawing.Panel{Plot: p, Note: drawing.CountNote(shape.CountOutside(points, p), "beyond")}
			p.X.Tick.Marker, p.Y.Tick.Marker = axes.RoundTicks(3), axes.RoundTicks(3)
			if j == 0 {
				out.Title = methodTitle(method)
			}
			if j == len(datasets)-1 {
				p.X.Label.Text = "residual"
			}
			if i == 0 {
				p.Y.Label.Text = "uncertainty σ"
			}
			row = append(row, out)
		}
		figure.Panels = append(figure.Panels, row)
	}
	return figure
}

// tallest is the uncertainty that the given share does not exceed.
func tallest(points plotter.XYs, share float64) float64 {
	var stds []float64
	for _, point := range points {
		stds = append(stds, point.Y)
	}
	_, high := axes.Quantiles(stds, 2*share-1)
	return high
}

// largestUsual is the largest of the values within their fences, 1 if that is
// 0 or if there is none.
func largestUsual(values []float64) float64 {
	_, fence := axes.Fences(values)
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
