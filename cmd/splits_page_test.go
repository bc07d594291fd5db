package cmd

import (
	"fmt"
	"strings"

	"sml/data/split"
)

// listSplits returns a list of all kinds of split. All rows that a split does not test on are training
// rows.
func listSplits() string {
	text := ""
	for _, k := range split.All() {
		name := "`" + k.Name + "`"
		if option, _, ok := strings.Cut(neededFlag(k), " "); ok {
			name += ", by `" + option + "`"
		}
		var notes []string
		if k.Folds > 1 {
			notes = append(notes, fmt.Sprintf("%d folds", k.Folds))
		}
		if names := strings.Join(k.ScoreNames(), "`, `"); names != k.Name {
			notes = append(notes, "scores `"+names+"`")
		}
		text += listItem(name, k.Summary, strings.Join(notes, ", "), shortSplitSource(k.Source))
	}
	return text
}

// shortSplitSource returns a source without the title of the paper, which the page names once.
func shortSplitSource(source string) string {
	const title = "A Novel Regression Loss for Non-Parametric Uncertainty Optimization"
	source = strings.ReplaceAll(source, "the notebook of the authors of "+title, "its notebook")
	return strings.ReplaceAll(source, title, "the paper")
}
