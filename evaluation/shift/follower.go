package shift

import (
	"errors"
	"fmt"
	"math"

	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/internal/strict"
	"sml/models"
)

// Follower adapts intervals to rows that arrive in the order of time, if the target of each row becomes known after the row
// is predicted. It stretches each predicted interval around its median by a factor, which grows after a target outside of
// its interval (missed = 1) and shrinks after a target inside (missed = 0):
//
//	log factor ← log factor + stepSize·(missed − (1 − Coverage))
//
// In the long run, the fraction of missed targets is therefore 1 − Coverage, for rows of any order and distribution: it
// differs by at most (s + stepSize)/(stepSize·n) after n targets, if log factors from −s to s suffice for an interval to
// contain, or to miss, its target.
//
// Sources: Gibbs & Candès (2021), Adaptive conformal inference under distribution shift, adapt the level of a quantile
// of the scores by this rule. Such a level soon exceeds the largest score, which makes intervals infinite. Angelopoulos,
// Candès & Tibshirani (2023), Conformal PID control, section 2.1, adapt the quantile itself, and prove the bound above as
// proposition 1. Here the score of a row is the logarithm of the factor by which its interval reaches the target.
type Follower struct {
	Model    string           `json:"model"`    // checksum of the model and its calibration
	Coverage float64          `json:"coverage"` // wanted fraction of targets inside their intervals
	Rows     int              `json:"rows"`     // number of rows predicted
	Targets  []FollowedTarget `json:"targets"`
}

// FollowedTarget is the state of a Follower for one target.
type FollowedTarget struct {
	Name      string  `json:"name"`
	LogFactor float64 `json:"log_factor"` // natural logarithm of the factor of the next interval; 0 leaves it as predicted
	Known     int     `json:"known"`      // number of rows whose targets were known
	Missed    int     `json:"missed"`     // number of targets outside their intervals
}

// stepSize is the step size of the logarithm of the factor. With a coverage of 0.9 a factor grows by 4.6 % after a
// missed target and shrinks by 0.5 % after a target inside. On exchangeable rows it stays within about 8 % of its best
// value.
const stepSize = 0.05

// maxLogFactor bounds the logarithm of a factor, which is then from 1e-6 to 1e6.
const maxLogFactor = 13.8

// NewFollower returns a follower before the first row.
func NewFollower(model string, coverage float64, targets []string) *Follower {
	f := &Follower{Model: model, Coverage: coverage}
	for _, name := range targets {
		f.Targets = append(f.Targets, FollowedTarget{Name: name})
	}
	return f
}

// ReadFollower returns the follower in a JSON text. It returns an error if the text is no follower, or if its numbers
// contradict each other.
func ReadFollower(text []byte) (*Follower, error) {
	f := new(Follower)
	if err := strict.Unmarshal(text, f); err != nil {
		return nil, err
	}
	switch {
	case f.Model == "":
		return nil, errors.New("it names no model")
	case !(f.Coverage > 0 && f.Coverage < 1):
		return nil, fmt.Errorf("its coverage is %v; want more than 0 and less than 1", f.Coverage)
	case f.Rows < 0:
		return nil, fmt.Errorf("it has followed %d rows; want 0 or more", f.Rows)
	}
	for _, t := range f.Targets {
		inRange := statistics.IsFinite(t.LogFactor) && math.Abs(t.LogFactor) <= maxLogFactor
		inOrder := 0 <= t.Missed && t.Missed <= t.Known && t.Known <= f.Rows
		if !inRange || !inOrder {
			return nil, fmt.Errorf("its target %q has the log factor %v and %d of %d targets outside; want a log factor from %v to %v, and at most as many targets as the %d rows", t.Name, t.LogFactor, t.Missed, t.Known, -maxLogFactor, maxLogFactor, f.Rows)
		}
	}
	return f, nil
}

// Factor returns the factor of the next interval of a target.
func (f *Follower) Factor(target int) float64 { return portable.Exp(f.Targets[target].LogFactor) }

// Adapt returns the prediction of a target in the next row, with its distribution stretched around the median by the
// target's factor.
func (f *Follower) Adapt(p models.Prediction, target int) models.Prediction {
	if f.Targets[target].LogFactor == 0 {
		return p
	}
	factor := f.Factor(target)
	median := p.Quantile(0.5)
	return p.WithDistribution(p.Affine(factor, float64(median*(1-factor))))
}

// Observe changes the factor of a target by its true value y in a row with the given adapted prediction.
func (f *Follower) Observe(adapted models.Prediction, y float64, target int) {
	upper := float64((1 + f.Coverage) / 2) // level of the upper end
	isInside := adapted.Quantile(1-upper) <= y && y <= adapted.Quantile(upper)
	t := &f.Targets[target]
	t.Known++
	missed := 0.0
	if !isInside {
		t.Missed++
		missed = 1
	}
	t.LogFactor += float64(stepSize * (missed - (1 - f.Coverage)))
	t.LogFactor = max(-maxLogFactor, min(maxLogFactor, t.LogFactor))
}
