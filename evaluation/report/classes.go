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
	const ( // in points
		maxHeight, baseHeight, heightPerClass = 360, 60, 40
		baseWidth, widthPerClass              = 180, 60
	)
	matrix := r.predictions().Confusion()
	classes := len(matrix)
	if classes == 0 {
		return f, noClasses, nil
	}
	if classes > maxConfusedClasses {
		return f, fmt.Sprintf("there are %d classes, too many for a matrix", classes), nil
	}
	f.Panels = []chart.Panel{r.confusionPanel(matrix)}
	f.PanelHeight = min(maxHeight, baseHeight+heightPerClass*float64(classes))
	f.Width = min(chart.PageWidth, baseWidth+widthPerClass*float64(classes))
	right := 0.0
	for class, row := range matrix {
		right += row[class]
	}
	return f, fmt.Sprintf("The most probable class is right in %s of the rows.", percent(right/float64(len(r.Raw.Y)))), nil
}

// confusionPanel returns the panel of a confusion matrix. The box of a true and a predicted class is one unit wide and
// high. The first classes are at the top and at the left.
func (r *Rows) confusionPanel(matrix measure.Confusion) chart.Panel {
	const (
		palest, darkest = 8, 238 // opacity of a box with none or all of the rows of its true class
		half            = 0.5    // of a box
	)
	end := float64(len(matrix))
	p := chart.Panel{
		X: chart.Axis{Label: "most probable class", Max: end},
		Y: chart.Axis{Label: "true class of " + axisName(r.Target), Max: end},
	}
	scores := matrix.Scores()
	darkTexts := chart.Layer{Kind: chart.Texts, Colour: chart.Ink} // in pale boxes
	whiteTexts := chart.Layer{Kind: chart.Texts, Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}}
	for class, row := range matrix {
		left := float64(class)
		top := end - float64(class)
		label := axisName(r.classLabel(class))
		p.X.Ticks = append(p.X.Ticks, chart.Tick{Value: left + half, Label: label})
		p.Y.Ticks = append(p.Y.Ticks, chart.Tick{Value: top - half, Label: label})
		classRows := scores[class].Rows
		for predicted, weight := range row {
			fraction := 0.0
			if classRows > 0 {
				fraction = weight / classRows
			}
			box := chart.Layer{Kind: chart.Boxes, Colour: chart.Blue}
			box.Colour.A = uint8(palest + (darkest-palest)*fraction)
			boxLeft := float64(predicted)
			box.AddBetween(boxLeft, top-1, boxLeft+1, top)
			p.Layers = append(p.Layers, box)
			texts := &darkTexts
			if fraction > 0.5 {
				texts = &whiteTexts
			}
			texts.Add(boxLeft+half, top-half)
			texts.Labels = append(texts.Labels, fmt.Sprintf("%.4g", weight))
		}
	}
	p.Layers = append(p.Layers, darkTexts, whiteTexts)
	return p
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
	p := chart.Panel{
		X: chart.Axis{Label: "predicted probability", Max: 1},
		Y: chart.Axis{Label: "fraction of the rows", Max: 1},
	}
	return r.drawClasses(p, func(class int, colour color.NRGBA) []chart.Layer {
		points := chart.Layer{Name: r.classLabel(class), Kind: chart.Points, Colour: colour, Radius: 2.6}
		intervals := chart.Layer{Kind: chart.Segments, Colour: chart.Pale(colour), Width: 3}
		for _, b := range binProbabilities(r.predictions(), class) {
			points.Add(b.predicted, b.observed)
			intervals.AddBetween(b.predicted, b.low, b.predicted, b.high)
		}
		line := chart.Layer{X: points.X, Y: points.Y, Colour: colour, Width: 0.6}
		return []chart.Layer{intervals, line, points}
	})
}

// drawClasses draws a panel, about as wide as high, with the ideal diagonal and the layers of each class that has a curve.
// The figure has no panels if the target is no class.
func (r *Rows) drawClasses(p chart.Panel, layersOf func(class int, colour color.NRGBA) []chart.Layer) (f chart.Figure, note string, err error) {
	classes := r.drawnClasses()
	if classes == nil {
		return f, noClasses, nil
	}
	p.Layers = []chart.Layer{chart.Ideal(0, 0, 1, 1)}
	for i, class := range classes {
		p.Layers = append(p.Layers, layersOf(class, classColours[i])...)
	}
	return chart.Figure{Panels: []chart.Panel{p}, PanelHeight: 260, Width: 380}, r.describeDrawnClasses(classes), nil
}

// probabilityBin has the rows with similar probabilities of a class.
type probabilityBin struct {
	predicted        float64 // mean probability
	observedFraction         // of the rows that have the class
}

// binProbabilities returns the bins of equal width that have rows. A row is in a bin from its lower edge on, and with the
// probability 1 in the last.
func binProbabilities(c *measure.Column, class int) []probabilityBin {
	var weights [reliabilityBins][]float64              // of the rows of each bin
	var predicted, classWeight [reliabilityBins]float64 // sums over the rows of each bin, weighted
	for row, probability := range classProbabilities(c, class) {
		weight := c.Weight(row)
		if weight == 0 {
			continue
		}
		bin := min(reliabilityBins-1, int(probability*reliabilityBins))
		weights[bin] = append(weights[bin], weight)
		predicted[bin] += float64(weight * probability)
		if int(c.Y[row]) == class {
			classWeight[bin] += weight
		}
	}
	var bins []probabilityBin
	for bin, ofRows := range weights {
		if len(ofRows) == 0 {
			continue
		}
		total := 0.0
		for _, weight := range ofRows {
			total += weight
		}
		bins = append(bins, probabilityBin{predicted[bin] / total, newFraction(ofRows, classWeight[bin])})
	}
	return bins
}

// classProbabilities returns the predicted probability of a class, by row.
func classProbabilities(c *measure.Column, class int) []float64 {
	ofClass := make([]float64, len(c.Y))
	for row := range ofClass {
		probabilities, _ := distribution.ClassesOf(c.Distributions[row])
		ofClass[row] = probabilities[class]
	}
	return ofClass
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
	p := chart.Panel{
		X: chart.Axis{Label: "fraction of other rows above", Max: 1},
		Y: chart.Axis{Label: "fraction of the class above", Max: 1},
	}
	return r.drawClasses(p, func(class int, colour color.NRGBA) []chart.Layer {
		curve, area := rocCurve(r.predictions(), class)
		curve.Name = fmt.Sprintf("%s, area %.3f", r.classLabel(class), area)
		curve.Colour = colour
		return []chart.Layer{curve}
	})
}

// rocCurve returns the ROC curve of a class against all others, from threshold 1 to 0, and the area under it. Rows with
// equal probabilities are one step, a straight line. The area is NaN if all rows have the class, or none.
func rocCurve(c *measure.Column, class int) (curve chart.Layer, area float64) {
	probability := classProbabilities(c, class)
	order := make([]int, len(c.Y)) // of the rows, the largest probability first
	classWeight, otherWeight := 0.0, 0.0
	for row, y := range c.Y {
		order[row] = row
		if int(y) == class {
			classWeight += c.Weight(row)
		} else {
			otherWeight += c.Weight(row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(probability[b], probability[a]) })
	othersAbove, classAbove := 0.0, 0.0 // fractions of the rows above the threshold
	curve.Add(0, 0)
	for i, row := range order {
		if int(c.Y[row]) == class {
			classAbove += c.Weight(row) / classWeight
		} else {
			othersAbove += c.Weight(row) / otherWeight
		}
		if i+1 < len(order) && probability[order[i+1]] == probability[row] {
			continue // the step is not complete
		}
		last := len(curve.X) - 1
		area += (othersAbove - curve.X[last]) * (classAbove + curve.Y[last]) / 2 // a trapezium
		curve.Add(othersAbove, classAbove)
	}
	return curve, area
}

// drawnClasses returns the classes that have curves: the second of two, whose curve tells all, otherwise the most frequent
// ones. It returns nil if the target is no class.
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
