package report

import (
	"bytes"
	"io"
	"testing"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	tables := append(ScoreTables(someScores, someReference, "test", someTitle),
		SplitTable(someScores, "ece", someTitle), AgreementTable(someScores, someReference, someTitle), MissTable(someScores, someReference, someTitle))
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
		ScoreTable(nil, someReference, "test", "ece", nil), SplitTable(nil, "ece", nil), AgreementTable(nil, someReference, nil), MissTable(nil, someReference, nil),
	} {
		if err := table.WriteLaTeX(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
