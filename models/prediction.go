package models

import (
	"reflect"
	"slices"

	"sml/graph"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// Moments is what one network says of rows, as nodes of a graph, [rows targets] each and in
// standardised units. The slices have one node for each network output that belongs to a
// target (Method.Outputs). Mean and Std are nil where the method is not Stochastic: no
// sub-network was drawn.
type Moments struct {
	Hyperparameters // of the method

	Full []*graph.Node // outputs of the full network
	Mean []*graph.Node // mean over the sub-networks
	Std  []*graph.Node // their sample standard deviation (n−1)

	// A target y in its own unit is y·TargetStd + TargetMean, [1 targets] each.
	TargetMean, TargetStd *graph.Node

	// Layer returns the output [rows units] of a hidden layer of the full network, by the name that
	// the network gives it (graph.Builder.Layer), or of the last named layer for "".
	Layer func(name string) *graph.Node

	// Stored returns the matrix of that name that Method.AfterTraining stored for the network.
	Stored func(name string) *graph.Node

	// OverDraws returns the mean over all sub-networks of a function of the outputs of each.
	// EachDraw returns the function of each sub-network. Both are nil unless Method.Draws.
	OverDraws func(of func(draw []*graph.Node) *graph.Node) *graph.Node
	EachDraw  func(of func(draw []*graph.Node) *graph.Node) []*graph.Node
}

// PredictionNodes is the prediction of rows as nodes of a graph, [rows targets] each: the
// parameters of a distribution in standardised units, and parts of its standard deviation.
type PredictionNodes struct {
	Family     distribution.Family
	Parameters []*graph.Node
	Components []Component
}

// Component is a part of the predicted standard deviation, itself a standard deviation.
type Component struct {
	Name string // of the column in tables of predictions
	Std  *graph.Node
}

// Names of the components that several methods have.
const (
	DropoutStd    = "dropout_std"    // spread of the sub-networks
	DropoutOffset = "dropout_offset" // distance of the sub-networks' mean from the full network
	Aleatoric     = "aleatoric"      // noise of the data, which more data do not reduce
	Epistemic     = "epistemic"      // uncertainty about the network's weights
)

// Predictor turns what one network says into a prediction, by operations on elements: the
// prediction of a row depends on this row alone. It is called several times, for any number
// of rows, and describes the same computation each time.
type Predictor func(b *graph.Builder, m Moments) PredictionNodes

// Combiner turns the predictions of several networks, two or more, into one, under the
// same rules as a Predictor.
type Combiner func(b *graph.Builder, members []PredictionNodes) PredictionNodes

// Prediction is the predicted distribution of one target of one row.
type Prediction struct {
	distribution.Distribution

	// Components holds the parts of the standard deviation that PredictionNodes.Components
	// names.
	Components []float64

	parameters []float64
}

// NewPrediction returns the prediction with these parameters. It keeps the slices.
func NewPrediction(f distribution.Family, parameters, components []float64) Prediction {
	return Prediction{f.New(parameters), components, parameters}
}

// WithDistribution returns the prediction with another distribution, such as a calibrated
// one. Components keep their shares of the standard deviation.
func (p Prediction) WithDistribution(d distribution.Distribution) Prediction {
	changed := Prediction{Distribution: d, Components: make([]float64, len(p.Components))}
	if len(p.Components) == 0 {
		return changed
	}
	before, after := p.Std(), d.Std()
	for i, part := range p.Components {
		if before > 0 {
			changed.Components[i] = part / before * after
		}
	}
	return changed
}

// Equal reports whether two predictions are the same.
func (p Prediction) Equal(q Prediction) bool {
	return reflect.DeepEqual(p.Distribution, q.Distribution) && slices.Equal(p.Components, q.Components)
}

// Finite reports whether every parameter that the network gave and every component is a
// finite number.
func (p Prediction) Finite() bool {
	isNotFinite := func(v float64) bool { return !statistics.Finite(v) }
	return !slices.ContainsFunc(p.parameters, isNotFinite) && !slices.ContainsFunc(p.Components, isNotFinite)
}
