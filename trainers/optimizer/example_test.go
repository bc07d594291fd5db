package optimizer_test

import (
	"fmt"
	"slices"

	"sml/models"
	"sml/trainers/optimizer"
)

func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "sign", Summary: "steps of the learning rate against each gradient's sign", Source: "Bernstein et al. 2018, algorithm 1",
		New: func(models.Hyperparameters, int) optimizer.State { return sign{} },
	})
}

// sign is the state of signSGD: it keeps nothing from step to step.
type sign struct{}

func (sign) Slots() []optimizer.Slot { return nil }

func (sign) Step(values, grad []float32, info optimizer.StepInfo) {
	rate, shrink := float32(info.Rate), float32(info.Rate*info.Decay)
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
	state.Step(values, []float32{0.5, -8, 0}, optimizer.StepInfo{Step: 1, Rate: 0.25})
	fmt.Println(values)
	// Output: [0.75 2.25 3]
}

// Two gradient transforms clip the gradient and add a weight decay before each step of SGD.
func ExampleGradientTransform() {
	sgd, err := optimizer.Lookup("sgd")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := optimizer.Optimizer{
		Name: "careful", Hyperparameters: append(slices.Clip(sgd.Hyperparameters), models.Hyperparameter{Name: "norm", Default: 1.0}),
		Transforms: func(h models.Hyperparameters, weights int) []optimizer.GradientTransform {
			return []optimizer.GradientTransform{optimizer.ClipNorm(h.Float("norm")), optimizer.Decay(0.1)}
		},
		New: sgd.New,
	} // optimizer.Register(o) lets trainings find it
	h, err := o.Choose(models.Hyperparameters{"momentum": 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := o.Start(h, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := []float32{1, 1}
	for step := range 2 {
		state.Step(values, []float32{30, 40}, optimizer.StepInfo{Step: step + 1, Rate: 0.1})
		fmt.Printf("%.4f\n", values)
	}
	// Output:
	// [0.9300 0.9100]
	// [0.8607 0.8209]
}
