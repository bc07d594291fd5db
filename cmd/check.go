package cmd

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/models"
	"sml/trainers/check"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "examine a method: gradients, what each term trains, determinism, finite numbers, learning, speed",
		UsageText: "sml check METHOD [--set NAME=VALUE] [options]",
		Flags: []cli.Flag{
			setFlag(),
			&cli.IntFlag{Name: "inputs", Value: 3, Usage: "`NUMBER` of input columns"},
			&cli.IntFlag{Name: "targets", DefaultText: "those that the method is for, or 1", Usage: "`NUMBER` of target columns"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that weights, data and masks follow from"},
			jsonFlag(),
		},
		Action: onArgument("the name of a method", checkMethod),
	}
}

func setFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "set", Usage: "set a hyperparameter of the method, `NAME=VALUE`; repeat the flag for several"}
}

// checked is what `sml check --json` prints.
type checked struct {
	Passed bool `json:"passed"`
	check.Report
}

func checkMethod(c *cli.Context, method string) error {
	chosen, err := chosenFor(c, method)
	if err != nil {
		return err
	}
	settings := check.Settings{Hyperparameters: chosen, Inputs: c.Int("inputs"), Targets: c.Int("targets"), Seed: c.Uint64("seed")}
	r, err := await(c.Context, func() (check.Report, error) { return check.Method(method, settings) })
	var size models.FrozenSizeError
	if errors.As(err, &size) {
		return usageError{fmt.Errorf("%w: use --inputs %d --targets %d", err, size.Inputs, size.Targets)}
	}
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = writeJSON(c, checked{r.Passed(), r})
	} else {
		_, err = fmt.Fprint(c.App.Writer, r)
	}
	if !r.Passed() { // whether or not anybody reads the report
		return fmt.Errorf("method %s did not pass its checks", method)
	}
	return err
}

// chosenFor reads what the flag --set chooses for a method.
func chosenFor(c *cli.Context, method string) (models.Hyperparameters, error) {
	chosen, err := models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return nil, usageError{err}
	}
	m, err := models.Lookup(method)
	if err == nil {
		_, err = m.Choose(chosen)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return chosen, nil
}
