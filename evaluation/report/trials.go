package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/internal/statistics"
)

// Trial is a trial of a tuning.
type Trial struct {
	Score   float64   // NaN or infinite if the trial failed
	Stopped bool      // whether the training was stopped early, so that the score is not comparable
	Values  []float64 // value of each setting: a number, or the index of a choice; NaN if the trial lacks the setting
}

// TrialSetting is a setting that differs between trials.
type TrialSetting struct {
	Name      string
	Choices   []string // nil if the values are numbers
	Low, High float64  // range from which the numbers are drawn
	Log       bool     // whether the axis is logarithmic
}

// Trials draws the scores of trials by one measure: a panel over the trials' numbers, with a line of the
// best score so far, and a panel over each setting. Failed trials are counted in the panels' notes. best
// is the index of the chosen trial, below 0 if there is none. Trials returns an error if no trial has a
// finite score.
func Trials(by measure.Measure, settings []TrialSetting, trials []Trial, best int) (*drawing.Figure, error) {
	var scores []float64
	for _, t := range trials {
		if statistics.IsFinite(t.Score) {
			scores = append(scores, t.Score)
		}
	}
	if len(scores) == 0 {
		return nil, fmt.Errorf("report: none of %d trials has a finite score", len(trials))
	}
	hasHighest := by.HigherIsBetter && by.Nominal == 0 // with a nominal value, badness is the distance from it
	low, high := scoreLimits(scores, hasHighest)

	overTime := &trialPanel{best: best, badness: by.Badness, drawsBest: true}
	number := func(trial int) float64 { return float64(trial + 1) }
	note := overTime.addTrials(trials, number, low, high)
	panel := overTime.panel(TrialSetting{Name: "trial", Low: 1, High: float64(len(trials))}, note)
	panel.X.Tick.Marker = axes.WholeTicks(panel.X.Tick.Marker)
	panels := []drawing.Panel{panel}

	for i, setting := range settings {
		overSetting := &trialPanel{best: best, badness: by.Badness}
		value := func(trial int) float64 { return trials[trial].Values[i] }
		note := overSetting.addTrials(trials, value, low, high)
		panels = append(panels, overSetting.panel(setting, note))
	}
	for i, panel := range panels {
		panel.Plot.Y.Min = low
		panel.Plot.Y.Max = high
		if i%trialColumns == 0 { // the first panel of a row
			panel.Plot.Y.Label.Text = by.Title
		}
	}
	f := arrangeTrialPanels(panels)
	f.Legend = [][]drawing.Entry{trialLegend(trials, best)}
	return f, nil
}

// panel returns a panel of the trials over the values of a setting, without limits of its y axis.
func (t *trialPanel) panel(setting TrialSetting, note string) drawing.Panel {
	p := drawing.NewPlot(setting.Name, "")
	setSettingAxis(&p.X, setting)
	p.Add(t)
	return drawing.Panel{Note: note, Plot: p}
}

// trialColumns is the largest number of panels side by side.
const trialColumns = 3

// bestLine is the style of the line of the best score so far.
var bestLine = draw.LineStyle{Color: drawing.Red, Width: 0.8}

// arrangeTrialPanels returns a figure with at most trialColumns panels side by side.
func arrangeTrialPanels(panels []drawing.Panel) *drawing.Figure {
	const (
		panelWidth   = 2.4 * vg.Inch
		panelHeight  = 2 * vg.Inch
		legendHeight = 0.4 * vg.Inch
	)
	columns := min(trialColumns, len(panels))
	for len(panels)%columns > 0 { // fill the last row
		blank := drawing.NewPlot("", "")
		blank.HideAxes()
		panels = append(panels, drawing.Panel{Plot: blank})
	}
	f := &drawing.Figure{Width: vg.Length(columns) * panelWidth}
	for row := range slices.Chunk(panels, columns) {
		f.Panels = append(f.Panels, row)
		f.Height += panelHeight
	}
	f.Height += legendHeight
	return f
}

// trialLegend returns the legend of the marks and lines that occur.
func trialLegend(trials []Trial, best int) []drawing.Entry {
	legend := []drawing.Entry{drawing.PointEntry("a trial", trialPoint{}.draw)}
	if slices.ContainsFunc(trials, func(t Trial) bool { return t.Stopped }) {
		legend = append(legend, drawing.PointEntry("stopped early", trialPoint{stopped: true}.draw))
	}
	if best >= 0 {
		legend = append(legend, drawing.PointEntry("best trial", drawBestTrial))
	}
	return append(legend, drawing.LineEntry("best score so far", bestLine))
}

// scoreLimits returns the limits of the y axis that all panels share. All good scores are within them, but
// a few very bad ones may not be, since they would leave the others too close to one another: axes.Fences
// says which scores are too far from the others.
func scoreLimits(scores []float64, higherIsBetter bool) (low, high float64) {
	low, high = axes.Fences(scores)
	minimum := slices.Min(scores)
	maximum := slices.Max(scores)
	if higherIsBetter {
		low = max(low, min(minimum, high))
		high = max(high, maximum)
	} else {
		low = min(low, minimum)
		high = min(high, maximum)
		isFarAboveZero := minimum > (maximum-minimum)/2
		if minimum >= 0 && isFarAboveZero { // the axis need not begin at 0
			low = minimum
		}
	}
	low, high = axes.Widen(low, high)
	border := high/20 - low/20 // a twentieth of the range; high − low may overflow
	return low - border, high + border
}

// trialPoint is the point of a trial in a panel.
type trialPoint struct {
	x       float64 // number of the trial or value of a setting
	y       float64 // score
	stopped bool    // whether the training was stopped early
	trial   int     // index of the trial
}

// draw draws the point at the center: a grey ring for a stopped trial, otherwise a blue dot.
func (p trialPoint) draw(c draw.Canvas, center vg.Point) {
	if p.stopped {
		shape.Ring.Draw(c, center, 2.2, drawing.Grey, true)
		return
	}
	shape.Ring.Draw(c, center, 2.6, drawing.Blue, false)
}

// drawBestTrial draws the chosen trial: a large red dot.
func drawBestTrial(c draw.Canvas, center vg.Point) {
	shape.Ring.Draw(c, center, 3.4, drawing.Red, false)
}

// trialPanel is a plotter of trials over their numbers or over a setting.
type trialPanel struct {
	points    []trialPoint
	best      int                         // index of the chosen trial; below 0 if there is none
	badness   func(score float64) float64 // less is better
	drawsBest bool                        // whether the panel has the line of the best score so far
}

// addTrials adds the trials with finite scores, at x = value(trial); trials with an x of NaN lack the
// setting and are ignored. It returns a note that counts the failed trials, and those with scores beyond
// the limits low and high of the y axis.
func (t *trialPanel) addTrials(trials []Trial, value func(trial int) float64, low, high float64) (note string) {
	failed := 0
	beyond := 0
	for i, trial := range trials {
		x := value(i)
		if math.IsNaN(x) {
			continue
		}
		if !statistics.IsFinite(trial.Score) {
			failed++
			continue
		}
		if trial.Score < low || trial.Score > high {
			beyond++
		}
		t.points = append(t.points, trialPoint{x: x, y: trial.Score, stopped: trial.Stopped, trial: i})
	}
	return drawing.JoinNotes(drawing.CountNote(beyond, "beyond the axes"), drawing.CountNote(failed, "failed"))
}

// setSettingAxis sets the limits, the scale and the ticks of an axis that has all values of a setting.
func setSettingAxis(axis *plot.Axis, s TrialSetting) {
	axis.Padding = 0
	if s.Choices != nil {
		axis.Min = -0.5 // half a choice of space at either end
		axis.Max = float64(len(s.Choices)) - 0.5
		axis.Tick.Marker = choiceTicks(s.Choices)
		return
	}
	const border = 0.04 // beyond each limit, as a fraction of the axis
	low, high := axes.Widen(s.Low, s.High)
	if s.Log && low >= axes.LeastLogarithm {
		factor := math.Pow(high/low, border)
		axis.Min = low / factor
		axis.Max = high * factor
		axis.Scale = plot.LogScale{}
		axis.Tick.Marker = plot.TickerFunc(axes.DecadeTicks)
		return
	}
	axis.Min = low - border*(high-low)
	axis.Max = high + border*(high-low)
}

// choiceTicks returns a tick for each choice. At most maxLabels of them have labels, at equal distances:
// more would overlap.
func choiceTicks(choices []string) plot.ConstantTicks {
	const (
		maxLabels  = 6
		maxLetters = 12 // of a label
	)
	step := 1 + (len(choices)-1)/maxLabels // from one label to the next
	var ticks plot.ConstantTicks
	for i, name := range choices {
		label := ""
		if i%step == 0 {
			label = shortenName(name, maxLetters)
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	return ticks
}

// Plot implements plot.Plotter. It does not draw trials beyond the axes. Trials that were stopped lie
// behind the others, and the chosen trial lies in front.
func (t *trialPanel) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, toY(tick.Value), c.Max.X, toY(tick.Value))
	}
	if t.drawsBest {
		t.drawBestLine(c, p)
	}
	isInside := func(point trialPoint) bool { return point.y >= p.Y.Min && point.y <= p.Y.Max }
	for _, stopped := range []bool{true, false} { // later points cover earlier ones
		for _, point := range t.points {
			if point.stopped == stopped && point.trial != t.best && isInside(point) {
				point.draw(c, vg.Point{X: toX(point.x), Y: toY(point.y)})
			}
		}
	}
	for _, point := range t.points {
		if point.trial == t.best && isInside(point) {
			drawBestTrial(c, vg.Point{X: toX(point.x), Y: toY(point.y)})
		}
	}
}

// drawBestLine draws the best score so far as a line of steps. Trials that were stopped early do not count.
func (t *trialPanel) drawBestLine(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	best := math.NaN() // before the first trial that was not stopped
	var line []vg.Point
	for _, point := range t.points {
		isFirst := math.IsNaN(best)
		if !point.stopped && (isFirst || t.badness(point.y) < t.badness(best)) {
			if !isFirst { // horizontally to the trial, then vertically to its score
				line = append(line, vg.Point{X: toX(point.x), Y: toY(best)})
			}
			best = point.y
		}
		if !math.IsNaN(best) {
			line = append(line, vg.Point{X: toX(point.x), Y: toY(best)})
		}
	}
	c.StrokeLines(bestLine, c.ClipLinesXY(line)...)
}
