package report

import (
	"html/template"
	"io"
)

// WriteHTML writes a figure element: the caption, the table in a box that
// scrolls where it is too wide, and the notes. The first cell of a row is its
// header. Its classes are words and best on cells, below on lines within a
// cell, note on notes.
func (t Table) WriteHTML(w io.Writer) error { return tableHTML.Execute(w, tableView{t}) }

// tableView shows a Table's fields to the template.
type tableView struct{ Table }

type cellView struct {
	Text       string
	Below      []string
	Best       bool
	Head, Word bool
}

func (v tableView) Header() []cellView { return v.row(words(v.header...)) }
func (v tableView) Body() [][]cellView { return v.rows(v.body) }
func (v tableView) Foot() [][]cellView { return v.rows(v.foot) }
func (v tableView) Notes() []string    { return v.notes }

func (v tableView) rows(rows [][]cell) [][]cellView {
	views := make([][]cellView, len(rows))
	for i, row := range rows {
		views[i] = v.row(row)
	}
	return views
}

func (v tableView) row(row []cell) []cellView {
	views := make([]cellView, len(row))
	for i, c := range row {
		views[i] = cellView{Text: c.text, Below: c.below, Best: c.best, Head: i == 0, Word: i < v.words}
	}
	return views
}

var tableHTML = template.Must(template.New("table").Parse(`
{{- define "cells"}}{{range .}}
{{if .Head}}<th scope="row"{{else}}<td{{end}}
{{- if and .Best .Word}} class="words best"{{else if .Best}} class="best"{{else if .Word}} class="words"{{end}}>
{{- if .Word}}<span>{{.Text}}</span>{{else}}{{.Text}}{{end}}{{range .Below}}<span class="below">{{.}}</span>{{end}}
{{- if .Head}}</th>{{else}}</td>{{end}}{{end}}{{end -}}

<figure class="table">
<figcaption>{{.Caption}}</figcaption>
<div class="scroll" role="region" tabindex="0" aria-label="{{.Caption}}">
<table>
<thead>
<tr>{{range .Header}}
<th scope="col"{{if .Word}} class="words"{{end}}>{{.Text}}</th>{{end}}
</tr>
</thead>
<tbody>{{range .Body}}
<tr>{{template "cells" .}}
</tr>{{end}}
</tbody>{{if .Foot}}
<tfoot>{{range .Foot}}
<tr>{{template "cells" .}}
</tr>{{end}}
</tfoot>{{end}}
</table>
</div>{{range .Notes}}
<p class="note">{{.}}</p>{{end}}
</figure>
`))
