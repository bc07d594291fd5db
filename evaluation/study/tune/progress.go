package tune

import (
	"math"

	"sml/evaluation/study"
)

// Progress is the progress of a tuning.
type Progress struct {
	Round           int     // number of the round that runs, from 1
	Trials          int     // number of trials of the whole tuning
	EndedTrials     int     // number of trials that earlier rounds have run
	FailedTrainings int     // number of failed trainings of this round
	Fraction        float64 // fraction of the work done, from 0 to 1
	BestScore       float64 // best mean score so far; NaN if there is none
}

// reportRound returns a function that turns the progress of a round's study into the progress of the tuning and reports
// it. It measures work in epochs of one fold. The history has the trials of the round already.
func (r *runner) reportRound(round int, runs []Run) func(study.Progress) {
	ended := len(r.history.Trials) - len(runs)
	repeatsTrials := r.strategy.ChoosesEpochs && round > 1 // with more epochs
	if repeatsTrials {
		ended = len(r.history.Trials)
	}
	roundEpochs := 0
	for _, run := range runs {
		roundEpochs += run.Epochs
	}
	start := Progress{
		Round:       round,
		Trials:      r.Trials,
		EndedTrials: ended,
		BestScore:   r.bestScore(),
	}
	earlierEpochs := float64(r.epochsDone)
	totalEpochs := max(1, r.strategy.TotalEpochs(&r.history))
	return func(s study.Progress) {
		roundFraction := 1.0 // if the round has no work left
		if s.Work > 0 {
			roundFraction = s.Worked / s.Work
		}
		epochs := earlierEpochs + float64(roundFraction*float64(roundEpochs))
		now := start
		now.FailedTrainings = s.Failed
		now.Fraction = min(1, epochs/float64(totalEpochs))
		r.options.Progress(now)
	}
}

// bestScore returns the best mean score so far, or NaN if there is none. Failed trials and trials on lower rungs
// count, too.
func (r *runner) bestScore() float64 {
	best := math.NaN()
	for _, t := range r.history.Trials {
		score := float64(t.Score().Mean)
		isBetter := r.measure.Badness(score) < r.measure.Badness(best)
		if isBetter || math.IsNaN(best) {
			best = score
		}
	}
	return best
}
