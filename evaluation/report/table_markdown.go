package report

import (
	_ "embed"
	"strings"
	"text/template"
)

//go:embed table.md
var tableMarkdownText string

// tableMarkdown is the template of a Table in Markdown, with the caption above it and the notes below.
var tableMarkdown = template.Must(template.New("table").Funcs(template.FuncMap{
	"cell": markdownCell,
	"text": markdownText.Replace,
}).Parse(tableMarkdownText))

// Markdown returns the table in Markdown. The best cells are bold; <br> separates lines within a cell.
func (t Table) Markdown() string { return t.render(tableMarkdown) }

// markdownCell returns the text of a cell. emphasis, "*" or nothing, stands before and after a text that is not the best.
func markdownCell(c Cell, emphasis string) string {
	text := markdownText.Replace(c.Text)
	switch {
	case text == "":
	case c.Best:
		text = "**" + text + "**"
	default:
		text = emphasis + text + emphasis
	}
	for _, line := range c.Below {
		text += "<br>" + markdownText.Replace(line)
	}
	return text
}

// markdownText escapes Markdown's special characters.
var markdownText = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`")
