package trainers

import (
	"sml/models"
)

// Adam holds the hyperparameters of Adam, the default optimizer. The zero value stands for
// DefaultAdam. If any field is set, all fields are used as they are: a 0 is a 0.
// Source: Kingma and Ba 2015, algorithm 1.
type Adam struct {
	Beta1   float64 `json:"beta1"`   // fraction of the first moment that a step keeps; 0 for no momentum
	Beta2   float64 `json:"beta2"`   // fraction of the second moment that a step keeps
	Epsilon float64 `json:"epsilon"` // number added to the root of the second moment
}

// DefaultAdam holds the values that Kingma and Ba propose.
var DefaultAdam = Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}

// adamName is the name of the optimizer whose hyperparameters are in Settings.Adam.
const adamName = "adam"

// adamFrom returns the hyperparameters of Adam given by name.
func adamFrom(h models.Hyperparameters) Adam {
	return Adam{
		Beta1:   h.Float("beta1"),
		Beta2:   h.Float("beta2"),
		Epsilon: h.Float("epsilon"),
	}
}

// hyperparameters returns the hyperparameters by name.
func (a Adam) hyperparameters() models.Hyperparameters {
	return models.Hyperparameters{"beta1": a.Beta1, "beta2": a.Beta2, "epsilon": a.Epsilon}
}
