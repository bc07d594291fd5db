package report

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/models/distribution"
)

// noClasses is the reason why a plot of classes has no figure.
const noClasses = "the target is no class"

// maxDrawnClasses is the largest number of classes with a curve of their own: more would hide one another.
const maxDrawnClasses = 6

// maxConfusedClasses is the largest number of classes of a drawn confusion matrix.
const maxConfusedClasses = 30

// classColours are the colours of curves of classes.
var classColours = []color.NRGBA{chart.Blue, chart.Orange, {R: 0x2a, G: 0x8f, B: 0x6d, A: 0xff}, chart.Red, {R: 0x8a, G: 0x4f, B: 0xbe, A: 0xff}, chart.Grey}

var confusion = Plot{
	Name:  "confusion",
	Title: "Confusion matrix",
	Summary: "The number of rows by their true class, from top to bottom, and by their most probable class, from left to right. " +
		"The darkness is the fraction of the true class.",
	ForClasses: true,
	Draw:       drawConfusion,
}

// drawConfusion draws a box with the number of rows for each true and predicted class.
func drawConfusion(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	matrix := r.predictions().Confusion()
	classes := len(matrix)
	switch {
	case matrix == nil:
		return f, noClasses, nil
	case classes > maxConfusedClasses:
		return f, fmt.Sprintf("there are %d classes, too many for a matrix", classes), nil
	}
	end := float64(classes)
	p := chart.Panel{
		X: chart.Axis{Label: "most probable class", Max: end},
		Y: chart.Axis{Label: "true class of " + axisName(r.Target), Max: end},
	}
	texts := map[bool]*chart.Layer{ // by whether the box is dark
		false: {Kind: chart.Texts, Colour: chart.Ink},
		true:  {Kind: chart.Texts, Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}},
	}
	right := 0.0
	scores := matrix.Scores()
	for class, row := range matrix {
		place := float64(class) + 0.5
		label := axisName(r.classLabel(class))
		p.X.Ticks = append(p.X.Ticks, chart.Tick{Value: place, Label: label})
		top := end - float64(class) // the first class is at the top
		p.Y.Ticks = append(p.Y.Ticks, chart.Tick{Value: top - 0.5, Label: label})
		right += row[class]
		for predicted, weight := range row {
			fraction := 0.0
			if scores[class].Rows > 0 {
				fraction = weight / scores[class].Rows
			}
			shade := chart.Blue
			shade.A = uint8(8 + 230*fraction)
			left := float64(predicted)
			p.Layers = append(p.Layers, chart.Layer{Kind: chart.Boxes, Colour: shade, X: []float64{left}, X2: []float64{left + 1}, Y: []float64{top - 1}, Y2: []float64{top}})
			text := texts[fraction > 0.5]
			text.X = append(text.X, left+0.5)
			text.Y = append(text.Y, top-0.5)
			text.Labels = append(text.Labels, fmt.Sprintf("%.4g", weight))
		}
	}
	p.Layers = append(p.Layers, *texts[false], *texts[true])
	f.Panels = []chart.Panel{p}
	f.PanelHeight = min(360, 60+40*end)
	f.Width = min(chart.PageWidth, 180+60*end)
	return f, fmt.Sprintf("The most probable class is right in %s of the rows.", percent(right/float64(len(r.Raw.Y)))), nil
}

var reliability = Plot{
	Name:  "reliability",
	Title: "Reliability of the probabilities",
	Summary: "For ten groups of rows by the predicted probability of a class, the fraction of rows that have it, with its 95 % confidence interval (Wilson's). " +
		"On the dashed line, probabilities are as large as they should be.",
	Source:     "Bröcker & Smith (2007), Increasing the reliability of reliability diagrams",
	ForClasses: true,
	Draw:       drawReliability,
}

// reliabilityBins is the number of groups of equal width between the probabilities 0 and 1.
const reliabilityBins = 10

// drawReliability draws the observed fractions over the mean probabilities, for each class.
func drawReliability(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	classes := r.drawnClasses()
	if classes == nil {
		return f, noClasses, nil
	}
	p := chart.Panel{
		X:      chart.Axis{Label: "predicted probability", Max: 1},
		Y:      chart.Axis{Label: "fraction of the rows", Max: 1},
		Layers: []chart.Layer{chart.Ideal(0, 0, 1, 1)},
	}
	for i, class := range classes {
		points := chart.Layer{Name: r.classLabel(class), Kind: chart.Points, Colour: classColours[i], Radius: 2.6}
		line := chart.Layer{Colour: classColours[i], Width: 0.6}
		intervals := chart.Layer{Kind: chart.Segments, Colour: chart.Pale(classColours[i]), Width: 3}
		for _, b := range binProbabilities(c, class) {
			low, high := wilsonInterval(b.observed, b.rows)
			points.X = append(points.X, b.predicted)
			points.Y = append(points.Y, b.observed)
			intervals.X = append(intervals.X, b.predicted)
			intervals.X2 = append(intervals.X2, b.predicted)
			intervals.Y = append(intervals.Y, low)
			intervals.Y2 = append(intervals.Y2, high)
		}
		line.X, line.Y = points.X, points.Y
		p.Layers = append(p.Layers, intervals, line, points)
	}
	f.Panels = []chart.Panel{p}
	f.PanelHeight = 260
	f.Width = 380
	return f, r.describeDrawnClasses(classes), nil
}

// probabilityBin has the rows with similar probabilities of a class.
type probabilityBin struct {
	predicted, observed float64 // mean probability, and fraction of the rows that have the class
	rows                int     // effective number of rows
}

// binProbabilities returns the bins of equal width that have rows. A row is in a bin from its lower edge on, and with the
// probability 1 in the last.
func binProbabilities(c *measure.Column, class int) []probabilityBin {
	var weights [reliabilityBins][]float64
	var predicted, observed, total [reliabilityBins]float64
	for row, y := range c.Y {
		weight := rowWeight(c, row)
		if weight == 0 {
			continue
		}
		probabilities, _ := distribution.ClassesOf(c.Distributions[row])
		bin := min(reliabilityBins-1, int(probabilities[class]*reliabilityBins))
		weights[bin] = append(weights[bin], weight)
		total[bin] += weight
		predicted[bin] += weight * probabilities[class]
		if int(y) == class {
			observed[bin] += weight
		}
	}
	var bins []probabilityBin
	for bin := range weights {
		if total[bin] > 0 {
			bins = append(bins, probabilityBin{predicted[bin] / total[bin], observed[bin] / total[bin], effectiveRows(weights[bin], len(weights[bin]))})
		}
	}
	return bins
}

var roc = Plot{
	Name:  "roc",
	Title: "ROC curves",
	Summary: "For each threshold of the probability of a class: the fraction of its rows above it, and the fraction of the other rows above it. " +
		"The area under a curve is the probability that a row of the class has a higher probability of it than another row.",
	Source:     "Fawcett (2006), An introduction to ROC analysis",
	ForClasses: true,
	Draw:       drawROC,
}

// drawROC draws a curve for each class against all others.
func drawROC(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	classes := r.drawnClasses()
	if classes == nil {
		return f, noClasses, nil
	}
	p := chart.Panel{
		X:      chart.Axis{Label: "fraction of other rows above", Max: 1},
		Y:      chart.Axis{Label: "fraction of the class above", Max: 1},
		Layers: []chart.Layer{chart.Ideal(0, 0, 1, 1)},
	}
	for i, class := range classes {
		curve, area := rocCurve(r.predictions(), class)
		curve.Name = fmt.Sprintf("%s, area %.3f", r.classLabel(class), area)
		curve.Colour = classColours[i]
		p.Layers = append(p.Layers, curve)
	}
	f.Panels = []chart.Panel{p}
	f.PanelHeight = 260
	f.Width = 380
	return f, r.describeDrawnClasses(classes), nil
}

// rocCurve returns the ROC curve of a class against all others, from threshold 1 to 0, and the area under it. Rows with
// equal probabilities are one step, a straight line. The area is NaN if all rows have the class, or none.
func rocCurve(c *measure.Column, class int) (curve chart.Layer, area float64) {
	probability := make([]float64, len(c.Y))
	order := make([]int, len(c.Y))
	inClass, others := 0.0, 0.0
	for row := range c.Y {
		probabilities, _ := distribution.ClassesOf(c.Distributions[row])
		probability[row] = probabilities[class]
		order[row] = row
		if int(c.Y[row]) == class {
			inClass += rowWeight(c, row)
		} else {
			others += rowWeight(c, row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(probability[b], probability[a]) })
	x, y := 0.0, 0.0
	curve.X, curve.Y = []float64{0}, []float64{0}
	for i, row := range order {
		if int(c.Y[row]) == class {
			y += rowWeight(c, row) / inClass
		} else {
			x += rowWeight(c, row) / others
		}
		if i+1 < len(order) && probability[order[i+1]] == probability[row] {
			continue // the step is not complete
		}
		last := len(curve.X) - 1
		area += (x - curve.X[last]) * (y + curve.Y[last]) / 2
		curve.X = append(curve.X, x)
		curve.Y = append(curve.Y, y)
	}
	return curve, area
}

// drawnClasses returns the classes that have curves: the second of two, all of a few, or the most frequent ones, and nil
// if the target is no class.
func (r *Rows) drawnClasses() []int {
	matrix := r.predictions().Confusion()
	if matrix == nil {
		return nil
	}
	if len(matrix) == 2 {
		return []int{1}
	}
	scores := matrix.Scores()
	var classes []int
	for class, s := range scores {
		if s.Rows > 0 {
			classes = append(classes, class)
		}
	}
	slices.SortStableFunc(classes, func(a, b int) int { return cmp.Compare(scores[b].Rows, scores[a].Rows) })
	classes = classes[:min(len(classes), maxDrawnClasses)]
	slices.Sort(classes)
	return classes
}

// describeDrawnClasses returns a note on the classes without a curve, "" if there are none.
func (r *Rows) describeDrawnClasses(drawn []int) string {
	all := len(r.predictions().Confusion())
	if all == 2 {
		return fmt.Sprintf("The curve is that of the class %s.", r.classLabel(1))
	}
	if all == len(drawn) {
		return ""
	}
	return fmt.Sprintf("The %d most frequent of %d classes have a curve.", len(drawn), all)
}

// classLabel returns the label of a class of the target, or its number.
func (r *Rows) classLabel(class int) string {
	if r.Model == nil {
		return strconv.Itoa(class)
	}
	return r.Model.Label(r.Number, class)
}
