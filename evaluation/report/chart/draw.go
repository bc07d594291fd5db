package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// size returns the width and the height of the figure, in points.
func (f Figure) size() (width, height vg.Length) {
	rows := vg.Length(f.rows())
	perRow := vg.Length(cmp.Or(f.PanelHeight, panelHeight))
	return f.width(), rows*perRow + lineHeight*vg.Length(len(f.legend())) + 2*margin
}

// rows returns the number of rows of panels. The last row may be incomplete.
func (f Figure) rows() int { return (len(f.Panels) + f.columns() - 1) / f.columns() }

// draw draws the legend at the foot of the canvas, and the panels above it.
func (f Figure) draw(c draw.Canvas) {
	const middle = 1.0 / 3 // height of the middle of a line's text, as a fraction of the line
	c = draw.Crop(c, margin, -margin, margin, -margin)
	legend := f.legend()
	for i, line := range slices.Backward(legend) {
		linesBelow := vg.Length(len(legend) - 1 - i)
		drawEntries(c, line, c.Min.Y+lineHeight*(linesBelow+middle))
	}
	f.drawPanels(draw.Crop(c, 0, 0, lineHeight*vg.Length(len(legend)), 0))
}

// drawPanels draws the panels in rows, with aligned data areas, and the names of the rows at the left edge of the canvas.
func (f Figure) drawPanels(c draw.Canvas) {
	area := c
	if f.Rows != nil {
		area = draw.Crop(c, rowNameWidth, 0, 0, 0)
	}
	columns := f.columns()
	rows := f.panelRows(area.Size().X/vg.Length(columns) - gap)
	var plots [][]*plot.Plot
	for _, row := range rows {
		plots = append(plots, row.plots)
	}
	head := headHeight(f.Panels)
	tiles := draw.Tiles{
		Rows:   len(rows),
		Cols:   columns,
		PadTop: head, // above the first row
		PadX:   gap,
		PadY:   gap + head, // between two rows
	}
	for i, canvases := range plot.Align(plots, tiles, area) {
		middle := rows[i].draw(canvases)
		if f.Rows != nil {
			drawRowName(c, f.Rows[i], middle)
		}
	}
}

// panelRow is a row of panels with their plots, which are nil in the empty places of the last row.
type panelRow struct {
	panels []Panel
	plots  []*plot.Plot
}

// draw draws the panels of the row, and returns the height of the middle of their data areas.
func (r panelRow) draw(canvases []draw.Canvas) (middle vg.Length) {
	top := vg.Length(0) // of the highest canvas: labels make the canvases differ, but titles of a row must be level
	for _, canvas := range canvases {
		top = max(top, canvas.Max.Y)
	}
	for i, p := range r.panels {
		r.plots[i].Draw(canvases[i])
		data := r.plots[i].DataCanvas(canvases[i])
		canvases[i].Max.Y = top
		p.drawHead(canvases[i], data, r.hasNotes())
		middle = data.Center().Y // equal for all panels: their data areas are aligned
	}
	return middle
}

// hasNotes reports whether a panel of the row has a note.
func (r panelRow) hasNotes() bool {
	return slices.ContainsFunc(r.panels, func(p Panel) bool { return p.note() != "" })
}

// panelRows returns the rows of panels, all with limits, and their plots. width is the width of a panel with its axes.
func (f Figure) panelRows(width vg.Length) []panelRow {
	var rows []panelRow
	for panels := range slices.Chunk(f.Panels, f.columns()) {
		row := panelRow{plots: make([]*plot.Plot, f.columns())}
		for i, p := range panels {
			p = p.withLimits()
			row.panels = append(row.panels, p)
			row.plots[i] = p.plot(width)
		}
		rows = append(rows, row)
	}
	return rows
}

// headHeight returns the space for titles and notes above each row of panels: the same for all rows.
func headHeight(panels []Panel) vg.Length {
	height := vg.Length(0)
	if slices.ContainsFunc(panels, func(p Panel) bool { return p.Title != "" }) {
		height += titleHeight
	}
	if slices.ContainsFunc(panels, func(p Panel) bool { return p.withLimits().note() != "" }) {
		height += noteHeight
	}
	return height
}

// note returns the panel's note with the number of points beyond the axes. The limits must be set.
func (p Panel) note() string {
	beyond := p.countBeyond()
	if beyond == 0 {
		return p.Note
	}
	return JoinNotes(fmt.Sprintf("%d beyond the axes", beyond), p.Note)
}

// drawHead writes the note and the title above the data area. The note ends at the area's right edge, and the title is
// above its middle. In a row with notes, all titles are above them.
func (p Panel) drawHead(c, data draw.Canvas, rowHasNotes bool) {
	const lift = 1 // distance of a text from what is below it, in points
	noteStyle := textStyle(noteSize)
	noteStyle.XAlign = draw.XRight
	noteStyle.Color = Grey
	noteY := c.Max.Y + lift
	c.FillText(noteStyle, vg.Point{X: data.Max.X, Y: noteY}, p.note())

	titleStyle := textStyle(titleSize)
	titleStyle.XAlign = draw.XCenter
	widest := c.Size().X
	if width := titleStyle.Width(p.Title); width > widest {
		titleStyle.Font.Size *= widest / width
	}
	titleY := noteY + lift
	if rowHasNotes {
		titleY = noteY + noteHeight + lift
	}
	c.FillText(titleStyle, vg.Point{X: data.Center().X, Y: titleY}, p.Title)
}

// drawRowName writes the name of a row of panels, which reads upwards, at the left edge of the canvas. middle is the height
// of the name's middle.
func drawRowName(c draw.Canvas, name string, middle vg.Length) {
	const quarterTurn = math.Pi / 2 // radians
	style := textStyle(titleSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YTop
	style.Rotation = quarterTurn
	c.FillText(style, vg.Point{X: c.Min.X, Y: middle}, name)
}

// withLimits returns the panel with limits on both axes. Axes without limits of their own get limits that contain all
// layers.
func (p Panel) withLimits() Panel {
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = extent(p.Layers, func(l Layer) []float64 { return slices.Concat(l.X, l.X2) })
	}
	if p.Y.Min == p.Y.Max {
		p.Y.Min, p.Y.Max = extent(p.Layers, func(l Layer) []float64 { return slices.Concat(l.Y, l.Y2) })
	}
	return p
}

// extent returns limits that contain all drawable numbers of the layers, or 0 and 1 if there are none.
func extent(layers []Layer, numbers func(Layer) []float64) (low, high float64) {
	var values []float64
	for _, l := range layers {
		values = append(values, numbers(l)...)
	}
	sorted := sortDrawable(values)
	if len(sorted) == 0 {
		return 0, 1
	}
	return Widen(sorted[0], sorted[len(sorted)-1])
}

// plot returns the panel as a plot of gonum. The limits must be set. width is the width of the panel with its axes.
func (p Panel) plot(width vg.Length) *plot.Plot {
	const (
		yAxisWidth  = 35 // about the width of the y axis with its labels
		minTicks    = 4  // number of ticks of an axis without ticks of its own
		narrowWidth = 150
		narrowTicks = 3 // minTicks of a panel narrower than narrowWidth, in which more long labels would overlap
	)
	ticks := minTicks
	if width < narrowWidth {
		ticks = narrowTicks
	}
	g := plot.New()
	g.BackgroundColor = nil
	p.X.configure(&g.X, ticks)
	p.Y.configure(&g.Y, ticks)
	if angle := p.X.labelAngle(width - yAxisWidth); angle > 0 {
		g.X.Tick.Label.Rotation = angle
		g.X.Tick.Label.XAlign = draw.XRight
	}
	for _, l := range p.Layers {
		g.Add(l)
	}
	return g
}

// configure gives an axis of gonum the label, limits, ticks and look of the axis a, whose limits must be set. If a has no
// ticks of its own, the axis gets at least minTicks.
func (a Axis) configure(axis *plot.Axis, minTicks int) {
	const (
		lineWidth  = 0.6
		lineOffset = 3 // between the axis and the data area: keeps lines that start at an axis off it
		tickLength = 3
		labelSpace = 3 // between the label and the labels of the ticks
	)
	line := draw.LineStyle{Color: Ink, Width: lineWidth}
	axis.Min = a.Min
	axis.Max = a.Max
	axis.Scale = cmp.Or[Scale](a.Scale, wideScale{})
	axis.LineStyle = line
	axis.Padding = lineOffset

	axis.Tick.Marker = a.ticker(minTicks)
	axis.Tick.LineStyle = line
	axis.Tick.Length = tickLength
	axis.Tick.Label.Font = textStyle(tickSize).Font
	axis.Tick.Label.Color = Ink

	axis.Label.Text = a.Label
	axis.Label.Padding = labelSpace
	axis.Label.TextStyle.Font = textStyle(labelSize).Font
	axis.Label.TextStyle.Color = Ink
}

// ticker returns the axis's own ticks in gonum's form. If the axis has none, ticker returns at least minTicks.
func (a Axis) ticker(minTicks int) plot.Ticker {
	if a.Ticks == nil {
		return plot.ConstantTicks(a.DefaultTicks(minTicks))
	}
	return plot.ConstantTicks(a.Ticks)
}

// labelAngle returns the angle in radians at which the labels of the axis's own ticks do not overlap, on an axis of the
// given length: 0 if they have room side by side, and otherwise from 30 to 60 degrees, the steeper the closer they are.
func (a Axis) labelAngle(length vg.Length) float64 {
	const (
		space       = 3              // between two labels side by side, in points
		labelHeight = tickSize * 1.1 // of a label with its distance from the next
		minAngle    = math.Pi / 6
		maxAngle    = math.Pi / 3
	)
	style := textStyle(tickSize)
	isCrowded := false
	closest := length // distance of the closest labels
	labelled := a.labelledTicks()
	for i := 1; i < len(labelled); i++ {
		left, right := labelled[i-1], labelled[i]
		distance := length * vg.Length((right.Value-left.Value)/(a.Max-a.Min))
		closest = min(closest, distance)
		needed := (style.Width(right.Label)+style.Width(left.Label))/2 + space
		isCrowded = isCrowded || needed > distance
	}
	if !isCrowded {
		return 0
	}
	sine := float64(labelHeight / closest) // of the angle at which two labels touch
	return math.Asin(min(max(sine, math.Sin(minAngle)), math.Sin(maxAngle)))
}

// labelledTicks returns the axis's own ticks that have a label, by ascending value.
func (a Axis) labelledTicks() []Tick {
	labelled := slices.DeleteFunc(slices.Clone(a.Ticks), func(t Tick) bool { return t.Label == "" })
	slices.SortFunc(labelled, func(a, b Tick) int { return cmp.Compare(a.Value, b.Value) })
	return labelled
}

// wideScale is a linear scale over any finite range, even if its width overflows a float64.
type wideScale struct{}

// Normalize implements plot.Normalizer: it returns 0 for x = low and 1 for x = high.
func (wideScale) Normalize(low, high, x float64) float64 {
	width := high - low
	if !math.IsInf(width, 0) {
		return (x - low) / width
	}
	return (x/2 - low/2) / (high/2 - low/2)
}

// symmetricScale is the scale Symmetric.
type symmetricScale struct{}

// Normalize implements plot.Normalizer.
func (symmetricScale) Normalize(low, high, x float64) float64 {
	return (math.Asinh(x) - math.Asinh(low)) / (math.Asinh(high) - math.Asinh(low))
}
