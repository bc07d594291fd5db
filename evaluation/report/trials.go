package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/internal/statistics"
)

// Tried is a trial of a tuning.
type Tried struct {
	Score   float64   // not finite: it failed, and is counted beside the panels
	Stopped bool      // it was not trained to its end: its score is not like the others
	Values  []float64 // of each varied setting, of choices their places; NaN: it has none
}

// Varied is a setting that trials differ in.
type Varied struct {
	Name      string
	Choices   []string // none: numbers
	Low, High float64  // that the numbers are drawn from
	Log       bool     // their axis
}

// Trials draws the scores of trials: over their numbers, with the best until each, and
// against each setting. best is the place of the one that was chosen. It is an error if
// no trial has a finite score.
func Trials(judge measure.Measure, varied []Varied, trials []Tried, best int) (*drawing.Figure, error) {
	var scores []float64
	for _, t := range trials {
		if statistics.Finite(t.Score) {
			scores = append(scores, t.Score)
		}
	}
	if len(scores) == 0 {
		return nil, fmt.Errorf("report: none of %d trials has a finite score", len(trials))
	}
	low, high := scoreLimits(scores, judge.Higher && judge.Nominal == 0)
	number := Varied{Name: "trial", Low: 1, High: float64(len(trials))}
	panels := []drawing.Panel{}
	for j, v := range append([]Varied{number}, varied...) {
		s := &trialPanel{best: best, badness: judge.Badness, line: j == 0}
		missing, beyond := 0, 0
		for i, t := range trials {
			x := float64(i + 1)
			if j > 0 {
				x = t.Values[j-1]
			}
			switch {
			case math.IsNaN(x):
				continue
			case !statistics.Finite(t.Score):
				missing++
				continue
			case t.Score < low || t.Score > high:
				beyond++
			}
			s.points = append(s.points, trialPoint{x, t.Score, t.Stopped, i})
		}
		p := drawing.NewPlot(v.Name, "")
		if j%trialColumns == 0 {
			p.Y.Label.Text = judge.Title
		}
		p.Y.Min, p.Y.Max = low, high
		s.setAxis(p, v)
		p.Add(s)
		if j == 0 {
			p.X.Tick.Marker = axes.WholeTicks(p.X.Tick.Marker)
		}
		panels = append(panels, drawing.Panel{Note: drawing.JoinNotes(drawing.CountNote(beyond, "beyond the axes"), drawing.CountNote(missing, "failed")), Plot: p})
	}
	columns := min(trialColumns, len(panels))
	for len(panels)%columns > 0 {
		blank := drawing.NewPlot("", "")
		blank.HideAxes()
		panels = append(panels, drawing.Panel{Plot: blank})
	}
	f := &drawing.Figure{Width: vg.Length(columns) * 2.4 * vg.Inch}
	for ; len(panels) > 0; panels = panels[columns:] {
		f.Panels = append(f.Panels, panels[:columns])
		f.Height += 2 * vg.Inch
	}
	f.Height += 0.4 * vg.Inch
	legend := []drawing.Entry{drawing.PointEntry("a trial", trialPoint{}.mark)}
	for _, t := range trials {
		if t.Stopped {
			legend = append(legend, drawing.PointEntry("stopped early", trialPoint{stopped: true}.mark))
			break
		}
	}
	if best >= 0 {
		legend = append(legend, drawing.PointEntry("the best", func(c draw.Canvas, at vg.Point) { shape.Ring.Draw(c, at, 3.4, drawing.Red, false) }))
	}
	f.Legend = [][]drawing.Entry{append(legend, drawing.LineEntry("the best until then", bestLine))}
	return f, nil
}

const trialColumns = 3

var bestLine = draw.LineStyle{Color: drawing.Red, Width: 0.8}

// scoreLimits are those of the axis that all panels share: good scores are never beyond it.
func scoreLimits(scores []float64, higher bool) (low, high float64) {
	low, high = axes.Fences(scores)
	least, most := scores[0], scores[0]
	for _, v := range scores {
		least, most = min(least, v), max(most, v)
	}
	if higher {
		low, high = max(low, min(least, high)), max(high, most)
	} else {
		low, high = min(low, least), min(high, most)
		if least >= 0 && least > (most-least)/2 {
			low = least
		}
	}
	low, high = axes.Widen(low, high)
	room := high/20 - low/20
	return low - room, high + room
}

type trialPoint struct {
	x, y    float64
	stopped bool
	trial   int
}

func (p trialPoint) mark(c draw.Canvas, at vg.Point) {
	if p.stopped {
		shape.Ring.Draw(c, at, 2.2, drawing.Grey, true)
		return
	}
	shape.Ring.Draw(c, at, 2.6, drawing.Blue, false)
}

// trialPanel draws trials over something.
type trialPanel struct {
	points  []trialPoint
	best    int
	badness func(score float64) float64
	line    bool
}

// setAxis makes room for all values of a setting.
func (s *trialPanel) setAxis(p *plot.Plot, v Varied) {
	p.X.Padding = 0
	if v.Choices != nil {
		p.X.Min, p.X.Max = -0.5, float64(len(v.Choices))-0.5
		var ticks plot.ConstantTicks
		every := 1 + (len(v.Choices)-1)/6
		for i, name := range v.Choices {
			if i%every > 0 {
				name = ""
			}
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: shortened(name, 12)})
		}
		p.X.Tick.Marker = ticks
		return
	}
	low, high := axes.Widen(v.Low, v.High)
	if v.Log && low >= axes.LeastLogarithm {
		room := math.Pow(high/low, 0.04)
		p.X.Min, p.X.Max = low/room, high*room
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(axes.DecadeTicks)
		return
	}
	p.X.Min, p.X.Max = low-0.04*(high-low), high+0.04*(high-low)
}

// Plot implements plot.Plotter. What is beyond the axes is left out.
func (s *trialPanel) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	if s.line {
		s.drawBest(c, x, y)
	}
	inside := func(at trialPoint) bool { return at.y >= p.Y.Min && at.y <= p.Y.Max }
	for _, pass := range []bool{true, false} { // those that were stopped behind the others
		for _, point := range s.points {
			if point.stopped == pass && point.trial != s.best && inside(point) {
				point.mark(c, vg.Point{X: x(point.x), Y: y(point.y)})
			}
		}
	}
	for _, point := range s.points {
		if point.trial == s.best && inside(point) {
			shape.Ring.Draw(c, vg.Point{X: x(point.x), Y: y(point.y)}, 3.4, drawing.Red, false)
		}
	}
}

// drawBest draws the best score until each trial, of those that were trained to their end.
func (s *trialPanel) drawBest(c draw.Canvas, x, y func(float64) vg.Length) {
	best := math.NaN()
	var line []vg.Point
	for _, point := range s.points {
		if !point.stopped && !(s.badness(point.y) >= s.badness(best)) {
			if len(line) > 0 {
				line = append(line, vg.Point{X: x(point.x), Y: y(best)})
			}
			best = point.y
		}
		if !math.IsNaN(best) {
			line = append(line, vg.Point{X: x(point.x), Y: y(best)})
		}
	}
	c.StrokeLines(bestLine, c.ClipLinesXY(line)...)
}
