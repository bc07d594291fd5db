package fetch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sml/data"
	"sml/internal/statistics"
)

// converter appends the samples of a file to a table.
type converter struct {
	ctx    context.Context
	file   File
	set    data.Dataset
	table  *data.Table
	values []float64 // scratch memory for the numbers of one sample
}

// checkNames returns an error unless the file has the expected column names, apart from case and
// punctuation. It does not compare fields that have no name in File.Fields, and nothing if the file is not Named.
func (c *converter) checkNames(names []string) error {
	if !c.file.Named {
		return nil
	}
	var wantNames, gotNames []string
	for i, name := range c.file.Fields {
		if name != "" && i < len(names) {
			wantNames = append(wantNames, normalizeName(name))
			gotNames = append(gotNames, normalizeName(names[i]))
		}
	}
	if len(names) < len(c.file.Fields) || !slices.Equal(wantNames, gotNames) {
		return fmt.Errorf("its columns are %s; want %s", quoteNames(names), strings.Join(c.file.Fields, ", "))
	}
	return nil
}

// normalizeName returns the letters and digits of a name in lower case.
func normalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// contextCheckLines is the number of lines after which addSample looks whether the context ended.
const contextCheckLines = 1000

// addSample appends a sample to the table. line is the number of the line or row where the sample
// ends, from 1. It does not keep the fields. Empty fields may follow the sample's fields, as in spreadsheets.
func (c *converter) addSample(line int, fields []string) error {
	if c.table.Rows() == c.set.Rows {
		return fmt.Errorf("it has more than the %d samples of %s", c.set.Rows, c.set.Name)
	}
	if line%contextCheckLines == 0 && c.ctx.Err() != nil { // rarely, since it takes time
		return c.ctx.Err()
	}
	fieldCount := len(c.file.Fields)
	if len(fields) < fieldCount || !isBlank(fields[fieldCount:]) {
		return fmt.Errorf("line %d has %d fields; want %d", line, len(fields), fieldCount)
	}
	if err := c.parseFields(line, fields); err != nil {
		return err
	}
	inputs := c.set.Features
	sample := c.values // the inputs, then the target
	if c.file.Derive != nil {
		sample = c.file.Derive(c.values)
		isFinite := !slices.ContainsFunc(sample, func(v float64) bool { return !statistics.IsFinite(v) })
		if !isFinite || len(sample) != inputs+1 {
			return fmt.Errorf("line %d: want %d finite values derived from it, not %v", line, inputs+1, sample)
		}
	}
	c.table.X = append(c.table.X, sample[:inputs]...)
	c.table.Y = append(c.table.Y, sample[inputs])
	return nil
}

// parseFields sets c.values to the numbers of the named fields, in the order of the file. Unless the sample is derived from
// them, it moves the target to the end.
func (c *converter) parseFields(line int, fields []string) error {
	c.values = c.values[:0]
	target := -1 // index of the target in c.values; stays -1 only if the sample is derived
	for i, name := range c.file.Fields {
		if name == "" {
			continue
		}
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || !statistics.IsFinite(v) {
			return fmt.Errorf("line %d, field %d (%s): %.40q is not a finite number", line, i+1, name, fields[i])
		}
		if name == c.set.Target {
			target = len(c.values)
		}
		c.values = append(c.values, v)
	}
	if c.file.Derive == nil {
		v := c.values[target]
		c.values = append(slices.Delete(c.values, target, target+1), v)
	}
	return nil
}

// isBlank reports whether all fields are empty.
func isBlank(fields []string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool { return field != "" })
}
