package drawing

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// align returns the canvas of each panel on c. Data areas stand in rows and
// columns of one height and of the relative widths, or of one width if there
// are none; what the axes of a row or a column need is left free beside them,
// and above a row what its titles and notes need. (plot.Align leaves every row
// the same, whether it has titles or not.)
func align(panels [][]Panel, widths []float64, c draw.Canvas) [][]draw.Canvas {
	rows, columns := len(panels), len(panels[0])
	if widths == nil {
		widths = slices.Repeat([]float64{1}, columns)
	}
	share := func(i int) vg.Length { return vg.Length(widths[i] / floats.Sum(widths)) }
	canvases := make([][]draw.Canvas, rows)
	width, height := c.Max.X-c.Min.X, (c.Max.Y-c.Min.Y)/vg.Length(rows)
	for j := range canvases {
		canvases[j] = make([]draw.Canvas, columns)
		for i := range canvases[j] {
			canvases[j][i] = c
			canvases[j][i].Max = vg.Point{X: c.Min.X + width*share(i), Y: c.Min.Y + height}
		}
	}
	// What an axis needs depends a little on the size of the canvas, which
	// depends on what the axes need: the second round is exact enough.
	for range 2 {
		left, right := make([]vg.Length, columns), make([]vg.Length, columns)
		below, above := make([]vg.Length, rows), make([]vg.Length, rows)
		free := c.Rectangle.Size()
		for j, row := range panels {
			for i, p := range row {
				canvas := canvases[j][i]
				area := p.DataCanvas(canvas)
				left[i] = max(left[i], area.Min.X-canvas.Min.X)
				right[i] = max(right[i], canvas.Max.X-area.Max.X)
				below[j] = max(below[j], area.Min.Y-canvas.Min.Y)
				above[j] = max(above[j], canvas.Max.Y-area.Max.Y+p.headHeight(area.Max.X-area.Min.X))
			}
			free.Y -= below[j] + above[j]
		}
		for i := range left {
			free.X -= left[i] + right[i]
		}
		width = free.X - gap*vg.Length(columns-1)
		height = (free.Y - gap*vg.Length(rows-1)) / vg.Length(rows)

		top := c.Max.Y
		for j, row := range panels {
			top -= above[j]
			x := c.Min.X
			for i, p := range row {
				canvas := &canvases[j][i]
				area := p.DataCanvas(*canvas)
				x += left[i]
				canvas.Rectangle = vg.Rectangle{
					Min: vg.Point{X: x - (area.Min.X - canvas.Min.X), Y: top - height - (area.Min.Y - canvas.Min.Y)},
					Max: vg.Point{X: x + width*share(i) + canvas.Max.X - area.Max.X, Y: top + canvas.Max.Y - area.Max.Y},
				}
				x += width*share(i) + right[i] + gap
			}
			top -= height + below[j] + gap
		}
	}
	return canvases
}

// headHeight is the height of what stands above a plot of the given width.
func (p Panel) headHeight(width vg.Length) vg.Length {
	switch {
	case p.crowded(width):
		return titleHeight + noteHeight
	case p.Title != "":
		return titleHeight
	case p.Note != "":
		return noteHeight
	}
	return 0
}

// crowded tells whether the title and the note need a line each; then all
// titles of the row stand above the notes.
func (p Panel) crowded(width vg.Length) bool {
	if p.Title == "" || p.Note == "" {
		return false
	}
	half := TextStyle(titleSize).Width(p.Title) / 2
	return half+titleSize+TextStyle(NoteSize).Width(p.Note) > width/2
}
