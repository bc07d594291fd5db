package trainers

import (
	"fmt"
	"math"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Settings control the training of a network. The comment of each field gives the default that
// replaces its zero value.
type Settings struct {
	Epochs       int             `json:"epochs"`           // number of epochs; default 1000
	Batch        int             `json:"batch"`            // number of rows of a step; default 100
	LearningRate float64         `json:"learning_rate"`    // default the optimizer's (Optimizer.LearningRate), usually 0.001
	Schedule     models.Schedule `json:"schedule"`         // factor of the learning rate; default constant
	Optimizer    string          `json:"optimizer"`        // registered name (package optimizer); default adam
	Adam         Adam            `json:"adam,omitzero"`    // constants of the optimizer if it is Adam; default DefaultAdam
	Clip         float64         `json:"clip"`             // largest norm of the whole gradient; default 0, no bound
	Decay        float64         `json:"decay"`            // decoupled weight decay; must be 0 if the optimizer has its own (Optimizer.HasOwnDecay); default 0
	Validation   float64         `json:"validation"`       // fraction of the training rows in the validation set, which chooses the best epoch; default 0
	Average      Average         `json:"average,omitzero"` // moving average of the weights; default none
	Patience     int             `json:"patience"`         // epochs without a better validation loss before stopping; default 0, never stop
	Members      int             `json:"members"`          // number of ensemble members; default the method's
	Protocol     data.Protocol   `json:"protocol"`         // Paper drops the last partial batch of an epoch, Sound uses it; default Paper
	Seed         uint64          `json:"seed"`
	Split        string          `json:"split"`                // kind of split of the table
	Fold         int             `json:"fold"`                 // index of the fold; FoldSeed derives the randomness from Split and Fold; default none
	TestShare    float64         `json:"test_share,omitempty"` // fraction of held-out rows, for a split that lets it be chosen
	Inner        Inner           `json:"inner,omitzero"`       // inner fold, held out from the training rows; default none

	Calibrate float64 `json:"calibrate,omitempty"` // fraction of the training rows in the calibration set; default 0

	Engine graph.Engine `json:"engine"` // default the first of graph.Engines

	// OptimizerHyperparameters are those of the optimizer by name, such as momentum
	// of sgd: a map, like a method's, since optimizers from outside have others.
	// Default its own for each that is not there; one that it does not have is an
	// error. Adam's may be here or in Adam, and end in Adam.
	OptimizerHyperparameters models.Hyperparameters `json:"optimizer_hyperparameters,omitempty"`

	// ParamGroups sets optimizer, learning rate, decay and turns of groups of parameters. Values
	// that it does not set are the method's (Method.ParamGroups), or else the training's.
	ParamGroups models.ParamGroups `json:"param_groups,omitempty"`
}

// Inner is a fold of a cross-validation inside the rows that a split trains on: the rows
// that the split holds out are in none of its folds.
type Inner struct {
	Folds int `json:"folds"` // 0: there is no such cross-validation
	Fold  int `json:"fold"`  // from 0
}

// Ranges of what optimisation computes with, in float32. They are wide: what
// they leave out cannot train a network.
var (
	// Below 1e-6, the elements of a clipped gradient come near Adam's epsilon,
	// which then makes steps shorter than the learning rate; above 1e9, the
	// squares of a gradient that would be clipped leave float32 soon.
	clipRange = models.Range{Min: 1e-6, Max: 1e9}

	// A step takes the share rate × decay of each weight. Below 1e-6, float32
	// does not see it at any usual rate; a thousand is all of it at 0.001.
	decayRange = models.Range{Min: 1e-6, Max: 1000}
)

// factorRange is the range of the factors of the learning rate. The minimum is above 0 because a
// rate of 0 trains nothing; the maximum is 1 because a rising rate starts from a smaller factor.
var factorRange = models.Range{Min: 1e-6, Max: 1}

// checkSchedule returns an error unless s is a schedule for the factor of the learning rate.
func checkSchedule(s models.Schedule) error {
	if _, err := models.ParseSchedule(s.String()); err != nil || s.End == 0 { // without an end it has no factors
		return err
	}
	for _, v := range []float64{s.From, s.To} {
		if err := checkRange("its factor", v, factorRange); err != nil {
			return fmt.Errorf("schedule %v of the learning rate: %w", s, err)
		}
	}
	return nil
}

// withDefaults fills in what is zero and rejects what is out of range.
func (s Settings) withDefaults() (Settings, error) {
	if s.Epochs == 0 {
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
		*v += 0 // no −0
	}
	var err error
	if _, err = data.ParseProtocol(string(s.Protocol)); err != nil {
		return s, err
	}
	if s.Engine, err = graph.ParseEngine(string(s.Engine)); err != nil {
		return s, err
	}
	if err = checkSchedule(s.Schedule); err != nil {
		return s, err
	}
	if err = s.Average.check(); err != nil {
		return s, err
	}
	if err = s.chooseOptimizer(); err != nil {
		return s, err
	}
	if err := checkRangeOrZero("gradient clipping", s.Clip, clipRange); err != nil {
		return s, err
	}
	if err := s.checkDecayRange(); err != nil {
		return s, err
	}
	if err := s.checkDecay(1); err != nil {
		return s, err
	}
	if !(s.Validation >= 0 && s.Validation < 1) {
		return s, fmt.Errorf("fraction of validation rows is %v: want 0 to less than 1", s.Validation)
	}
	if !(s.Calibrate >= 0 && s.Calibrate < 1) {
		return s, fmt.Errorf("fraction of calibration rows is %v: want 0 to less than 1", s.Calibrate)
	}
	patience := models.Range{Min: 0, Max: models.Limits.Epochs.Max}
	if err := patience.Check("patience", s.Patience); err != nil {
		return s, err
	}
	if s.Patience > 0 && s.Validation == 0 {
		return s, fmt.Errorf("patience %d needs a fraction of validation rows to judge epochs by", s.Patience)
	}
	if err := models.Limits.Batch.Check("batch", s.Batch); err != nil {
		return s, err
	}
	return s, models.Limits.Epochs.Check("epochs", s.Epochs)
}

// checkDecayRange returns an error if the weight decay is out of range.
func (s Settings) checkDecayRange() error {
	return checkRangeOrZero("weight decay", s.Decay, decayRange)
}

// checkRangeOrZero returns an error, which names the number what, if v is neither 0 nor in the range r.
func checkRangeOrZero(what string, v float64, r models.Range) error {
	if err := checkRange(what, v, r); err != nil && v != 0 {
		return fmt.Errorf("%w, or 0 for none", err)
	}
	return nil
}

// checkLimits holds the settings to what a training of spec can have.
func (s Settings) checkLimits(spec models.Spec) error {
	if err := models.CheckHistory(s.Members, s.Epochs); err != nil {
		return err
	}
	rows := s.Batch
	if s.Validation > 0 {
		rows = max(rows, validationBlock)
	}
	return spec.Architecture.Check(s.Members, rows)
}

// checkSteps bounds the steps of a training on so many rows: a step's number
// decides its masks, and is one of 32 bits, the last of them for validation.
func (s Settings) checkSteps(rows int) error {
	steps := float64(s.Epochs) * math.Ceil(float64(rows)/float64(s.Batch))
	if steps >= math.MaxUint32 {
		return fmt.Errorf("%d epochs of %d rows in batches of %d are %.0f steps: want less than %d", s.Epochs, rows, s.Batch, steps, uint32(math.MaxUint32))
	}
	return nil
}
