package report

import "strings"

// Markdown returns the table in Markdown, with the caption above it and the notes below. The best
// cells are bold; <br> separates lines within a cell.
func (t Table) Markdown() string {
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
	return b.String()
}

// markdownRow writes a row. emphasis stands before and after the words, such as "*" or nothing.
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

// markdownText escapes Markdown's special characters.
var markdownText = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`")
