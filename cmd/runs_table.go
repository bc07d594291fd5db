package cmd

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
)

// hiddenSettings follow from the table, or have a column or a heading of their own.
var hiddenSettings = []string{"method", "inputs", "targets", "outputs", "embeddings", "seed", "engine", "data.name", "data.rows", "data.sha256", "data.header", "data.target"}

// differingSettings returns the names of the settings, except for hiddenSettings, that differ between
// readable models, in the order of their first appearance. A setting that a model does not have differs
// from every value.
func differingSettings(models []listedModel) []string {
	readable := slices.DeleteFunc(slices.Clone(models), func(m listedModel) bool { return m.Broken != "" })
	var differing []string
	for _, name := range settingNames(readable) {
		firstValue := readable[0].setting(name)
		differs := slices.ContainsFunc(readable, func(m listedModel) bool { return m.setting(name) != firstValue })
		if differs {
			differing = append(differing, name)
		}
	}
	return differing
}

// settingNames returns the names of the settings of models, except for hiddenSettings, each once.
func settingNames(models []listedModel) []string {
	var names []string
	for _, m := range models {
		for _, s := range m.Set {
			if !slices.Contains(hiddenSettings, s.Name) {
				names = appendNew(names, s.Name)
			}
		}
	}
	return names
}

// scoreNames returns the names of the scores that some model has, each once. prefix selects standardised scores or
// scores in the target's unit.
func scoreNames(models []listedModel, prefix string) []string {
	var names []string
	for _, m := range models {
		for _, s := range m.scores {
			if strings.HasPrefix(s.name, prefix) {
				names = appendNew(names, s.name)
			}
		}
	}
	return names
}

// runsColumn is a column of the table of models.
type runsColumn struct {
	name   string // setting or measure, for the note about columns that do not fit
	header string
	cells  []string // one per model
	scores bool     // whether the column has scores, which are aligned to the right and stand behind the settings
}

// width returns the number of characters that the column takes, with its border.
func (c runsColumn) width() int {
	const border = 3 // characters: a line, and a space on each side of the cell
	width := utf8.RuneCountInString(c.header)
	for _, cell := range c.cells {
		width = max(width, utf8.RuneCountInString(cell))
	}
	return width + border
}

// runsWidth is the maximum number of characters of a line of the table: columns that do not fit are left out.
const runsWidth = 110

// writeRunsTables writes a table for each group of models, and then the models that cannot be
// read. sortedBy is the measure that models are ranked by, "" if they are not.
func writeRunsTables(w io.Writer, groups [][]listedModel, sortedBy string) {
	for i, g := range groups {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if g[0].Broken == "" {
			writeRunsTable(w, g, sortedBy)
			continue
		}
		for _, m := range g {
			writeWrapped(w, fmt.Sprintf("%s: broken: %s", shortenPath(m.Model), m.Broken))
		}
	}
}

// writeRunsTable writes the table of models with the same targets, below a line on their data. sortedBy is the
// measure that they are ranked by, "" if they are not.
func writeRunsTable(w io.Writer, models []listedModel, sortedBy string) {
	first := models[0]
	kind := "target"
	unit := ""
	if len(first.Targets) > 1 {
		kind = "targets"
		unit = ": means of their standardised scores"
	}
	writeWrapped(w, fmt.Sprintf("%s, %s, %s %s%s", first.Data, terminal.Count(first.Rows, "row"), kind, first.targetNames(), unit))
	shown, hidden := fitColumns(runsColumns(models, sortedBy))
	fmt.Fprintln(w, renderRuns(shown, len(models)))
	if len(hidden) > 0 {
		writeWrapped(w, "not shown: "+strings.Join(hidden, ", ")+"; --csv and --json have them")
	}
}

// renderRuns returns the table with the columns, scores last, which have cells for a number of models.
func renderRuns(columns []runsColumn, models int) string {
	var header []any
	firstScore := 1 // from 1
	for _, c := range columns {
		header = append(header, c.header)
		if !c.scores {
			firstScore++
		}
	}
	t := terminal.NewTable(firstScore, header...)
	for model := range models {
		var row table.Row
		for _, c := range columns {
			row = append(row, c.cells[model])
		}
		t.AppendRow(row)
	}
	return t.Render()
}

// writeWrapped writes a paragraph in lines of at most runsWidth characters.
func writeWrapped(w io.Writer, paragraph string) {
	for line := range strings.SplitSeq(text.WrapSoft(paragraph, runsWidth), "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// runsColumns returns the columns of models of one target, the most important first: fitColumns leaves out the last
// ones.
func runsColumns(list []listedModel, sortedBy string) []runsColumn {
	columns := []runsColumn{
		textColumn("model", list, func(m listedModel) string { return shortenPath(m.Model) }),
		textColumn("method", list, func(m listedModel) string { return m.Method }),
	}
	// The most important scores come before the settings, the others behind them.
	const maxFirstScores = 3
	scores := scoreColumns(list, sortedBy)
	firstScores := scores[:min(len(scores), maxFirstScores)]
	columns = append(columns, firstScores...)
	for _, name := range differingSettings(list) {
		const maxCharacters = 24 // of a cell; a list of widths may be long
		c := textColumn(name, list, func(m listedModel) string { return terminal.Shorten(m.setting(name), maxCharacters) })
		c.header = strings.TrimPrefix(strings.TrimPrefix(name, "hyperparameters."), "data.")
		columns = append(columns, c)
	}
	seed := textColumn("seed", list, func(m listedModel) string { return strconv.FormatUint(m.Seed, 10) })
	if slices.ContainsFunc(seed.cells, func(cell string) bool { return cell != seed.cells[0] }) {
		columns = append(columns, seed)
	}
	return append(columns, scores[len(firstScores):]...)
}

// textColumn returns a column of texts.
func textColumn(name string, list []listedModel, cell func(listedModel) string) runsColumn {
	c := runsColumn{name: name, header: name}
	for _, m := range list {
		c.cells = append(c.cells, cell(m))
	}
	return c
}

// mainMeasures are shown before all other measures.
var mainMeasures = []string{"rmse", "crps", "r2", "nll", "coverage90"}

// scoreColumns returns the columns of the scores of models of the same targets: the measure that models are ranked by,
// mainMeasures, and all others.
func scoreColumns(list []listedModel, sortedBy string) []runsColumn {
	unit := list[0].shownScores()
	names := scoreNames(list, unit)
	var ordered []string
	for _, measureName := range append([]string{sortedBy}, mainMeasures...) {
		name := unit + measureName
		if slices.Contains(names, name) {
			ordered = appendNew(ordered, name)
		}
	}
	for _, name := range names {
		ordered = appendNew(ordered, name)
	}
	var columns []runsColumn
	for _, name := range ordered {
		columns = append(columns, scoreColumn(unit, strings.TrimPrefix(name, unit), list))
	}
	return columns
}

// scoreColumn returns the column of the scores by a measure, whose names begin with unit, with a dash for a model without
// one. Its header is the title of the measure.
func scoreColumn(unit, measureName string, models []listedModel) runsColumn {
	scoreName := unit + measureName
	c := textColumn(measureName, models, func(m listedModel) string {
		score, ok := m.score(scoreName)
		if !ok {
			return "–"
		}
		return fmt.Sprintf("%.4g", score)
	})
	c.scores = true
	c.header = measure.Title(measureName)
	return c
}

// fitColumns returns the columns that fit into runsWidth, scores behind all others, and
// the names of the others. The first three columns are always shown.
func fitColumns(columns []runsColumn) (shown []runsColumn, hidden []string) {
	const alwaysShown = 3 // the model, the method and the first score
	width := 1            // the border on the left
	var scores []runsColumn
	for i, c := range columns {
		if width+c.width() > runsWidth && i >= alwaysShown {
			hidden = append(hidden, c.name)
			continue
		}
		width += c.width()
		if c.scores {
			scores = append(scores, c)
		} else {
			shown = append(shown, c)
		}
	}
	return append(shown, scores...), hidden
}

// shortenPath returns a path with its beginning left out if it is long.
func shortenPath(path string) string {
	const maxCharacters = 48
	characters := []rune(terminal.EscapeControls(path))
	if len(characters) <= maxCharacters {
		return string(characters)
	}
	firstKept := len(characters) - maxCharacters + 1 // "…" takes the place of one character
	return "…" + string(characters[firstKept:])
}

// writeRunsCSV writes a line for each model: the settings that differ and all scores, standardised and in the target's
// unit, with all digits. A missing value is empty.
func writeRunsCSV(w io.Writer, list []listedModel) {
	settings := differingSettings(list)
	scores := append(scoreNames(list, standardised), scoreNames(list, inTargetUnit)...)
	out := csv.NewWriter(w)
	header := slices.Concat([]string{"model", "method", "data", "rows", "target", "seed"}, settings, scores, []string{"broken"})
	out.Write(header)
	for _, m := range list {
		record := []string{m.Model, m.Method, m.Data, strconv.Itoa(m.Rows), m.targetNames(), strconv.FormatUint(m.Seed, 10)}
		if m.Broken != "" {
			record = []string{m.Model, "", "", "", "", ""}
		}
		for _, name := range settings {
			record = append(record, m.setting(name))
		}
		for _, name := range scores {
			cell := ""
			if score, ok := m.score(name); ok {
				cell = strconv.FormatFloat(score, 'g', -1, 64)
			}
			record = append(record, cell)
		}
		out.Write(append(record, m.Broken))
	}
	out.Flush()
}
