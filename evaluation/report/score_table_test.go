package report

import (
	"bytes"
	"io"
	"testing"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	r := someReport(someScores)
	tables := append(r.ScoreTables("test"), r.splitTable("ece"), r.agreementTable(), r.notReproducedTable())
	for _, table := range tables {
		if err := table.WriteMarkdown(&got); err != nil {
			t.Fatal(err)
		}
		io.WriteString(&got, "\n")
	}
	golden(t, "testdata/tables.md", got.Bytes())
}

func TestTablesOfNothing(t *testing.T) {
	r := someReport(nil)
	nothing := newGrid(nil, "test", "ece")
	for _, table := range []Table{r.scoreTable(nothing, "test"), r.splitTable("ece"), r.agreementTable(), r.notReproducedTable()} {
		if err := table.WriteLaTeX(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
