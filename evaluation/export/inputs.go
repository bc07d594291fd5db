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

// Places of texts that are none of a column's levels.
const (
	unseenCode  = -1
	missingCode = -2
)

// missingTexts are those that a table's reader takes for a value that is missing, as
// people write them; in capitals too, and with a capital.
var missingTexts = []string{"", "?", "-", "--", "–", "—", ".", "..", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "nil", "nat", "missing", "NaN", "NaT", "-NaN", "+NaN"}

// inputs declares the columns and returns what the network sees of them, [rows, inputs] in
// single precision.
func (w *writer) networkInputs() (onnx.Value, error) {
	var columns []preparation.Column
	if p := w.model.Preparation; p != nil {
		columns = p.Columns
	} else {
		for _, c := range w.model.Inputs {
			columns = append(columns, preparation.Column{Name: c.Name, Field: data.Field{Kind: data.Number}, Required: true})
		}
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(c preparation.Column) bool { return c.Dropped != "" })
	raw := make([]onnx.Value, len(columns))
	for i, c := range columns {
		raw[i] = w.declareColumn(&c)
	}
	w.rows = w.ShapeOf(raw[0])
	var features []onnx.Value // [rows, 1], or [rows, levels]
	for i, c := range columns {
		of, err := w.columnFeatures(&c, raw[i])
		if err != nil {
			return onnx.Value{}, err
		}
		features = append(features, of...)
	}
	var mean, std []float64
	for _, c := range w.model.Inputs {
		mean, std = append(mean, c.Mean), append(std, c.Std)
	}
	row := []int{1, len(mean)}
	x := w.Concat(1, features...)
	x = w.Div(w.Sub(x, w.Numbers(onnx.Double, row, mean...)), w.Numbers(onnx.Double, row, std...))
	return w.Cast(x, onnx.Float), nil
}

// column declares a column of the table.
func (w *writer) declareColumn(c *preparation.Column) onnx.Value {
	of, says := onnx.Double, "number"
	switch {
	case c.Kind == data.Category:
		of, says = onnx.String, "text"
	case c.Kind == data.Date:
		says = "date, in seconds since 1970 in UTC"
	case c.Percent():
		says = "number, a fraction: 0.5 is 50%"
	}
	switch {
	case c.Required && c.Kind == data.Category:
		says += `, none missing ("")`
	case c.Kind == data.Category:
		says += `, "" where missing`
	case c.Fill == nil:
		says += ", none missing (NaN)"
	default:
		says += ", NaN where missing"
	}
	return w.Input(c.Name, of, says, rowDims()...)
}

// features are those of a column, in order. What a prediction refuses is NaN.
func (w *writer) columnFeatures(c *preparation.Column, v onnx.Value) ([]onnx.Value, error) {
	var list []onnx.Value
	var absent onnx.Value
	if c.Kind == data.Category {
		texts := w.categoryCodes(c, v)
		absent = w.Compare("Equal", texts, w.Number(onnx.Int64, missingCode))
		list = append(list, w.categoryFeatures(c, texts))
		if c.Required {
			nan := w.Number(onnx.Double, math.NaN())
			list[0] = w.Where(w.Unsqueeze(absent, 1), nan, list[0])
		}
	} else {
		fills := c.Fill != nil && !c.Required
		if fills || c.Indicator {
			absent = w.Missing(v)
		}
		if fills {
			v = w.Where(absent, w.Number(onnx.Double, *c.Fill), v)
		}
		parts := []onnx.Value{v}
		if c.Kind == data.Date {
			var err error
			if parts, err = w.dateFeatures(c, v); err != nil {
				return nil, err
			}
		}
		for _, part := range parts {
			list = append(list, w.Unsqueeze(part, 1))
		}
	}
	if c.Indicator {
		list = append(list, w.Unsqueeze(w.Cast(absent, onnx.Double), 1))
	}
	return list, nil
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
	for _, text := range slices.Concat(missingTexts, c.Absent) {
		first := min(1, len(text))
		for _, form := range []string{text, strings.ToUpper(text), strings.ToUpper(text[:first]) + text[first:]} {
			add(form, missingCode)
		}
	}
	return w.Places(texts, keys, numbers, unseenCode)
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

// date are the parts of a date, each [rows].
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

// rowDims returns the dimensions [rows]: the value has one number for each row.
func rowDims() []onnx.Dim { return []onnx.Dim{{Name: "rows"}} }
