package cmd

import (
	"errors"
	"fmt"
	"io"

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
		Action: argumentAction("the name of a method", checkMethod),
	}
}

// checkResult is the result of "sml check".
type checkResult struct {
	Passed bool `json:"passed"`
	check.Report
}

func checkMethod(c *cli.Context, method string) error {
	chosen, err := chosenHyperparameters(c, method, "")
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
	err = printResult(c, checkResult{r.Passed(), r}, func(w io.Writer) error {
		_, err := fmt.Fprint(w, r)
		return err
	})
	if !r.Passed() {
		return fmt.Errorf("method %s did not pass its checks", method)
	}
	return err
}
