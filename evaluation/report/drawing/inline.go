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

// InlineCSS is what the style sheet of a page needs for figures within it: they fill
// what they stand in, and give way to their narrow form in a window in which their
// text would be hard to read.
const InlineCSS = `.drawing { display: block; width: 100%; max-width: 60rem; height: auto; margin: 0 auto; }
.drawing.narrow { display: none; max-width: 30rem; }
@media screen and (max-width: 52rem) {
  .drawing.wide { display: none; }
  .drawing.narrow { display: block; }
}
`

// NarrowWidth is that of a figure for a phone: in a window 360 pixels wide, text of
// NoteSize is 9 pixels high.
const NarrowWidth = vg.Length(240)

// largestInline is the size in bytes from which a figure stands on a page as pixels.
// A phone takes seconds to draw an SVG of that many lines, at every scroll.
const largestInline = 1 << 20

// WriteInline writes the figure as elements of an HTML page that has InlineCSS: one
// for wide windows and one for narrow ones. Both follow the reader's choice of light or
// dark and need no font. Ids in them begin with id, which no other figure of the page
// may have; label is for readers who do not see the figure.
func (f *Figure) WriteInline(w io.Writer, id, label string) error {
	for _, form := range []struct {
		class string
		*Figure
	}{{"wide", f.wide()}, {"narrow", f.NarrowForm()}} {
		canvas := newSVG(form.Width, form.Height, id+"-"+form.class[:1])
		form.draw(draw.New(canvas))
		element := canvas.element(fmt.Sprintf(`class="drawing %s" role="img" aria-label="%s"`, form.class, html.EscapeString(label)), "")
		if len(element) > largestInline {
			var err error
			if element, err = form.pixels(form.class, label); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, element); err != nil {
			return err
		}
	}
	return nil
}

// pixels is an element of HTML with a light and a dark picture.
func (f *Figure) pixels(class, label string) (string, error) {
	var data [2]string
	for i, dark := range []bool{false, true} {
		var picture bytes.Buffer
		if err := f.writePixels(&picture, 200, dark); err != nil {
			return "", err
		}
		data[i] = "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.Bytes())
	}
	return fmt.Sprintf(`<picture><source media="screen and (prefers-color-scheme: dark)" srcset="%s"><img class="drawing %s" alt="%s" src="%s"></picture>`+"\n",
		data[1], class, html.EscapeString(label), data[0]), nil
}

// wide is the figure in no more columns than a page has room for.
func (f *Figure) wide() *Figure {
	if f.Width <= Wide {
		return f
	}
	cell := f.Width / vg.Length(len(f.Panels[0]))
	return f.reflowed(Wide, max(1, int(Wide/cell)))
}

// NarrowForm is the figure as a page shows it on a phone.
func (f *Figure) NarrowForm() *Figure {
	const small = 1.9 * vg.Inch
	switch {
	case f.Narrow != nil:
		return f.Narrow
	case f.Width <= NarrowWidth:
		return f
	case f.Width/vg.Length(len(f.Panels[0])) <= small:
		return f.reflowed(NarrowWidth, 2)
	}
	return f.reflowed(NarrowWidth, 1)
}

// reflowed is the figure with its panels, one after another, in other columns. Each
// says what it is of, and what is on its axes.
func (f *Figure) reflowed(width vg.Length, columns int) *Figure {
	out := &Figure{Width: width, Legend: f.Legend}
	rows := vg.Length(len(f.Panels))
	cell := (f.Height - LegendHeight(f.Legend, f.Width)) / rows
	cellWidth := width / vg.Length(columns)
	cell = min(cell, cellWidth)
	var line []Panel
	for j, row := range f.Panels {
		for i, p := range row {
			if p.Plot == nil {
				continue
			}
			own := *p.Plot
			for k := len(f.Panels) - 1; k > j && own.X.Label.Text == ""; k-- {
				if below := f.Panels[k][i].Plot; below != nil {
					own.X.Label.Text = below.X.Label.Text
					break
				}
			}
			if own.Y.Label.Text == "" {
				own.Y.Label.Text = row[0].Y.Label.Text
			}
			p.Title, p.Plot = f.title(j, i), &own
			line = append(line, p)
			if len(line) == columns {
				out.Panels, line = append(out.Panels, line), nil
			}
		}
	}
	if len(line) > 0 {
		out.Panels = append(out.Panels, append(line, make([]Panel, columns-len(line))...))
	}
	var heads vg.Length
	for _, row := range out.Panels {
		var h head
		for _, p := range row {
			h = h.with(p, cellWidth-gap)
		}
		heads = max(heads, h.height())
	}
	out.Height = vg.Length(len(out.Panels))*(cell+heads) + LegendHeight(f.Legend, width) + 2*margin
	return out
}
