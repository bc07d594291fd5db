package report

import (
	"io"
	"strings"
)

// WriteMarkdown writes the table with pipes, its caption above and its notes
// below it. Best scores are bold; lines within a cell are parted by <br>.
func (t Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("**" + markdownText.Replace(t.Caption) + "**\n\n")
	b.WriteString("|")
	for _, title := range t.header {
		b.WriteString(" " + markdownText.Replace(title) + " |")
	}
	b.WriteString("\n|")
	for i := range t.header {
		if i < t.words {
			b.WriteString(" :-- |")
		} else {
			b.WriteString(" --: |")
		}
	}
	b.WriteString("\n")
	for _, row := range t.body {
		t.markdownRow(&b, row, "")
	}
	for _, row := range t.foot {
		t.markdownRow(&b, row, "*")
	}
	for _, note := range t.notes {
		b.WriteString("\n" + markdownText.Replace(note) + "\n")
	}
	return write(w, b.String())
}

func (t Table) markdownRow(b *strings.Builder, row []cell, emphasis string) {
	b.WriteString("|")
	for i, c := range row {
		text := markdownText.Replace(c.text)
		switch {
		case text == "":
		case c.best:
			text = "**" + text + "**"
		case i < t.words:
			text = emphasis + text + emphasis
		}
		for _, line := range c.below {
			text += "<br>" + markdownText.Replace(line)
		}
		b.WriteString(" " + text + " |")
	}
	b.WriteString("\n")
}

var markdownText = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`")
