package trainers

import (
	"sml/models"
)

// epochLog gathers the row of an epoch in the history.
type epochLog struct {
	steps int
	sums  []float64 // of the loss and of each term, over the steps
}

// add adds the last run of a step.
func (l *epochLog) add(step *models.Step) {
	if l.steps == 0 {
		l.sums = make([]float64, 1+len(step.Terms))
	}
	l.steps++
	for i := range l.sums {
		l.sums[i] += float64(step.Output(i)[0])
	}
}

// values returns the means over the steps.
func (l *epochLog) values() []float64 {
	means := make([]float64, len(l.sums))
	for i, sum := range l.sums {
		means[i] = sum / float64(l.steps)
	}
	return means
}
