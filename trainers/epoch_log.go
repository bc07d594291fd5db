package trainers

import (
	"math"

	"sml/models"
)

// epochLog collects the losses and the watched values of an epoch for its row of the history.
type epochLog struct {
	steps   int            // number of steps so far
	sums    []float64      // of the loss and of each term, over the steps
	watched []valueSummary // of each watched node
}

// valueSummary holds the number, the sum, the minimum and the maximum of values.
type valueSummary struct {
	count    int
	sum      float64
	min, max float64
}

// addStep adds the values of the latest run of a step.
func (l *epochLog) addStep(step *models.Step) {
	if l.steps == 0 {
		l.sums = make([]float64, 1+len(step.Terms))
		l.watched = make([]valueSummary, len(step.Watched))
	}
	l.steps++
	for i := range l.sums {
		l.sums[i] += float64(step.Output(i)[0])
	}
	for i := range l.watched {
		l.watched[i].addValues(step.WatchedValues(i))
	}
}

// addValues adds values to the summary.
func (s *valueSummary) addValues(values []float32) {
	if s.count == 0 {
		s.min = math.Inf(1)
		s.max = math.Inf(-1)
	}
	s.count += len(values)
	for _, value := range values {
		v := float64(value)
		s.sum += v
		s.min = min(s.min, v)
		s.max = max(s.max, v)
	}
}

// historyValues returns the means of the loss and its terms over the steps, and the mean, minimum and
// maximum of each watched node, in the order of historyColumns.
func (l *epochLog) historyValues() []float64 {
	var values []float64
	for _, sum := range l.sums {
		values = append(values, sum/float64(l.steps))
	}
	for _, s := range l.watched {
		values = append(values, s.sum/float64(s.count), s.min, s.max)
	}
	return values
}
