package trainers

import (
	"math"

	"sml/models"
)

// epochLog gathers the row of an epoch in the history.
type epochLog struct {
	steps   int
	sums    []float64 // of the loss and of each term, over the steps
	watched []summary
}

// summary is the mean, the minimum and the maximum of the values that a watched node had.
type summary struct {
	count    int
	sum      float64
	min, max float64
}

// add adds the last run of a step.
func (l *epochLog) add(step *models.Step) {
	if l.steps == 0 {
		l.sums = make([]float64, 1+len(step.Terms))
		l.watched = make([]summary, len(step.Watched))
	}
	l.steps++
	for i := range l.sums {
		l.sums[i] += float64(step.Output(i)[0])
	}
	for i := range l.watched {
		l.watched[i].add(step.WatchedValues(i))
	}
}

// add adds the values of one step.
func (s *summary) add(values []float32) {
	if s.count == 0 {
		s.min, s.max = math.Inf(1), math.Inf(-1)
	}
	s.count += len(values)
	for _, v := range values {
		s.sum += float64(v)
		s.min, s.max = min(s.min, float64(v)), max(s.max, float64(v))
	}
}

// values returns the means of loss and terms over the steps, and the summaries of watched nodes, in
// the order of historyColumns.
func (l *epochLog) values() []float64 {
	var values []float64
	for _, sum := range l.sums {
		values = append(values, sum/float64(l.steps))
	}
	for _, s := range l.watched {
		values = append(values, s.sum/float64(s.count), s.min, s.max)
	}
	return values
}
