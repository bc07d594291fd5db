package main

import (
	"math"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// Muon moves the weight matrix of each hidden layer along its momentum, made orthogonal: all singular values become about
// 1. Adam moves all other parameters: the last layer, which is called "output" in every network here, and biases. Source:
// Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks", with weight decay and Nesterov's
// momentum as in the authors' program.
func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "muon", Title: "Muon", Source: "Jordan et al. 2024", LearningRate: 0.02,
		Summary: "moves hidden weight matrices along their orthogonalised momentum, and Adam the other parameters",
		Hyperparameters: []models.Hyperparameter{
			{Name: "momentum", Default: 0.95, Range: models.Range{Max: 0.999}, Help: "fraction of the momentum that a step keeps"},
			{Name: "adam-rate", Default: 0.05, Range: models.Range{Min: 1e-6, Max: 10}, Help: "learning rate of Adam, divided by Muon's"},
		},
		New: func(h models.Hyperparameters, weights int) optimizer.State {
			return &muon{
				beta:     float32(h.Float("momentum")),
				adamRate: h.Float("adam-rate"),
				momentum: make([]float32, weights),
			}
		},
	})
}

// muon is the State of Muon.
type muon struct {
	beta     float32
	adamRate float64
	momentum []float32 // running mean of the gradient, per weight; 0 for Adam's
	matrices []hiddenMatrix
	adam     optimizer.State // moves the other parameters; nil if there are none
}

// hiddenMatrix is a weight matrix that Muon moves.
type hiddenMatrix struct {
	from, to      int // its weights
	scale         float32
	orthogonalise *graph.Runner // input "g", output 0
}

// SetShapes divides the parameters between Muon and Adam by their names and shapes.
func (m *muon) SetShapes(shapes []optimizer.Shape) {
	var others []optimizer.Group
	for _, s := range shapes {
		to := s.From + s.Rows*s.Columns
		if s.Rows == 1 || s.Columns == 1 || strings.HasPrefix(s.Name, "output") {
			others = append(others, optimizer.Group{From: s.From, To: to, Rate: m.adamRate, Decay: true})
			continue
		}
		m.matrices = append(m.matrices, hiddenMatrix{
			from: s.From, to: to,
			scale:         float32(math.Sqrt(max(1, float64(s.Columns)/float64(s.Rows)))), // units divided by inputs
			orthogonalise: must(orthogonaliser(s.Rows, s.Columns)),
		})
	}
	if len(others) > 0 {
		adam := must(optimizer.Lookup("adam"))
		m.adam = must(adam.Start(must(adam.Choose(nil)), len(m.momentum), others...))
	}
}

// must returns the value, or panics: an optimizer that panics at its start becomes an error of the training.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// orthogonaliser returns a graph that replaces the singular values of a matrix by numbers between about 0.7 and 1.2: five
// steps of a Newton–Schulz iteration, whose three factors are the authors'.
func orthogonaliser(rows, columns int) (*graph.Runner, error) {
	b := graph.New(graph.Float32, nil)
	g := b.Input("g", rows, columns)
	x := b.Div(g, b.Shift(b.Sqrt(b.Sum(b.Square(g))), 1e-7))
	if rows > columns { // the products are of the shorter side
		x = b.Transpose(x)
	}
	for range 5 {
		a := b.MatMul(x, b.Transpose(x))
		polynomial := b.Add(b.Scale(-4.7750, a), b.Scale(2.0315, b.MatMul(a, a)))
		x = b.Add(b.Scale(3.4445, x), b.MatMul(polynomial, x))
	}
	if rows > columns {
		x = b.Transpose(x)
	}
	return graph.NewRunner(graph.Compiled, b, x)
}

// Step moves the hidden matrices, and then the other parameters.
func (m *muon) Step(values, grad []float32, info optimizer.StepInfo) {
	rate, shrink := float32(info.Rate), float32(info.Rate*info.Decay)
	for _, h := range m.matrices {
		direction := h.orthogonalise.Input("g")
		momentum := m.momentum[h.from:h.to]
		for i, g := range grad[h.from:h.to] {
			momentum[i] += float32((1 - m.beta) * (g - momentum[i]))
			direction[i] = g + float32(m.beta*(momentum[i]-g)) // Nesterov's
		}
		if err := h.orthogonalise.Run(); err != nil {
			panic(err)
		}
		weights := values[h.from:h.to]
		for i, d := range h.orthogonalise.Output(0) {
			weights[i] -= float32(shrink * weights[i])
			weights[i] -= float32(rate * float32(h.scale*d))
		}
	}
	if m.adam != nil {
		m.adam.Step(values, grad, info)
	}
}

// Slots returns the momentum and Adam's moments.
func (m *muon) Slots() []optimizer.Slot {
	slots := []optimizer.Slot{{Name: "momentum", Values: m.momentum}}
	if m.adam != nil {
		slots = append(slots, m.adam.Slots()...)
	}
	return slots
}
