package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"sml/data"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	tables := append(ScoreTables(someScores, someReference, "test", someTitle),
		SplitTable(someScores, "ece", someTitle), AgreementTable(someScores, someReference, someTitle), MissTable(someScores, someReference, someTitle),
		Table1(recipes()[6:8], data.Paper))
	for _, table := range tables {
		if err := table.WriteMarkdown(&got); err != nil {
			t.Fatal(err)
		}
		io.WriteString(&got, "\n")
	}
	golden(t, "testdata/tables.md", got.Bytes())
}

func TestTable2LeavesOutMeasuresWithoutScores(t *testing.T) {
	var captions []string
	for _, table := range Table2(someScores, nil) {
		captions = append(captions, table.Caption)
	}
	if got := strings.Join(captions, "; "); got != "NLL: test rows of random folds (table 2 of the paper); ECE: test rows of random folds (table 2 of the paper)" {
		t.Errorf("the tables are %s; want NLL and ECE", got)
	}
}

func TestTablesOfNothing(t *testing.T) {
	for _, table := range []Table{
		ScoreTable(nil, ThePaper, "test", "ece", nil), SplitTable(nil, "ece", nil), AgreementTable(nil, ThePaper, nil), MissTable(nil, ThePaper, nil), Table1(nil, data.Sound),
	} {
		if err := table.WriteLaTeX(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
