package models

import (
	"reflect"
	"slices"

	"sml/graph"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// Moments holds the outputs of one network, and their statistics over its sub-networks, as nodes of a
// graph: [rows, targets] each, in standardised units. Each slice has one node for each output that
// belongs to a target (Method.Outputs).
type Moments struct {
	Hyperparameters // hyperparameters of the method

	Full []*graph.Node // outputs of the full network
	Mean []*graph.Node // mean over the sub-networks; nil for NoSubNetworks
	Std  []*graph.Node // sample standard deviation (n−1) over the sub-networks; nil for NoSubNetworks

	// A standardised target y is y·TargetStd + TargetMean in its own unit, [1, targets] each.
	TargetMean, TargetStd *graph.Node

	// Layer returns the output [rows, units] of a hidden layer of the full network, by the name that
	// the network gives it (graph.Builder.Layer), or of the last named layer for "". The builder fails
	// if there is none.
	Layer func(name string) *graph.Node

	// LinearLayers returns the fully connected layers of the full network, all of them or the last: see
	// Task.LinearLayers. The builder fails if there is none.
	LinearLayers func(which Layers) []LinearLayer

	// Stored returns a matrix that Method.AfterTraining stored for the network, by its name. The
	// builder fails if there is none.
	Stored func(name string) *graph.Node

	// Parameter returns the trained value of a parameter or buffer of the network or of the objective, such as one noise
	// level for all rows. name is its name in graph.Builder.Param, with the prefix of its scope. All copies of
	// a network share the parameter, and its sub-networks do too. The builder fails if there is none.
	Parameter func(name string) *graph.Node

	// MeanOverDraws returns the mean over all sub-networks of a function of each sub-network's outputs. It
	// is nil unless Method.SubNetworks is EachSubNetwork.
	MeanOverDraws func(f func(outputs []*graph.Node) *graph.Node) *graph.Node

	// ForEachDraw returns the values of a function of each sub-network's outputs, one node for each
	// sub-network. It is nil unless Method.SubNetworks is EachSubNetwork.
	ForEachDraw func(f func(outputs []*graph.Node) *graph.Node) []*graph.Node
}

// PredictionNodes holds the predicted distributions of rows as nodes of a graph, [rows, targets] each
// in standardised units.
type PredictionNodes struct {
	Family     distribution.Family
	Parameters []*graph.Node // parameters of the family, in its order
	Components []Component   // parts of the standard deviation; may be nil

	// Correlations are the correlation matrices of the rows' targets, [rows, targets·targets]: first the correlations of
	// all targets with the first target, then with the second target, and so on. The normal scores of the targets
	// (distribution.Joint) have these correlations; so have the targets themselves if the family is normal. nil if the
	// targets are independent.
	Correlations *graph.Node
}

// Component is a part of the predicted standard deviation, itself a standard deviation.
type Component struct {
	Name string // name of the column in tables of predictions
	Std  *graph.Node
}

// Names of the components that several methods have.
const (
	DropoutStd    = "dropout_std"    // spread of the sub-networks
	DropoutOffset = "dropout_offset" // distance of the sub-networks' mean from the full network
	Aleatoric     = "aleatoric"      // noise of the data, which more data do not reduce
	Epistemic     = "epistemic"      // uncertainty about the network's weights
)

// NetworkOutputs holds the outputs of one network for rows, [rows, outputs] each: the columns are the
// first output of every target, then the second output of every target, and so on.
type NetworkOutputs struct {
	Full      []float32   // outputs of the full network
	Mean, Std []float64   // mean and sample standard deviation (n−1) over the sub-networks; nil if there are none
	Draws     [][]float32 // outputs of each sub-network; nil unless Method.SubNetworks is EachSubNetwork

	// Layers holds the values [rows, units] of the full network in PredictionGraph.Layers, by name: see
	// FullPass.FindLayer.
	Layers map[string][]float32

	// Stored holds the matrices that the model stores for the network. A predictor uses invented values
	// for missing ones.
	Stored []Matrix

	// Params has the network's parameters, in float32. If it is nil, a predictor uses those of PredictionOptions.
	Params *graph.Params
}

// Predictor returns the prediction for the outputs of one network. It uses only operations on
// elements: the prediction of a row must not depend on other rows. It is called several times, for
// any number of rows, and must build the same graph each time.
type Predictor func(b *graph.Builder, m Moments) PredictionNodes

// Combiner returns one prediction for the predictions of several networks, two or more. It has to
// follow the rules of a Predictor.
type Combiner func(b *graph.Builder, members []PredictionNodes) PredictionNodes

// PredictionForm says which values the predictions of a method have.
type PredictionForm struct {
	Family     distribution.Family
	Components []string // names of the components
	Correlated bool     // whether predictions have correlations of the targets
}

// Prediction is the predicted distribution of one target of one row.
type Prediction struct {
	distribution.Distribution

	// Components holds the values of PredictionNodes.Components: parts of the standard deviation, in
	// its unit.
	Components []float64

	// Correlations holds the correlations of the target with each target of the row, 1 with itself: see
	// PredictionNodes.Correlations. nil if the targets are independent.
	Correlations []float64

	parameters []float64 // parameters of the family, as the network predicted them
}

// NewPrediction returns the prediction with the given parameters of a family. It makes no copy of the
// slices.
func NewPrediction(f distribution.Family, parameters, components []float64) Prediction {
	return Prediction{Distribution: f.New(parameters), Components: components, parameters: parameters}
}

// WithDistribution returns the prediction with another distribution, such as a calibrated one. The
// components change in proportion to the standard deviation. The correlations remain: they do not depend on the
// distributions of the targets by themselves.
func (p Prediction) WithDistribution(d distribution.Distribution) Prediction {
	changed := Prediction{
		Distribution: d,
		Components:   make([]float64, len(p.Components)),
		Correlations: p.Correlations,
	}
	if len(p.Components) == 0 {
		return changed
	}
	oldStd, newStd := p.Std(), d.Std()
	for i, component := range p.Components {
		if oldStd > 0 { // otherwise the components are 0, too
			changed.Components[i] = component / oldStd * newStd
		}
	}
	return changed
}

// Equal reports whether two predictions have the same distribution, components and correlations.
func (p Prediction) Equal(q Prediction) bool {
	return reflect.DeepEqual(p.Distribution, q.Distribution) &&
		slices.Equal(p.Components, q.Components) &&
		slices.Equal(p.Correlations, q.Correlations)
}

// IsFinite reports whether all parameters that the network predicted, all components and all correlations are finite.
func (p Prediction) IsFinite() bool {
	isNotFinite := func(v float64) bool { return !statistics.IsFinite(v) }
	for _, values := range [][]float64{p.parameters, p.Components, p.Correlations} {
		if slices.ContainsFunc(values, isNotFinite) {
			return false
		}
	}
	return true
}
