package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation/export/onnx"
)

// Codes of texts that are not among a column's categories.
const (
	unseenCode  = -1 // a text of no training row
	missingCode = -2
)

// networkInputs declares the table's columns as inputs of the file, and returns the prepared and
// standardised inputs of the networks, [rows, inputs] in single precision.
func (w *writer) networkInputs() (onnx.Value, error) {
	columns := w.inputColumns()
	raw := make([]onnx.Value, len(columns))
	for i, c := range columns {
		raw[i] = w.declareColumn(&c)
	}
	w.rows = w.ShapeOf(raw[0]) // every column has the same rows
	var features []onnx.Value  // [rows, 1], or [rows, categories]
	for i, c := range columns {
		columnFeatures, err := w.columnFeatures(&c, raw[i])
		if err != nil {
			return onnx.Value{}, err
		}
		features = append(features, columnFeatures...)
	}
	means, stds := w.model.Inputs.Means(), w.model.Inputs.Stds()
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
	elementType := onnx.Double
	description := "number"
	switch {
	case c.Kind == data.Category:
		elementType = onnx.String
		description = "text"
	case c.Kind == data.Date:
		description = "date, in seconds since 1970 of the local time that is written"
	case c.Percent():
		description = "number, a fraction: 0.5 is 50%"
	}
	switch { // what a missing value is, and whether values may be missing
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

// columnFeatures returns the features of a column in their order: [rows, 1] each, or [rows, categories].
// A missing value that the program's own predictions would refuse becomes NaN, since a file cannot return
// an error.
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
// missing. isMissing has no name if no feature depends on it.
func (w *writer) numberFeatures(c *preparation.Column, v onnx.Value) (features []onnx.Value, isMissing onnx.Value, err error) {
	fills := c.Fill != nil && !c.Required
	if fills || c.Indicator {
		isMissing = w.Missing(v)
	}
	if fills {
		v = w.Where(isMissing, w.Number(onnx.Double, *c.Fill), v)
	}
	if c.Clip != nil {
		low, high := w.Number(onnx.Double, c.Clip.Low), w.Number(onnx.Double, c.Clip.High)
		v = w.Where(w.Compare("Less", v, low), low, w.Where(w.Compare("Greater", v, high), high, v)) // NaN stays
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

// categoryCodes returns the code of each text, [rows]: the index of its category, unseenCode or
// missingCode. Texts must equal a category exactly, with the same capital letters.
func (w *writer) categoryCodes(c *preparation.Column, texts onnx.Value) onnx.Value {
	var keys []string
	var codes []int64
	hasCode := make(map[string]bool)
	add := func(text string, code int64) {
		if hasCode[text] { // a category may be a text such as "none", which then is not missing
			return
		}
		hasCode[text] = true
		keys = append(keys, text)
		codes = append(codes, code)
	}
	for i, category := range c.Categories {
		add(category, int64(i))
	}
	for _, text := range slices.Concat(data.MissingTexts, []string{"NaN", "NaT", "-NaN", "+NaN"}, c.MissingTexts) {
		add(text, missingCode)
		add(strings.ToUpper(text), missingCode)
		first := min(1, len(text)) // end of the first letter; 0 for the empty text
		add(strings.ToUpper(text[:first])+text[first:], missingCode)
	}
	return w.LookUp(texts, keys, codes, unseenCode)
}

// categoryFeatures returns the features of a column of texts from their codes. An ordered column has one
// feature, [rows, 1]: the index of the category, or the middle of all indices for other texts. A column
// without an order has an indicator for each category, [rows, categories], and one more for unseen texts if
// some training rows had rare categories.
func (w *writer) categoryFeatures(c *preparation.Column, codes onnx.Value) onnx.Value {
	if c.Ordered {
		middle := w.Number(onnx.Double, float64(len(c.Categories)-1)/2)
		isCategory := w.Compare("GreaterOrEqual", codes, w.Number(onnx.Int64, 0))
		return w.Unsqueeze(w.Where(isCategory, w.Cast(codes, onnx.Double), middle), 1)
	}
	var featureCodes []float64
	for i := range c.Categories {
		featureCodes = append(featureCodes, float64(i))
	}
	if c.OtherRows > 0 {
		featureCodes = append(featureCodes, unseenCode)
	}
	isEqual := w.Compare("Equal", w.Unsqueeze(codes, 1), w.Numbers(onnx.Int64, []int{1, len(featureCodes)}, featureCodes...))
	return w.Cast(isEqual, onnx.Double)
}

// dateFeatures returns the parts of a date that the column keeps, [rows] each. It returns an error
// if a part cannot be exported.
func (w *writer) dateFeatures(c *preparation.Column, seconds onnx.Value) ([]onnx.Value, error) {
	functions := w.datePartFunctions(seconds, c.FirstDate)
	var parts []onnx.Value
	for _, name := range preparation.DatePartNames() {
		if !slices.Contains(c.DateParts, name) {
			continue
		}
		writePart := functions[name]
		if writePart == nil {
			return nil, fmt.Errorf("column %q: the date part %q cannot be exported; train without it", c.Name, name)
		}
		parts = append(parts, writePart())
	}
	return parts, nil
}

// rowDims returns the dimensions [rows] of a tensor with one number for each row.
func rowDims() []onnx.Dim { return []onnx.Dim{{Name: "rows"}} }
