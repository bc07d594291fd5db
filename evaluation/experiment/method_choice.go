package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation/calibrate"
	"sml/models"
	"sml/trainers"
)

// Quantile networks that TrainBetter compares with the default ensemble: see docs/explanation/accuracy.md.
const (
	quantileMethod = "quantiles"
	quantileLevels = "0.01,0.025,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,0.975,0.99"

	// Larger tables have no comparison: a second training takes minutes, and it needs a second copy of the prepared table.
	maxComparedRows = 20_000

	// Quantile networks are chosen if they lower the CRPS of held-out rows by this fraction. Smaller differences are noise:
	// on the study's tables, new rows did not repeat them.
	minGain = 0.01
)

// Alternative returns the chosen settings with quantile networks in place of the recipe's method, and whether TrainBetter
// compares the two. complete is the result of Complete and Resolve for the chosen settings. Unless chosen, the targets of
// quantile networks have no transform: the CRPS is a mean of pinball losses in the target's unit.
func (r Recipe) Alternative(chosen, complete Settings) (Settings, bool) {
	hasDefaultMethod := chosen.Spec.Method == tableMethod && len(chosen.Spec.Hyperparameters) == 0 // these belong to one method
	if !r.isForTable || !hasDefaultMethod || !complete.isComparable() {
		return Settings{}, false
	}
	alternative := chosen
	alternative.Spec.Method = quantileMethod
	alternative.Spec.Hyperparameters = models.Hyperparameters{"levels": quantileLevels}
	alternative.Training.Members = complete.Training.Members
	alternative.chosen = append(slices.Clip(chosen.chosen), "members")
	alternative.Table.Transform = cmp.Or(chosen.Table.Transform, preparation.None)
	return alternative, true
}

// isComparable reports whether a training with these complete settings is compared with quantile networks: one target of a
// table that is not too large, default calibration and choice of epochs, and weights that start at random.
func (s Settings) isComparable() bool {
	defaultCalibration := calibrate.Options{Kind: calibrate.DefaultKind(false), Coverage: calibrate.DefaultCoverage}
	return s.Training.Protocol != data.Paper &&
		s.Training.ValidationMeasure == validationCRPS &&
		s.Calibration == defaultCalibration &&
		s.Spec.Architecture.Targets == 1 &&
		s.Table.Rows <= maxComparedRows &&
		s.InitFrom == ""
}

// MethodChoice says which of two methods a training has chosen by held-out rows: the default ensemble, or quantile
// networks, which are trained if the residuals of the ensemble are skewed or heavy-tailed.
type MethodChoice struct {
	Method   string           `json:"method"` // chosen method
	Networks int              `json:"networks"`
	Tails    *calibrate.Tails `json:"residuals,omitempty"` // of the ensemble; nil if too few rows tell

	// CRPS of held-out rows by the ensemble and by quantile networks, in the target's unit. A calibration of other rows
	// calibrates each row. nil unless quantile networks were trained.
	CRPS         *float64 `json:"held_out_crps,omitempty"`
	QuantileCRPS *float64 `json:"held_out_crps_quantiles,omitempty"`
}

// ComparesMethods reports whether quantile networks are trained, because the residuals are skewed or heavy-tailed.
func (c MethodChoice) ComparesMethods() bool {
	return c.Tails != nil && (c.Tails.IsSkewed() || c.Tails.IsHeavy())
}

// String returns the choice with its reason, in one line.
func (c MethodChoice) String() string {
	chosen := fmt.Sprintf("%s of %d networks", c.Method, c.Networks)
	if c.Tails == nil {
		return chosen + ", since too few held-out rows tell how skewed the residuals are"
	}
	residuals := c.describeResiduals()
	switch {
	case !c.ComparesMethods():
		return fmt.Sprintf("%s, since %s", chosen, residuals)
	case c.QuantileCRPS == nil:
		return fmt.Sprintf("%s: %s, but the training of quantile networks diverged", chosen, residuals)
	case c.Method == quantileMethod:
		return fmt.Sprintf("%s, since %s and held-out CRPS is %.4g in place of %.4g",
			chosen, residuals, *c.QuantileCRPS, *c.CRPS)
	}
	return fmt.Sprintf("%s: %s, but quantile networks do not lower the held-out CRPS by %v %%: %.4g in place of %.4g",
		chosen, residuals, 100*minGain, *c.QuantileCRPS, *c.CRPS)
}

// describeResiduals says whether the residuals are skewed or heavy-tailed, with the numbers that tell.
func (c MethodChoice) describeResiduals() string {
	skewness := float64(c.Tails.Skewness)
	weight := c.Tails.Weight
	switch {
	case c.Tails.IsSkewed():
		return fmt.Sprintf("residuals are skewed (%.2f, above %v)", math.Abs(skewness), calibrate.MaxSkewness)
	case c.Tails.IsHeavy():
		return fmt.Sprintf("residuals are heavy-tailed (weight %.2f, above %v)", weight, calibrate.MaxTailWeight)
	}
	return fmt.Sprintf("residuals have a skewness of %.2f, at most %v, and a tail weight of %.2f, at most %v",
		skewness, calibrate.MaxSkewness, weight, calibrate.MaxTailWeight)
}

// TrainBetter trains as Train does. If the residuals of held-out rows are skewed or heavy-tailed, it also trains the
// alternative, which has the rows and the members of e, and returns its model if this lowers the CRPS of held-out rows by
// minGain. optionsOfAlternative is called before the second training.
func (e *Experiment) TrainBetter(ctx context.Context, alternative *Experiment, o trainers.Options, optionsOfAlternative func() (trainers.Options, error)) (*Trained, error) {
	if !slices.Equal(e.Rows.Train, alternative.Rows.Train) || !slices.Equal(e.Rows.Calibration, alternative.Rows.Calibration) {
		return nil, errors.New("two methods are compared on the same rows, and their trainings have different rows")
	}
	if err := alternative.checkMemory(o); err != nil {
		return nil, err
	}
	first, err := e.Train(ctx, o)
	if err != nil {
		return nil, err
	}
	tails, isKnown := first.heldOut.calibration.Tails()
	if !isKnown {
		return first.chosen(MethodChoice{}), nil
	}
	choice := MethodChoice{Tails: &tails}
	if !choice.ComparesMethods() {
		return first.chosen(choice), nil
	}
	o, err = optionsOfAlternative()
	if err != nil {
		return nil, err
	}
	second, err := alternative.Train(ctx, o)
	var diverged *trainers.DivergedError
	if errors.As(err, &diverged) {
		return first.chosen(choice), nil
	}
	if err != nil {
		return nil, err
	}
	return choice.better(first, second)
}

// better returns the second model if it lowers the CRPS of held-out rows by minGain, otherwise the first.
func (c MethodChoice) better(first, second *Trained) (*Trained, error) {
	crps, err := first.heldOut.crps()
	if err != nil {
		return nil, err
	}
	other, err := second.heldOut.crps()
	if err != nil {
		return nil, err
	}
	c.CRPS = &crps
	c.QuantileCRPS = &other
	if other < crps-float64(minGain*crps) {
		return second.chosen(c), nil
	}
	return first.chosen(c), nil
}

// chosen returns the model with the choice that led to it.
func (t *Trained) chosen(c MethodChoice) *Trained {
	c.Method = t.Method
	c.Networks = len(t.Members)
	t.Choice = &c
	t.Model.Choice = encodeJSON(c)
	return t
}

// heldOutRows are the rows that a model is calibrated on, with their predictions.
type heldOutRows struct {
	rows        calibrate.Rows
	calibration *calibrate.Calibration
}

// crps returns the CRPS of the rows, each calibrated by a calibration of other rows.
func (h *heldOutRows) crps() (float64, error) {
	return calibrate.CrossCRPS(h.rows, h.calibration.Options)
}
