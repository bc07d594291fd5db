package models

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// subNetworksName is the name of the stored matrix with the parameters of the sub-networks, one row for each.
const subNetworksName = "sub-networks"

// SubNetworks holds the weights of the sub-networks that Method.AfterTraining added to one network. The zero
// value has none; sub-networks are then the network with dropout masks.
type SubNetworks struct{ matrix Matrix }

// findSubNetworks returns the sub-networks among the stored matrices of a network.
func findSubNetworks(stored []Matrix) SubNetworks {
	for _, m := range stored {
		if m.Name == subNetworksName {
			return SubNetworks{m}
		}
	}
	return SubNetworks{}
}

// Len returns the number of sub-networks.
func (n SubNetworks) Len() int { return n.matrix.Rows }

// Pass returns the pass that runs a sub-network: the pass of the full network if its weights are stored, and a pass with
// dropout masks otherwise.
func (n SubNetworks) Pass() graph.Pass {
	if n.Len() > 0 {
		return graph.Full
	}
	return graph.Drop(0)
}

// Parameters returns the values of all parameters of sub-network i, buffers left out, one parameter
// after another.
func (n SubNetworks) Parameters(i int) []float32 {
	return n.matrix.Values[i*n.matrix.Columns:][:n.matrix.Columns]
}

// Load sets params, the parameters of the network, to the values of sub-network i. Buffers do not change.
func (n SubNetworks) Load(i int, params *graph.Params) {
	values := n.Parameters(i)
	for index, p := range params.List() {
		if p.Buffer {
			continue
		}
		copied := copy(graph.ParamValues(params, params.Float32s(), index), values)
		values = values[copied:] // the values of the next parameters
	}
}

// check returns an error unless the sub-networks, if there are any, have as many values as the
// network has parameters.
func (n SubNetworks) check(params *graph.Params) error {
	want := len(appendParameters(nil, params))
	if n.Len() > 0 && n.matrix.Columns != want {
		return fmt.Errorf("sub-networks have %d values each; want %d, as the network has", n.matrix.Columns, want)
	}
	return nil
}

// Parameters returns the values of all parameters of the trained network, buffers left out, one
// parameter after another.
func (n *TrainedNetwork) Parameters() []float32 { return appendParameters(nil, n.options.Params) }

// WithParameters returns the network with other values of its parameters, in the order of Parameters, for Evaluate and
// Jacobian. n does not change, and matrices that are stored with the result are lost. It returns an error if the
// number of values is wrong.
func (n *TrainedNetwork) WithParameters(values []float32) (*TrainedNetwork, error) {
	network := SubNetworks{Matrix{matrixShape{subNetworksName, 1, len(values)}, values}}
	if err := network.check(n.options.Params); err != nil {
		return nil, err
	}
	other := &TrainedNetwork{Hyperparameters: n.Hyperparameters, spec: n.spec, rows: n.rows, options: n.options}
	other.options.Params = n.options.Params.Clone()
	network.Load(0, other.options.Params)
	return other, nil
}

// KeptValues returns the values of a matrix that Method.AfterStep kept, row by row. It returns nil if there
// is none of that name.
func (n *TrainedNetwork) KeptValues(name string) []float32 {
	for _, m := range n.options.KeptMatrices {
		if m.Name == name {
			return slices.Clone(m.Values)
		}
	}
	return nil
}

// AddSubNetwork stores a sub-network with the model: the network with other values of its parameters, in the
// order of Parameters. Predictions use these sub-networks, without dropout masks, in place of dropout sub-networks,
// at most as many as the user requests: Moments.Mean, Std, MeanOverDraws and ForEachDraw are about them. It returns an error if
// the number of values is wrong, or if one is not finite.
func (n *TrainedNetwork) AddSubNetwork(parameters []float64) error {
	m, err := newMatrix(matrixShape{subNetworksName, 1, len(parameters)}, parameters)
	if err != nil {
		return err
	}
	if err := (SubNetworks{m}).check(n.options.Params); err != nil {
		return err
	}
	n.subNetworks = append(n.subNetworks, m.Values...)
	return nil
}

// storeSubNetworks stores the sub-networks that AddSubNetwork collected as a matrix, if there are any. It
// returns an error if the method's predictor does not use sub-networks, or if there are too many.
func (n *TrainedNetwork) storeSubNetworks() error {
	if n.subNetworks == nil {
		return nil
	}
	m, err := Lookup(n.spec.Method)
	if err != nil {
		return err
	}
	columns := len(n.Parameters())
	shape := matrixShape{subNetworksName, len(n.subNetworks) / columns, columns}
	if !m.UsesSubNetworks() {
		return fmt.Errorf("method %s adds sub-networks after the training: its predictor needs SubNetworks: models.SubNetworkMoments to use them", m.Name)
	}
	number := fmt.Sprintf("the number of sub-networks that method %s adds after its training", m.Name)
	if err := Limits.Samples.Check(number, shape.Rows); err != nil {
		return err
	}
	if err := checkShapes(append(shapesOf(n.stored), shape), 1); err != nil {
		return err
	}
	n.stored = append(n.stored, Matrix{shape, n.subNetworks})
	return nil
}

// Normal returns count random numbers from N(0, 1). They depend only on the seed of the training, the member
// of the ensemble and the stream, any number that the caller chooses.
func (n *TrainedNetwork) Normal(stream uint64, count int) []float64 {
	r := rand.New(rand.NewPCG(n.options.Seed, graph.Seed(afterTrainingStep, stream)))
	values := make([]float64, count)
	for i := range values {
		values[i] = portable.NormFloat64(r)
	}
	return values
}
