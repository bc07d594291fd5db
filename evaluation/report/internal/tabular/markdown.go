package tabular

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
	for _, title := range t.Header {
		b.WriteString(" " + markdownText.Replace(title) + " |")
	}
	b.WriteString("\n|")
	for i := range t.Header {
		if i < t.Words {
			b.WriteString(" :-- |")
		} else {
			b.WriteString(" --: |")
		}
	}
	b.WriteString("\n")
	for _, row := range t.Body {
		t.markdownRow(&b, row, "")
	}
	for _, row := range t.Foot {
		t.markdownRow(&b, row, "*")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + markdownText.Replace(note) + "\n")
	}
	return write(w, b.String())
}

func (t Table) markdownRow(b *strings.Builder, row []Cell, emphasis string) {
	b.WriteString("|")
	for i, c := range row {
		text := markdownText.Replace(c.Text)
		switch {
		case text == "":
		case c.Best:
			text = "**" + text + "**"
		case i < t.Words:
			text = emphasis + text + emphasis
		}
		for _, line := range c.Below {
			text += "<br>" + markdownText.Replace(line)
		}
		b.WriteString(" " + text + " |")
	}
	b.WriteString("\n")
}

var markdownText = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`")
