package trainers

import (
	"sml/models"
)

// Adam holds the constants of the default optimizer. The zero value stands for
// DefaultAdam; an Adam with anything in it is given whole, and a 0 in it is a 0.
// Source: Kingma and Ba 2015, algorithm 1.
type Adam struct {
	Beta1   float64 `json:"beta1"`   // decay of the first moment, 0 for none
	Beta2   float64 `json:"beta2"`   // decay of the second moment, 0 for none
	Epsilon float64 `json:"epsilon"` // what is added to the second moment's root
}

// DefaultAdam holds the constants that Kingma and Ba propose.
var DefaultAdam = Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}

// adamName is what the optimizer of this type is called.
const adamName = "adam"

func adamFrom(h models.Hyperparameters) Adam {
	return Adam{Beta1: h.Float("beta1"), Beta2: h.Float("beta2"), Epsilon: h.Float("epsilon")}
}

func (a Adam) hyperparameters() models.Hyperparameters {
	return models.Hyperparameters{"beta1": a.Beta1, "beta2": a.Beta2, "epsilon": a.Epsilon}
}
