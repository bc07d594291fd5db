package drawing

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// InlineCSS is a part of the style sheet of pages with figures. A figure is as wide as its container.
// In a narrow window, where its text would be too small, its narrow form replaces it.
const InlineCSS = `.drawing { display: block; width: 100%; max-width: 60rem; height: auto; margin: 0 auto; }
.drawing.narrow { display: none; max-width: 30rem; }
@media screen and (max-width: 52rem) {
  .drawing.wide { display: none; }
  .drawing.narrow { display: block; }
}
`

// NarrowWidth is the width of a figure for a phone. In a window 360 pixels wide, text of NoteSize is
// then 9 pixels high.
const NarrowWidth = vg.Length(240)

// maxInlineSVG is the largest size in bytes of an SVG within a page. Larger figures become pixels: a
// phone takes seconds to draw so many lines, each time the page scrolls.
const maxInlineSVG = 1 << 20

// WriteInline writes the figure as elements of an HTML page whose style sheet has InlineCSS: one for
// wide windows and one for narrow ones. Both follow the reader's choice of light or dark mode and
// need no font. The ids of the elements begin with id, which must be unique on the page. label
// describes the figure to readers who do not see it.
func (f *Figure) WriteInline(w io.Writer, id, label string) error {
	if err := f.pageForm().writeElement(w, "wide", id+"-w", label); err != nil {
		return err
	}
	return f.NarrowForm().writeElement(w, "narrow", id+"-n", label)
}

// writeElement writes the figure as an HTML element of the given class, wide or narrow: an SVG, or a
// picture of pixels if the SVG would be larger than maxInlineSVG.
func (f *Figure) writeElement(w io.Writer, class, idPrefix, label string) error {
	canvas := newSVG(f.Width, f.Height, idPrefix)
	f.draw(draw.New(canvas))
	attributes := fmt.Sprintf(`class="drawing %s" role="img" aria-label="%s"`, class, html.EscapeString(label))
	element := canvas.element(attributes, "") // the page's background shows
	if len(element) > maxInlineSVG {
		var err error
		element, err = f.pictureElement(class, label)
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, element)
	return err
}

// pictureElement returns an HTML element with the figure as pixels, for light and for dark mode.
func (f *Figure) pictureElement(class, label string) (string, error) {
	const density = 200 // dots per inch
	var light, dark bytes.Buffer
	if err := f.writeLightPNG(&light, density); err != nil {
		return "", err
	}
	if err := f.writeDarkPNG(&dark, density); err != nil {
		return "", err
	}
	return fmt.Sprintf(`<picture><source media="screen and (prefers-color-scheme: dark)" srcset="%s"><img class="drawing %s" alt="%s" src="%s"></picture>`+"\n",
		pngURL(dark.Bytes()), class, html.EscapeString(label), pngURL(light.Bytes())), nil
}

// pngURL returns a data URL with the contents of a PNG file.
func pngURL(content []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(content)
}

// pageForm returns the figure itself or, if it is wider than a page, the figure with fewer columns.
func (f *Figure) pageForm() *Figure {
	if f.Width <= WideWidth {
		return f
	}
	columns := max(1, int(WideWidth/f.panelWidth())) // as many as fit, with about the same width
	return f.reflow(WideWidth, columns)
}

// NarrowForm returns the form of the figure that a page shows on a phone.
func (f *Figure) NarrowForm() *Figure {
	const maxSmallPanel = 1.9 * vg.Inch // panels up to this width are simple enough for half a phone's width
	if f.Narrow != nil {
		return f.Narrow
	}
	if f.Width <= NarrowWidth {
		return f
	}
	columns := 1
	if f.panelWidth() <= maxSmallPanel {
		columns = 2
	}
	return f.reflow(NarrowWidth, columns)
}

// reflow returns a figure of the given width with the same panels, in the same order, in another number of
// columns. Each panel gets a full title and the labels of both axes, since it has other neighbours.
func (f *Figure) reflow(width vg.Length, columns int) *Figure {
	reflowed := &Figure{Width: width, Legend: f.Legend}
	for row := range slices.Chunk(f.labelledPanels(), columns) {
		empty := make([]Panel, columns-len(row)) // at the end of the last row
		reflowed.Panels = append(reflowed.Panels, slices.Concat(row, empty))
	}
	reflowed.Height = reflowed.heightFor(f.panelHeight())
	return reflowed
}

// panelWidth returns the width of a column of panels.
func (f *Figure) panelWidth() vg.Length { return f.Width / vg.Length(len(f.Panels[0])) }

// panelHeight returns the height of a row of panels, with their titles.
func (f *Figure) panelHeight() vg.Length {
	return (f.Height - LegendHeight(f.Legend, f.Width)) / vg.Length(len(f.Panels))
}

// heightFor returns the height that the figure needs for panels of the given height without titles. Panels
// are at most as high as they are wide.
func (f *Figure) heightFor(panelHeight vg.Length) vg.Length {
	panelWidth := f.panelWidth()
	panelHeight = min(panelHeight, panelWidth)
	var headingHeight vg.Length // of the highest heading
	for _, row := range f.Panels {
		headingHeight = max(headingHeight, newHeading(row, panelWidth-gap).height())
	}
	rows := vg.Length(len(f.Panels))
	return rows*(panelHeight+headingHeight) + LegendHeight(f.Legend, f.Width) + 2*margin
}

// labelledPanels returns a labelledPanel for each panel with a plot, row by row.
func (f *Figure) labelledPanels() []Panel {
	var panels []Panel
	for row := range f.Panels {
		for column, p := range f.Panels[row] {
			if p.Plot != nil {
				panels = append(panels, f.labelledPanel(row, column))
			}
		}
	}
	return panels
}

// labelledPanel returns a copy of a panel with its full title and with labels on both axes. In a grid,
// only the lowest panel of a column may have a label on its x axis, and only the first panel of a row on
// its y axis: the others get these labels.
func (f *Figure) labelledPanel(row, column int) Panel {
	p := f.Panels[row][column]
	labelled := *p.Plot
	if labelled.X.Label.Text == "" {
		labelled.X.Label.Text = f.lowestXLabel(row, column)
	}
	if labelled.Y.Label.Text == "" {
		labelled.Y.Label.Text = f.Panels[row][0].Y.Label.Text
	}
	p.Title = f.fullTitle(row, column)
	p.Plot = &labelled
	return p
}

// lowestXLabel returns the label of the x axis of the lowest plot of a column below the given row, or "" if
// there is no plot.
func (f *Figure) lowestXLabel(row, column int) string {
	for below := len(f.Panels) - 1; below > row; below-- {
		p := f.Panels[below][column].Plot
		if p != nil {
			return p.X.Label.Text
		}
	}
	return ""
}
