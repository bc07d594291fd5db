package trainers

import (
	"errors"
	"fmt"

	"sml/models"
)

// StepReport describes a step that a member of a training has made.
type StepReport struct {
	Member       int         // index of the ensemble member, from 0
	Members      int         // number of ensemble members
	Epoch        int         // number of the epoch, from 1
	Epochs       int         // number of epochs in the settings
	Step         int         // number of the step, from 1, counted over all epochs of the member
	Loss         float64     // loss of the batch before the weights moved
	LearningRate float64     // learning rate of the step, after the schedule
	Terms        []TermValue // terms of the loss, in its order; valid until the callback returns
}

// TermValue is the value of a term of the loss, before it is multiplied by its weight.
type TermValue struct {
	Name  string
	Value float64
}

// Stop returns the error with which Options.AfterStep ends the training of a member without a
// failure. The reason becomes part of the result: see Result.Ended.
func Stop(reason string) error { return &stopError{reason} }

// stopError is the error that Stop returns.
type stopError struct{ reason string }

func (e *stopError) Error() string { return "the training was stopped: " + e.reason }

// reportStep calls Options.AfterStep, if it is set, after a step of the member with the given learning rate. It returns
// the reason if the callback stopped the member's training, and nil if it goes on. Any other error of the callback is
// returned as an error.
func (m *member) reportStep(step *models.Step, rate float64) (stopReason *string, err error) {
	if m.options.AfterStep == nil {
		return nil, nil
	}
	m.updateReport(step, rate)
	m.reportLock.Lock()
	defer m.reportLock.Unlock()
	err = m.options.AfterStep(m.report)
	if err == nil {
		return nil, nil
	}
	var stop *stopError
	if errors.As(err, &stop) {
		return &stop.reason, nil
	}
	return nil, fmt.Errorf("after step %d of member %d, in epoch %d: %w", m.state.Step, m.index, m.state.Epoch+1, err)
}

// updateReport writes the results of a step to the report. It reuses the memory of the report's terms, so that
// a step allocates nothing.
func (m *member) updateReport(step *models.Step, rate float64) {
	m.report = StepReport{
		Member:       m.index,
		Members:      m.settings.Members,
		Epoch:        m.state.Epoch + 1,
		Epochs:       m.settings.Epochs,
		Step:         m.state.Step,
		Loss:         float64(step.Loss()),
		LearningRate: rate,
		Terms:        m.report.Terms[:0],
	}
	for i, name := range step.Terms {
		value := float64(step.Output(1 + i)[0]) // output 0 is the loss
		m.report.Terms = append(m.report.Terms, TermValue{name, value})
	}
}
