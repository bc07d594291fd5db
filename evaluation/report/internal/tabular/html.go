package tabular

import (
	"html/template"
	"io"
)

// WriteHTML writes a figure element: the caption, the table in a box that
// scrolls where it is too wide, and the notes. The first cell of a row is its
// header. Its classes are words and best on cells, below on lines within a
// cell, note on notes. Cells say in data-of what column they are of, for a style sheet
// that puts them below one another; roles keep it a table then.
func (t Table) WriteHTML(w io.Writer) error { return HTML.Execute(w, t) }

// tableRow shows a row to the template; the first columns are words.
type tableRow struct {
	Header []string
	Words  int
	Cells  []Cell
}

var HTML = template.Must(template.New("table").Funcs(template.FuncMap{
	"row": func(t Table, cells []Cell) tableRow { return tableRow{t.Header, t.Words, cells} },
}).Parse(`
{{- define "row"}}
<tr role="row">{{range $i, $cell := .Cells}}{{$word := lt $i $.Words}}
{{if eq $i 0}}<th scope="row" role="rowheader"{{else}}<td role="cell" data-of="{{index $.Header $i}}"{{end}}
{{- if and .Best $word}} class="words best"{{else if .Best}} class="best"{{else if $word}} class="words"{{end}}>
{{- if $word}}<span>{{.Text}}</span>{{else}}{{.Text}}{{end}}{{range .Below}}<span class="below">{{.}}</span>{{end}}
{{- if eq $i 0}}</th>{{else}}</td>{{end}}{{end}}
</tr>{{end -}}

<figure class="table">
<figcaption>{{.Caption}}</figcaption>
<div class="scroll" role="region" tabindex="0" aria-label="{{.Caption}}">
<table role="table">
<thead>
<tr role="row">{{range $i, $title := .Header}}
<th scope="col" role="columnheader"{{if lt $i $.Words}} class="words"{{end}}>{{.}}</th>{{end}}
</tr>
</thead>
<tbody>{{range .Body}}{{template "row" row $ .}}{{end}}
</tbody>{{if .Foot}}
<tfoot>{{range .Foot}}{{template "row" row $ .}}{{end}}
</tfoot>{{end}}
</table>
</div>{{range .Notes}}
<p class="note">{{.}}</p>{{end}}
</figure>
`))
