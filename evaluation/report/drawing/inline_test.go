package drawing

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// gridFigure returns a figure with a grid of panels. Only the outer panels have titles and labels.
func gridFigure(rows, columns int) *Figure {
	f := &Figure{Width: WideWidth, Height: vg.Length(rows) * 1.5 * vg.Inch, Legend: [][]Entry{{ColourEntry("a colour", Red), ColourEntry("another colour", Blue)}}}
	for j := range rows {
		f.Rows = append(f.Rows, fmt.Sprintf("row%d", j))
		var row []Panel
		for i := range columns {
			p := NewPlot("", "")
			p.X.Max, p.Y.Max = 1, 1
			p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, LineStyle: GridLine})
			panel := Panel{Plot: p}
			if j == 0 {
				panel.Title = fmt.Sprintf("column%d", i)
			}
			if j == rows-1 {
				p.X.Label.Text = fmt.Sprintf("x%d", i)
			}
			if i == 0 {
				p.Y.Label.Text = fmt.Sprintf("y%d", j)
			}
			row = append(row, panel)
		}
		f.Panels = append(f.Panels, row)
	}
	return f
}

// A narrow figure has the panels of the other one, and each panel has its full title.
func TestReflow(t *testing.T) {
	for _, c := range []struct{ rows, columns, wantRows, wantColumns int }{
		{2, 5, 5, 2}, {3, 5, 8, 2}, {1, 3, 3, 1}, {2, 2, 4, 1}, {1, 1, 1, 1},
	} {
		wide := gridFigure(c.rows, c.columns)
		f := wide.NarrowForm()
		if len(f.Panels) != c.wantRows || len(f.Panels[0]) != c.wantColumns || f.Width != NarrowWidth {
			t.Errorf("%d×%d panels become %d×%d", c.rows, c.columns, len(f.Panels), len(f.Panels[0]))
		}
		k := 0
		for _, row := range f.Panels {
			for _, p := range row {
				if p.Plot == nil {
					continue
				}
				j, i := k/c.columns, k%c.columns
				if want := fmt.Sprintf("row%d · column%d y%d x%d", j, i, j, i); fmt.Sprint(p.Title, " ", p.Y.Label.Text, " ", p.X.Label.Text) != want {
					t.Errorf("panel %d says %q, %q and %q; want %s", k, p.Title, p.Y.Label.Text, p.X.Label.Text, want)
				}
				k++
			}
		}
		if k != c.rows*c.columns {
			t.Errorf("%d of %d panels are left", k, c.rows*c.columns)
		}
		if wide.Panels[len(wide.Panels)-1][c.columns-1].X.Label.Text == "" || c.columns > 1 && wide.Panels[0][1].Y.Label.Text != "" {
			t.Error("the figure itself has changed")
		}
		if strings.Contains(svgOf(t, f), "NaN") {
			t.Error("a narrow figure has places that are no numbers")
		}
	}
	if f := (&Figure{Width: NarrowWidth}); f.NarrowForm() != f {
		t.Error("a narrow figure is made narrower")
	}
	own := &Figure{}
	if f := (&Figure{Width: WideWidth, Narrow: own}); f.NarrowForm() != own {
		t.Error("a figure's own narrow form is not taken")
	}
	many := gridFigure(1, 5)
	many.Width = 2 * WideWidth
	if f := many.pageForm(); f.Width != WideWidth || len(f.Panels) != 3 || len(f.Panels[0]) != 2 {
		t.Errorf("a figure that is too wide for a page has %d rows of %d", len(f.Panels), len(f.Panels[0]))
	}
}

// On a page there is a form for wide and one for narrow windows, and no id is there
// twice. In a window 360 pixels wide, of which a page's borders take 40, letters are 9
// pixels high.
func TestInline(t *testing.T) {
	var page strings.Builder
	for _, id := range []string{"a", "b"} {
		if err := withSubscripts().WriteInline(&page, id, `a "label"`); err != nil {
			t.Fatal(err)
		}
	}
	ids := make(map[string]bool)
	for _, found := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page.String(), -1) {
		if ids[found[1]] {
			t.Errorf("the id %s is there twice", found[1])
		}
		ids[found[1]] = true
	}
	for _, form := range []string{"wide", "narrow"} {
		if n := strings.Count(page.String(), `<svg class="drawing `+form+`" role="img" aria-label="a &#34;label&#34;" viewBox="`); n != 2 {
			t.Errorf("%d %s forms; want 2", n, form)
		}
	}
	if strings.Contains(page.String(), "<text") || strings.Contains(page.String(), "ground") || strings.Contains(page.String(), "<?xml") {
		t.Error("there is text that needs a font, or what belongs to a file")
	}
	const scale = (360 - 40) / float64(NarrowWidth)
	for _, found := range regexp.MustCompile(`scale\(([0-9.]+)\)`).FindAllStringSubmatch(svgOf(t, gridFigure(2, 5).NarrowForm()), -1) {
		size, err := strconv.ParseFloat(found[1], 64)
		if err != nil || size*2048*scale < 9 {
			t.Errorf("letters %v points high, %.1f pixels; want 9", size*2048, size*2048*scale)
		}
	}
}

func TestWrapped(t *testing.T) {
	style := TextStyle(10)
	width := style.Width("one two")
	for _, c := range []struct{ text, want string }{
		{"", "[]"}, {"one", "[one]"}, {"one two one two", "[one two|one two]"}, {"immeasurable one", "[immeasurable|one]"},
	} {
		if got := "[" + strings.Join(wrapText(c.text, style, width), "|") + "]"; got != c.want {
			t.Errorf("%q becomes %s; want %s", c.text, got, c.want)
		}
	}
}

func TestSquared(t *testing.T) {
	for _, size := range [][2]vg.Length{{400, 200}, {200, 400}, {300, 300}} {
		p := NewPlot("", "")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, 0, 3
		canvas := draw.NewCanvas(&recorder.Canvas{}, size[0], size[1])
		q := equalizeUnits(p, canvas)
		area := q.DataCanvas(canvas).Rectangle.Size()
		x, y := float64(area.X)/(q.X.Max-q.X.Min), float64(area.Y)/(q.Y.Max-q.Y.Min)
		if math.Abs(x/y-1) > 0.02 {
			t.Errorf("on %v a unit is %v along x and %v along y", size, x, y)
		}
		if q.X.Min > -1 || q.X.Max < 1 || q.Y.Min > 0 || q.Y.Max < 3 || p.X.Max != 1 || p.Y.Max != 3 {
			t.Errorf("on %v the axes go from %v to %v and from %v to %v", size, q.X.Min, q.X.Max, q.Y.Min, q.Y.Max)
		}
	}
}
