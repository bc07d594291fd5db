package cmd

import (
	"github.com/urfave/cli/v2"

	"sml/trainers"
	"sml/trainers/optimizer"
)

// optimizerFlags are one for each hyperparameter of each optimizer, such as
// --adam-beta1.
func optimizerFlags() []cli.Flag {
	var flags []cli.Flag
	for _, o := range optimizer.All() {
		for _, h := range o.Hyperparameters {
			if h.Switch() {
				flags = append(flags, &cli.BoolFlag{Name: o.Name + "-" + h.Name, Value: h.Default.(bool), Usage: h.Help})
				continue
			}
			f := &cli.Float64Flag{Name: o.Name + "-" + h.Name, Value: h.Default.(float64), Usage: h.Help + ", a `NUMBER`"}
			if f.Name == "sgd-momentum" {
				f.Aliases = []string{"momentum"} // as everybody calls it
			}
			flags = append(flags, f)
		}
	}
	return flags
}

// optimizerKey is the key of the setting that chooses an optimizer.
const optimizerKey = "optimizer"

// chooseHyperparameters applies the flags of the optimizer's hyperparameters. It returns an
// error for a flag of another optimizer, and for a hyperparameter that --optimizer has
// already.
func chooseHyperparameters(c *cli.Context, s *trainers.Settings) error {
	if _, err := optimizer.Lookup(s.Optimizer); err != nil {
		return usageError{err}
	}
	for _, o := range optimizer.All() {
		for _, h := range o.Hyperparameters {
			flag := o.Name + "-" + h.Name
			if !c.IsSet(flag) {
				continue
			}
			if o.Name != s.Optimizer {
				return usage("--%s is for --optimizer %s, and this is %s", flag, o.Name, s.Optimizer)
			}
			if _, ok := s.OptimizerHyperparameters[h.Name]; ok {
				return usage("--%s: --optimizer has %s already", flag, h.Name)
			}
			s.OptimizerHyperparameters[h.Name] = c.Value(flag)
		}
	}
	return nil
}
