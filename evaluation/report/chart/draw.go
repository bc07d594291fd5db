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
	c = draw.Crop(c, margin, -margin, margin, -margin)
	legend := f.legend()
	for i, line := range slices.Backward(legend) {
		linesBelow := vg.Length(len(legend) - 1 - i)
		drawEntries(c, line, c.Min.Y+lineHeight*(linesBelow+1.0/3)) // a third of a line is below the middle of its text
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
	rows := f.drawnPanels(area.Size().X/vg.Length(columns) - gap)
	var plots [][]*plot.Plot
	for _, row := range rows {
		plots = append(plots, row.plots)
	}
	head := headHeight(f.Panels)
	tiles := draw.Tiles{
		Rows:   len(rows),
		Cols:   columns,
		PadTop: head,
		PadX:   gap,
		PadY:   gap + head,
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
		middle = data.Center().Y
	}
	return middle
}

// hasNotes reports whether a panel of the row has a note.
func (r panelRow) hasNotes() bool {
	return slices.ContainsFunc(r.panels, func(p Panel) bool { return p.note() != "" })
}

// drawnPanels returns the rows of panels with limits and plots. width is the width of a panel with its axes.
func (f Figure) drawnPanels(width vg.Length) []panelRow {
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

// headHeight returns the space for titles and notes above each row of panels.
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
	beyond := p.CountBeyond()
	if beyond == 0 {
		return p.Note
	}
	return JoinNotes(fmt.Sprintf("%d beyond the axes", beyond), p.Note)
}

// drawHead writes the note, which ends at the right edge of the data area, and the title. In a row with notes, all titles
// are above them.
func (p Panel) drawHead(c, data draw.Canvas, rowHasNotes bool) {
	bottom := c.Max.Y + noteSize/4 // a little above the axis's labels
	noteStyle := textStyle(noteSize)
	noteStyle.XAlign = draw.XRight
	noteStyle.Color = Grey
	c.FillText(noteStyle, vg.Point{X: data.Max.X, Y: bottom}, p.note())
	if rowHasNotes {
		bottom += noteHeight
	}
	style := textStyle(titleSize)
	style.XAlign = draw.XCenter
	widest := c.Size().X
	if width := style.Width(p.Title); width > widest {
		style.Font.Size *= widest / width
	}
	c.FillText(style, vg.Point{X: data.Center().X, Y: bottom + noteSize/4}, p.Title)
}

// drawRowName writes the name of a row of panels, which reads upwards, at the left edge of the canvas.
func drawRowName(c draw.Canvas, name string, middle vg.Length) {
	style := textStyle(titleSize)
	style.XAlign = draw.XCenter
	style.YAlign = draw.YTop
	style.Rotation = math.Pi / 2
	c.FillText(style, vg.Point{X: c.Min.X, Y: middle}, name)
}

// withLimits returns the panel with limits on both axes.
func (p Panel) withLimits() Panel {
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = extent(p.Layers, func(l Layer) []float64 { return slices.Concat(l.X, l.X2) })
	}
	if p.Y.Min == p.Y.Max {
		p.Y.Min, p.Y.Max = extent(p.Layers, func(l Layer) []float64 { return slices.Concat(l.Y, l.Y2) })
	}
	return p
}

// extent returns limits that contain all drawable numbers of the layers.
func extent(layers []Layer, numbers func(Layer) []float64) (low, high float64) {
	var drawable []float64
	for _, l := range layers {
		for _, v := range numbers(l) {
			if IsDrawable(v) {
				drawable = append(drawable, v)
			}
		}
	}
	if len(drawable) == 0 {
		return 0, 1
	}
	return Widen(slices.Min(drawable), slices.Max(drawable))
}

// plot returns the panel as a plot of gonum. The limits must be set. width is the width of the panel with its axes.
func (p Panel) plot(width vg.Length) *plot.Plot {
	const (
		yAxisWidth = 35  // of the axis with its labels, about
		narrow     = 150 // a panel in which four ticks with long labels would overlap
	)
	least := 4 // ticks
	if width < narrow {
		least = 3
	}
	g := plot.New()
	g.BackgroundColor = nil
	p.X.setOn(&g.X, least)
	p.Y.setOn(&g.Y, least)
	if angle := p.X.labelAngle(width - yAxisWidth); angle > 0 {
		g.X.Tick.Label.Rotation = angle
		g.X.Tick.Label.XAlign = draw.XRight
	}
	for _, l := range p.Layers {
		g.Add(l)
	}
	return g
}

// setOn gives an axis of gonum the label, limits, ticks and look of the axis, whose limits must be set. An axis without
// ticks of its own gets at least the given number.
func (a Axis) setOn(to *plot.Axis, leastTicks int) {
	line := draw.LineStyle{Color: Ink, Width: 0.6}
	to.Min = a.Min
	to.Max = a.Max
	to.LineStyle = line
	to.Padding = 3 // keeps lines that start at an axis off it
	to.Scale = []plot.Normalizer{Linear: wideScale{}, Logarithmic: plot.LogScale{}, Symmetric: symmetricScale{}}[a.Scale]
	to.Tick.LineStyle = line
	to.Tick.Length = 3
	to.Tick.Marker = a.ticker(leastTicks)
	to.Tick.Label.Font = textStyle(tickSize).Font
	to.Tick.Label.Color = Ink
	to.Tick.Label.Handler = textHandler
	to.Label.Text = a.Label
	to.Label.Padding = 3
	to.Label.TextStyle.Font = textStyle(labelSize).Font
	to.Label.TextStyle.Color = Ink
	to.Label.TextStyle.Handler = textHandler
}

// ticker returns the axis's ticks for gonum, or at least the given number if the axis has none of its own.
func (a Axis) ticker(least int) plot.Ticker {
	ticks := a.Ticks
	if ticks == nil {
		ticks = a.DefaultTicks(least)
	}
	var marker plot.ConstantTicks
	for _, t := range ticks {
		marker = append(marker, plot.Tick{Value: t.Value, Label: t.Label})
	}
	return marker
}

// labelAngle returns the angle in radians at which the labels of the axis's own ticks do not overlap, on an axis of the
// given length: 0 if they have room side by side, and otherwise from 30 to 60 degrees, the steeper the closer they are.
func (a Axis) labelAngle(length vg.Length) float64 {
	const (
		space      = 3              // between two labels side by side, in points
		lineHeight = tickSize * 1.1 // of a label with its distance from the next
	)
	style := textStyle(tickSize)
	var labelled []Tick
	for _, t := range a.Ticks {
		if t.Label != "" {
			labelled = append(labelled, t)
		}
	}
	slices.SortFunc(labelled, func(a, b Tick) int { return cmp.Compare(a.Value, b.Value) })
	isCrowded := false
	closest := length
	for i, t := range labelled[min(1, len(labelled)):] {
		distance := length * vg.Length((t.Value-labelled[i].Value)/(a.Max-a.Min))
		closest = min(closest, distance)
		isCrowded = isCrowded || (style.Width(t.Label)+style.Width(labelled[i].Label))/2+space > distance
	}
	if !isCrowded {
		return 0
	}
	sine := float64(lineHeight / closest) // of the angle at which two labels touch
	return math.Asin(min(max(sine, math.Sin(math.Pi/6)), math.Sin(math.Pi/3)))
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
