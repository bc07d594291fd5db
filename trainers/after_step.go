package trainers

import (
	"errors"
	"fmt"
	"sync"

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

// stepReporter calls Options.AfterStep for one member. A nil stepReporter calls nothing.
type stepReporter struct {
	callback func(StepReport) error
	lock     *sync.Mutex // held during a call; all members share it
	report   StepReport  // the latest report, whose memory each report reuses
}

// newStepReporters returns the reporter of each member. They are nil if there is no callback.
func newStepReporters(o Options, members int, epochs int) []*stepReporter {
	reporters := make([]*stepReporter, members)
	if o.AfterStep == nil {
		return reporters
	}
	lock := new(sync.Mutex)
	for i := range reporters {
		reporters[i] = &stepReporter{
			callback: o.AfterStep,
			lock:     lock,
			report:   StepReport{Member: i, Members: members, Epochs: epochs},
		}
	}
	return reporters
}

// reportStep calls the callback after a step of a member, which is then in state s. rate is the learning
// rate of the step. reportStep returns the reason if the callback stopped the member's training, and nil
// if it goes on. Any other error of the callback is returned as an error.
func (r *stepReporter) reportStep(step *models.Step, s State, rate float64) (stopReason *string, err error) {
	if r == nil {
		return nil, nil
	}
	r.update(step, s, rate)
	r.lock.Lock()
	defer r.lock.Unlock()
	err = r.callback(r.report)
	if err == nil {
		return nil, nil
	}
	var stop *stopError
	if errors.As(err, &stop) {
		return &stop.reason, nil
	}
	return nil, fmt.Errorf("after step %d of member %d, in epoch %d: %w", s.Step, r.report.Member, s.Epoch+1, err)
}

// update writes the results of a step to the report. It reuses the memory of the report's terms, so that
// a step allocates nothing.
func (r *stepReporter) update(step *models.Step, s State, rate float64) {
	r.report.Epoch = s.Epoch + 1
	r.report.Step = s.Step
	r.report.Loss = float64(step.Loss())
	r.report.LearningRate = rate
	r.report.Terms = r.report.Terms[:0]
	for i, name := range step.Terms {
		value := float64(step.Output(1 + i)[0]) // output 0 is the loss
		r.report.Terms = append(r.report.Terms, TermValue{name, value})
	}
}
