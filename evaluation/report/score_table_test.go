package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/paper"
)

func TestTables(t *testing.T) {
	var got bytes.Buffer
	tables := append(Table2(someScores, someTitle),
		SplitTable(someScores, "ece", someTitle), AgreementTable(someScores, someTitle), MissTable(someScores, someTitle),
		Table1(paper.Recipes()[6:8], data.Paper))
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
		ScoreTable(nil, "test", "ece", nil), SplitTable(nil, "ece", nil), AgreementTable(nil, nil), MissTable(nil, nil), Table1(nil, data.Sound),
	} {
		if err := table.WriteLaTeX(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
