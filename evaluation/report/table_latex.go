package report

import (
	"regexp"
	"slices"
	"strings"
)

// LaTeX returns the table as a LaTeX table environment, in ASCII, for \input. It needs only the
// package booktabs.
func (t Table) LaTeX() string {
	var b strings.Builder
	b.WriteString("\\begin{table}\n\\centering\n\\caption{" + latexText(t.Caption) + "}\n")
	b.WriteString("\\scriptsize\n\\setlength{\\tabcolsep}{3pt}\n")
	b.WriteString("\\makebox[\\linewidth][c]{%\n") // a table wider than the text extends into both margins
	b.WriteString("\\begin{tabular}{" + t.latexColumns() + "}\n")
	b.WriteString("\\toprule\n")
	latexRow(&b, TextCells(t.Header...))
	b.WriteString("\\midrule\n")
	for _, row := range t.Body {
		latexRow(&b, row)
	}
	if len(t.Foot) > 0 {
		b.WriteString("\\midrule\n")
	}
	for _, row := range t.Foot {
		latexRow(&b, row)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	for _, note := range t.Notes {
		b.WriteString("\\par\\smallskip " + latexText(note) + "\n")
	}
	b.WriteString("\\end{table}\n")
	return b.String()
}

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

// latexRow writes a row as a line of the tabular and further lines for the texts below its cells.
// \addlinespace separates a row with several lines from the next.
func latexRow(b *strings.Builder, row []Cell) {
	lines := 1
	for _, c := range row {
		lines = max(lines, 1+len(c.Below))
	}
	for line := range lines {
		for i, c := range row {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(latexLine(c, line))
		}
		b.WriteString(" \\\\\n")
	}
	if lines > 1 {
		b.WriteString("\\addlinespace\n")
	}
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
