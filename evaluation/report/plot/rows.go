package plot

import (
	"math"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/preparation"
	"sml/models"
)

// Rows has the predictions of one target for some rows and the true values, in the target's unit.
type Rows struct {
	Name   string // name of the model or the method
	Target string // name of the target's column

	Raw        *measure.Column // predictions before calibration
	Calibrated *measure.Column // nil if the model has no calibration

	Inputs []input // input columns of the table, in the units of its file; nil if unknown

	Model    *experiment.Model   // model with its history; nil if unknown
	Number   int                 // index of the target in Model.Targets
	Sampling evaluation.Sampling // settings with which the rows were predicted

	stdParts []stdPart // parts of the standard deviation of predictions()
}

// input is an input column of a table.
type input struct {
	Name  string
	Field data.Field
	At    func(row int) float64 // value of a row, in the unit of the file; NaN if it is missing
}

// stdPart is one part of the standard deviation, such as the aleatoric part.
type stdPart struct {
	name   string
	values []float64 // value of each row, in the target's unit
}

// NewRows returns Rows for each target of the model m. t is the table as it was read, and numbers lists
// the rows of t that were predicted; nil means all rows. raw has their predictions before calibration,
// computed with the settings s. NewRows returns an error if the true values or predictions cannot be
// converted to the target's unit.
func NewRows(m *experiment.Model, t *data.Table, numbers []int, raw *evaluation.Predictions, s evaluation.Sampling, protocol data.Protocol) ([]*Rows, error) {
	calibrate, err := m.Calibrator(t, numbers) // nil if the model has no calibration
	if err != nil {
		return nil, err
	}
	final := raw
	if calibrate != nil {
		final = calibrate(raw)
	}
	title := m.Method
	method, err := models.Lookup(m.Method)
	if err == nil { // otherwise the method is not registered here, and has no title
		title = method.Title
	}
	truth := m.Truth(t, numbers)
	inputs := usedInputs(m.Preparation, t, numbers)
	var targets []*Rows
	for number, column := range m.Targets {
		r := &Rows{
			Name:     title,
			Target:   column.Name,
			Inputs:   inputs,
			Model:    m,
			Number:   number,
			Sampling: s,
			stdParts: stdParts(final, truth, number),
		}
		r.Raw, err = raw.InUnit(truth, number, protocol)
		if err != nil {
			return nil, err
		}
		if calibrate != nil {
			r.Calibrated, err = final.InUnit(truth, number, protocol)
			if err != nil {
				return nil, err
			}
		}
		targets = append(targets, r)
	}
	return targets, nil
}

// stdParts returns the parts of the standard deviation of one target's predictions, in the target's
// unit. It returns an empty list if the method does not separate the standard deviation into parts.
func stdParts(p *evaluation.Predictions, truth evaluation.Truth, target int) []stdPart {
	unit := truth.Unit(target)
	parts := make([]stdPart, len(p.Components))
	for i := target; i < len(p.Values); i += p.Targets { // p.Values has the targets of a row side by side
		prediction := unit.Convert(p.Values[i])
		for k, name := range p.Components {
			parts[k].name = name
			parts[k].values = append(parts[k].values, prediction.Components[k])
		}
	}
	return parts
}

// usedInputs returns the input columns that the preparation uses, or all of them if p is nil.
// numbers[i] is the index in t of the drawn row i; nil means that all rows are drawn.
func usedInputs(p *preparation.Preparation, t *data.Table, numbers []int) []input {
	var inputs []input
	for column, name := range t.Columns {
		if !isUsed(p, name) {
			continue
		}
		in := input{Name: name, Field: data.Field{Kind: data.Number}}
		if t.Fields != nil {
			in.Field = t.Fields[column]
		}
		in.At = func(row int) float64 {
			if numbers != nil {
				row = numbers[row]
			}
			return t.X[row*len(t.Columns)+column]
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// isUsed reports whether the preparation makes a feature of the column. Without a preparation, all
// columns are features.
func isUsed(p *preparation.Preparation, column string) bool {
	if p == nil {
		return true
	}
	for _, c := range p.Columns {
		if c.Name == column {
			return c.Dropped == ""
		}
	}
	return false
}

// predictions returns the calibrated predictions, or the raw predictions if the model has no
// calibration.
func (r *Rows) predictions() *measure.Column {
	if r.Calibrated != nil {
		return r.Calibrated
	}
	return r.Raw
}

// versions returns the raw predictions and, if the model has a calibration, the calibrated ones.
func (r *Rows) versions() []*measure.Column {
	if r.Calibrated != nil {
		return []*measure.Column{r.Raw, r.Calibrated}
	}
	return []*measure.Column{r.Raw}
}

// describeVersions returns a note that applies describe to each version of the predictions.
func (r *Rows) describeVersions(describe func(*measure.Column) string) string {
	if r.Calibrated == nil {
		return "Here: " + describe(r.Raw) + "."
	}
	return "Raw: " + describe(r.Raw) + ". Calibrated: " + describe(r.Calibrated) + "."
}

// maxSquarable is the largest number that plots square. The square of a larger number, or a sum of such
// squares, may overflow a float64.
const maxSquarable = 1e150

// tooLarge is the reason why a plot is left out if canSquare returns false.
const tooLarge = "some numbers are larger than 1e150"

// canSquare reports whether all predictions and targets are small enough to be squared.
func canSquare(c *measure.Column) bool {
	for _, values := range [][]float64{c.Mean, c.Std, c.Y} {
		for _, v := range values {
			if math.Abs(v) > maxSquarable {
				return false
			}
		}
	}
	return true
}

// absoluteErrors returns |target − mean| of each row.
func absoluteErrors(c *measure.Column) []float64 {
	errors := make([]float64, len(c.Y))
	for row := range errors {
		errors[row] = math.Abs(c.Y[row] - c.Mean[row])
	}
	return errors
}

// sortRows returns the numbers of the rows, sorted by their keys, the smallest first. Rows with
// equal keys keep their order.
func sortRows(keys []float64) []int {
	rows := make([]int, len(keys))
	for row := range rows {
		rows[row] = row
	}
	slices.SortStableFunc(rows, func(a, b int) int { return compare(keys[a], keys[b]) })
	return rows
}

// compare returns -1 if a < b, 1 if a > b, and otherwise 0. Other than cmp.Compare, it returns 0 if a or
// b is NaN.
func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// rowWeight returns the weight of a row, or 1 if rows have no weights.
func rowWeight(c *measure.Column, row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}

// effectiveRows returns Kish's effective sample size, rounded: the number of equally weighted rows whose
// mean has the same variance as the mean of rows with the given sum of weights and sum of squared
// weights. It is (Σw)²/Σw² (Kish 1965, Survey Sampling).
func effectiveRows(weightSum, squareSum float64) int {
	if squareSum == 0 {
		return 0
	}
	return int(weightSum*weightSum/squareSum + 0.5)
}
