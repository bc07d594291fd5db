package gradcheck

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"sml/graph"
)

// Reference is a loss and its gradients as another program computed them in float64, at given inputs
// and parameters and with the random numbers that DrawMasks returns. Matrices are row by row.
type Reference struct {
	Inputs     map[string][]float64 // by name
	Parameters map[string][]float64 // by name
	Loss       float64
	Gradients  map[string][]float64 // by the name of the parameter
}

// CheckReference compares the loss of f and its gradients with a reference. It returns the
// comparison of the loss, under the name "loss", followed by those of the gradients in the order of
// the parameters. Gradient.Numeric is the reference's number. Of the settings it uses only Engine,
// and Seed for masks and noise. It returns an error if the reference and the graph have different
// inputs or parameters.
func CheckReference(f Function, want Reference, s Settings) ([]Gradient, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss := f(b)
	r, err := graph.NewRunner(engineOf(s), b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := want.setValues(r, params); err != nil {
		return nil, err
	}
	gradients, err := want.gradientsOf(params)
	if err != nil {
		return nil, err
	}
	r.SampleMasks(graph.MaskKey{Seed: s.Seed})
	if err := r.Run(); err != nil {
		return nil, err
	}

	largestOfAll := 0.0 // largest element of any gradient
	for _, values := range gradients {
		largestOfAll = max(largestOfAll, largestSize(values))
	}
	wantLoss := []float64{want.Loss}
	comparisons := []Gradient{compareWithReference("loss", r.Output64(0), wantLoss, largestSize(wantLoss))}
	for i, p := range params.List() {
		scale := largestSize(gradients[p.Name])
		if scale <= roundingError*largestOfAll { // errors are compared with the other gradients
			scale = largestOfAll
		}
		comparisons = append(comparisons, compareWithReference(p.Name, r.Output64(1+i), gradients[p.Name], scale))
	}
	return comparisons, nil
}

// engineOf returns the engine of the settings, or the default engine.
func engineOf(s Settings) graph.Engine { return cmp.Or(s.Engine, graph.Engines()[0]) }

// setValues copies the reference's values to the inputs of r and to the parameters. It returns an
// error if the reference and the graph differ in the names or sizes of inputs or parameters.
func (want Reference) setValues(r *graph.Runner, params *graph.Params) error {
	// The maps hold the memory of the inputs and parameters themselves, not copies.
	inputs := make(map[string][]float64)
	for _, name := range r.Inputs() {
		inputs[name] = r.Input64(name)
	}
	parameters := make(map[string][]float64)
	for i, p := range params.List() {
		parameters[p.Name] = graph.ParamValues(params, params.Float64s(), i)
	}
	if err := copyByName("input", inputs, want.Inputs); err != nil {
		return err
	}
	return copyByName("parameter", parameters, want.Parameters)
}

// gradientsOf returns the reference's gradients by the names of the parameters. It returns an error
// unless there is one for each parameter, of the parameter's size.
func (want Reference) gradientsOf(params *graph.Params) (map[string][]float64, error) {
	gradients := make(map[string][]float64)
	for _, p := range params.List() {
		gradients[p.Name] = make([]float64, p.Len())
	}
	if err := copyByName("gradient of", gradients, want.Gradients); err != nil {
		return nil, err
	}
	return gradients, nil
}

// compareWithReference returns the comparison of a gradient with the reference's. scale is the size of
// the reference's gradient.
func compareWithReference(name string, backward, want []float64, scale float64) Gradient {
	g := Gradient{Name: name, Scale: scale, Zero: true}
	for j, v := range backward {
		relativeError := math.Abs(v-want[j]) / scale
		if j == 0 || relativeError > g.Error || math.IsNaN(relativeError) {
			g.Error = relativeError
			g.Index = j
			g.Backward = v
			g.Numeric = want[j]
		}
		g.Zero = g.Zero && v == 0
	}
	return g
}

// roundingError is the fraction of the largest gradient below which the gradient of a parameter is
// 0 but for rounding errors, such as the gradient of a bias before a batch normalisation.
const roundingError = 1e-13

// copyByName copies the matrices in values to the matrices of the same names in dst. It returns an
// error if their names or sizes differ; what says what they are, such as "input".
func copyByName(what string, dst, values map[string][]float64) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, exists := dst[name]; !exists {
			return fmt.Errorf("%s %q of the reference is not in the graph, which has %q", what, name, slices.Sorted(maps.Keys(dst)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(dst)) {
		if len(values[name]) != len(dst[name]) {
			return fmt.Errorf("%s %q has %d numbers in the reference, want %d", what, name, len(values[name]), len(dst[name]))
		}
		copy(dst[name], values[name])
	}
	return nil
}

// DrawMasks returns the masks and noise that the graph of f draws with the settings' Seed, row by
// row and by the names of their nodes. Another program that computes a Reference needs them.
func DrawMasks(f Function, s Settings) (map[string][]float64, error) {
	b := graph.New(graph.Float64, new(graph.Params))
	f(b)
	var nodes graph.Nodes
	for _, d := range graph.Inspect(b).Draws() {
		nodes = append(nodes, d.Node)
	}
	masks := make(map[string][]float64)
	if len(nodes) == 0 {
		return masks, b.Err()
	}
	r, err := graph.NewRunner(engineOf(s), b, nodes...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	fill(r, s)
	if err := r.Run(); err != nil {
		return nil, err
	}
	for i, n := range nodes {
		masks[n.Name()] = slices.Clone(r.Output64(i))
	}
	return masks, nil
}
