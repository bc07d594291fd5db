package report

import (
	"bytes"
	"io"
	"testing"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	tables := append(ScoreTables(someScores, nil, someReference, "test", someTitle),
		splitTable(someScores, "ece", someTitle), agreementTable(someScores, someReference, someTitle), notReproducedTable(someScores, someReference, someTitle))
	for _, table := range tables {
		if err := table.WriteMarkdown(&got); err != nil {
			t.Fatal(err)
		}
		io.WriteString(&got, "\n")
	}
	golden(t, "testdata/tables.md", got.Bytes())
}

func TestTablesOfNothing(t *testing.T) {
	for _, table := range []Table{
		newGrid(nil, "test", "ece").scoreTable(nil, someReference, "test", nil), splitTable(nil, "ece", nil), agreementTable(nil, someReference, nil), notReproducedTable(nil, someReference, nil),
	} {
		if err := table.WriteLaTeX(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
