package trainers

import (
	"sml/data"
	"sml/models"
)

// Model returns the trained model of a table's columns, inputs standardised by
// x and targets by y.
func (r *Result) Model(spec models.Spec, t *data.Table, x, y data.Scaler) *models.Model {
	return &models.Model{
		Spec: spec, Inputs: Columns(t.Columns, x), Targets: Columns(t.Targets, y), Members: r.Members, History: r.History,
	}
}

// Columns pairs the names of columns with the scale that they are
// standardised by, as a model keeps them.
func Columns(names []string, s data.Scaler) []models.Column {
	list := make([]models.Column, len(names))
	for i, name := range names {
		list[i] = models.Column{Name: name, Mean: s.Mean[i], Std: s.Std[i]}
	}
	return list
}

// Scaler returns the scale of a model's columns.
func Scaler(columns []models.Column) data.Scaler {
	var s data.Scaler
	for _, c := range columns {
		s.Mean = append(s.Mean, c.Mean)
		s.Std = append(s.Std, c.Std)
	}
	return s
}
