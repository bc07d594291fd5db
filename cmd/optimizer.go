package cmd

import (
	"fmt"

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

// lrDefault says the default learning rate, and of which optimizers it is another.
func lrDefault() string {
	all := optimizer.All()
	text := fmt.Sprint(all[0].LearningRate)
	for _, o := range all {
		if o.LearningRate != all[0].LearningRate {
			text += fmt.Sprintf(", %v for %s", o.LearningRate, o.Name)
		}
	}
	return text
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
			case h.Switch():
				given[h.Name] = c.Bool(flag)
			default:
				given[h.Name] = c.Float64(flag)
			}
		}
	}
	return given, nil
}
