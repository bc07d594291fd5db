package read

import (
	"fmt"
	"strings"
	"testing"
)

// A row has the number that it has in the file, counted from 1 below the header: rows without a target have numbers, also
// as blank rows of a sheet, whose numbers Excel shows. Blank lines of text are no rows. The input of every row is its number.
func TestRowNumbers(t *testing.T) {
	type row struct {
		X float64  `parquet:"x"`
		Y *float64 `parquet:"y,optional"`
	}
	csvText, lines := "x,y\n", ""
	var rows []row
	blank := [][]any{nil, {"x", "y"}} // a sheet whose rows without a target are blank
	sheet := [][]any{{"x", "y"}}
	var want []int
	for n := 1; n <= 30; n++ {
		if n%5 == 2 || n == 3 {
			csvText += fmt.Sprintf("%d,\n\n", n)
			lines += fmt.Sprintf("{\"x\": %d, \"y\": null}\n\n", n)
			rows = append(rows, row{X: float64(n)})
			blank = append(blank, nil)
			sheet = append(sheet, []any{n})
			continue
		}
		want = append(want, n)
		y := float64(n * n % 7)
		csvText += fmt.Sprintf("%d,%v\n", n, y)
		lines += fmt.Sprintf("{\"x\": %d, \"y\": %v}\n", n, y)
		rows = append(rows, row{float64(n), &y})
		blank = append(blank, []any{n, y})
		sheet = append(sheet, []any{n, y})
	}
	for format, text := range map[string]string{
		"csv":                  csvText,
		"csv without a header": strings.TrimPrefix(csvText, "x,y\n"),
		"json":                 lines,
		"parquet":              asParquet(t, rows),
		"xlsx, blank rows":     asWorkbook(t, []string{"S"}, map[string][][]any{"S": blank}),
		"xlsx, no targets":     asWorkbook(t, []string{"S"}, map[string][][]any{"S": sheet}),
		"xlsx, no header":      asWorkbook(t, []string{"S"}, map[string][][]any{"S": blank[2:]}),
	} {
		table, err := All(ctx, strings.NewReader(text), "t", Options{Raw: true})
		if err != nil {
			t.Fatal(format, err)
		}
		for i := range table.Rows() {
			if got := table.RowNumber(i); got != want[i] || table.X[i] != float64(got) {
				t.Fatalf("%s: row %v has the number %d; want %d", format, table.X[i], got, want[i])
			}
		}
		if table.Rows() != len(want) {
			t.Errorf("%s: %d rows; want %d", format, table.Rows(), len(want))
		}
	}
}
