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
	Score   float64   // not finite if the trial failed; failed trials are counted in the panels' notes
	Stopped bool      // whether the training was stopped early, so that the score is not comparable
	Values  []float64 // value of each setting, for choices an index; NaN if the trial lacks the setting
}

// TrialSetting is a setting that differs between trials.
type TrialSetting struct {
	Name      string
	Choices   []string // nil if the values are numbers
	Low, High float64  // range from which numbers are drawn
	Log       bool     // whether the axis is logarithmic
}

// Trials draws the scores of trials: a panel over the trials' numbers, with the best score so far, and a
// panel over each setting. best is the index of the chosen trial, below 0 if there is none. Trials
// returns an error if no trial has a finite score.
func Trials(judge measure.Measure, settings []TrialSetting, trials []Trial, best int) (*drawing.Figure, error) {
	var scores []float64
	for _, t := range trials {
		if statistics.IsFinite(t.Score) {
			scores = append(scores, t.Score)
		}
	}
	if len(scores) == 0 {
		return nil, fmt.Errorf("report: none of %d trials has a finite score", len(trials))
	}
	low, high := scoreLimits(scores, judge.HigherIsBetter && judge.Nominal == 0)
	number := TrialSetting{Name: "trial", Low: 1, High: float64(len(trials))}
	var panels []drawing.Panel
	for j, setting := range append([]TrialSetting{number}, settings...) {
		value := func(trial int) float64 { return float64(trial + 1) }
		if j > 0 {
			value = func(trial int) float64 { return trials[trial].Values[j-1] }
		}
		p := drawing.NewPlot(setting.Name, "")
		if j%trialColumns == 0 {
			p.Y.Label.Text = judge.Title
		}
		p.Y.Min = low
		p.Y.Max = high
		setSettingAxis(&p.X, setting)
		s := &trialPanel{best: best, badness: judge.Badness, drawsBest: j == 0}
		note := s.addTrials(trials, value, low, high)
		p.Add(s)
		if j == 0 {
			p.X.Tick.Marker = axes.WholeTicks(p.X.Tick.Marker)
		}
		panels = append(panels, drawing.Panel{Note: note, Plot: p})
	}
	f := arrangeTrialPanels(panels)
	f.Legend = [][]drawing.Entry{trialLegend(trials, best)}
	return f, nil
}

const trialColumns = 3

var bestLine = draw.LineStyle{Color: drawing.Red, Width: 0.8}

// arrangeTrialPanels returns a figure with at most trialColumns panels beside one another.
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
		legend = append(legend, drawing.PointEntry("the best", drawBestTrial))
	}
	return append(legend, drawing.LineEntry("the best until then", bestLine))
}

// scoreLimits returns the limits of the y axis that all panels share. Good scores are never beyond it;
// bad outliers may be.
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
		if minimum >= 0 && minimum > (maximum-minimum)/2 { // 0 is far below all scores
			low = minimum
		}
	}
	low, high = axes.Widen(low, high)
	border := high/20 - low/20
	return low - border, high + border
}

// trialPoint is a trial in a panel.
type trialPoint struct {
	x, y    float64
	stopped bool
	trial   int // index of the trial
}

func (p trialPoint) draw(c draw.Canvas, center vg.Point) {
	if p.stopped {
		shape.Ring.Draw(c, center, 2.2, drawing.Grey, true)
		return
	}
	shape.Ring.Draw(c, center, 2.6, drawing.Blue, false)
}

func drawBestTrial(c draw.Canvas, center vg.Point) {
	shape.Ring.Draw(c, center, 3.4, drawing.Red, false)
}

// trialPanel is a plotter of trials over their numbers or over a setting.
type trialPanel struct {
	points    []trialPoint
	best      int // index of the chosen trial
	badness   func(score float64) float64
	drawsBest bool // whether the panel has the line of the best score so far
}

// addTrials adds the trials with finite scores, at x = value(trial). It returns a note on the trials
// that the limits of the y axis do not hold, and on failed ones.
func (s *trialPanel) addTrials(trials []Trial, value func(trial int) float64, low, high float64) (note string) {
	failed := 0
	beyond := 0
	for i, t := range trials {
		x := value(i)
		if math.IsNaN(x) {
			continue
		}
		if !statistics.IsFinite(t.Score) {
			failed++
			continue
		}
		if t.Score < low || t.Score > high {
			beyond++
		}
		s.points = append(s.points, trialPoint{x: x, y: t.Score, stopped: t.Stopped, trial: i})
	}
	return drawing.JoinNotes(drawing.CountNote(beyond, "beyond the axes"), drawing.CountNote(failed, "failed"))
}

// setSettingAxis sets the limits, the scale and the ticks of an axis that has all values of a setting.
func setSettingAxis(axis *plot.Axis, s TrialSetting) {
	axis.Padding = 0
	if s.Choices != nil {
		axis.Min = -0.5
		axis.Max = float64(len(s.Choices)) - 0.5
		axis.Tick.Marker = choiceTicks(s.Choices)
		return
	}
	const border = 0.04 // of the axis
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

// choiceTicks returns a tick for each choice. It labels every second choice, every third and so on if
// there are more than six.
func choiceTicks(choices []string) plot.ConstantTicks {
	every := 1 + (len(choices)-1)/6
	var ticks plot.ConstantTicks
	for i, name := range choices {
		label := ""
		if i%every == 0 {
			label = shortenName(name, 12)
		}
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	return ticks
}

// Plot implements plot.Plotter. It does not draw trials beyond the axes. Trials that were stopped lie
// behind the others, and the chosen trial lies in front.
func (s *trialPanel) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, toY(tick.Value), c.Max.X, toY(tick.Value))
	}
	if s.drawsBest {
		s.drawBestLine(c, p)
	}
	isInside := func(point trialPoint) bool { return point.y >= p.Y.Min && point.y <= p.Y.Max }
	for _, stopped := range []bool{true, false} {
		for _, point := range s.points {
			if point.stopped == stopped && point.trial != s.best && isInside(point) {
				point.draw(c, vg.Point{X: toX(point.x), Y: toY(point.y)})
			}
		}
	}
	for _, point := range s.points {
		if point.trial == s.best && isInside(point) {
			drawBestTrial(c, vg.Point{X: toX(point.x), Y: toY(point.y)})
		}
	}
}

// drawBestLine draws the best score up to each trial. Trials that were stopped early do not count.
func (s *trialPanel) drawBestLine(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	best := math.NaN()
	var line []vg.Point
	for _, point := range s.points {
		isBest := !(s.badness(point.y) >= s.badness(best)) // true if best is still NaN
		if !point.stopped && isBest {
			if len(line) > 0 { // a step down
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
