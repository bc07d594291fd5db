package report

import (
	"bytes"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	r := someReport(someScores)
	tables := append(r.ScoreTables("test"), r.splitTable("ece"), r.agreementTable(), r.notReproducedTable())
	for _, table := range tables {
		got.WriteString(table.Markdown() + "\n")
	}
	golden(t, "testdata/tables.md", got.Bytes())
}

func TestTablesOfNothing(t *testing.T) {
	r := someReport(nil)
	nothing := newGrid(nil, "test", "ece")
	for _, table := range []Table{r.scoreTable(nothing, "test"), r.splitTable("ece"), r.agreementTable(), r.notReproducedTable()} {
		if text := table.LaTeX(); !strings.HasPrefix(text, "\\begin{table}") {
			t.Errorf("no table: %s", text)
		}
	}
}
