package read

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// Options say which columns of a file are read, and how. A column is given by its name or by its
// number, counted from 1. A number that is also the name of a column means the named column.
type Options struct {
	Targets []string // default: the last column of the file
	Drop    []string // columns to leave out; they may hold anything
	Extra   []string // further columns of numbers for an objective, neither inputs nor targets
	Weight  string   // column with the weight of each row, 0 or more; "" if all rows count alike
	Header  Header   // default: HeaderAuto

	// Inputs, if not nil, are the names of exactly the columns to read as inputs, in this
	// order. A first row with all these names is a header. In a file without a header, columns
	// are found by their numbers in Layout, or the file has only the inputs. A file without a
	// header is an error if Layout has one, unless Header is HeaderNo. Extra columns and the weight
	// are read only if the file has them.
	Inputs []string
	Layout *data.Layout // layout of the training table; nil if it is not known

	// NoTarget reads inputs only, as prediction does. If Inputs are given, the file may have
	// columns of targets or lack them.
	NoTarget bool

	// Raw allows texts, dates and missing values in inputs (Table.Fields), unless Inputs are
	// given. Rows without a target are left out, and one error reports all mistakes. If Raw is
	// false, every value must be a number.
	Raw bool

	// KeepUnlabelled keeps the rows of a raw table whose targets, numbers, are all missing.
	KeepUnlabelled bool

	// Categorical, Numeric and Dates declare the kinds of columns of a raw table, by name or
	// number; the kinds of other columns are found from their values. A date may be declared
	// with its layout, such as NAME=dd.mm.yyyy HH:MM. A text in a numeric column counts as
	// missing.
	Categorical, Numeric, Dates []string

	// MissingValues are values that stand for missing ones, such as -200, in all columns or, as COLUMN=VALUE, in the
	// column with that name or number. A number stands for all texts of the same number.
	MissingValues []string

	// Decimal is the decimal sign of the file's numbers, "." or ",", and Thousands the separator of their thousands, one of
	// Separators. "" finds the sign by the first rows or, if these refuse a table in a file, by all of its rows, and allows
	// no separators but points in numbers with decimal commas. Numbers that JSON, Parquet and workbooks store have points.
	Decimal, Thousands string

	// Fields are the fields of Inputs in the training table; nil if all are numbers and none
	// may be missing.
	Fields []data.Field

	// Classes declares that the targets are classes: their texts, also of numbers, are labels
	// (Table.TargetFields). TargetFields are the labels of the training table; nil if its targets
	// have none.
	Classes      bool
	TargetFields []data.Field

	// SplitColumn is a column of any kind that rows are split by; every row needs a value. It is "" if
	// there is none. The column is also an input, unless it is dropped or SplitColumnIsNoInput is true.
	// In the latter case its kind does not matter: the split only asks which rows have equal values.
	SplitColumn          string
	SplitColumnIsNoInput bool

	// Keep names columns whose texts are kept as they stand in the file (Table.KeptTexts,
	// Stream.KeepIn), whether or not the columns are read. KeepAll keeps the texts of all
	// columns, before the columns of Keep. A column that the file lacks is an error.
	Keep    []string
	KeepAll bool

	// Sheet is the name of the sheet of an .xlsx workbook to read; "" for the first sheet.
	Sheet string

	// maxValues is the maximum number of values of a table; 0 for 2³¹ − 1, which take 16 GiB.
	// A table that does not fit into free memory is refused earlier. Only tests set it.
	maxValues int

	pieceBytes int // minimum number of bytes of text for each goroutine that parses; 0 for minPieceBytes

	// numberTextColumns are columns of the file, from 0, in which the texts of numbers are kept
	// from the first row on (column.keepsNumberTexts).
	numberTextColumns []int

	signs decimalSigns // of all rows, from an earlier reading; the zero value if there was none

	jsonKeys []string // keys of a JSON file in their order, from an earlier reading; nil before it
}

// separators are the characters that may stand between thousands: a point, a comma, an apostrophe and a blank.
const separators = ".,' "

// CheckNotation returns an error if the decimal sign or the separator of thousands is unknown, or if both are the same.
func (o Options) CheckNotation() error {
	switch {
	case !slices.Contains([]string{"", ".", ","}, o.Decimal):
		return fmt.Errorf("decimal sign %q: want a point or a comma", o.Decimal)
	case o.Thousands != "" && (len(o.Thousands) != 1 || !strings.Contains(separators, o.Thousands)):
		return fmt.Errorf("separator of thousands %q: want a point, a comma, an apostrophe or a blank", o.Thousands)
	case o.Thousands != "" && o.Thousands == o.Decimal:
		return fmt.Errorf("%q is the decimal sign and separates thousands: choose one of the two", o.Decimal)
	}
	return nil
}

// findsKinds reports whether inputs may hold texts, and their kinds are found from their values.
func (o Options) findsKinds() bool { return o.Inputs == nil && o.Raw }
