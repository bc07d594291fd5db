package models

import (
	"strings"

	"sml/data"
	"sml/internal/portable"
)

// TypicalTarget returns the scaler of the targets that Spec.TypicalInput returns. Numbers with a limited
// support, such as counts, are standardised as in a training; other numbers and classes are not.
func (s Spec) TypicalTarget() data.Scaler {
	if m, err := Lookup(s.Method); err == nil && m.Support != Reals {
		// The standardised value of a count is never the count itself, so that a check notices an
		// objective that confuses them.
		return data.Scaler{Mean: 1, Std: 0.25}
	}
	return data.Scaler{Std: 1}
}

// TypicalInput returns a plausible value for element i of an input of a training graph, made from a
// random number drawn from N(0, 1), for checks of objectives:
//
//   - the drawn number for x and other standardised inputs;
//   - a class, or a number in the method's support, for y;
//   - 0 or 1 for a column of the table, and a number between 0.5 and 2 for a row weight;
//   - the value in the middle of a training of 1000 rows and 1000 steps for the position of the
//     training, and for scheduled hyperparameters.
func (s Spec) TypicalInput(input string, i int, drawn float64) float64 {
	const steps, rows = 1000, 1000 // of an invented training
	hyperparameter, isScheduled := strings.CutPrefix(input, scalarPrefix)
	switch {
	case isScheduled:
		schedule, err := ParseSchedule(s.Hyperparameters.Text(hyperparameter))
		if err != nil {
			return drawn
		}
		return schedule.value(0.5)
	case strings.HasPrefix(input, frozenPrefix): // a factor or shift between the units of two models
		return 1
	case strings.HasPrefix(input, columnPrefix):
		if drawn > 0 {
			return 1
		}
		return 0
	}
	switch input {
	case InputY:
		return s.typicalY(drawn)
	case inputYMean:
		return s.TypicalTarget().Mean
	case inputYStd:
		return s.TypicalTarget().Std
	case inputXRange:
		return typicalRange
	case InputWeight:
		return 0.5 + float64(1.5*portable.NormalCDF(drawn)) // the CDF is between 0 and 1
	case inputStep:
		return steps / 2
	case inputProgress:
		return 0.5
	case inputRows:
		return rows
	}
	return drawn // InputX, and inputs of predictions
}

// typicalY returns a target of the method, standardised by TypicalTarget.
func (s Spec) typicalY(drawn float64) float64 {
	m, err := Lookup(s.Method)
	if err != nil {
		return drawn
	}
	scaler := s.TypicalTarget()
	return (s.typicalTarget(m, drawn) - scaler.Mean) / scaler.Std
}
