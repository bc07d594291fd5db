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

// roundProgress turns the progress of a round's study into the progress of the tuning. It counts work in epochs
// of one fold.
type roundProgress struct {
	start         Progress       // progress at the begin of the round
	earlierEpochs float64        // epochs of the earlier rounds
	roundEpochs   float64        // epochs of this round
	totalEpochs   float64        // epochs of all rounds
	callback      func(Progress) // called with the progress of the tuning
}

// newRoundProgress returns the progress at the begin of a round, whose trials addTrials has added.
func (r *runner) newRoundProgress(round int, runs []Run) *roundProgress {
	ended := len(r.history.Trials) - len(runs)
	if r.strategy.ChoosesEpochs && round > 1 {
		ended = len(r.history.Trials) // the round trains earlier trials again
	}
	roundEpochs := 0
	for _, run := range runs {
		roundEpochs += run.Epochs
	}
	return &roundProgress{
		start: Progress{
			Round:       round,
			Trials:      r.Trials,
			EndedTrials: ended,
			BestScore:   r.bestScore(),
		},
		earlierEpochs: float64(r.epochsDone),
		roundEpochs:   float64(roundEpochs),
		totalEpochs:   float64(max(1, r.strategy.TotalEpochs(&r.history))),
		callback:      r.options.Progress,
	}
}

// report reports the progress of the tuning, given the progress of the round's study.
func (p *roundProgress) report(s study.Progress) {
	roundFraction := 1.0
	if s.Work > 0 {
		roundFraction = s.Worked / s.Work
	}
	epochs := p.earlierEpochs + float64(p.roundEpochs*roundFraction)
	progress := p.start
	progress.FailedTrainings = s.Failed
	progress.Fraction = min(1, epochs/p.totalEpochs)
	p.callback(progress)
}

// bestScore returns the best mean score so far, or NaN if there is none. Failed trials and trials on lower rungs
// count, too.
func (r *runner) bestScore() float64 {
	best := math.NaN()
	for _, t := range r.history.Trials {
		if len(t.Rungs) == 0 {
			continue
		}
		if score := float64(t.Score().Mean); !r.isBetter(best, score) {
			best = score
		}
	}
	return best
}

// isBetter reports whether score a is better than score b. A number is better than NaN.
func (r *runner) isBetter(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(b) && !math.IsNaN(a)
	}
	return r.measure.Badness(a) < r.measure.Badness(b)
}
