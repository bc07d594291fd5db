package cmd

import (
	"fmt"
	"strings"
	"testing"

	"sml/data/split"
	"sml/internal/page"
)

// The page of splits lists the registered kinds of split. After a change,
//
//	go test ./cmd -run TestSplitsPage -update
//
// writes the page.
func TestSplitsPage(t *testing.T) {
	section := page.Section{
		Path:    "../docs/reference/splits.md",
		Begin:   "<!-- registered splits -->\n",
		End:     "<!-- end of the splits -->\n",
		Command: "go test ./cmd -run TestSplitsPage -update",
	}
	section.Check(t, "\n"+splitsTable()+"\n")
}

// splitsTable returns a table of all kinds of split. All rows that a split does not test on are
// training rows.
func splitsTable() string {
	text := "| split | tests on | folds | scores | source |\n| --- | --- | --- | --- | --- |\n"
	for _, k := range split.All() {
		name := "`" + k.Name + "`"
		if option, _, ok := strings.Cut(neededFlag(k), " "); ok {
			name += ", by `" + option + "`"
		}
		folds := fmt.Sprint(k.Folds)
		if k.Folds == 0 {
			folds = "any"
		}
		text += tableRow(name, k.Summary, folds, "`"+strings.Join(k.ScoreNames(), "`, `")+"`", shortSplitSource(k.Source))
	}
	return text
}

// shortSplitSource returns a source without the title of the paper, which the page names once.
func shortSplitSource(source string) string {
	const title = "A Novel Regression Loss for Non-Parametric Uncertainty Optimization"
	source = strings.ReplaceAll(source, "the notebook of the authors of "+title, "its notebook")
	return strings.ReplaceAll(source, title, "the paper")
}
