package distribution

import (
	"math"
	"math/rand/v2"

	"sml/graph"
)

// Point is the family of predicted numbers without uncertainty. Its parameter is the mean; all
// other values are NaN, or nil as nodes.
var Point = Family{
	Name:       "point",
	Parameters: []string{"mean"},
	New:        func(p []float64) Distribution { return NewPoint(p[0]) },
	Nodes:      func(_ *graph.Builder, p []*graph.Node) Nodes { return pointNodes{p[0]} },
}

// NewPoint returns the prediction of a number without uncertainty.
func NewPoint(mean float64) Distribution { return point(mean) }

// IsPoint reports whether d is a number without uncertainty.
func IsPoint(d Distribution) bool {
	_, ok := d.(point)
	return ok
}

// point is a distribution of the family Point: the predicted number.
type point float64

func (d point) Mean() float64            { return float64(d) }
func (point) Std() float64               { return math.NaN() }
func (point) LogDensity(float64) float64 { return math.NaN() }
func (point) CDF(float64) float64        { return math.NaN() }
func (point) Quantile(float64) float64   { return math.NaN() }
func (point) CRPS(float64) float64       { return math.NaN() }
func (point) Sample(*rand.Rand) float64  { return math.NaN() }
func (d point) Affine(scale, shift float64) Distribution {
	return point(float64(float64(d)*scale) + shift)
}

// pointNodes holds distributions of the family Point.
type pointNodes struct{ mean *graph.Node }

func (d pointNodes) Mean() *graph.Node                { return d.mean }
func (pointNodes) Std() *graph.Node                   { return nil }
func (pointNodes) LogDensity(*graph.Node) *graph.Node { return nil }
func (pointNodes) CDF(*graph.Node) *graph.Node        { return nil }
func (pointNodes) Quantiles([]float64) graph.Nodes    { return nil }
func (pointNodes) CRPS(*graph.Node) *graph.Node       { return nil }
