// Package chart has pictures as data: a Figure has panels, and a Panel has axes and layers of numbers. Functions that
// compute figures know nothing of canvases, and all figures have the same look. The legend, the limits of axes, and the
// number of points beyond them follow from the layers. WriteSVG, WritePNG and WriteHTML draw a figure.
//
// Text in an SVG is text, which can be selected, searched and read aloud. In dark mode one rule of the style sheet
// inverts all colours. A PNG is always light.
package chart

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Figure is a grid of panels above one legend, which names each kind of mark once. All data areas of a column or a row
// are aligned.
type Figure struct {
	Panels      []Panel  // row by row; without panels there is no figure
	Columns     int      // panels side by side; 0 for all of them
	Rows        []string // names at the left of the rows of panels; nil if the rows have no names
	Width       float64  // in points; 0 for the width of a page
	PanelHeight float64  // of a row of panels, in points; 0 for a default
}

// Panel is a plot with two axes.
type Panel struct {
	Title  string
	Note   string // remark above the right corner; the number of points beyond the axes is added to it
	X, Y   Axis
	Layers []Layer // the first is drawn first
}

// Axis is an axis of a panel. Points beyond its limits are left out and counted, and other marks are cut off.
type Axis struct {
	Label    string
	Min, Max float64 // limits; equal for limits that contain all layers
	Scale    Scale   // nil for linear
	Ticks    []Tick  // nil for ticks at round numbers
}

// Scale is the relation of numbers to places on an axis.
type Scale = plot.Normalizer

// The scales of axes that are not linear.
var (
	Logarithmic Scale = plot.LogScale{}  // the limits must be at least LeastLogarithm
	Symmetric   Scale = symmetricScale{} // nearly linear between −1 and 1, and nearly logarithmic beyond, for numbers of either sign
)

// Tick is a mark of an axis with its label, which may be empty. Labels that are too wide to stand side by side are
// slanted.
type Tick = plot.Tick

// Layer is a set of marks of one kind. A layer without marks only has an entry in the legend.
type Layer struct {
	Name   string // text in the legend; "" for no entry
	Kind   Kind
	X, Y   []float64
	X2, Y2 []float64 // other ends of Boxes and Segments; Y2 is also the other edge of a Band, nil for 0
	Colour color.NRGBA
	Dashed bool                           // whether lines are dashed
	Width  float64                        // of lines, in points; 0 for a default
	Mark   Mark                           // shape of Points; the zero Mark for a disc
	Hollow bool                           // whether Points have only a rim
	AtEdge bool                           // whether Points beyond the limits are drawn at the edge, with an arrow outwards
	Radius float64                        // of Points and of the discs of a Cloud, in points; 0 for a default
	Counts []int                          // number of discs at each point of a Cloud; nil for one each
	Labels []string                       // Texts
	At     func(x, y float64) color.NRGBA // colour of an Image at a point
}

// Kind is the kind of a layer's marks.
type Kind int

// The kinds of marks.
const (
	Line     Kind = iota // through the points X, Y
	Points               // a mark at each point X, Y
	Cloud                // many points as one picture: the more discs overlap, the more opaque is their colour
	Band                 // the area between Y and Y2 over X
	Boxes                // rectangles with opposite corners X, Y and X2, Y2
	Segments             // straight lines from X, Y to X2, Y2, parallel to an axis or within the limits
	Texts                // Labels, each with its middle at X, Y
	Image                // the colours of At in the whole data area
)

// Colours that differ on white paper, in grey print, and for readers who do not distinguish red from green.
var (
	Ink      = color.NRGBA{R: 0x26, G: 0x26, B: 0x26, A: 0xff} // text and axes
	Red      = color.NRGBA{R: 0xd6, G: 0x1f, B: 0x26, A: 0xff}
	Orange   = color.NRGBA{R: 0xf2, G: 0x8e, B: 0x1c, A: 0xff}
	Blue     = color.NRGBA{R: 0x1b, G: 0x5f, B: 0xc1, A: 0xff}
	Grey     = color.NRGBA{R: 0x5a, G: 0x60, B: 0x68, A: 0xff}
	PaleGrey = color.NRGBA{R: 0xee, G: 0xef, B: 0xf1, A: 0xff} // areas behind data
	gridGrey = color.NRGBA{R: 0xdd, G: 0xdf, B: 0xe2, A: 0xff} // lines behind data
)

// Pale returns the colour with a quarter of its opacity, for areas behind lines and for lines above one another.
func Pale(c color.NRGBA) color.NRGBA {
	c.A = 0x40
	return c
}

// Widths of figures, in points.
const (
	PageWidth = 504 // the width of a page: 7 inches
	WideWidth = 540 // for many columns
)

// Straight returns a line from x0, y0 to x1, y1 in the given colour.
func Straight(x0, y0, x1, y1 float64, c color.NRGBA) Layer {
	return Layer{X: []float64{x0, x1}, Y: []float64{y0, y1}, Colour: c}
}

// Ideal returns the dashed line from x0, y0 to x1, y1 on which perfect predictions would be.
func Ideal(x0, y0, x1, y1 float64) Layer {
	line := Straight(x0, y0, x1, y1, Grey)
	line.Dashed = true
	return line
}

// Add adds a mark at x, y to the layer.
func (l *Layer) Add(x, y float64) {
	l.X = append(l.X, x)
	l.Y = append(l.Y, y)
}

// AddBetween adds a box or a segment between x, y and x2, y2 to the layer.
func (l *Layer) AddBetween(x, y, x2, y2 float64) {
	l.Add(x, y)
	l.X2 = append(l.X2, x2)
	l.Y2 = append(l.Y2, y2)
}

// MarkEntries returns a layer without marks for each method, which the legend shows under the method's title with the mark
// of the same index.
func MarkEntries(methods []string, title func(method string) string, marks []Mark) []Layer {
	var entries []Layer
	for i, method := range methods {
		entries = append(entries, Layer{Name: title(method), Kind: Points, Mark: marks[i], Colour: Grey})
	}
	return entries
}

// columns returns the number of panels side by side.
func (f Figure) columns() int { return cmp.Or(f.Columns, len(f.Panels)) }

// LeaveOutRepeatedLabels removes from each panel the label of its y axis if the panel to the left has the same, of its x
// axis if the panel below has the same, and its title if the panel above has the same.
func (f Figure) LeaveOutRepeatedLabels() {
	columns := f.columns()
	all := slices.Clone(f.Panels) // with all labels
	for i, p := range all {
		if i%columns > 0 && p.Y.Label == all[i-1].Y.Label {
			f.Panels[i].Y.Label = ""
		}
		if i+columns < len(all) && p.X.Label == all[i+columns].X.Label {
			f.Panels[i].X.Label = ""
		}
		if i >= columns && p.Title == all[i-columns].Title {
			f.Panels[i].Title = ""
		}
	}
}

// NameTicks returns a tick for each name. place returns the place of the name with an index.
func NameTicks(names []string, place func(index int) float64) []Tick {
	var ticks []Tick
	for i, name := range names {
		ticks = append(ticks, Tick{Value: place(i), Label: name})
	}
	return ticks
}

// GridLines returns horizontal lines at the labelled ticks of the y axis and vertical lines between the given number of
// columns, of which each is one unit wide, for panels whose marks are read off. The limits of the panel must be set.
func (p Panel) GridLines(columns int) Layer {
	grid := Layer{Kind: Segments, Colour: gridGrey, Width: 0.4}
	for _, tick := range p.Y.Ticks {
		if tick.Label != "" {
			grid.AddBetween(p.X.Min, tick.Value, p.X.Max, tick.Value)
		}
	}
	for edge := 1; edge < columns; edge++ {
		grid.AddBetween(float64(edge), p.Y.Min, float64(edge), p.Y.Max)
	}
	return grid
}

// countBeyond returns the number of points of Points and Cloud layers beyond the limits, which must be set.
func (p Panel) countBeyond() int {
	count := 0
	for _, l := range p.Layers {
		if l.Kind != Points && l.Kind != Cloud {
			continue
		}
		for i, x := range l.X {
			if p.contains(x, l.Y[i]) {
				continue
			}
			if l.Counts != nil {
				count += l.Counts[i]
			} else {
				count++
			}
		}
	}
	return count
}

// contains reports whether a point is within the limits, which must be set. It returns false if a coordinate is NaN.
func (p Panel) contains(x, y float64) bool {
	return x >= p.X.Min && x <= p.X.Max && y >= p.Y.Min && y <= p.Y.Max
}

// Sizes in points.
const (
	panelHeight  = 210 // of a row of panels, by default
	margin       = 5   // around a figure
	gap          = 14  // between panels
	lineHeight   = 16  // of a line of the legend
	titleHeight  = 14  // of a panel's title
	noteHeight   = 12  // of a panel's note
	rowNameWidth = 16  // of the names of rows, which read upwards

	titleSize = 9.5
	labelSize = 8.5 // of the labels of axes and the legend
	tickSize  = 7.5 // of the labels of ticks
	noteSize  = 7
)

// textStyle returns the style of text of the given size, whose anchor is at its left end.
func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

// width returns the width of the figure, in points.
func (f Figure) width() vg.Length { return vg.Length(cmp.Or(f.Width, PageWidth)) }
