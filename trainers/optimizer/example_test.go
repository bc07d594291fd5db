package optimizer_test

import (
	"fmt"

	"sml/models"
	"sml/trainers/optimizer"
)

func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "sign", Summary: "steps of the learning rate against each gradient's sign", Source: "Bernstein et al. 2018, algorithm 1",
		New: func(models.Hyperparameters, int) optimizer.State { return sign{} },
	})
}

type sign struct{} // it keeps nothing from step to step

func (sign) Slots() []optimizer.Slot { return nil }

func (sign) Step(values, grad []float32, at optimizer.At) {
	rate, shrink := float32(at.Rate), float32(at.Rate*at.Decay)
	for i, g := range grad {
		values[i] -= float32(shrink * values[i])
		switch {
		case g > 0:
			values[i] -= rate
		case g < 0:
			values[i] += rate
		}
	}
}

// An optimizer is one file: a rule, and one call of Register.
func ExampleRegister() {
	o, err := optimizer.Lookup("sign") // as trainers.Settings{Optimizer: "sign"} does
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := o.Start(nil, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := []float32{1, 2, 3}
	state.Step(values, []float32{0.5, -8, 0}, optimizer.At{Step: 1, Rate: 0.25})
	fmt.Println(values)
	// Output: [0.75 2.25 3]
}
