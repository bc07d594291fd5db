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

// extragradient is the gradient transform of Korpelevich 1976: it replaces the gradient by the gradient of the same
// batch at the weights after a plain step.
type extragradient struct {
	weights []float32 // copy of the weights while others stand in their place
	batch   optimizer.Batch
}

func (e *extragradient) UseBatch(b optimizer.Batch) { e.batch = b }

func (e *extragradient) Slots() []optimizer.Slot { return nil }

func (e *extragradient) Apply(values, grad []float32, info optimizer.StepInfo) optimizer.StepInfo {
	copy(e.weights, values)
	for i, g := range grad {
		values[i] -= float32(float32(info.Rate) * g)
	}
	e.batch.Gradient(grad)
	copy(values, e.weights)
	return info
}

// A transform with UseBatch computes gradients of the batch at other weights. A training calls UseBatch; here a
// bowl with curvatures of ½ and 1 stands for the batch.
func ExampleBatchUser() {
	sgd, err := optimizer.Lookup("sgd")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := optimizer.Optimizer{
		Name: "extragradient", Hyperparameters: sgd.Hyperparameters,
		Transforms: func(_ models.Hyperparameters, weights int) []optimizer.GradientTransform {
			return []optimizer.GradientTransform{&extragradient{weights: make([]float32, weights)}}
		},
		New: sgd.New,
	} // optimizer.Register(o) lets trainings find it
	state, err := o.Start(models.Hyperparameters{"momentum": 0.0, "nesterov": 0.0}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := []float32{1, 1}
	grad := []float32{0.5, 1} // of the bowl at values
	for _, user := range optimizer.Rules[optimizer.BatchUser](state) {
		user.UseBatch(newBowl(values))
	}
	state.Step(values, grad, optimizer.StepInfo{Step: 1, Rate: 0.5})
	fmt.Println(values) // 1 − 0.5·½·0.75 and 1 − 0.5·1·0.5
	// Output: [0.8125 0.75]
}
