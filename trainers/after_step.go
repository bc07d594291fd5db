package trainers

import (
	"errors"
	"fmt"
	"sync"

	"sml/models"
)

// StepReport describes a step that a member of a training has made.
type StepReport struct {
	Member, Members int     // member from 0
	Epoch, Epochs   int     // epoch from 1
	Step            int     // from 1, counted over all epochs of the member
	Loss            float64 // of the batch, before the weights moved
	LearningRate    float64 // of the step, after the schedule
	Terms           []Term  // of the loss, in its order; valid until the callback returns
}

// Term is a term of a loss by its name, without its weight.
type Term struct {
	Name  string
	Value float64
}

// Stop returns the error with which Options.AfterStep ends the training of a member without a
// failure. The reason becomes part of the result: see Result.Ended.
func Stop(reason string) error { return &stopError{reason} }

// stopError is the error that Stop returns.
type stopError struct{ reason string }

func (e *stopError) Error() string { return "the training was stopped: " + e.reason }

// reporter calls Options.AfterStep for a member. A nil reporter calls nothing.
type reporter struct {
	call func(StepReport) error
	lock *sync.Mutex // held during a call; all members share it
	next StepReport  // with the member and the memory of Terms
}

// newReporters returns the reporter of each member, or a list of nil without a callback.
func newReporters(o Options, members int, epochs int) []*reporter {
	list := make([]*reporter, members)
	if o.AfterStep == nil {
		return list
	}
	lock := new(sync.Mutex)
	for i := range list {
		list[i] = &reporter{
			call: o.AfterStep,
			lock: lock,
			next: StepReport{Member: i, Members: members, Epochs: epochs},
		}
	}
	return list
}

// tell calls the callback after a step of a member in the state s. It returns the reason why
// the callback stopped the training, or nil.
func (r *reporter) tell(step *models.Step, s State, rate float64) (ended *string, err error) {
	if r == nil {
		return nil, nil
	}
	r.next.Epoch, r.next.Step = s.Epoch+1, s.Step
	r.next.Loss, r.next.LearningRate = float64(step.Loss()), rate
	r.next.Terms = r.next.Terms[:0]
	for i, name := range step.Terms {
		r.next.Terms = append(r.next.Terms, Term{name, float64(step.Output(1 + i)[0])})
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if err = r.call(r.next); err == nil {
		return nil, nil
	}
	var stop *stopError
	if errors.As(err, &stop) {
		return &stop.reason, nil
	}
	return nil, fmt.Errorf("after step %d of member %d, in epoch %d: %w", s.Step, r.next.Member, s.Epoch+1, err)
}
