package cmd

import (
	"github.com/urfave/cli/v2"

	"sml/models"
)

// networkFlags choose a network; architecture reads them.
func networkFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "network", Usage: "train this `NETWORK` (see \"sml networks\")", DefaultText: "the method's"},
		&cli.StringFlag{Name: "hidden", Value: "50,50", Usage: "`WIDTHS` of the hidden layers; \"\" for a linear model"},
		&cli.StringFlag{Name: "activation", Usage: "activation `FUNCTION` of the hidden units (see \"sml networks\")", DefaultText: "the network's first, such as relu"},
		&cli.Float64Flag{Name: "dropout", Value: 0.1, Usage: "drop each unit with this `PROBABILITY`"},
		&cli.StringFlag{Name: "drop-layers", Usage: "drop units in these hidden `LAYERS`: all, last, none", DefaultText: "the method's"},
	}
}

// architecture is what the flags say of a method's network, without its columns.
func architecture(c *cli.Context, method string) (models.Architecture, error) {
	a := models.Architecture{
		Network: c.String("network"), Activation: c.String("activation"), Dropout: c.Float64("dropout"), Drop: models.Layers(c.String("drop-layers")),
	}
	n, err := models.Spec{Method: method, Architecture: a}.Network()
	if err != nil {
		return a, usageError{err}
	}
	if len(n.Activations) == 0 && a.Activation != "" {
		return a, usage("--activation %s: network %s has one of its own", a.Activation, n.Name)
	}
	a.Hidden, err = widths(c.String("hidden"))
	return a, err
}
