package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// posthocCommand returns the command "sml posthoc".
func posthocCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "posthoc",
		Usage:     "give a trained model another kind of uncertainty, on the rows that it was trained on",
		UsageText: "sml posthoc MODEL --kind METHOD --out DIR [options]",
		Description: "The new model starts from the weights of MODEL, with its table, split and network. The laplace kinds keep\n" +
			"the weights. Other methods train on, by default for a quarter of the model's epochs.",
		Action: argumentAction(modelArgument, posthoc),
	}, []string{
		"sml posthoc dropout-model --kind laplace-ll --out laplace",
		"sml posthoc dropout-model --kind sml --epochs 30 --out sml-model",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "kind", Usage: "apply this `METHOD`: " + strings.Join(posthocKinds(), ", ") + ", or another method whose networks have as many outputs"},
		setFlag(),
		&cli.StringFlag{Name: "out", Usage: "write the model to the new directory `DIR`"},
		readChanged(&cli.BoolFlag{Name: "force", Usage: "replace the model in --out, or its interrupted training"}),
		inRange(&cli.IntFlag{Name: "epochs", Usage: "train on for this `NUMBER` of epochs", DefaultText: "none for the laplace kinds, otherwise a quarter of the model's"}, models.Limits.Epochs),
		&cli.Float64Flag{Name: "lr", Usage: "train on with this constant learning `RATE`", DefaultText: "the model's"},
		&cli.StringFlag{Name: "data", Usage: "read the training table from this `FILE`, if it has been moved or came from standard input; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
		dataDirFlag(),
		engineFlag(),
		inRange(&cli.IntFlag{Name: "threads", Usage: "compute on this `NUMBER` of cores; the result is the same", DefaultText: "all cores"}, trainers.ThreadsRange),
		measuresFlag(summaryMeasures),
		jsonFlag(), quietFlag(),
	}})
}

// posthocKinds returns the names of the methods that compute something after a training, and of sml, which trains a
// dropout network on.
func posthocKinds() []string {
	var names []string
	for _, m := range models.Methods() {
		if m.AfterTraining != nil {
			names = append(names, m.Name)
		}
	}
	return append(names, "sml")
}

// posthoc applies a method to the model in dir, saves the new model in the directory --out, and prints its scores.
func posthoc(c *cli.Context, dir string) error {
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	result, err := trainInto(c, out, func() (*training, error) { return planPosthoc(c, dir) })
	if err != nil {
		return err
	}
	return printResult(c, result, result.print)
}

// planPosthoc returns the training that the command line describes, which starts from the model in dir, with its
// table read and its experiment prepared.
func planPosthoc(c *cli.Context, dir string) (*training, error) {
	from, err := openModel(c, dir)
	if err != nil {
		return nil, err
	}
	s, err := posthocSettings(c, from, dir)
	if err != nil {
		return nil, err
	}
	dataDir := c.String("data-dir")
	table, err := readTable(c, s, dataDir)
	switch {
	case errors.Is(err, experiment.ErrStandardInput):
		return nil, usageErrorf("the table of %s has no name: %w; name the same table with --data", dir, err)
	case errors.Is(err, experiment.ErrChanged):
		return nil, fmt.Errorf("%w since %s was trained on it", err, dir)
	case err != nil:
		return nil, err
	}
	e, err := experiment.Prepare(c.Context, s, experiment.NewTable(table))
	if err != nil {
		return nil, err
	}
	if err := startFrom(c, e, from); err != nil {
		return nil, err
	}
	return &training{dataDir: dataDir, experiment: e}, nil
}

// posthocSettings returns the settings that the command line describes for the model from in dir.
func posthocSettings(c *cli.Context, from *experiment.Model, dir string) (experiment.Settings, error) {
	p, err := chosenPosthoc(c)
	if err != nil {
		return experiment.Settings{}, err
	}
	s, err := p.Settings(from, dir)
	if err != nil {
		return s, usageErrorf("--kind %s: %w", p.Method, err)
	}
	s.Training.Engine = graph.Engine(c.String("engine"))
	s.Prediction.Measures = chosenMeasures(c)
	if file := c.String("data"); file != "" {
		s.Table.Name = file
	}
	if s.Table.Name == "-" {
		s.Table.Name = experiment.StandardInput
		s.Table.ReadStandardInput = rowio.FileSource(c.App.Reader, "-")
	}
	return s, nil
}

// chosenPosthoc returns the method, its hyperparameters and the epochs that the command line chooses.
func chosenPosthoc(c *cli.Context) (experiment.PostHoc, error) {
	p := experiment.PostHoc{
		Method:       c.String("kind"),
		Epochs:       c.Int("epochs"),
		LearningRate: c.Float64("lr"),
	}
	if p.Method == "" {
		return p, usageErrorf("--kind is missing: name one of %s", strings.Join(posthocKinds(), ", "))
	}
	var err error
	p.Hyperparameters, err = models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return p, usageError{err}
	}
	return p, nil
}
