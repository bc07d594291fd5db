package report

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

//go:embed table.tex
var tableLaTeXText string

// tableLaTeX is the template of a Table as a LaTeX table environment. A table wider than the text extends into both
// margins.
var tableLaTeX = template.Must(template.New("table").Delims("<<", ">>").Funcs(template.FuncMap{
	"columns": Table.latexColumns,
	"header":  func(t Table) []Cell { return TextCells(t.Header...) },
	"row":     latexRow,
	"text":    latexText,
}).Parse(tableLaTeXText))

// LaTeX returns the table as a LaTeX table environment, in ASCII, for \input. It needs only the
// package booktabs.
func (t Table) LaTeX() string { return t.render(tableLaTeX) }

// latexColumns returns the column types of the tabular: l for words, a paragraph of fixed width for
// long words, and r for numbers.
func (t Table) latexColumns() string {
	var types strings.Builder
	for i := range t.Header {
		switch {
		case i >= t.Words:
			types.WriteString("r")
		case t.hasLongText(i):
			types.WriteString("p{12em}")
		default:
			types.WriteString("l")
		}
	}
	return types.String()
}

// hasLongText reports whether a text in the column is too long for one line.
func (t Table) hasLongText(column int) bool {
	const maxBytes = 24 // of UTF-8, which fit into a column of the usual width
	return slices.ContainsFunc(t.Body, func(row []Cell) bool { return len(row[column].Text) > maxBytes })
}

// latexRow returns a row as a line of the tabular and further lines for the texts below its cells.
// \addlinespace separates a row with several lines from the next.
func latexRow(row []Cell) string {
	lines := 1
	for _, c := range row {
		lines = max(lines, 1+len(c.Below))
	}
	var text string
	for line := range lines {
		var cells []string
		for _, c := range row {
			cells = append(cells, latexLine(c, line))
		}
		text += strings.Join(cells, " & ") + " \\\\\n"
	}
	if lines > 1 {
		text += "\\addlinespace\n"
	}
	return text
}

// latexLine returns a line of a cell: its text, or a text below it.
func latexLine(c Cell, line int) string {
	switch {
	case line == 0 && c.Best:
		return `\textbf{` + latexText(c.Text) + "}"
	case line == 0:
		return latexText(c.Text)
	case line <= len(c.Below):
		return latexText(c.Below[line-1])
	}
	return ""
}

// latexText escapes LaTeX's special characters, and replaces mathematical signs, for which pdfLaTeX's fonts
// have no letters, by commands.
func latexText(text string) string {
	return superscripts.ReplaceAllStringFunc(latexSigns.Replace(text), func(digits string) string {
		return "$^{" + fromSuperscript.Replace(digits) + "}$"
	})
}

var (
	superscripts = regexp.MustCompile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")

	fromSuperscript = strings.NewReplacer(
		"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

	latexSigns = strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
		"&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "<", "$<$", ">", "$>$", "|", "$|$",
		"−", "$-$", "±", `$\pm$`, "∞", `$\infty$`, "·", `$\cdot$`, "†", `$^\dagger$`, "–", "--", "’", "'", "β", `$\beta$`, "σ", `$\sigma$`)
)
