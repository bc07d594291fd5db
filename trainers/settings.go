package trainers

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Settings control the training of a network. The comment of each field gives the default that
// replaces its zero value.
type Settings struct {
	// KeepWeights makes the training a call of Method.AfterTraining: members keep the weights of Options.Initial, and
	// Epochs is 0.
	KeepWeights bool `json:"keep_weights,omitempty"`

	Epochs       int                    `json:"epochs"`         // number of epochs; default 1000
	Batch        int                    `json:"batch"`          // number of rows of a step; default 100
	LearningRate float64                `json:"learning_rate"`  // default the optimizer's (Optimizer.LearningRate), usually 0.001
	Schedule     models.Schedule        `json:"schedule"`       // factor of the learning rate; default constant
	Optimizer    string                 `json:"optimizer"`      // registered name (package optimizer); default adam
	Adam         models.Hyperparameters `json:"adam,omitempty"` // hyperparameters of the optimizer if it is Adam, by name; default DefaultAdam
	Clip         float64                `json:"clip"`           // maximum Euclidean norm of the gradient; default 0, no maximum
	Decay        float64                `json:"decay"`          // decoupled weight decay; must be 0 if the optimizer has its own (Optimizer.HasOwnDecay); default 0
	Validation   float64                `json:"validation"`     // fraction of the training rows in the validation set, which chooses the best epoch; default 0

	// CrossValidation divides the training rows into as many parts as there are members. Each member holds out two
	// parts as its validation rows, and each part is held out by two members, so that every row is predicted by two
	// members which were not trained on it. Validation is then 2 divided by the number of members.
	//
	// Where rows are held out by their time, half of the members hold out the latest rows (LatestRows), and the others
	// learn from all rows, for the mean number of epochs at which the first were best.
	CrossValidation bool `json:"cross_validation,omitempty"`

	// Bootstrap trains each member on as many rows as there are training rows, drawn with replacement from them. The
	// rows that a member does not draw are its validation rows. Validation is then 1/e, the fraction of many rows
	// that a member is expected not to draw.
	Bootstrap bool `json:"bootstrap,omitempty"`

	// ValidationMeasure is the name of the score of the predicted distributions of the validation rows that takes
	// the place of their loss, lower scores being better. Options.ScoreValidation computes it. The default is "",
	// the loss.
	ValidationMeasure string `json:"validation_measure,omitempty"`

	Average      Average       `json:"average,omitzero"`        // moving average of the weights; default none
	Patience     int           `json:"patience"`                // epochs without a better validation loss before stopping; default 0, never stop
	Members      int           `json:"members"`                 // number of ensemble members; default the method's
	Protocol     data.Protocol `json:"protocol"`                // Paper drops the last partial batch of an epoch, Sound uses it; default Paper
	Seed         uint64        `json:"seed"`                    // seed of all random numbers; default 0
	Split        string        `json:"split"`                   // kind of split of the table; default none
	Fold         int           `json:"fold"`                    // index of the fold; FoldSeed derives the randomness from Split and Fold; default none
	TestFraction float64       `json:"test_fraction,omitempty"` // fraction of held-out rows, for a split that lets it be chosen
	Inner        Inner         `json:"inner,omitzero"`          // inner fold, held out from the training rows; default none

	Calibrate float64 `json:"calibrate,omitempty"` // fraction of the training rows in the calibration set; default 0

	Engine graph.Engine `json:"engine"` // default the first of graph.Engines

	// OptimizerHyperparameters are the optimizer's hyperparameters by name, such as the momentum
	// of sgd. The default is the optimizer's own for each missing name; a name that the
	// optimizer does not have is an error. The hyperparameters of Adam may be here or in Adam;
	// Resolve moves them to Adam.
	OptimizerHyperparameters models.Hyperparameters `json:"optimizer_hyperparameters,omitempty"`

	// ParamGroups sets optimizer, learning rate, decay and turns of parameter groups. Values that
	// are not set default to the method's (Method.ParamGroups), or else to the training's.
	ParamGroups models.ParamGroups `json:"param_groups,omitempty"`
}

// Inner is a fold of a cross-validation inside the training rows of a split. The split's held-out rows
// are in none of its folds.
type Inner struct {
	Folds int `json:"folds"` // number of folds; 0 for no inner cross-validation
	Fold  int `json:"fold"`  // index of the fold, from 0
}

// Ranges of settings. They are wide: values outside of them cannot train a network in float32.
var (
	// Below 1e-6, the elements of a clipped gradient come near Adam's epsilon, which makes steps
	// shorter than the learning rate. Above 1e9, the squares of an unclipped gradient soon
	// overflow.
	clipRange = models.Range{Min: 1e-6, Max: 1e9}

	// A step takes the fraction rate × decay from each weight. Below a decay of 1e-6, float32
	// rounds it away at all usual learning rates; 1000 takes the whole weight at a rate of 0.001.
	decayRange = models.Range{Min: 1e-6, Max: 1000}
)

// factorRange is the range of the factors of the learning rate. The minimum is above 0 because a
// rate of 0 trains nothing; the maximum is 1 because a rising rate starts from a smaller factor.
var factorRange = models.Range{Min: 1e-6, Max: 1}

// checkSchedule returns an error unless s is a valid schedule of the learning rate's factor.
func checkSchedule(s models.Schedule) error {
	_, err := models.ParseSchedule(s.String())
	if err != nil {
		return err
	}
	if s.End == 0 { // a schedule without From and To, such as a constant
		return nil
	}
	for _, v := range []float64{s.From, s.To} {
		if err := checkRange("its factor", v, factorRange); err != nil {
			return fmt.Errorf("schedule %v of the learning rate: %w", s, err)
		}
	}
	return nil
}

// withDefaults returns the settings with defaults in place of zero values, except for the number of
// members and the parameter groups, whose defaults depend on the method. It returns an error if a
// setting is out of range.
func (s Settings) withDefaults() (Settings, error) {
	if s.Epochs == 0 && !s.KeepWeights {
		s.Epochs = 1000
	}
	if s.Batch == 0 {
		s.Batch = 100
	}
	if s.Protocol == "" {
		s.Protocol = data.Paper
	}
	if s.Schedule == (models.Schedule{}) {
		s.Schedule = models.LearningRateSchedules()[0]
	}
	for _, v := range []*float64{&s.Clip, &s.Decay, &s.Validation, &s.Calibrate} {
		*v += 0 // turns −0 into 0, so that equal settings are equal in files
	}
	var err error
	s.Engine, err = graph.ParseEngine(string(s.Engine))
	if err != nil {
		return s, err
	}
	if err := s.chooseOptimizer(); err != nil {
		return s, err
	}
	return s, s.check()
}

// check returns an error if a setting is out of range.
func (s Settings) check() error {
	_, protocolErr := data.ParseProtocol(string(s.Protocol))
	err := cmp.Or(
		protocolErr,
		checkSchedule(s.Schedule),
		s.Average.check(),
		checkRangeOrZero("gradient clipping", s.Clip, clipRange),
		s.checkDecayRange(),
		s.checkDecay(1), // at the learning rate of the settings
		s.checkHeldOut(),
		models.Limits.Batch.Check("batch", s.Batch),
	)
	if err != nil {
		return err
	}
	if s.KeepWeights {
		return s.checkNoEpochs()
	}
	return models.Limits.Epochs.Check("epochs", s.Epochs)
}

// checkNoEpochs returns an error if settings of a training that keeps the weights have epochs, or would stop early.
func (s Settings) checkNoEpochs() error {
	switch {
	case s.Epochs != 0:
		return fmt.Errorf("the training keeps the weights and has %d epochs: choose one of the two", s.Epochs)
	case s.Patience != 0 || s.ValidationMeasure != "" || s.Average != Average{}:
		return errors.New("the training keeps the weights: it has no best epoch, and no average of weights")
	}
	return nil
}

// checkHeldOut returns an error if the fractions of validation and calibration rows or the patience
// are out of range.
func (s Settings) checkHeldOut() error {
	if !(s.Validation >= 0 && s.Validation < 1) {
		return fmt.Errorf("fraction of validation rows is %v: want 0 to less than 1", s.Validation)
	}
	if !(s.Calibrate >= 0 && s.Calibrate < 1) {
		return fmt.Errorf("fraction of calibration rows is %v: want 0 to less than 1", s.Calibrate)
	}
	patience := models.Range{Min: 0, Max: models.Limits.Epochs.Max}
	return patience.Check("patience", s.Patience)
}

// checkPatience returns an error if the settings have a patience, but no validation rows.
func (s Settings) checkPatience() error {
	if s.ValidationMeasure != "" && s.Validation == 0 {
		return fmt.Errorf("the measure %q chooses the best epoch by validation rows: there are none", s.ValidationMeasure)
	}
	if s.Patience > 0 && s.Validation == 0 {
		return fmt.Errorf("patience %d needs a fraction of validation rows, whose loss decides when to stop", s.Patience)
	}
	return nil
}

// RotatesValidation reports whether members hold out different validation rows: whether there is a cross-validation or
// a bootstrap. Rows are then predicted by members that were not trained on them.
func (s Settings) RotatesValidation() bool { return s.CrossValidation || s.Bootstrap }

// CalibratesOnValidation reports whether the ensemble can be calibrated on the validation rows of its members, since
// they rotate and no rows are held out for the calibration.
func (s Settings) CalibratesOnValidation() bool { return s.RotatesValidation() && s.Calibrate == 0 }

// resolveRotation sets the fraction of validation rows that follows from CrossValidation or Bootstrap and the number
// of members. It returns an error if both are set, if there are too few members, or another fraction.
func (s *Settings) resolveRotation() error {
	name := "cross-validation"
	fraction := crossFraction(s.Members)
	switch {
	case !s.RotatesValidation():
		return nil
	case s.CrossValidation && s.Bootstrap:
		return errors.New("a cross-validation and a bootstrap choose different validation rows: choose one of the two")
	case s.Bootstrap:
		name = "bootstrap"
		fraction = bootstrapFraction
	}
	if s.Members < minRotatingMembers {
		return fmt.Errorf("%s needs an ensemble of %d or more members: there are %d", name, minRotatingMembers, s.Members)
	}
	if s.Validation != 0 && s.Validation != fraction {
		return fmt.Errorf("%s with %d members has the fraction %v of validation rows, and not %v: choose one of the two", name, s.Members, fraction, s.Validation)
	}
	s.Validation = fraction
	return nil
}

// minRotatingMembers is the smallest number of members of a cross-validation and of a bootstrap. With so few, a member of
// a cross-validation is trained on half of the rows, and all members of a bootstrap draw a sixth of the rows.
const minRotatingMembers = 4

// bootstrapFraction is the limit of (1 − 1/n)ⁿ, the probability that none of n draws is a given one of n rows.
const bootstrapFraction = 1 / math.E

// crossFraction returns the fraction of the rows that each member of a cross-validation holds out: two of as many
// parts as there are members.
func crossFraction(members int) float64 { return 2 / float64(members) }

// checkDecayRange returns an error if the weight decay is out of range.
func (s Settings) checkDecayRange() error {
	return checkRangeOrZero("weight decay", s.Decay, decayRange)
}

// checkRangeOrZero returns an error that starts with name if v is neither 0 nor in the range r.
func checkRangeOrZero(name string, v float64, r models.Range) error {
	err := checkRange(name, v, r)
	if err != nil && v != 0 {
		return fmt.Errorf("%w, or 0 for none", err)
	}
	return nil
}

// checkLimits returns an error if a training of spec would have too many members, epochs or
// weights, or too large layers.
func (s Settings) checkLimits(spec models.Spec) error {
	if !s.KeepWeights { // the history is empty otherwise
		if err := models.CheckHistory(s.Members, s.Epochs); err != nil {
			return err
		}
	}
	rows := s.Batch
	if s.Validation > 0 {
		rows = max(rows, validationBlock)
	}
	return spec.Architecture.Check(s.Members, rows)
}

// checkSteps returns an error if a training on the given number of rows has too many steps: the
// masks of a step follow from its number, which has 32 bits. The last number is for validation.
func (s Settings) checkSteps(rows int) error {
	steps := float64(s.Epochs) * math.Ceil(float64(rows)/float64(s.Batch))
	if steps >= math.MaxUint32 {
		return fmt.Errorf("%d epochs of %d rows in batches of %d are %.0f steps: want less than %d", s.Epochs, rows, s.Batch, steps, uint32(math.MaxUint32))
	}
	return nil
}
