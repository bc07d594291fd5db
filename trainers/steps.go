package trainers

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

// compiledStep returns the compiled objective in steps for batches with the given number of rows. It compiles the
// objective by build at the first call with this number.
func (m *member) compiledStep(steps map[int]*models.Step, rows int, build func(graph.Engine, *graph.Params, int) (*models.Step, error)) (*models.Step, error) {
	if s, ok := steps[rows]; ok {
		return s, nil
	}
	s, err := build(m.settings.Engine, m.params, rows)
	if err != nil {
		return nil, err
	}
	steps[rows] = s
	return s, m.prepareStep(s)
}

// trainingStep returns the compiled objective for batches with the given number of rows.
func (m *member) trainingStep(rows int) (*models.Step, error) {
	return m.compiledStep(m.trainingSteps, rows, m.spec.NewStep)
}

// evaluationStep returns the compiled objective for the given number of rows that are not trained on. It
// differs from the training step only if the network has buffers, such as the running statistics of
// batch normalisation: it reads them, and does not update them.
func (m *member) evaluationStep(rows int) (*models.Step, error) {
	hasBuffers := slices.ContainsFunc(m.params.List(), func(p graph.Param) bool { return p.Buffer })
	if !hasBuffers {
		return m.trainingStep(rows)
	}
	return m.compiledStep(m.evaluationSteps, rows, m.spec.NewEvaluation)
}

// prepareStep sets the scalers and the workers of a new step.
func (m *member) prepareStep(s *models.Step) error {
	if err := m.setScalers(s); err != nil {
		return err
	}
	if m.pool == nil {
		return nil
	}
	return s.UsePool(m.pool)
}

// setScalers sets the scalers by which the step's columns are standardised, and the ranges of the
// inputs.
func (m *member) setScalers(s *models.Step) error {
	if s.InputRange != nil && m.source != nil {
		return fmt.Errorf("method %s reads the range of each input over all training rows, and a source of rows has none: train on a table", m.spec.Method)
	}
	if s.InputRange != nil {
		m.fillInputRange(s.InputRange)
	}
	return s.Scale(m.rows.XScale, m.rows.YScale)
}

// fillInputRange writes the difference of the largest and the smallest value of each input, over all
// rows of the training, in standard deviations.
func (m *member) fillInputRange(ranges []float32) {
	inputs := len(ranges)
	for i := range ranges {
		smallest := math.Inf(1)
		largest := math.Inf(-1)
		for _, row := range m.rows.RowNumbers(inputs) {
			x := m.rows.X[int(row)*inputs+i]
			smallest = min(smallest, x)
			largest = max(largest, x)
		}
		std := 1.0
		if m.rows.XScale != nil {
			std = m.rows.XScale[i].Std
		}
		ranges[i] = float32((largest - smallest) / std)
	}
}
