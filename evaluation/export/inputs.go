package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/internal/onnx"
	"sml/internal/preparation"
)

// Codes of texts that are not among a column's categories.
const (
	unseenCode  = -1 // a text of no training row
	missingCode = -2
)

// missingTexts has the texts that the reader of tables takes for a missing value. The reader also
// takes them in capitals and capitalised.
var missingTexts = []string{"", "?", "-", "--", "–", "—", ".", "..", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "nil", "nat", "missing", "NaN", "NaT", "-NaN", "+NaN"}

// networkInputs declares the table's columns as inputs of the file, and returns the prepared and
// standardised inputs of the networks, [rows, inputs] in single precision.
func (w *writer) networkInputs() (onnx.Value, error) {
	columns := w.inputColumns()
	raw := make([]onnx.Value, len(columns))
	for i, c := range columns {
		raw[i] = w.declareColumn(&c)
	}
	w.rows = w.ShapeOf(raw[0])
	var features []onnx.Value // [rows, 1], or [rows, categories]
	for i, c := range columns {
		columnFeatures, err := w.columnFeatures(&c, raw[i])
		if err != nil {
			return onnx.Value{}, err
		}
		features = append(features, columnFeatures...)
	}
	var means, stds []float64
	for _, c := range w.model.Inputs {
		means = append(means, c.Mean)
		stds = append(stds, c.Std)
	}
	shape := []int{1, len(means)}
	x := w.Concat(1, features...)
	x = w.Div(w.Sub(x, w.Numbers(onnx.Double, shape, means...)), w.Numbers(onnx.Double, shape, stds...))
	return w.Cast(x, onnx.Float), nil
}

// inputColumns returns the columns of the table that the model reads. Without a preparation all are
// numbers.
func (w *writer) inputColumns() []preparation.Column {
	if p := w.model.Preparation; p != nil {
		return slices.DeleteFunc(slices.Clone(p.Columns), func(c preparation.Column) bool { return c.Dropped != "" })
	}
	var columns []preparation.Column
	for _, c := range w.model.Inputs {
		columns = append(columns, preparation.Column{
			Name:     c.Name,
			Field:    data.Field{Kind: data.Number},
			Required: true,
		})
	}
	return columns
}

// declareColumn declares a column of the table as an input of the file and returns its values,
// [rows].
func (w *writer) declareColumn(c *preparation.Column) onnx.Value {
	elementType, description := onnx.Double, "number"
	switch {
	case c.Kind == data.Category:
		elementType, description = onnx.String, "text"
	case c.Kind == data.Date:
		description = "date, in seconds since 1970 in UTC"
	case c.Percent():
		description = "number, a fraction: 0.5 is 50%"
	}
	switch {
	case c.Required && c.Kind == data.Category:
		description += `, none missing ("")`
	case c.Kind == data.Category:
		description += `, "" where missing`
	case c.Fill == nil:
		description += ", none missing (NaN)"
	default:
		description += ", NaN where missing"
	}
	return w.Input(c.Name, elementType, description, rowDims()...)
}

// columnFeatures returns the features of a column, in order: [rows, 1] each, or [rows, categories].
// A value that a prediction would refuse becomes NaN.
func (w *writer) columnFeatures(c *preparation.Column, v onnx.Value) ([]onnx.Value, error) {
	var features []onnx.Value
	var isMissing onnx.Value
	var err error
	if c.Kind == data.Category {
		features, isMissing = w.textFeatures(c, v)
	} else {
		features, isMissing, err = w.numberFeatures(c, v)
	}
	if c.Indicator {
		features = append(features, w.Unsqueeze(w.Cast(isMissing, onnx.Double), 1))
	}
	return features, err
}

// textFeatures returns the features of a column of texts, and whether each text is missing.
func (w *writer) textFeatures(c *preparation.Column, texts onnx.Value) (features []onnx.Value, isMissing onnx.Value) {
	codes := w.categoryCodes(c, texts)
	isMissing = w.Compare("Equal", codes, w.Number(onnx.Int64, missingCode))
	feature := w.categoryFeatures(c, codes)
	if c.Required {
		nan := w.Number(onnx.Double, math.NaN())
		feature = w.Where(w.Unsqueeze(isMissing, 1), nan, feature)
	}
	return []onnx.Value{feature}, isMissing
}

// numberFeatures returns the features of a column of numbers or dates, and whether each value is
// missing; that has no name if the features do not depend on it.
func (w *writer) numberFeatures(c *preparation.Column, v onnx.Value) (features []onnx.Value, isMissing onnx.Value, err error) {
	fills := c.Fill != nil && !c.Required
	if fills || c.Indicator {
		isMissing = w.Missing(v)
	}
	if fills {
		v = w.Where(isMissing, w.Number(onnx.Double, *c.Fill), v)
	}
	values := []onnx.Value{v}
	if c.Kind == data.Date {
		values, err = w.dateFeatures(c, v)
		if err != nil {
			return nil, isMissing, err
		}
	}
	for _, value := range values {
		features = append(features, w.Unsqueeze(value, 1))
	}
	return features, isMissing, nil
}

// places returns the place of each text among the levels, unseen or missing. Texts count
// letter by letter, as in a table.
func (w *writer) categoryCodes(c *preparation.Column, texts onnx.Value) onnx.Value {
	var keys []string
	var numbers []int64
	known := make(map[string]bool)
	add := func(text string, number int64) {
		if !known[text] {
			known[text] = true
			keys, numbers = append(keys, text), append(numbers, number)
		}
	}
	for i, level := range c.Categories {
		add(level, int64(i))
	}
	for _, text := range slices.Concat(missingTexts, c.MissingTexts) {
		first := min(1, len(text))
		for _, form := range []string{text, strings.ToUpper(text), strings.ToUpper(text[:first]) + text[first:]} {
			add(form, missingCode)
		}
	}
	return w.LookUp(texts, keys, numbers, unseenCode)
}

// levels are the features of levels, [rows, levels].
func (w *writer) categoryFeatures(c *preparation.Column, places onnx.Value) onnx.Value {
	if c.Ordered {
		half := w.Number(onnx.Double, float64(len(c.Categories)-1)/2)
		known := w.Compare("GreaterOrEqual", places, w.Number(onnx.Int64, 0))
		return w.Unsqueeze(w.Where(known, w.Cast(places, onnx.Double), half), 1)
	}
	var numbers []float64
	for i := range c.Categories {
		numbers = append(numbers, float64(i))
	}
	if c.OtherRows > 0 {
		numbers = append(numbers, unseenCode)
	}
	is := w.Compare("Equal", w.Unsqueeze(places, 1), w.Numbers(onnx.Int64, []int{1, len(numbers)}, numbers...))
	return w.Cast(is, onnx.Double)
}

// dateFeatures returns the parts of a date that the column keeps, [rows] each. It returns an error
// if a part cannot be exported.
func (w *writer) dateFeatures(c *preparation.Column, seconds onnx.Value) ([]onnx.Value, error) {
	d := w.datePartFunctions(seconds, c.FirstDate)
	var parts []onnx.Value
	for _, name := range preparation.DatePartNames() {
		if !slices.Contains(c.DateParts, name) {
			continue
		}
		part := d[name]
		if part == nil {
			return nil, fmt.Errorf("column %q: %s of a date cannot be exported", c.Name, name)
		}
		parts = append(parts, part())
	}
	return parts, nil
}

// rowDims returns the dimensions [rows] of a tensor with one number for each row.
func rowDims() []onnx.Dim { return []onnx.Dim{{Name: "rows"}} }
