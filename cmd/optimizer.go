package cmd

import (
	"github.com/urfave/cli/v2"

	"sml/models"
	"sml/trainers/optimizer"
)

// optimizerFlags are one for each hyperparameter of each optimizer, such as
// --adam-beta1.
func optimizerFlags() []cli.Flag {
	var flags []cli.Flag
	for _, o := range optimizer.All() {
		for _, h := range o.Hyperparameters {
			f := &cli.Float64Flag{Name: o.Name + "-" + h.Name, Value: h.Default.(float64), Usage: h.Help + ", a `NUMBER`"}
			if f.Name == "sgd-momentum" {
				f.Aliases = []string{"momentum"} // as everybody calls it
			}
			flags = append(flags, f)
		}
	}
	return flags
}

// optimizerHyperparameters are those that the command line gives of the optimizer
// that it names.
func optimizerHyperparameters(c *cli.Context) (models.Hyperparameters, error) {
	if _, err := optimizer.Lookup(c.String("optimizer")); err != nil {
		return nil, usageError{err}
	}
	given := make(models.Hyperparameters)
	for _, o := range optimizer.All() {
		for _, h := range o.Hyperparameters {
			flag := o.Name + "-" + h.Name
			switch {
			case !c.IsSet(flag):
			case o.Name != c.String("optimizer"):
				return nil, usage("--%s is for --optimizer %s, and this is %s", flag, o.Name, c.String("optimizer"))
			default:
				given[h.Name] = c.Float64(flag)
			}
		}
	}
	return given, nil
}
