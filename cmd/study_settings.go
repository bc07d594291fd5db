package cmd

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/calibrate"
	"sml/evaluation/study"
	"sml/trainers"
	"sml/trainers/optimizer"
)

// settingFlags are the settings that a study may vary. Numbers and names may have
// commas between them; what has commas itself is repeated.
func settingFlags() []cli.Flag {
	list := func(name, usage, or string) cli.Flag {
		return &cli.StringSliceFlag{Name: name, Usage: usage, DefaultText: or}
	}
	const recipe = "the paper's for its data sets, otherwise chosen by the number of rows"
	return []cli.Flag{
		list("epochs", "`NUMBERS` of epochs", recipe),
		list("batch", "`NUMBERS` of rows in a batch", recipe),
		list("lr", "learning `RATES`", lrDefault()),
		list("schedule", "learning-rate `SCHEDULE`, as for train; repeat the flag for several", string(trainers.Constant)),
		list("optimizer", "`NAME` of the optimizer, with hyperparameters as in \"sgd momentum=0.5\": "+strings.Join(optimizer.Names(), ", ")+"; repeat the flag for several", optimizer.Names()[0]),
		list("clip", "largest `NORMS` of the gradient, 0 for no bound", "0"),
		list("weight-decay", "decoupled weight decay, `NUMBERS`", "0"),
		list("val", "`SHARES` of the training rows to keep for validation, 0 for none", "0"),
		list("patience", "stop after these `NUMBERS` of epochs without a lower validation loss, 0 for never", "0"),
		list("calibrate", "`SHARES` of the training rows to keep for the calibration of the intervals, 0 for none", "0"),
		list("calibrate-kind", "`KINDS` of calibration: "+strings.Join(calibrate.Names(), ", "), calibrate.Names()[0]),
		list("members", "`NUMBERS` of networks in an ensemble", "the method's"),
		list("network", "`NETWORKS` to train (see \"sml networks\")", "the method's"),
		list("hidden", "`WIDTHS` of the hidden layers, such as 100,50; \"\" for a linear model; repeat the flag for several", "50,50"),
		list("width", "`NUMBERS` of units in each of two hidden layers, in place of --hidden", "50"),
		list("activation", "activation `FUNCTIONS` of the hidden units (see \"sml networks\")", "the network's first, such as relu"),
		list("dropout", "`PROBABILITIES` of dropping a unit", "0.1"),
		list("drop-layers", "drop units in these hidden `LAYERS`: all, last, none", "the method's"),
		list("samples", "`NUMBERS` of sub-networks for each row", "200"),
	}
}

// settingsOf reads what the flags say of the settings.
func settingsOf(c *cli.Context, to *study.Config) error {
	to.Schedule, to.Optimizer, to.Hidden = c.StringSlice("schedule"), c.StringSlice("optimizer"), c.StringSlice("hidden")
	for _, f := range []struct {
		name string
		to   *study.List[string]
	}{{"network", &to.Network}, {"activation", &to.Activation}, {"drop-layers", &to.DropLayers}, {"calibrate-kind", &to.CalibrateKind}} {
		*f.to = list(strings.Join(c.StringSlice(f.name), ","))
	}
	for _, f := range []struct {
		name string
		to   *study.List[int]
		zero bool
	}{{"epochs", &to.Epochs, false}, {"batch", &to.Batch, false}, {"patience", &to.Patience, true}, {"members", &to.Members, false}, {"width", &to.Width, false}, {"samples", &to.Samples, false}} {
		var err error
		if *f.to, err = numbers(c, f.name, "a whole number", f.zero, strconv.Atoi); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		to   *study.List[float64]
		zero bool
	}{{"lr", &to.Rate, false}, {"clip", &to.Clip, true}, {"weight-decay", &to.Decay, true}, {"val", &to.Validation, true}, {"dropout", &to.Dropout, true}, {"calibrate", &to.Calibrate, true}} {
		var err error
		if *f.to, err = numbers(c, f.name, "a number", f.zero, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads the values of a flag.
func numbers[T int | float64](c *cli.Context, name, want string, zero bool, parse func(string) (T, error)) ([]T, error) {
	var values []T
	for _, text := range list(strings.Join(c.StringSlice(name), ",")) {
		v, err := parse(text)
		if err != nil {
			return nil, usage("--%s %q is not %s", name, text, want)
		}
		if v == 0 && !zero {
			return nil, usage("--%s %s: it must be more than 0; leave it out for its default", name, text)
		}
		values = append(values, v)
	}
	if c.IsSet(name) && len(values) == 0 {
		return nil, usage("--%s names nothing: leave it out for its default", name)
	}
	return values, nil
}
