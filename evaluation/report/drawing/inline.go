package drawing

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"

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

// writeElement writes the figure as an HTML element of the given class, wide or narrow.
func (f *Figure) writeElement(w io.Writer, class, idPrefix, label string) error {
	canvas := newSVG(f.Width, f.Height, idPrefix)
	f.draw(draw.New(canvas))
	element := canvas.element(fmt.Sprintf(`class="drawing %s" role="img" aria-label="%s"`, class, html.EscapeString(label)), "")
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
	light, err := f.pixelURL(false)
	if err != nil {
		return "", err
	}
	dark, err := f.pixelURL(true)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`<picture><source media="screen and (prefers-color-scheme: dark)" srcset="%s"><img class="drawing %s" alt="%s" src="%s"></picture>`+"\n",
		dark, class, html.EscapeString(label), light), nil
}

// pixelURL returns a data URL with the figure as PNG.
func (f *Figure) pixelURL(dark bool) (string, error) {
	const density = 200 // dots per inch
	var picture bytes.Buffer
	if err := f.writePixels(&picture, density, dark); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.Bytes()), nil
}

// pageForm returns the figure itself, or with fewer columns if it is wider than a page.
func (f *Figure) pageForm() *Figure {
	if f.Width <= WideWidth {
		return f
	}
	panelWidth := f.Width / vg.Length(len(f.Panels[0]))
	return f.reflow(WideWidth, max(1, int(WideWidth/panelWidth)))
}

// NarrowForm returns the form of the figure that a page shows on a phone.
func (f *Figure) NarrowForm() *Figure {
	const smallPanel = 1.9 * vg.Inch // panels up to this width stand in two columns
	switch {
	case f.Narrow != nil:
		return f.Narrow
	case f.Width <= NarrowWidth:
		return f
	}
	if f.Width/vg.Length(len(f.Panels[0])) <= smallPanel {
		return f.reflow(NarrowWidth, 2)
	}
	return f.reflow(NarrowWidth, 1)
}

// reflow returns a figure with the same panels, in the same order, in another number of columns. Each
// panel has a full title and the labels of both axes, since its neighbours change.
func (f *Figure) reflow(width vg.Length, columns int) *Figure {
	out := &Figure{Width: width, Legend: f.Legend}
	var row []Panel
	for j := range f.Panels {
		for i, p := range f.Panels[j] {
			if p.Plot == nil {
				continue
			}
			row = append(row, f.labelledPanel(j, i))
			if len(row) == columns {
				out.Panels = append(out.Panels, row)
				row = nil
			}
		}
	}
	if len(row) > 0 {
		empty := make([]Panel, columns-len(row))
		out.Panels = append(out.Panels, append(row, empty...))
	}

	oldHeight := (f.Height - LegendHeight(f.Legend, f.Width)) / vg.Length(len(f.Panels))
	panelWidth := width / vg.Length(columns)
	panelHeight := min(oldHeight, panelWidth)
	var headingHeight vg.Length
	for _, row := range out.Panels {
		headingHeight = max(headingHeight, newHeading(row, panelWidth-gap).height())
	}
	out.Height = vg.Length(len(out.Panels))*(panelHeight+headingHeight) + LegendHeight(f.Legend, width) + 2*margin
	return out
}

// labelledPanel returns a copy of a panel with its full title and with labels on both axes. Labels
// that the panel lacks come from the panels below it and from the first panel of its row.
func (f *Figure) labelledPanel(row, column int) Panel {
	p := f.Panels[row][column]
	labelled := *p.Plot
	for below := len(f.Panels) - 1; below > row && labelled.X.Label.Text == ""; below-- {
		if other := f.Panels[below][column].Plot; other != nil {
			labelled.X.Label.Text = other.X.Label.Text
			break
		}
	}
	if labelled.Y.Label.Text == "" {
		labelled.Y.Label.Text = f.Panels[row][0].Y.Label.Text
	}
	p.Title = f.fullTitle(row, column)
	p.Plot = &labelled
	return p
}
