// Package data holds what stands between a file of a table and a training batch:
// tables, the registered data sets, toy data, splits and scaling.
//
// Tables hold float64 in row-major order. Rows are named by their number in the
// table, from 0; columns that a user names by number are counted from 1.
package data

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Table is a set of samples: numbers only, none missing, none infinite.
type Table struct {
	Name    string
	Columns []string  // names of the inputs
	Targets []string  // names of the targets; empty where a file has inputs alone
	X       []float64 // inputs, Rows × len(Columns), row-major
	Y       []float64 // targets, Rows × len(Targets), row-major

	Extras []string  // names of further columns, which an objective may look at
	E      []float64 // their values, Rows × len(Extras), row-major
	Weight string    // name of the column that says how much each row counts; "": all count alike
	W      []float64 // the weights, 0 or more and not all 0; nil without that column

	Fields     []Field // what the inputs are; nil: all are numbers, and none is missing
	By         string  // name of the column that rows are split by, which may be an input, too; "": there is none
	ByField    Field
	B          []float64 // its values
	Held       int       // rows at the end that are of a file of their own, for testing (WithTest)
	Unlabelled int       // rows of the file that are left out, as they have no target
	Blank      int       // likewise, as every input of theirs is missing
	Incomplete int       // likewise, as they lack an input (Complete)

	Kept Texts // of the columns that Options.Keep names, a row for each of the table's

	Remarks []string // what was taken for what, column by column, where that is not plain

	Note    string // what its first row was taken for, where that can be doubted
	Differs string // how it differs from the registered data set that it is read as; "": it does not, or that is not known

	Layout     *Layout // layout of the file that the table was read from; nil for a table that was made
	projection projection
}

// Rows is the number of samples.
func (t *Table) Rows() int {
	switch {
	case len(t.Targets) > 0:
		return len(t.Y) / len(t.Targets)
	case len(t.Columns) > 0:
		return len(t.X) / len(t.Columns)
	}
	return 0
}

// TargetsOf returns the targets of the given rows in the given order; for nil
// those of all rows, which are the table's own. It panics on a row that the table
// does not have.
func (t *Table) TargetsOf(rows []int) []float64 {
	if rows == nil {
		return t.Y
	}
	n := len(t.Targets)
	out := make([]float64, 0, len(rows)*n)
	for _, r := range rows {
		out = append(out, t.Y[r*n:(r+1)*n]...)
	}
	return out
}

// WeightsOf is TargetsOf for weights: nil where rows have none.
func (t *Table) WeightsOf(rows []int) []float64 {
	if rows == nil || t.W == nil {
		return t.W
	}
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = t.W[r]
	}
	return out
}

// Group is the columns of a table that have the same use.
type Group struct {
	Names  []string
	Values *[]float64 // rows × names, row-major
}

// Groups returns all columns of the table in the order of files that are written: inputs,
// targets, further columns, the weight, and the column that rows are split by.
func (t *Table) Groups() [5]Group {
	g := [5]Group{{t.Columns, &t.X}, {t.Targets, &t.Y}, {t.Extras, &t.E}, {nil, &t.W}, {nil, &t.B}}
	if t.Weight != "" {
		g[3].Names = []string{t.Weight}
	}
	if t.By != "" {
		g[4].Names = []string{t.By}
	}
	return g
}

// WriteCSV writes a header row and the samples, inputs first, then targets, further
// columns and the weight, separated by commas. Every number is the shortest text that
// reads back as the same float64.
func (t *Table) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	var names []string
	for _, g := range t.Groups() {
		for _, name := range g.Names {
			names = append(names, quoted(name))
		}
	}
	out.WriteString(strings.Join(names, ",") + "\n")
	var line []byte
	for r := range t.Rows() {
		line = line[:0]
		for _, g := range t.Groups() {
			line = appendNumbers(line, *g.Values, len(g.Names), r)
		}
		line[len(line)-1] = '\n'
		out.Write(line)
	}
	return out.Flush() // reports the first error of the writes above too
}

// appendNumbers appends row r of values, each number followed by a comma.
func appendNumbers(dst []byte, values []float64, columns, r int) []byte {
	for _, v := range values[r*columns : (r+1)*columns] {
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
		dst = append(dst, ',')
	}
	return dst
}

// quoted puts a column name in quotes unless it is plain enough that no reader
// can take a part of it for a delimiter.
func quoted(name string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-()/%", r)
	}
	if name != "" && !strings.ContainsFunc(name, special) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
