package report

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"sml/evaluation/explain"
	"sml/internal/strict"
)

// A figure shows importances of any size and sign, and any number of columns. Importances that are not
// finite are counted, and column names are written without subscripts.
func TestImportance(t *testing.T) {
	p := &explain.Permutation{Repeats: 3, Measure: "r2"}
	for _, target := range []string{"a_b", "c"} {
		p.Baseline = append(p.Baseline, explain.Baseline{Target: target, Measure: "rmse", Score: 1})
		for i := range 25 {
			for _, aspect := range []explain.Aspect{{Part: explain.Mean, Measure: "rmse"}, {Part: explain.Mean, Measure: "r2"}, {Part: explain.Std, Measure: explain.Change}, {Part: explain.Whole, Measure: "r2"}} {
				value := strict.Number(float64(i-3) * 1e3)
				if i == 20 {
					value = strict.Number(math.Inf(1))
				}
				p.Importances = append(p.Importances, explain.Importance{Target: target, Column: fmt.Sprintf("column_%d with a very long name", i), Aspect: aspect, Mean: value, Std: 10})
			}
		}
	}
	f := Importance(p)
	if len(f.Panels) != 2 || len(f.Panels[0]) != 2 || len(f.Rows) != 2 || f.Panels[0][1].Note != "1 not finite, 20 of 25 columns" {
		t.Errorf("%d rows of panels, note %q", len(f.Panels), f.Panels[0][1].Note)
	}
	if got := f.Panels[0][1].X.Label.Text; got != "relative change of σ" {
		t.Errorf("the axis says %q", got)
	}
	ticks := f.Panels[0][0].Y.Tick.Marker.Ticks(0, 0)
	if len(ticks) != 20 || ticks[0].Label != "column_20 with a very l…" || ticks[1].Label != "column_24 with a very l…" {
		t.Errorf("%+v", ticks)
	}
	var svg, png bytes.Buffer
	if err := f.WriteSVG(&svg); err != nil || strings.Contains(svg.String(), "NaN") {
		t.Errorf("%v, or NaN in the figure", err)
	}
	if err := f.WritePNG(&png); err != nil || png.Len() == 0 {
		t.Error(err)
	}
}
