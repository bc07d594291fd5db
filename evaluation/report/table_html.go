package report

import "html/template"

// templateRow is a row with the properties of its table that the template needs.
type templateRow struct {
	Header []string
	Words  int
	Cells  []Cell
}

// tableHTML is the template of a Table as a figure element: the caption, the table in a box that scrolls if the table is
// too wide, and the notes. The first cell of each row is its header.
//
// Style sheets can use these classes: words for cells with words, best for the best cells, below for
// further lines within a cell, and note for notes. Each cell has the title of its column in the attribute
// data-of, for style sheets that show the cells of a row one below the other. Such style sheets take the
// role of a table from its elements, so the elements have explicit roles for screen readers.
var tableHTML = template.Must(template.New("table").Funcs(template.FuncMap{
	"row": func(t Table, cells []Cell) templateRow { return templateRow{t.Header, t.Words, cells} },
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
