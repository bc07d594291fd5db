package models

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/internal/portable"
)

// Schedule is a number that changes during a training: the weight of a loss term, another
// hyperparameter, or the factor of the learning rate. The zero Schedule stands for a
// default.
type Schedule struct {
	// Shape is linear, cosine (half a wave: slow at both ends) or exponential (equal ratios) for
	// a number that goes from From to To and then stays there. The LearningRateSchedules have
	// other shapes; their From, To and End are 0.
	Shape string

	From, To float64 // of one sign and not 0 if Shape is exponential
	End      float64 // fraction of all steps after which the number is To, above 0, up to 1
}

// Shapes of schedules.
const (
	shapeLinear      = "linear"
	shapeCosine      = "cosine" // also a learning-rate schedule: from 1 to 0, epoch by epoch
	shapeExponential = "exponential"

	shapeConstant = "constant"
	shapeStep     = "step"            // 1, a tenth after half of the epochs, a hundredth after three quarters
	shapeWarmUp   = "warm-up"         // linear from a hundredth to 1 in the first tenth of the steps, then as cosine, step by step
	shapeRestarts = "cosine-restarts" // three half cosines from 1 to 0, each twice as long as the one before, step by step
	shapeCosLog4  = "coslog4"         // four waves between 0 and 1, each longer than the one before
)

// LearningRateSchedules returns the schedules without parameters, for the factor of the learning
// rate. The first is the default.
func LearningRateSchedules() []Schedule {
	return []Schedule{{Shape: shapeConstant}, {Shape: shapeCosine}, {Shape: shapeStep}, {Shape: shapeWarmUp}, {Shape: shapeCosLog4}, {Shape: shapeRestarts}}
}

// ParseSchedule returns the schedule that text describes: SHAPE(FROM,TO,END), such as
// linear(0,1,0.2) for a number that goes from 0 to 1 in the first fifth of the steps; or the name
// of a learning-rate schedule. It returns an error if text is neither.
func ParseSchedule(text string) (Schedule, error) {
	if !strings.Contains(text, "(") {
		return parseScheduleName(text)
	}
	shape, rest, _ := strings.Cut(text, "(")
	list, closed := strings.CutSuffix(rest, ")")
	fields := strings.Split(list, ",")
	s := Schedule{Shape: shape}
	if !closed || len(fields) != 3 || shape != shapeLinear && shape != shapeCosine && shape != shapeExponential {
		return s, fmt.Errorf("schedule %s: want %s", text, scheduleForm)
	}
	for i, number := range []*float64{&s.From, &s.To, &s.End} { // in the order of the text
		v, err := strconv.ParseFloat(strings.TrimSpace(fields[i]), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return s, fmt.Errorf("schedule %s: want %s", text, scheduleForm)
		}
		*number = v + 0 // turns −0 into 0
	}
	switch {
	case !(s.End > 0 && s.End <= 1):
		return s, fmt.Errorf("a schedule ends at %v: want a fraction of the training, above 0 and up to 1", s.End)
	case shape == shapeExponential && !(s.From*s.To > 0):
		return s, fmt.Errorf("an exponential schedule from %v to %v: want two numbers of one sign, neither 0", s.From, s.To)
	}
	return s, nil
}

// scheduleForm describes schedules with parameters, for errors.
const scheduleForm = "a schedule such as linear(0,1,0.2): linear, cosine or exponential, from, to, and the fraction of the training that it takes"

// parseScheduleName returns the learning-rate schedule with that name, or an error if there is
// none.
func parseScheduleName(name string) (Schedule, error) {
	var known []string
	for _, s := range LearningRateSchedules() {
		if s.Shape == name {
			return s, nil
		}
		known = append(known, s.Shape)
	}
	return Schedule{}, fmt.Errorf("unknown schedule %q; want one of %s, or factors such as exponential(1,0.01,1)", name, strings.Join(known, ", "))
}

// isNamed reports whether the schedule has no parameters.
func (s Schedule) isNamed() bool { return s.End == 0 }

// String returns the text that ParseSchedule reads, and "" for the zero Schedule.
func (s Schedule) String() string {
	if s.isNamed() {
		return s.Shape
	}
	return fmt.Sprintf("%s(%v,%v,%v)", s.Shape, s.From, s.To, s.End)
}

// MarshalText returns the text of String.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text of MarshalText.
func (s *Schedule) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Schedule{}
		return nil
	}
	var err error
	*s, err = ParseSchedule(string(text))
	return err
}

// Value returns the scheduled number for the next step.
func (s Schedule) Value(p Position) float64 {
	byEpoch := s.isNamed() && (s.Shape == shapeCosine || s.Shape == shapeStep)
	if byEpoch {
		return s.value(fraction(p.Epoch, p.Epochs))
	}
	return s.value(fraction(p.Step, p.Steps))
}

// fraction returns done/all, and 0 if the number of all is unknown.
func fraction(done, all int) float64 { return float64(done) / float64(max(1, all)) }

// value returns the scheduled number after the fraction done of the training, from 0 to 1.
func (s Schedule) value(done float64) float64 {
	if s.isNamed() {
		return s.learningRateFactor(done)
	}
	done /= s.End
	switch {
	case done >= 1:
		return s.To
	case s.Shape == shapeCosine:
		done = (1 - portable.Cos(math.Pi*done)) / 2
	case s.Shape == shapeExponential:
		return s.From * portable.Exp(float64(done*portable.Log(s.To/s.From)))
	}
	return float64(s.From*(1-done)) + float64(s.To*done)
}

// learningRateFactor returns the factor of a schedule without parameters after the fraction done
// of the training.
func (s Schedule) learningRateFactor(done float64) float64 {
	switch s.Shape {
	case shapeCosine:
		return cosineDecay(done)
	case shapeStep:
		return stepDecay(done)
	case shapeWarmUp:
		return warmUp(done)
	case shapeCosLog4:
		return fourWaves(done)
	case shapeRestarts:
		return cosineRestarts(done)
	}
	return 1
}

// cosineDecay returns a factor that falls from 1 to 0 along half a cosine. Source: Loshchilov and Hutter 2017,
// equation 5, without restarts.
func cosineDecay(done float64) float64 { return (1 + portable.Cos(math.Pi*done)) / 2 }

// stepDecay returns 1 in the first half of the training, 0.1 in the third quarter and 0.01 in the
// last quarter.
func stepDecay(done float64) float64 {
	switch {
	case done >= 0.75:
		return 0.01
	case done >= 0.5:
		return 0.1
	}
	return 1
}

// warmUp returns a factor that rises linearly from 0.01 to 1 in the first tenth of the training,
// and then falls to 0 along half a cosine.
// Source: Goyal et al. 2017, section 2.2.
func warmUp(done float64) float64 {
	rise := 0.1 // fraction of the training; no constant, so that 1 − rise is rounded as float64
	if done < rise {
		return 0.01 + float64(0.99*(done/rise))
	}
	return cosineDecay((done - rise) / (1 - rise))
}

// fourWaves returns a factor that rises from 0 to 1 and falls to 0 four times. Each wave takes twice as many
// steps as the wave before it.
// Source: Holzmüller et al. 2024, schedule coslog4.
func fourWaves(done float64) float64 {
	waves := portable.Log(1+float64(15*done)) / math.Ln2
	return (1 - portable.Cos(2*math.Pi*waves)) / 2
}

// cosineRestarts returns a factor that falls from 1 to 0 along half a cosine three times. Each fall takes twice as
// many steps as the fall before it: a seventh, two sevenths and four sevenths of the training.
// Source: Loshchilov and Hutter 2017, equation 5 and T_mult = 2.
func cosineRestarts(done float64) float64 {
	const falls = 3
	position := 1 + float64(7*done) // from 1 to 8: falls begin at 1, 2 and 4
	start := 1.0                    // position at which the present fall began
	for range falls - 1 {
		if position >= 2*start {
			start *= 2
		}
	}
	return cosineDecay(position/start - 1)
}
