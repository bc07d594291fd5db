package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
	"sml/trainers"
	"sml/trainers/optimizer"
)

// The settings of every program. To add one, add its entry and the code that uses the
// field of Settings which it sets.
func init() {
	registerPart("training", stepSettings())
	registerPart("training", optimizerSettings())
	registerPart("training", stoppingSettings())
	registerPart("network", networkSettings())
	registerPart("prediction", predictionSettings())
	registerPart("calibration", calibrationSettings())
}

// registerPart registers the settings of one part of a training, such as "network".
func registerPart(part string, list []Setting) {
	for _, s := range list {
		s.Part = part
		RegisterSetting(s)
	}
}

// constantNote returns a Setting.DefaultNote that is always the same text.
func constantNote(text string) func() string { return func() string { return text } }

// tableNote returns a Setting.DefaultNote for a setting with another default in the sound trainings
// on a table without a registered recipe: see tableDefaults.
func tableNote(usual, ownTable string) func() string {
	return constantNote(usual + "; " + ownTable + " for your own table")
}

// recipeNote is the DefaultNote of the settings that a Recipe chooses.
const recipeNote = "the paper's for its data sets, otherwise chosen by the number of rows"

// stepSettings returns the settings of the number and size of the training's steps.
func stepSettings() []Setting {
	return []Setting{
		wholeSetting(func(s *Settings) *int { return &s.Training.Epochs }, Setting{
			Key:           "epochs",
			Help:          "train for this `NUMBER` of epochs",
			Range:         models.Limits.Epochs,
			ZeroIsDefault: true,
			DefaultNote:   constantNote(recipeNote),
			Saved:         "epochs",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Training.Batch }, Setting{
			Key:           "batch",
			Help:          "update the weights after every `NUMBER` of rows",
			Range:         models.Limits.Batch,
			ZeroIsDefault: true,
			DefaultNote:   constantNote(recipeNote),
			Saved:         "batch",
		}),
		numberSetting(func(s *Settings) *float64 { return &s.Training.LearningRate }, Setting{
			Key:           "lr",
			Help:          "set the learning `RATE`",
			ZeroIsDefault: true,
			DefaultNote:   describeLearningRates,
			Saved:         "learning_rate",
		}),
		encodedSetting(func(s *Settings) textField { return &s.Training.Schedule }, Setting{
			Key:     "schedule",
			Help:    "change the learning rate over the steps by `SCHEDULE`, a name or factors such as \"exponential(1,0.01,1)\"",
			Kind:    Phrase,
			Choices: scheduleNames,
			Default: models.LearningRateSchedules()[0].String(),
			Saved:   "schedule",
		}),
	}
}

// optimizerSettings returns the settings of the rule that updates the weights.
func optimizerSettings() []Setting {
	return []Setting{
		{
			Key:     "optimizer",
			Help:    "update the weights with `OPTIMIZER`, a name with hyperparameters as in \"sgd momentum=0.5\"",
			Kind:    Phrase,
			Set:     setOptimizer,
			Get:     fieldGetter(func(s *Settings) *string { return &s.Training.Optimizer }),
			Choices: optimizer.Names,
			Default: defaultOptimizer,
			Saved:   "optimizer",
		},
		numberSetting(func(s *Settings) *float64 { return &s.Training.Clip }, Setting{
			Key:     "clip",
			Help:    "scale gradients with a larger norm down to this `NORM`; 0 for no bound",
			Default: "0",
			Saved:   "clip",
		}),
		numberSetting(func(s *Settings) *float64 { return &s.Training.Decay }, Setting{
			Key:     "weight-decay",
			Help:    "apply decoupled weight decay of this `NUMBER` to weight matrices and kernels, not to biases, gains and variational parameters",
			Default: "0",
			Ignored: decaysNoWeights,
			Saved:   "decay",
		}),
		encodedSetting(func(s *Settings) textField { return &s.Training.ParamGroups }, Setting{
			Key:         "param-groups",
			Help:        "give `GROUPS` of parameters, layers or single parameters their own optimizer, learning rate, decay or turns, such as \"critic:optimizer=sgd,lr=0.0001,decay=0,every=2;main:lr=0.001\"",
			Kind:        Phrase,
			DefaultNote: constantNote("the method's"),
			Saved:       "param_groups",
		}),
	}
}

// stoppingSettings returns the settings that decide which weights a training ends with, and of how many networks.
func stoppingSettings() []Setting {
	return []Setting{
		numberSetting(func(s *Settings) *float64 { return &s.Training.Validation }, Setting{
			Key:         "validation",
			Help:        "keep this `FRACTION` of the training rows for validation, and save the weights of the best epoch",
			DefaultNote: tableNote("0", tableValidation),
			Saved:       "validation",
		}),
		switchSetting(func(s *Settings) *bool { return &s.Training.CrossValidation }, Setting{
			Key:         "cross-validation",
			Help:        "validate each member of an ensemble on another part of the training rows, and calibrate the intervals on all parts: `true|false`",
			DefaultNote: constantNote("true for your own table, with 4 members or more"),
			Saved:       "cross_validation",
		}),
		switchSetting(func(s *Settings) *bool { return &s.Training.Bootstrap }, Setting{
			Key:   "bootstrap",
			Help:  "train each member of an ensemble on rows drawn with replacement, validate it on the rows that it did not draw, and calibrate the intervals on these: `true|false`",
			Saved: "bootstrap",
		}),
		textSetting(func(s *Settings) *string { return &s.Training.ValidationMeasure }, Setting{
			Key:         "validation-measure",
			Help:        "choose the best epoch by this `MEASURE` of the predicted distributions of the validation rows",
			Choices:     func() []string { return []string{validationCRPS, validationNLL} },
			DefaultNote: tableNote("the loss", validationCRPS),
			Saved:       "validation_measure",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Training.Patience }, Setting{
			Key:         "patience",
			Help:        "stop after this `NUMBER` of epochs without a better one; 0 for never",
			DefaultNote: tableNote("0", "about 300 steps, 8 to 40 epochs,"),
			Saved:       "patience",
		}),
		encodedSetting(func(s *Settings) textField { return &s.Training.Average }, Setting{
			Key:         "average",
			Help:        "average the weights by `RULE`: ema(DECAY) over the steps, such as ema(0.999), or swa(START) over the epochs after this fraction of all epochs, such as swa(0.75)",
			Kind:        Text,
			Default:     trainers.Average{}.String(),
			DefaultNote: tableNote(trainers.Average{}.String(), tableAverage),
			Saved:       "average",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Training.Members }, Setting{
			Key:           "members",
			Help:          "train an ensemble of this `NUMBER` of networks",
			Range:         models.Limits.Members,
			ZeroIsDefault: true,
			DefaultNote:   tableNote("the method's", strconv.Itoa(tableMembers)+" of an ensemble"),
			Saved:         "members",
		}),
	}
}

// networkSettings returns the settings of the network.
func networkSettings() []Setting {
	return []Setting{
		textSetting(func(s *Settings) *string { return &s.Spec.Architecture.Network }, Setting{
			Key:         "network",
			Help:        "train this `NETWORK` (see \"sml networks\")",
			DefaultNote: constantNote("the method's"),
			Saved:       "network",
		}),
		{
			Key:           "width",
			StudyOnly:     true,
			Help:          "use two hidden layers of this `NUMBER` of units each, in place of hidden",
			Kind:          WholeNumber,
			Set:           setWidth,
			Range:         models.Limits.Units,
			ZeroIsDefault: true,
			DefaultNote:   constantNote("50"),
			Replaces:      "hidden",
		},
		{
			Key:         "hidden",
			Help:        "use hidden layers of these `WIDTHS`; \"\" for a linear model",
			Kind:        Widths,
			Set:         setHidden,
			Get:         hiddenWidths,
			Default:     "50,50",
			DefaultNote: tableNote("50,50", tableHidden),
			Saved:       "hidden",
		},
		wholeSetting(func(s *Settings) *int { return &s.Spec.Architecture.EmbeddingWidth }, Setting{
			Key:     "embedding-width",
			Help:    "learn this `NUMBER` of numbers for each category of a column that has more of them; 0 gives every category an input of its own",
			Range:   models.Range{Min: 0, Max: models.Limits.Units.Max},
			Default: "16",
			Saved:   "embedding_width",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Spec.Architecture.Bins }, Setting{
			Key:         "bins",
			Help:        "give the network the position of each numeric input in this `NUMBER` of bins with equally many rows, besides its value; 0 for none",
			Range:       models.Limits.Bins,
			Default:     "0",
			DefaultNote: tableNote("0", tableBins),
			Saved:       "bins",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Spec.Architecture.Periodic }, Setting{
			Key:     "periodic",
			Help:    "give the network sines and cosines of each numeric input with this `NUMBER` of learned frequencies, besides its value; 0 for none",
			Range:   models.Limits.Periodic,
			Default: "0",
			Saved:   "periodic",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Spec.Architecture.Copies }, Setting{
			Key:           "copies",
			Help:          "train this `NUMBER` of copies of the network, which share most of their weights and predict as an ensemble",
			Range:         models.Limits.Copies,
			ZeroIsDefault: true,
			DefaultNote:   constantNote("the network's"),
			Saved:         "copies",
		}),
		textSetting(func(s *Settings) *string { return &s.Spec.Architecture.Activation }, Setting{
			Key:         "activation",
			Help:        "use this activation `FUNCTION` in the hidden units (see \"sml networks\")",
			DefaultNote: constantNote("the network's first, such as relu"),
			Saved:       "activation",
		}),
		numberSetting(func(s *Settings) *float64 { return &s.Spec.Architecture.Dropout }, Setting{
			Key:     "dropout",
			Help:    "drop each unit with this `PROBABILITY`",
			Default: "0.1",
			Ignored: dropsNoUnits,
			Saved:   "dropout",
		}),
		textSetting(func(s *Settings) *models.Layers { return &s.Spec.Architecture.Drop }, Setting{
			Key:         "dropout-layers",
			Help:        "drop units in these hidden `LAYERS`",
			Choices:     layerChoices,
			DefaultNote: constantNote("the method's"),
			Ignored:     hasNoDropout,
			Saved:       "drop",
		}),
	}
}

// predictionSettings returns the settings of predictions. A tuning cannot choose samples, as more
// are never worse, nor moments, as analytic moments are the limit of many samples.
func predictionSettings() []Setting {
	settings := []Setting{
		wholeSetting(func(s *Settings) *int { return &s.Prediction.Samples }, Setting{
			Key:           "samples",
			StudyOnly:     true,
			NotTuned:      true,
			Help:          "predict each row with this `NUMBER` of sub-networks",
			Range:         models.Limits.Samples,
			ZeroIsDefault: true,
			Default:       strconv.Itoa(evaluation.DefaultSamples),
			Ignored:       hasNoSubNetworks,
		}),
		textSetting(func(s *Settings) *evaluation.MomentSource { return &s.Prediction.Moments }, Setting{
			Key:         "moments",
			StudyOnly:   true,
			NotTuned:    true,
			Help:        "compute the `MOMENTS` of sub-networks from drawn ones, or in a formula for all of them",
			Choices:     evaluation.MomentNames,
			DefaultNote: func() string { return evaluation.MomentNames()[0] },
			Ignored:     hasNoSubNetworks,
		}),
	}
	for i := range settings {
		settings[i].Get = nil // a model does not keep them
	}
	return settings
}

// calibrationSettings returns the settings of the calibration.
func calibrationSettings() []Setting {
	return []Setting{
		numberSetting(func(s *Settings) *float64 { return &s.Training.Calibrate }, Setting{
			Key:     "calibrate",
			Help:    "keep this `FRACTION` of the training rows to calibrate the intervals (see \"sml calibrate\")",
			Default: "0",
			Saved:   "calibrate",
		}),
		textSetting(func(s *Settings) *string { return &s.Calibration.Kind }, Setting{
			Key:         "calibrate-kind",
			Help:        "calibrate by this `KIND` of correction",
			Choices:     calibrate.Names,
			DefaultNote: func() string { return calibrate.Names()[0] },
			Saved:       "calibration.kind",
		}),
		numberSetting(func(s *Settings) *float64 { return &s.Calibration.Coverage }, Setting{
			Key:         "calibrate-coverage",
			TrainOnly:   true,
			Help:        "calibrate intervals up to this `PROBABILITY`",
			DefaultNote: constantNote("0.9"),
			Ignored:     hasNoIntervals,
			Saved:       "calibration.coverage",
		}),
		textSetting(func(s *Settings) *string { return &s.Calibration.GroupColumn }, Setting{
			Key:       "calibrate-by",
			TrainOnly: true,
			Help:      "calibrate the rows of each value of `COLUMN` separately",
			Saved:     "calibration.by",
		}),
		wholeSetting(func(s *Settings) *int { return &s.Calibration.MeanGroups }, Setting{
			Key:       "calibrate-mean-groups",
			TrainOnly: true,
			Help:      "calibrate `NUMBER` groups of rows separately, by their predicted mean; 0 for one group",
			Default:   "0",
			Saved:     "calibration.mean_groups",
		}),
	}
}

// scheduleNames returns the names of the learning-rate schedules.
func scheduleNames() []string {
	var names []string
	for _, s := range models.LearningRateSchedules() {
		names = append(names, s.String())
	}
	return names
}

// layerChoices returns the values of the setting dropout-layers.
func layerChoices() []string {
	return []string{string(models.AllLayers), string(models.LastLayer), string(models.NoLayers)}
}

// describeLearningRates returns the default learning rate, followed by the optimizers that have
// another default.
func describeLearningRates() string {
	optimizers := optimizer.All()
	usual := optimizers[0].LearningRate
	text := fmt.Sprint(usual)
	for _, o := range optimizers {
		if o.LearningRate != usual {
			text += fmt.Sprintf(", %v for %s", o.LearningRate, o.Name)
		}
	}
	return text
}

// defaultOptimizer is the name of the optimizer of a training that chooses none.
var defaultOptimizer = optimizer.Names()[0]

// setOptimizer sets the optimizer from its name and its hyperparameters, such as
// "sgd momentum=0.5".
func setOptimizer(s *Settings, value string) error {
	name, hyperparameters, _ := strings.Cut(value, " ")
	parsed, err := models.ParseHyperparameters(strings.Fields(hyperparameters))
	s.Training.Optimizer = name
	s.Training.OptimizerHyperparameters = parsed
	return err
}

// setHidden sets the widths of the hidden layers, such as "50,50".
func setHidden(s *Settings, value string) (err error) {
	s.Spec.Architecture.Hidden, err = models.ParseWidths(value)
	return err
}

// hiddenWidths returns the widths of the hidden layers as setHidden reads them.
func hiddenWidths(s Settings) string { return formatWidths(s.Spec.Architecture.Hidden) }

// setWidth sets two hidden layers of the same width.
func setWidth(s *Settings, value string) error { return setHidden(s, value+","+value) }
