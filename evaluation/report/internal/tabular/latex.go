package tabular

import (
	"io"
	"regexp"
	"slices"
	"strings"
)

// WriteLaTeX writes a table environment for \input. It needs the package
// booktabs and nothing else; the text is plain ASCII.
func (t Table) WriteLaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\\begin{table}\n\\centering\n\\caption{" + latexText(t.Caption) + "}\n")
	b.WriteString("\\scriptsize\n\\setlength{\\tabcolsep}{3pt}\n")
	b.WriteString("\\makebox[\\linewidth][c]{%\n") // what is too wide reaches into both margins
	b.WriteString("\\begin{tabular}{" + t.latexColumns() + "}\n")
	b.WriteString("\\toprule\n")
	latexRow(&b, Words(t.Header...))
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
	return write(w, b.String())
}

// latexColumns are l for words, or a paragraph where they are many, and r for
// numbers.
func (t Table) latexColumns() string {
	const many = 24 // letters
	var columns strings.Builder
	for i := range t.Header {
		column := "r"
		if i < t.Words {
			column = "l"
			if slices.ContainsFunc(t.Body, func(row []Cell) bool { return len(row[i].Text) > many }) {
				column = "p{12em}"
			}
		}
		columns.WriteString(column)
	}
	return columns.String()
}

// latexRow writes a row as one line of the tabular, and a further one for
// each line below the texts. \addlinespace keeps such rows apart.
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
			switch {
			case line == 0 && c.Best:
				b.WriteString(`\textbf{` + latexText(c.Text) + "}")
			case line == 0:
				b.WriteString(latexText(c.Text))
			case line <= len(c.Below):
				b.WriteString(latexText(c.Below[line-1]))
			}
		}
		b.WriteString(" \\\\\n")
	}
	if lines > 1 {
		b.WriteString("\\addlinespace\n")
	}
}

// latexText escapes what LaTeX would not print, and sets the mathematical
// signs of our own texts, which pdfLaTeX has no letters for.
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
