package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/models"
	"sml/trainers/check"
)

// checkCommand returns the command "sml check".
func checkCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "check",
		Usage:     "examine a method: gradients, what each term trains, determinism, finite numbers, learning, speed",
		UsageText: "sml check METHOD [--set NAME=VALUE] [options]",
		Action:    argumentAction("the name of a method", checkMethod),
	}, []string{
		"sml check sml",
		"sml check beta-nll --set beta=0.3 --inputs 5",
	}, optionGroup{flags: []cli.Flag{
		setFlag(),
		&cli.IntFlag{Name: "inputs", Value: 3, Usage: "check with this `NUMBER` of features"},
		&cli.IntFlag{Name: "targets", DefaultText: "the method's, or 1", Usage: "check with this `NUMBER` of targets"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "draw weights, data and dropout masks from the seed `NUMBER`"},
		jsonFlag(),
	}})
}

// checkResult is the result of "sml check".
type checkResult struct {
	Passed bool `json:"passed"`
	check.Report
}

// checkMethod runs the checks of the method with this name and prints their results. It returns an
// error if the method fails a check.
func checkMethod(c *cli.Context, method string) error {
	chosen, err := chosenHyperparameters(c, method, "")
	if err != nil {
		return err
	}
	settings := check.Settings{
		Hyperparameters: chosen,
		Inputs:          c.Int("inputs"),
		Targets:         c.Int("targets"),
		Seed:            c.Uint64("seed"),
	}
	checks, err := await(c.Context, func() (check.Report, error) { return check.Method(method, settings) })
	var frozen models.FrozenSizeError // the model that a hyperparameter names has other sizes
	if errors.As(err, &frozen) {
		return usageError{fmt.Errorf("%w: use --inputs %d --targets %d", err, frozen.Inputs, frozen.Targets)}
	}
	if err != nil {
		return err
	}
	err = printResult(c, checkResult{Passed: checks.Passed(), Report: checks}, func(w io.Writer) { fmt.Fprint(w, checks) })
	if !checks.Passed() { // says more than an error of printing
		return fmt.Errorf("method %s did not pass its checks", method)
	}
	return err
}
