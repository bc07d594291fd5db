package preparation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// Feature is an input of the network.
type Feature struct {
	Name   string
	Column int  // of Preparation.Columns, that it is made of
	AsIs   bool // it is not standardised, as indicators are not
}

// Features are the inputs of the network, in order.
func (p *Preparation) Features() []Feature {
	if p == nil {
		return nil
	}
	var list []Feature
	for i, c := range p.Columns {
		add := func(name string, asIs bool) { list = append(list, Feature{name, i, asIs}) }
		switch {
		case c.Dropped != "":
			continue
		case c.Kind == data.Category && !c.Ordered:
			for _, l := range c.Levels {
				add(c.Name+"="+l, true)
			}
			if c.Other > 0 {
				add(c.Name+" is another", true)
			}
		case c.Kind == data.Date:
			for _, part := range parts {
				if slices.Contains(c.Parts, part.name) {
					add(c.Name+", "+part.name, part.asIs)
				}
			}
		default:
			add(c.Name, false)
		}
		if c.Indicator {
			add(c.Name+" is missing", true)
		}
	}
	return list
}

// FeatureNames are the names of the features.
func (p *Preparation) FeatureNames() []string {
	var names []string
	for _, f := range p.Features() {
		names = append(names, f.Name)
	}
	return names
}

// Encoder makes features of the rows of one table. It is for one goroutine.
type Encoder struct {
	p       *Preparation
	columns []int       // of the table, for those of the preparation; −1: of no use
	places  [][]float64 // of the table's levels among the preparation's

	Missing, Unseen []int // values of each column of the preparation so far
}

// Encoder prepares rows of a table with these inputs. The error says which are
// lacking; a nil Preparation has no encoder.
func (p *Preparation) Encoder(names []string, fields []data.Field) (*Encoder, error) {
	if p == nil {
		return nil, errors.New("there is no preparation: the inputs are used as they are")
	}
	e := &Encoder{p: p, Missing: make([]int, len(p.Columns)), Unseen: make([]int, len(p.Columns))}
	at := make(map[string]int, len(names))
	for j, name := range names {
		at[name] = j
	}
	for _, c := range p.Columns {
		j, known := at[c.Name]
		if !known {
			j = -1
		}
		var places []float64
		switch {
		case c.Dropped != "":
			j = -1
		case j < 0:
			return nil, fmt.Errorf("the input %q is missing", c.Name)
		case fields != nil && fields[j].Kind != c.Kind, fields == nil && c.Kind != data.Number:
			return nil, fmt.Errorf("the input %q is not a %s, as it was in the training table", c.Name, c.Kind)
		case c.Kind == data.Category:
			places = c.translation(fields[j])
		}
		e.columns, e.places = append(e.columns, j), append(e.places, places)
	}
	return e, nil
}

// Append appends the features of a row, the values of the table's inputs; none of
// them, if there is an error.
func (e *Encoder) Append(dst, row []float64) ([]float64, error) {
	before := len(dst)
	for i := range e.p.Columns {
		c := &e.p.Columns[i]
		if e.columns[i] < 0 {
			continue
		}
		v := row[e.columns[i]]
		missing := math.IsNaN(v)
		if missing && (c.Required || c.Kind != data.Category && c.Fill == nil) {
			return dst[:before], fmt.Errorf("column %q: the value is missing; fill it in", c.Name)
		}
		if missing {
			e.Missing[i]++
		}
		if c.Kind == data.Category {
			place := data.Unseen
			if !missing && v >= 0 {
				place = int(e.places[i][int(v)])
			}
			if !missing && place < 0 {
				e.Unseen[i]++
			}
			dst = c.appendLevel(dst, place, missing)
		} else {
			if missing {
				v = *c.Fill
			}
			if c.Kind == data.Date {
				dst = c.appendDate(dst, v)
			} else {
				dst = append(dst, v)
			}
		}
		if c.Indicator {
			dst = append(dst, indicator(missing))
		}
	}
	return dst, nil
}

// Table returns the table with its inputs prepared, and the encoder that did it; all else
// is the table's own. A nil Preparation returns the table itself, and no encoder.
func (p *Preparation) Table(t *data.Table) (*data.Table, *Encoder, error) {
	if p == nil {
		return t, nil, nil
	}
	e, err := p.Encoder(t.Columns, t.Fields)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if t, err = p.transformed(t); err != nil {
		return nil, nil, err
	}
	if p.identity(t) {
		return t, e, nil
	}
	columns := p.FeatureNames()
	x := make([]float64, 0, t.Rows()*len(columns))
	for r := range t.Rows() {
		if x, err = e.Append(x, t.X[r*len(t.Columns):(r+1)*len(t.Columns)]); err != nil {
			return nil, nil, fmt.Errorf("%s: row %d: %w", t.Name, r+1, err)
		}
	}
	return t.WithInputs(columns, x), e, nil
}

// Inputs returns the names and the fields of the columns with features. Other inputs of a table
// need not be read.
func (p *Preparation) Inputs() (names []string, fields []data.Field) {
	if p == nil {
		return nil, nil
	}
	for _, c := range p.Columns {
		if c.Dropped == "" {
			names, fields = append(names, c.Name), append(fields, c.Field)
		}
	}
	return names, fields
}

// TableColumns returns the names of all inputs of the table that the preparation was fitted on.
func (p *Preparation) TableColumns() []string {
	if p == nil {
		return nil
	}
	var names []string
	for _, c := range p.Columns {
		names = append(names, c.Name)
	}
	return names
}

// Layout returns the layout of a file from which only Inputs are read. of is the layout with all
// inputs of the table; if it is nil or does not fit, Layout returns it unchanged.
func (p *Preparation) Layout(of *data.Layout) *data.Layout {
	if p == nil || of == nil || len(of.Inputs) != len(p.Columns) {
		return of
	}
	l := *of
	l.Inputs = nil
	for i, c := range p.Columns {
		if c.Dropped == "" {
			l.Inputs = append(l.Inputs, of.Inputs[i])
		}
	}
	return &l
}

// identity reports whether the table's inputs are already numbers that the preparation leaves as
// they are.
func (p *Preparation) identity(t *data.Table) bool {
	names, _ := p.Inputs()
	return t.Fields == nil && slices.Equal(names, t.Columns)
}
