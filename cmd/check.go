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
		Usage:     "examine a method or a network: gradients, what each term trains, determinism, finite numbers, learning, speed",
		UsageText: "sml check METHOD [--network NETWORK] [--set NAME=VALUE] [options]\nsml check --network NETWORK",
		Action:    checkArguments,
	}, []string{
		"sml check sml",
		"sml check beta-nll --set beta=0.3 --inputs 5",
		"sml check --network realmlp",
	}, optionGroup{flags: []cli.Flag{
		setFlag(),
		&cli.StringFlag{Name: "network", Usage: "check the method on this `NETWORK`, or without a METHOD the network by itself", DefaultText: "the method's"},
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

// checkArguments checks the network of --network if no method is named, and otherwise the method.
func checkArguments(c *cli.Context) error {
	if c.Args().Len() == 0 && c.IsSet("network") {
		return checkOneNetwork(c, c.String("network"))
	}
	return argumentAction("the name of a method", checkMethod)(c)
}

// networkResult is the result of "sml check --network".
type networkResult struct {
	Passed   bool           `json:"passed"`
	Network  string         `json:"network"`
	Findings check.Findings `json:"findings"`
}

// checkOneNetwork runs the checks of the network with this name and prints their results. It returns an error if the network
// fails a check, or for a flag that only methods have.
func checkOneNetwork(c *cli.Context, network string) error {
	for _, name := range []string{"set", "inputs", "targets"} {
		if c.IsSet(name) {
			return usageErrorf("--%s is for the check of a method; name one, or leave it out", name)
		}
	}
	if _, err := models.LookupNetwork(network); err != nil {
		return usageError{err}
	}
	findings, err := await(c.Context, func() (check.Findings, error) { return check.Network(network, c.Uint64("seed")) })
	if err != nil {
		return err
	}
	result := networkResult{Passed: findings.Passed(), Network: network, Findings: findings}
	return printChecks(c, result, findings, "network "+network, result.Passed)
}

// printChecks prints the result of checks, or its text. It returns an error if the subject has not passed.
func printChecks(c *cli.Context, result any, text fmt.Stringer, subject string, hasPassed bool) error {
	err := printResult(c, result, func(w io.Writer) { fmt.Fprint(w, text) })
	if !hasPassed { // says more than an error of printing
		return fmt.Errorf("%s did not pass its checks", subject)
	}
	return err
}

// checkMethod runs the checks of the method with this name and prints their results. It returns an
// error if the method fails a check.
func checkMethod(c *cli.Context, method string) error {
	network := c.String("network")
	chosen, err := chosenHyperparameters(c, method, network)
	if err != nil {
		return err
	}
	settings := check.Settings{
		Network:         network,
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
	result := checkResult{Passed: checks.Passed(), Report: checks}
	return printChecks(c, result, checks, "method "+method, result.Passed)
}
