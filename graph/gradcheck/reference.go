package gradcheck

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"sml/graph"
)

// Reference is a loss and its gradients as another program computed them in float64, of
// the same inputs and parameters, and of what Drawn returns. Matrices are row by row.
type Reference struct {
	Inputs, Parameters map[string][]float64 // by their names
	Loss               float64
	Gradients          map[string][]float64 // by the parameters' names
}

// CheckReference compares the loss of f, which comes first, and its gradients with a
// reference, whose numbers are Gradient.Numeric. Of the settings it takes Engine, and
// Seed for masks and noise. It is an error if the reference is of other inputs or
// parameters than the graph.
func CheckReference(f Function, want Reference, s Settings) ([]Gradient, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss := f(b)
	r, err := graph.NewRunner(cmp.Or(s.Engine, graph.Engines()[0]), b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		return nil, err
	}
	defer r.Close()

	inputs, parameters, gradients := make(map[string][]float64), make(map[string][]float64), make(map[string][]float64)
	for _, name := range r.Inputs() {
		inputs[name] = r.Input64(name)
	}
	for i, p := range params.List() {
		parameters[p.Name] = graph.Slice(params, params.Float64s(), i)
		gradients[p.Name] = make([]float64, p.Len())
	}
	for _, c := range []struct {
		what       string
		to, values map[string][]float64
	}{{"input", inputs, want.Inputs}, {"parameter", parameters, want.Parameters}, {"gradient of", gradients, want.Gradients}} {
		if err := take(c.what, c.to, c.values); err != nil {
			return nil, err
		}
	}
	r.SampleMasks(graph.MaskKey{Seed: s.Seed})
	if err := r.Run(); err != nil {
		return nil, err
	}

	overall := 0.0
	for _, values := range gradients {
		overall = max(overall, largest(values))
	}
	result := []Gradient{{Name: "loss", Scale: largest([]float64{want.Loss})}}
	result[0].worst(r.Output64(0), []float64{want.Loss})
	for i, p := range params.List() {
		g := Gradient{Name: p.Name, Scale: largest(gradients[p.Name])}
		if g.Scale <= rounding*overall {
			g.Scale = overall
		}
		g.worst(r.Output64(1+i), gradients[p.Name])
		result = append(result, g)
	}
	return result, nil
}

// worst finds the element with the largest error.
func (g *Gradient) worst(backward, want []float64) {
	g.Zero = true
	for j, v := range backward {
		e := math.Abs(v-want[j]) / g.Scale
		if e > g.Error || math.IsNaN(e) || j == 0 {
			g.Error, g.Index, g.Backward, g.Numeric = e, j, v, want[j]
		}
		g.Zero = g.Zero && v == 0
	}
}

// rounding is the part of the largest gradient below which a parameter's gradients are
// what rounding leaves of 0, as those of a bias before a batch norm.
const rounding = 1e-13

// take fills what a graph has with a reference's values.
func take(what string, to, values map[string][]float64) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := to[name]; !ok {
			return fmt.Errorf("%s %q of the reference is not in the graph, which has %q", what, name, slices.Sorted(maps.Keys(to)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		if len(values[name]) != len(to[name]) {
			return fmt.Errorf("%s %q has %d numbers in the reference, want %d", what, name, len(values[name]), len(to[name]))
		}
		copy(to[name], values[name])
	}
	return nil
}

// DrawMasks returns the masks and noise that a graph draws by a seed, by the names of their
// nodes, for a program that is given them.
func DrawMasks(f Function, s Settings) (map[string][]float64, error) {
	b := graph.New(graph.Float64, new(graph.Params))
	f(b)
	drawn := make(map[string][]float64)
	var nodes graph.Nodes
	for _, d := range graph.Inspect(b).Draws() {
		nodes = append(nodes, d.Node)
	}
	if len(nodes) == 0 {
		return drawn, b.Err()
	}
	r, err := graph.NewRunner(cmp.Or(s.Engine, graph.Engines()[0]), b, nodes...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	fill(r, s)
	if err := r.Run(); err != nil {
		return nil, err
	}
	for i, n := range nodes {
		drawn[n.Name()] = slices.Clone(r.Output64(i))
	}
	return drawn, nil
}
